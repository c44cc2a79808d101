import type { AnyEndpoint, HandlerContext, RequestContext } from '../http/core/endpoint.ts';

/** Finds an endpoint of the interface by its name; `app.ts`, which knows them all, hands it in. */
export type EndpointOf = (name: string) => AnyEndpoint | undefined;

/** In whose name records are made, and the endpoints that make them. */
export interface DemoContext extends HandlerContext {
  endpointOf: EndpointOf;
}

/** A context for requests that nobody has sent: they bring nothing and are not counted. */
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
