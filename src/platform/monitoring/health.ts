import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Viewer } from '../../http/core/auth.ts';
import { isReading } from '../../http/core/request.ts';
import { type HttpResponse, textResponse } from '../../http/core/response.ts';
import type { PageHandler, PageRequest } from '../../http/pipeline/exchange.ts';
import { mayWatch } from './metrics-access.ts';
import { aggregate, type Collect } from './process-report.ts';

export interface HealthOptions {
  collect: Collect;
  /** The account of the request's credentials; undefined without valid ones. */
  viewerOf(page: PageRequest): Promise<Viewer | undefined>;
  /** Notices for the operator, shown by `/readyz`. */
  notices?: readonly (() => string | undefined)[];
}

/**
 * Monitoring: `/healthz` (the process is up), `/readyz` (the database answers too), `/metrics` for Prometheus. The
 * metrics and the details of `/readyz` are available to this machine, holders of MARQUEE_METRICS_TOKEN and
 * administrators.
 */
export function health(context: Context, { collect, viewerOf, notices = [] }: HealthOptions): PageHandler {
  const mayAsk = (page: PageRequest) =>
    mayWatch({
      address: page.client.address,
      ...{ url: page.url, headers: page.request.headers },
      token: context.config.metricsToken,
      viewer: () => viewerOf(page),
    });
  const answers: Readonly<Record<string, PageHandler>> = {
    '/healthz': () => json({ status: 'ok' }),
    async '/readyz'(page) {
      const { isReady, detail } = await readiness(context, notices);
      const mayKnow = detail.length > 0 && (await mayAsk(page));
      const body = { status: isReady ? 'ok' : 'unavailable', ...(mayKnow && { detail }) };
      return isReady ? json(body) : json(body, 503, { 'Retry-After': '5' });
    },
    async '/metrics'(page) {
      if (!(await mayAsk(page))) return textResponse('Only for administrators.\n', { status: 403 });
      const registry = await aggregate(await collect());
      const headers = { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' };
      return textResponse(await registry.metrics(), { headers });
    },
  };
  return (page) => {
    const { pathname } = page.url;
    const answer = Object.hasOwn(answers, pathname) && isReading(page.request.method) ? answers[pathname] : undefined;
    if (answer) page.summary.route = pathname;
    return answer?.(page);
  };
}

const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): HttpResponse =>
  textResponse(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });

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
