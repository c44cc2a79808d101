import type { AddProblem, Fields, HandlerContext, InputOf } from './endpoint.ts';
import { ApiError, InvalidParams, type Problem } from './errors.ts';
import type { ListNames } from './params.ts';
import { type Json, problemOf } from './schemas.ts';

const knownLists = new WeakMap<Fields, ListNames>();

/** The names of parameters that may be lists. */
export function listNames(fields: Fields): ListNames {
  const known = knownLists.get(fields);
  if (known) return known;
  const lists = Object.entries(fields).filter(([, schema]) => mayBeList(schema.meta() ?? {}));
  const names = new Set(lists.map(([name]) => name));
  knownLists.set(fields, names);
  return names;
}

/** Whether a JSON Schema allows lists. */
function mayBeList({ type, anyOf }: Json): boolean {
  return [type].flat().includes('array') || (Array.isArray(anyOf) && anyOf.some(mayBeList));
}

/**
 * Validates parameters by their schemas. Returns the valid ones, and the problem of each invalid one.
 * @throws {ApiError} rest_missing_callback_param naming every missing required parameter
 */
export function readInput<F extends Fields>(
  fields: F,
  required: readonly string[],
  sent: ReadonlyMap<string, unknown>,
): { input: Partial<InputOf<F>>; problems: Map<string, Problem> } {
  const missing = required.filter((name) => (sent.get(name) ?? null) === null);
  if (missing.length > 0) {
    throw new ApiError('rest_missing_callback_param', {
      data: { params: missing },
      values: { count: missing.length, params: missing.join(', ') },
    });
  }
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
  { input, problems }: { input: Partial<InputOf<F>>; problems: Map<string, Problem> },
  find: ((input: Partial<InputOf<F>>, ctx: HandlerContext, addProblem: AddProblem) => Promise<T>) | undefined,
  ctx: HandlerContext,
): Promise<T> {
  const refuseParam: AddProblem = (name, problem) => void (problems.has(name) || problems.set(name, problem));
  const target = await find?.(input, ctx, refuseParam);
  if (problems.size > 0) throw new InvalidParams(problems);
  // Without `find` the type of the target is undefined.
  return target as T;
}
