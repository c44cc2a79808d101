import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Context } from '../../base/context.ts';
import { withRequestId } from '../../base/request-id.ts';
import type { ShortWay } from '../cache/short-way.ts';
import type { ClientInfo } from '../core/client-address.ts';
import { ApiError } from '../core/errors.ts';
import type { RequestSummary } from '../core/exchange.ts';
import type { OverloadGuard } from './overload.ts';
import type { Bindings } from './server.ts';
import { type Answered, loadOf, logAccess, type Traffic } from './traffic.ts';

/** Variables of the Hono context. */
export interface Env {
  Bindings: Bindings;
  Variables: { peer: ClientInfo; summary: RequestSummary };
}

interface Options {
  context: Context;
  traffic: Traffic;
  guard: OverloadGuard;
  observe: (answered: Answered) => void;
  /** Determines the client and the id of the request. */
  introduce: (c: HonoContext<Env>) => void;
  refuse: (c: HonoContext<Env>, error: ApiError) => Promise<Response>;
  keep: ShortWay['keep'];
}

/** Answered even under overload, so that monitoring does not mistake a busy process for a dead one. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(['/healthz', '/metrics']);

/** Seconds of `Retry-After`; a short overload is over by then. */
const RETRY_AFTER = '2';

/** Middleware of every request: its id, the overload check, common headers, metrics and the access log. */
export function requestLifecycle({
  context,
  traffic,
  guard,
  observe,
  introduce,
  refuse,
  keep,
}: Options): MiddlewareHandler<Env> {
  return async (c, next) => {
    const start = performance.now();
    introduce(c);
    const summary = c.get('summary');
    const bodyBytes = announcedBytes(c, context.config);
    if (guard.refuses(loadOf(traffic, bodyBytes)) && !ALWAYS_ANSWERED.has(c.req.path)) {
      c.res = await refuse(c, new ApiError('overloaded', { headers: { 'Retry-After': RETRY_AFTER } }));
    } else {
      traffic.inFlight += 1;
      traffic.bodyBytes += bodyBytes;
      try {
        await withRequestId(summary.id, next);
      } finally {
        traffic.inFlight -= 1;
        traffic.bodyBytes -= bodyBytes;
      }
    }
    addHeaders(c.res.headers, summary, c.get('peer'));
    await keep(c.env?.incoming, c.res, summary);
    const seconds = (performance.now() - start) / 1000;
    const route = summary.route ?? patternOf(c);
    const answered = { method: c.req.method, route, status: c.res.status, code: summary.code, seconds };
    observe(answered);
    logAccess(context, answered, summary);
  };
}

/** Upper bound of the body in bytes; without `Content-Length`, the largest that may be sent. */
function announcedBytes(c: HonoContext<Env>, { maxBodyBytes, maxUploadBytes }: Context['config']): number {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return 0;
  const length = c.req.header('content-length');
  if (length === undefined) return c.req.header('transfer-encoding') === undefined ? 0 : maxBodyBytes;
  // More than that is refused without being read.
  return Math.min(Number(length) || 0, maxUploadBytes);
}

function addHeaders(headers: Headers, { id }: RequestSummary, { origin }: ClientInfo): void {
  headers.set('X-Request-Id', id);
  headers.set('X-Content-Type-Options', 'nosniff');
  // Two years, as the preload list requires; browsers ignore the header over plain HTTP.
  if (origin.startsWith('https:')) headers.set('Strict-Transport-Security', 'max-age=63072000');
}

/** The pattern of a page; undefined for a path that only `*` matches. */
function patternOf(c: HonoContext<Env>): string {
  const pattern = routePath(c);
  return pattern === '*' || pattern === '/*' ? 'none' : pattern;
}
