import type { AnyEndpoint, Call } from '../http/endpoint.ts';
import { readInput, resolveInput } from '../http/input.ts';

/** Does what a request that creates a record does, once it has arrived and its sender is known; gives the answer. */
export async function answerOf(
  endpoints: readonly AnyEndpoint[],
  fields: object,
  call: Call,
): Promise<Readonly<Record<string, unknown>>> {
  const endpoint = endpoints.find(({ name }) => name.endsWith('.create'));
  if (!endpoint) throw new Error('these endpoints create nothing');
  const sent = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
  const checked = readInput(endpoint.input, endpoint.required ?? [], sent);
  const target = await resolveInput(checked, endpoint.find, call);
  const { body } = await endpoint.handle(call, checked.input, target);
  // What creates a record answers with an object.
  return body as Readonly<Record<string, unknown>>;
}

/** The same for what is answered with an id, which it gives. */
export async function create(endpoints: readonly AnyEndpoint[], fields: object, call: Call): Promise<number> {
  return Number((await answerOf(endpoints, fields, call)).id);
}
