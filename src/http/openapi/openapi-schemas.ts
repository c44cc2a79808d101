import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { byKey } from '../../lib/text/list.ts';
import type { AnyEndpoint } from '../core/endpoint.ts';
import { BODY_ONLY } from '../input/params.ts';
import type { SiteDefaults } from '../input/schemas.ts';

export type Json = Record<string, unknown>;

export type ComponentGroup = 'schemas' | 'parameters' | 'requestBodies' | 'responses' | 'headers';

/** Components of a document, and the site values for its defaults. */
export class Components {
  readonly groups: Readonly<Record<ComponentGroup, Map<string, Json>>> = {
    schemas: new Map(),
    parameters: new Map(),
    requestBodies: new Map(),
    responses: new Map(),
    headers: new Map(),
  };
  readonly site: SiteDefaults;

  constructor(site: SiteDefaults) {
    this.site = site;
  }

  /**
   * Adds a component and returns the reference to it.
   * @throws {Error} if the name is taken by a different schema
   */
  define(group: ComponentGroup, name: string, part: Json): Json {
    const known = this.groups[group].get(name);
    if (known && !isDeepStrictEqual(known, part)) throw new Error(`two ${group} have the name ${name}`);
    if (!known) this.groups[group].set(name, part);
    return reference(group, name);
  }

  toJSON(): Json {
    return Object.fromEntries(Object.entries(this.groups).map(([group, parts]) => [group, sorted(parts)]));
  }
}

export const reference = (group: ComponentGroup, name: string): Json => ({ $ref: `#/components/${group}/${name}` });

const sorted = (parts: ReadonlyMap<string, Json>): Json => Object.fromEntries([...parts].sort(byKey));

interface InputOptions {
  components: Components;
  /** Whether defaults are included. */
  withDefaults: boolean;
}

/** The JSON Schema of a parameter as sent by clients. */
export function inputSchema(schema: z.ZodType, { components, withDefaults }: InputOptions): Json {
  const { default: preset, component: _component, ...json } = (schema.meta() ?? {}) as Json;
  const named = hoist(json, components) as Json;
  return withDefaults && preset !== undefined ? { ...named, default: presetOf(preset, components.site) } : named;
}

/** Value of a default; a default that depends on the site or the day is a function. */
export const presetOf = (preset: unknown, site: SiteDefaults): unknown =>
  typeof preset === 'function' ? preset(site) : preset;

/** Schema that also allows `null`, which clears a `nullable` field. */
function orNull({ description, ...json }: Json): Json {
  if (Array.isArray(json.anyOf)) return { description, ...json, anyOf: [...json.anyOf, { type: 'null' }] };
  const values = Array.isArray(json.enum) && { enum: [...json.enum, null] };
  return { description, ...json, type: [json.type, 'null'], ...values };
}

/** Moves schemas with an `$id` to the components, and lets `nullable` ones be null, at any depth. */
function hoist(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, components));
  if (typeof value !== 'object' || value === null) return value;
  // An object may also have a member called `nullable`, which is a schema.
  const isNullable = 'nullable' in value && value.nullable === true;
  const { $id, ...rest } = isNullable ? orNull(withoutNullable(value)) : (value as Json);
  const inner = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, hoist(part, components)]));
  return typeof $id === 'string' ? components.define('schemas', $id, inner) : inner;
}

/** The schema of a request body; undefined for endpoints without one. */
export function bodySchema(endpoint: AnyEndpoint, components: Components): Json | undefined {
  const fields = Object.entries(endpoint.input as Record<string, z.ZodType>);
  const inBody = fields.filter(([name]) => !endpoint.path.includes(`{${name}}`));
  if (!takesBody(endpoint) || inBody.length === 0) return undefined;
  const options = { components, withDefaults: !isUpdate(endpoint) };
  const properties = Object.fromEntries([
    ...inBody.map(([name, schema]) => [name.replace(BODY_ONLY, ''), inputSchema(schema, options)]),
    ['i18n_language', reference('schemas', 'Language')],
  ]);
  const required = (endpoint.required ?? []).filter((name) => name in properties);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Tests if parameters belong in the body. A DELETE with `body` has parameters that must not be in a URL. */
export const takesBody = ({ methods, body }: AnyEndpoint): boolean =>
  methods.some((method) => /^(POST|PUT|PATCH)$/.test(method) || (method === 'DELETE' && body !== undefined));

/** An update of a record named by its path leaves absent fields unchanged, so it has no defaults. */
const isUpdate = ({ methods, path }: AnyEndpoint): boolean => methods.includes('PUT') && path.includes('{');

/** JSON Schema of a response, with named schemas as components. It allows additional members. */
export function outputSchema(schema: z.ZodType, components: Components): Json {
  const made = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', override: simplify }) as Json;
  const { $schema: _dialect, $defs = {}, ...own } = relocate(made) as Json;
  for (const [name, definition] of Object.entries($defs as Json)) {
    components.define('schemas', name, withoutId(definition as Json));
  }
  const id = schema.meta()?.id;
  if (!id) return own;
  // A recursive schema is a reference to its definition, which is already a component.
  return '$ref' in own ? own : components.define('schemas', id, withoutId(own));
}

const withoutNullable = ({ nullable: _nullable, ...rest }: Json): Json => rest;

const withoutId = ({ id: _id, ...rest }: Json): Json => rest;

/** Removes noise: closed objects, the range of safe integers, string-typed property names. */
function simplify({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  delete jsonSchema.propertyNames;
}

function relocate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocate);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key === '$ref' && typeof inner === 'string') return [key, inner.replace('#/$defs/', '#/components/schemas/')];
    return [key, relocate(inner)];
  });
  return Object.fromEntries(entries);
}
