import { createHash } from 'node:crypto';
import { byKey } from '../../lib/text/list.ts';
import type { AnyEndpoint, EndpointResponse, HandlerContext, Method } from '../core/endpoint.ts';
import { type ErrorResponse, invalidParam } from '../core/errors.ts';
import type { RequestHeaders } from '../core/request.ts';
import type { Match } from '../core/router.ts';
import { readInput } from '../input/validate.ts';

/** Requests with an `Idempotency-Key`, which a client may safely retry. */

const HEADER = 'Idempotency-Key';
const MAX_KEY = 200;
const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Response with the methods of its `Allow` header. */
export interface CompletedResponse {
  response: EndpointResponse | ErrorResponse;
  allow: Method[];
}

/** Write with an `Idempotency-Key`. */
export interface KeyedWrite {
  key: string;
  /** Method, endpoint and path parameters, however the path is spelled. */
  operation: string;
  /** Canonical text of everything else that affects the response. The same key with another text is refused. */
  asked: string;
  ctx: HandlerContext;
  isAtomic: boolean;
  /** Members and headers of the response that are not stored. */
  secrets: readonly string[];
}

/**
 * Responds to a write with a key: to the first one by calling `work`, which does not throw, and to repetitions with the
 * stored response. Implemented in idempotency-keys/run-once.ts.
 * @throws {ApiError} request-in-progress, idempotency-key-reused, idempotency-answer-not-kept
 */
export type HandleOnce = (
  write: KeyedWrite,
  work: (ctx: HandlerContext) => Promise<CompletedResponse>,
) => Promise<CompletedResponse>;

/**
 * The key of a request; undefined for requests that only read.
 * @throws {InvalidParams} if it is empty or longer than 200 characters
 */
export function idempotencyKeyOf(method: string, headers: RequestHeaders): string | undefined {
  const key = WRITES.has(method) ? headers.get(HEADER) : null;
  if (key === null) return undefined;
  if (key !== '' && key.length <= MAX_KEY) return key;
  throw invalidParam(HEADER, 'param.idempotency_key');
}

interface Named {
  endpoint: AnyEndpoint;
  method: string;
  match: Match;
  /** All parameters. */
  sent: ReadonlyMap<string, unknown>;
}

/**
 * Describes a write with a key. Undefined for visitors whose request is refused or invalid: there is nothing to repeat,
 * and nothing would limit the two transactions of a claim.
 */
export async function keyedWrite(
  key: string,
  ctx: HandlerContext,
  { endpoint, method, match, sent }: Named,
): Promise<KeyedWrite | undefined> {
  if (!ctx.viewer.account && !ctx.viewer.key && (endpoint.may || !isUsable(endpoint, sent))) return undefined;
  return {
    key,
    ctx,
    operation: JSON.stringify([method, endpoint.namespace, endpoint.path, match.params]),
    asked: await textOf(ctx, sent, endpoint.subjectOf?.(ctx)),
    isAtomic: endpoint.idempotency !== 'recorded',
    secrets: endpoint.shownOnce ?? [],
  };
}

/** @throws {ApiError} rest_missing_callback_param */
const isUsable = ({ input, required = [] }: AnyEndpoint, sent: ReadonlyMap<string, unknown>): boolean =>
  readInput(input, required, sent).problems.size === 0;

/** Parameters that only affect the format of a response. */
const PRESENTATION: ReadonlySet<string> = new Set(['_fields', '_envelope', '_pretty', '_jsonp', '_method']);
/** Headers that affect the meaning of a request. */
const ASKING = ['X-Cart-Token', 'X-Order-Token', 'X-Ticket-Token', 'If-Match'];

async function textOf(ctx: HandlerContext, sent: ReadonlyMap<string, unknown>, subject = ''): Promise<string> {
  const params = [...sent].filter(([name]) => !PRESENTATION.has(name)).sort(byKey);
  const files: unknown[] = [];
  for (const [name, file] of ctx.files) files.push([name, file.name, file.type, await digestOf(file)]);
  return canonicalText([params, files, ctx.language, ASKING.map((name) => ctx.header(name) ?? null), subject]);
}

/** Hashes in chunks, so that other requests run in between. */
async function digestOf(file: File): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of file.stream()) digest.update(piece);
  return digest.digest('hex');
}

/**
 * Canonical text of a value, independent of the order of object members. Iterative, since a body may be nested more
 * deeply than the stack allows.
 */
export function canonicalText(value: unknown): string {
  const parts: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (Array.isArray(next)) {
      parts.push(`[${next.length}`);
      for (let index = next.length - 1; index >= 0; index -= 1) left.push(next[index]);
    } else if (typeof next === 'object' && next !== null) {
      const members = Object.entries(next).sort(([a], [b]) => (a < b ? 1 : -1));
      parts.push(`{${members.length}`);
      for (const [name, member] of members) left.push(member, name);
    } else parts.push(JSON.stringify(next) ?? 'undefined');
  }
  return parts.join(',');
}
