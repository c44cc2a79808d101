import { Hono, type Context as HonoContext } from 'hono';
import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Viewer } from '../../http/core/auth.ts';
import { mayWatch } from './metrics-access.ts';
import { aggregate, type Collect } from './process-report.ts';

export interface HealthOptions {
  collect: Collect;
  /** Address of the client, past trusted proxies. */
  addressOf(c: HonoContext): string;
  /** The account of the request's credentials; undefined without valid ones. */
  viewerOf(c: HonoContext): Promise<Viewer | undefined>;
  /** Notices for the operator, shown by `/readyz`. */
  notices?: readonly (() => string | undefined)[];
}

/**
 * Monitoring: `/healthz` (the process is up), `/readyz` (the database answers too), `/metrics` for Prometheus. The
 * metrics and the details of `/readyz` are available to this machine, holders of MARQUEE_METRICS_TOKEN and
 * administrators.
 */
export function health(context: Context, { collect, addressOf, viewerOf, notices = [] }: HealthOptions): Hono {
  const app = new Hono();
  const mayAsk = (c: HonoContext) =>
    mayWatch({
      address: addressOf(c),
      request: c.req.raw,
      token: context.config.metricsToken,
      viewer: () => viewerOf(c),
    });
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    const { isReady, detail } = await readiness(context, notices);
    const mayKnow = detail.length > 0 && (await mayAsk(c));
    const body = { status: isReady ? 'ok' : 'unavailable', ...(mayKnow && { detail }) };
    return c.json(body, isReady ? 200 : 503, isReady ? {} : { 'Retry-After': '5' });
  });
  app.get('/metrics', async (c) => {
    if (!(await mayAsk(c))) return c.text('Only for administrators.\n', 403);
    const registry = await aggregate(await collect());
    return c.text(await registry.metrics(), 200, {
      'Content-Type': registry.contentType,
      'Cache-Control': 'no-store',
    });
  });
  return app;
}

/** Whether the process is ready, and notices for the operator. */
async function readiness(context: Context, notices: HealthOptions['notices'] = []) {
  const detail = notices.flatMap((notice) => notice() ?? []);
  try {
    await sql`SELECT 1`.execute(context.db.query);
    return { isReady: true, detail };
  } catch (error) {
    context.log.error({ err: error }, 'not ready');
    return { isReady: false, detail: [`The database does not answer (${codeOf(error)}).`, ...detail] };
  }
}

/** The code of a database error. The message is not shown: it may contain accounts, hosts and statements. */
function codeOf(error: unknown): string {
  const { code } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
  return typeof code === 'string' || typeof code === 'number' ? String(code) : 'no code';
}
