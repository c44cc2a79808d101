import type { Context } from '../../base/context.ts';
import { ANONYMOUS, forbidden, type Viewer } from '../core/auth.ts';
import type { ClientAddress } from '../core/client-address.ts';
import type { AnyEndpoint, EndpointResponse, HandlerContext } from '../core/endpoint.ts';
import { Urls } from '../core/urls.ts';
import { readInput, resolveInput } from '../input/validate.ts';
import type { ServerDeps } from './exchange.ts';
import { countRequest } from './serve.ts';

/** Parameters as a client would send them; undefined ones are omitted. */
export type SentParams = Readonly<Record<string, unknown>>;

/** Validates a request to an endpoint, runs its look-ups and checks its rights. */
async function admit(endpoint: AnyEndpoint, ctx: HandlerContext, params: SentParams) {
  const sent = new Map(Object.entries(params).filter(([, value]) => value !== undefined));
  const read = readInput(endpoint.input, endpoint.required ?? [], sent);
  const target = await resolveInput(read, endpoint.find, ctx);
  if (endpoint.may && !endpoint.may(ctx.viewer, target, read.input)) throw forbidden(ctx.viewer);
  return { input: read.input, target };
}

/**
 * Calls an endpoint in this process, with its validation and rights.
 * @throws {ApiError | InvalidParams | OutdatedRevision} if the endpoint refuses
 */
export async function callEndpoint(
  endpoint: AnyEndpoint,
  ctx: HandlerContext,
  params: SentParams,
): Promise<EndpointResponse> {
  const { input, target } = await admit(endpoint, ctx, params);
  return endpoint.handle(ctx, input, target);
}

/** Current state of the record that an endpoint would change, for `edit-conflict`. */
export async function showRecord(endpoint: AnyEndpoint, ctx: HandlerContext, params: SentParams): Promise<unknown> {
  const { input, target } = await admit(endpoint, ctx, params);
  return endpoint.showCurrent?.(ctx, input, target);
}

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
