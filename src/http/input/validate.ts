import type { AddProblem, Fields, HandlerContext, InputOf } from '../core/endpoint.ts';
import { ApiError, InvalidParams, type Problem } from '../core/errors.ts';
import { type Json, problemOf } from './schemas.ts';

/** The parameter of a check-in key. */
export const KEY_PARAM = 'api_key';

/** Tests if a parameter may be a list. */
export const mayBeList = (fields: Fields, name: string): boolean =>
  Object.hasOwn(fields, name) && allowsLists(fields[name]?.meta() ?? {});

/** Tests if a JSON Schema allows lists. */
const allowsLists = ({ type, anyOf }: Json): boolean =>
  [type].flat().includes('array') || (Array.isArray(anyOf) && anyOf.some(allowsLists));

/** Valid parameters, and the problem of each invalid one. */
export interface ReadParams<F extends Fields> {
  input: Partial<InputOf<F>>;
  problems: ReadonlyMap<string, Problem>;
}

/** @throws {ApiError} rest_missing_callback_param naming every missing parameter */
export function requireParams(required: readonly string[], sent: ReadonlyMap<string, unknown>): void {
  const missing = required.filter((name) => (sent.get(name) ?? null) === null);
  if (missing.length === 0) return;
  throw new ApiError('rest_missing_callback_param', {
    data: { params: missing },
    values: { count: missing.length, params: missing.join(', ') },
    ...(missing.includes(KEY_PARAM) && { message: 'qr.key_missing' }),
  });
}

/**
 * Validates parameters by their schemas. Returns the valid ones and the problem of each invalid one.
 * @throws {ApiError} rest_missing_callback_param naming every missing required parameter
 */
export function readInput<F extends Fields>(
  fields: F,
  required: readonly string[],
  sent: ReadonlyMap<string, unknown>,
): ReadParams<F> {
  requireParams(required, sent);
  const input: Record<string, unknown> = {};
  const problems = new Map<string, Problem>();
  for (const [name, schema] of Object.entries(fields)) {
    if (!sent.has(name)) continue;
    const result = schema.safeParse(sent.get(name));
    if (result.success) input[name] = result.data;
    else problems.set(name, problemOf(result.error));
  }
  return { input: input as Partial<InputOf<F>>, problems };
}

/** Runs the look-ups of an endpoint on the valid parameters, then reports all problems together. */
export async function resolveInput<F extends Fields, T>(
  { input, problems }: ReadParams<F>,
  find: ((input: Partial<InputOf<F>>, ctx: HandlerContext, addProblem: AddProblem) => Promise<T>) | undefined,
  ctx: HandlerContext,
): Promise<T> {
  const found = new Map(problems);
  const refuseParam: AddProblem = (name, problem) => void (found.has(name) || found.set(name, problem));
  const target = await find?.(input, ctx, refuseParam);
  if (found.size > 0) throw new InvalidParams(found);
  // Without `find`, the target has the type undefined.
  return target as T;
}
