import type { AnyEndpoint, HandlerContext, RequestContext } from '../http/core/endpoint.ts';

/** Finds an endpoint of the API by name; passed in by `app.ts`, which knows them all. */
export type EndpointOf = (name: string) => AnyEndpoint | undefined;

/** Author of the created records, and the endpoints that create them. */
export interface DemoContext extends HandlerContext {
  endpointOf: EndpointOf;
}

/** Context of simulated requests: they have no headers and are not counted. */
export const demoContext = (
  { context, viewer, actor, urls, language, now }: RequestContext,
  endpointOf: EndpointOf,
): DemoContext => ({
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
