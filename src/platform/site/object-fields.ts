import type { Fields } from '../../http/core/endpoint.ts';
import type { Json } from '../../http/input/schemas.ts';
import { readInput } from '../../http/input/validate.ts';
import { isRecord } from '../../lib/text/list.ts';

/** Parameters that are objects with members of their own. */

/** Reads an object; all its members must be valid. Returns only the members that were sent. */
export function readObject(fields: Fields, value: unknown): Record<string, unknown> | undefined {
  if (!isRecord(value) || Object.keys(value).some((name) => !Object.hasOwn(fields, name))) return undefined;
  const { input, problems } = readInput(fields, [], new Map(Object.entries(value)));
  return problems.size === 0 ? input : undefined;
}

export const objectSchema = ($id: string, properties: Json, required: readonly string[] = []): Json => ({
  $id,
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

export const nullable = ({ nullable: _, type, ...json }: Json): Json => ({ ...json, type: [type, 'null'] });
export const propertiesOf = (fields: Fields): Json =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, nullable((schema.meta() ?? {}) as Json)]));
