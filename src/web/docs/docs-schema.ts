import { type Html, html, prose } from '../frame/html.ts';

/** Parts of a JSON Schema used by the page. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
}

const schemaName = ($ref: string): string => $ref.split('/').at(-1) ?? '';
export const schemaAnchor = (name: string): string => `schema-${name}`;

const WORDS: Readonly<Record<string, string>> = {
  integer: 'whole number',
  number: 'number',
  string: 'text',
  boolean: 'true or false',
  object: 'object',
  array: 'list',
  null: 'null',
};
const FORMATS: Readonly<Record<string, string>> = { uri: 'web address', email: 'e-mail address', binary: 'file' };

const separated = (parts: readonly Html[], separator: string): Html =>
  html`${parts.map((part, index) => html`${index > 0 && separator}${part}`)}`;

/** Short description of a value's type. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref) return html`<a href="#${schemaAnchor(schemaName(schema.$ref))}">${schemaName(schema.$ref)}</a>`;
  const values = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  if (values)
    return separated(
      values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' or ',
    );
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return separated(choices.map(typeOf), ' or ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return html`any value`;
  return separated(
    types.map((type) => wordFor(type, schema)),
    ' or ',
  );
}

function wordFor(type: string, schema: Schema): Html {
  if (type === 'array') return schema.items ? html`list of ${typeOf(schema.items)}` : html`list`;
  if (type === 'object' && !schema.properties && typeof schema.additionalProperties === 'object')
    return html`map to ${typeOf(schema.additionalProperties)}`;
  if (type === 'string') return html`${FORMATS[schema.format ?? ''] ?? 'text'}`;
  return html`${WORDS[type] ?? type}${type === 'integer' || type === 'number' ? range(schema) : ''}`;
}

function range({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema): string {
  const [from, to] = [minimum > Number.MIN_SAFE_INTEGER, maximum < Number.MAX_SAFE_INTEGER];
  if (from && to) return `, ${minimum} to ${maximum}`;
  if (from) return `, at least ${minimum}`;
  return to ? `, at most ${maximum}` : '';
}

/** Members of an object, nested ones after their parent. */
export function schemaTree(schema: Schema): Html {
  const { properties, required = [] } = schema;
  if (!properties) return html`<p class="type">${typeOf(schema)}</p>`;
  const rows = Object.entries(properties).map(
    ([name, member]) =>
      html`<li><code class="name">${name}</code> <span class="type">${typeOf(member)}${!required.includes(name) && ', may be absent'}</span>${
        member.description && html` <span class="about">${prose(member.description)}</span>`
      }${nested(member)}</li>`,
  );
  return html`<ul class="schema">${rows}</ul>`;
}

function nested(member: Schema): Html | undefined {
  if (member.properties) return schemaTree(member);
  const inside = [member.items, member.additionalProperties, ...(member.anyOf ?? [])];
  const found = inside.find(
    (schema): schema is Schema => typeof schema === 'object' && schema.properties !== undefined,
  );
  return found && schemaTree(found);
}
