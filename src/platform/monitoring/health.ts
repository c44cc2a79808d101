import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { can, type Viewer } from '../../http/core/auth.ts';
import { isReading, type RequestHeaders } from '../../http/core/request.ts';
import { type HttpResponse, textResponse } from '../../http/core/response.ts';
import type { PageHandler, PageRequest } from '../../http/pipeline/exchange.ts';
import { isSameSecret } from '../../lib/hash.ts';
import { aggregate, type Collect } from './process-report.ts';

export interface HealthOptions {
  collect: Collect;
  /** Account of the request's credentials; undefined without valid ones. */
  viewerOf(page: PageRequest): Promise<Viewer | undefined>;
  /** Notices for the operator, shown by `/readyz`. */
  notices?: readonly (() => string | undefined)[];
}

/**
 * Monitoring: `/healthz` (the process is up), `/readyz` (the database responds too), `/metrics` for Prometheus. The
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
  const handlers: Readonly<Record<string, PageHandler>> = {
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
    const handler =
      Object.hasOwn(handlers, pathname) && isReading(page.request.method) ? handlers[pathname] : undefined;
    if (handler) page.summary.route = pathname;
    return handler?.(page);
  };
}

const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): HttpResponse =>
  textResponse(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });

/** Readiness of the process, with notices for the operator. */
async function readiness(context: Context, notices: HealthOptions['notices'] = []) {
  const detail = notices.flatMap((notice) => notice() ?? []);
  try {
    await sql`SELECT 1`.execute(context.db.query);
    return { isReady: true, detail };
  } catch (error) {
    context.log.error({ err: error }, 'not ready');
    return { isReady: false, detail: [`The database does not respond (${codeOf(error)}).`, ...detail] };
  }
}

/** Code of a database error. The message is not shown: it may contain accounts, hosts and statements. */
function codeOf(error: unknown): string {
  const { code } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
  return typeof code === 'string' || typeof code === 'number' ? String(code) : 'no code';
}

/**
 * Headers of proxies. An undeclared proxy on this machine makes every visitor look local; any of these headers shows
 * that the request came from elsewhere.
 */
const FORWARDING =
  /^(x-forwarded(-.*)?|x-original-.*|x-(real|client|cluster-client|remote|envoy-external)-(ip|addr|address)|forwarded(-.*)?|via|cf-.*|true-client-ip|fastly-.*|fly-client-ip|x-azure-.*|x-appengine-.*|x-arr-.*)$/i;

const LOCAL_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

interface RequestOrigin {
  /** Address of the client, behind trusted proxies. */
  address: string;
  /** Contains the host sent by the client. */
  url: URL;
  headers: RequestHeaders;
}

/** Tests if a request comes from this machine, without a proxy. */
function isLocal({ address, url, headers }: RequestOrigin): boolean {
  if (!/^(127\.|::1$)/.test(address) || !LOCAL_NAME.test(url.hostname)) return false;
  return ![...headers.keys()].some((name) => FORWARDING.test(name));
}

interface Reader extends RequestOrigin {
  /** Value of MARQUEE_METRICS_TOKEN. */
  token?: string;
  /** Checks the credentials of the request; called last. */
  viewer(): Promise<Viewer | undefined>;
}

/** Tests if a viewer may see internals of the process: this machine, holders of the token, administrators. */
async function mayWatch(reader: Reader): Promise<boolean> {
  if (isLocal(reader)) return true;
  const sent = /^bearer +(\S+)\s*$/i.exec(reader.headers.get('authorization') ?? '')?.[1];
  if (reader.token !== undefined && sent !== undefined && isSameSecret(sent, reader.token)) return true;
  const viewer = await reader.viewer();
  return viewer !== undefined && can(viewer, 'manage_users');
}
