import type { Context } from '../../base/context.ts';
import { ANONYMOUS, type Viewer } from '../core/auth.ts';
import type { ClientAddress } from '../core/client-address.ts';
import type { AnyEndpoint, EndpointResponse, HandlerContext } from '../core/endpoint.ts';
import { Urls } from '../core/urls.ts';
import { callEndpoint, type SentParams } from './call.ts';
import type { ServerDeps } from './exchange.ts';
import { countRequest } from './serve.ts';

/** Viewer of a page: a visitor, perhaps with a cart, or the account whose session opens a preview. */
export interface Visitor {
  /** Includes the choices of the site. */
  context: Context;
  viewer?: Viewer;
  client: ClientAddress;
  /** Scheme, host and port as the visitor sent them. */
  origin: string;
  language: string;
  header?: HandlerContext['header'];
  cookie?: HandlerContext['cookie'];
}

/**
 * Calls an endpoint in this process as the visitor would over HTTP: with its validation, rights and limits, but without
 * parameters that change the format.
 * @param name of an endpoint, `resource.action`
 */
export type AskAs = (visitor: Visitor, name: string, params: SentParams) => Promise<EndpointResponse>;

/** @throws {ApiError | InvalidParams} if the endpoint refuses */
export function createAsk(deps: Pick<ServerDeps, 'limits'>, endpoints: readonly AnyEndpoint[]): AskAs {
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return async (visitor, name, params) => {
    const endpoint = byName.get(name);
    if (!endpoint) throw new Error(`there is no endpoint ${name}`);
    const ctx = contextOf(deps, visitor);
    await countRequest(endpoint, ctx);
    return callEndpoint(endpoint, ctx, params);
  };
}

function contextOf({ limits }: Pick<ServerDeps, 'limits'>, visitor: Visitor): HandlerContext {
  const { context, client, origin, language, viewer = ANONYMOUS, header = none, cookie = none } = visitor;
  return {
    ...{ context, limits, client, language, header, cookie },
    viewer,
    urls: new Urls(origin),
    now: context.now(),
    files: new Map(),
  };
}

const none = () => undefined;
