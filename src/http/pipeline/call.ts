import { forbidden } from '../core/auth.ts';
import type { AnyEndpoint, EndpointResponse, HandlerContext } from '../core/endpoint.ts';
import { readInput, resolveInput } from '../input/validate.ts';

/** Parameters as a client would send them. Undefined ones are not sent. */
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
