import { Hono } from 'hono';
import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** For whoever watches the process: `/healthz` is up, `/readyz` the database answers too. */
export function health(context: Context): Hono {
  const app = new Hono();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    try {
      await sql`SELECT 1`.execute(context.db.query);
      return c.json({ status: 'ok' });
    } catch (error) {
      context.log.error({ err: error }, 'not ready');
      return c.json({ status: 'unavailable' }, 503);
    }
  });
  return app;
}
