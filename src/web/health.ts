import { Hono, type Context as HonoContext } from 'hono';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { can, type Viewer } from '../http/auth.ts';
import type { Metrics } from './metrics.ts';

export interface Watching {
  metrics: Metrics;
  /** Who asks: the address of the client, and the account of its credentials, if they are good. */
  askerOf(c: HonoContext): Promise<{ address: string; viewer?: Viewer }>;
  /** Addresses of proxies that MARQUEE_TRUST_PROXY should name. */
  undeclaredProxies(): string[];
}

/**
 * For whoever watches the process: `/healthz` is up, `/readyz` the database answers too, `/metrics` for Prometheus,
 * to this machine itself and to administrators.
 */
export function health(context: Context, { metrics, askerOf, undeclaredProxies }: Watching): Hono {
  const app = new Hono();
  app.use('*', async (c, next) => {
    const start = performance.now();
    await next();
    metrics.observe(c.res.status, (performance.now() - start) / 1000);
  });
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    try {
      await sql`SELECT 1`.execute(context.db.query);
      const { viewer } = await askerOf(c);
      const isAdministrator = viewer !== undefined && can(viewer, 'manage_users');
      return c.json({ status: 'ok', ...(isAdministrator && { undeclared_proxies: undeclaredProxies() }) });
    } catch (error) {
      context.log.error({ err: error }, 'not ready');
      return c.json({ status: 'unavailable' }, 503, { 'Retry-After': '5' });
    }
  });
  app.get('/metrics', async (c) => {
    const { address, viewer } = await askerOf(c);
    // A proxy on this machine that nobody declared would make every visitor look local.
    const isLocal = /^(127\.|::1$)/.test(address) && !c.req.header('x-forwarded-for') && !c.req.header('forwarded');
    if (!isLocal && !(viewer && can(viewer, 'manage_users'))) return c.text('Only for administrators.\n', 403);
    return c.text(metrics.render(), 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
  return app;
}
