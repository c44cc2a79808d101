import type { Context } from '../../base/context.ts';
import { viewerOf } from '../../http/core/auth.ts';
import type { AnyEndpoint, HandlerContext, RequestContext } from '../../http/core/endpoint.ts';
import { Urls } from '../../http/core/urls.ts';
import { commandLine } from '../../lib/actor.ts';
import { accountOf } from './store.ts';

/** Programs of this process, such as imports and the demo, call endpoints as if by requests, so that all rules hold. */

/** Finds an endpoint of the API by name; passed in by `app.ts`, which knows them all. */
export type EndpointOf = (name: string) => AnyEndpoint | undefined;

/** Author of records, and the endpoints that create and change them. */
export interface InProcessContext extends HandlerContext {
  endpointOf: EndpointOf;
}

/** Context of simulated requests: they have no headers and are not counted. */
export const inProcessContext = (
  { context, viewer, actor, urls, language, now }: RequestContext,
  endpointOf: EndpointOf,
): InProcessContext => ({
  ...{ context, viewer, actor, urls, language, now, endpointOf },
  files: new Map(),
  client: { address: '127.0.0.1' },
  limits: {
    checkSecret: async (_attempt, isRight) => isRight(),
    countRequest: async () => ({}),
    countRefusal: async () => undefined,
  },
  header: () => undefined,
  cookie: () => undefined,
});

/** Context of the first administrator, as author of the records created by a command. */
export async function administratorContext(context: Context, endpointOf: EndpointOf): Promise<InProcessContext> {
  const { config, db } = context;
  const users = db.query.selectFrom('users').selectAll().where('role', '=', 'administrator');
  const administrator = await users.orderBy('id').limit(1).executeTakeFirstOrThrow();
  const now = context.now();
  const viewer = viewerOf(accountOf(administrator));
  const urls = new Urls(config.url ?? 'http://localhost');
  return inProcessContext({ context, viewer, actor: commandLine(now), urls, language: 'en', now }, endpointOf);
}

/** @throws {Error} for a name without an endpoint */
export function getEndpoint({ endpointOf }: InProcessContext, name: string): AnyEndpoint {
  const endpoint = endpointOf(name);
  if (!endpoint) throw new Error(`no endpoint is named ${name}`);
  return endpoint;
}
