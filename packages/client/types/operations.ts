/** A JSON schema, as far as operations need it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  [keyword: string]: unknown;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Message {
  content?: Record<string, { schema?: Schema }>;
}

type Reference = { $ref: string };

interface Operation {
  summary?: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: Message | Reference;
  responses: Record<string, Message | Reference>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Path = { [M in Method]?: Operation } & { parameters?: (Parameter | Reference)[] };

/** The relevant parts of an OpenAPI 3.1 document. */
export interface OpenapiDocument {
  components: { schemas: Record<string, Schema>; [group: string]: Record<string, unknown> };
  paths: Record<string, Path>;
}

/** The first segment of paths is part of the prefix, which the client adds. */
const NAMESPACES = '/calendar';

/** Left out: POST does the same, keeps the key out of logs and can be retried. */
const LEFT_OUT = 'GET /tickets/v1/qr';

/** The language is an option of each call instead of a parameter. */
const LANGUAGE = 'i18n_language';

/** Schema of no parameters. */
const NOTHING: Schema = { type: 'object', additionalProperties: false };

/**
 * The schemas of the types of the client: `Operations`, with the input and the answer of each operation by method and
 * path, and those that it refers to.
 */
export function clientSchemas(document: OpenapiDocument): Record<string, Schema> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methodsOf(item)
      .map((method) => [`${method.toUpperCase()} ${path.replace(NAMESPACES, '')}`, method] as const)
      .filter(([name]) => name !== LEFT_OUT)
      .map(([name, method]) => [name, operationSchema(item, method, document)] as const),
  );
  const description = 'Input and answer of each operation, by its method and path.';
  const root = { description, ...objectOf(Object.fromEntries(operations)) };
  return { Operations: root, ...referredTo(root, document.components.schemas) };
}

/** POST, PUT and PATCH of one path are equivalent; PATCH describes them best. */
function methodsOf(path: Path): Method[] {
  const methods: Method[] = path.patch ? ['get', 'patch', 'delete'] : ['get', 'post', 'put', 'delete'];
  return methods.filter((method) => path[method]);
}

const objectOf = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

function operationSchema(path: Path, method: Method, document: OpenapiDocument): Schema {
  const { summary, parameters = [], requestBody, responses } = path[method] as Operation;
  const sent = [...(path.parameters ?? []), ...parameters]
    .map((one) => resolve<Parameter>(one, document))
    .filter((one) => (one.in === 'path' || one.in === 'query') && one.name !== LANGUAGE);
  const body = requestBody && contentSchema(resolve<Message>(requestBody, document));
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, success]) => contentSchema(resolve<Message>(success, document)) ?? {});
  return {
    description: summary,
    ...objectOf({ input: inputSchema(sent, body), answer: oneOf(answers) }),
  };
}

function inputSchema(sent: readonly Parameter[], body: Schema | undefined): Schema {
  const required = sent.filter((parameter) => parameter.required).map(({ name }) => name);
  const address = objectOf(Object.fromEntries(sent.map((one) => [one.name, addressSchema(one)])), required);
  const parts = [...(sent.length > 0 ? [address] : []), ...(body ? [body] : [])];
  return parts.length > 1 ? { allOf: parts } : (parts[0] ?? NOTHING);
}

/** Different schemas as alternatives. */
function oneOf(schemas: readonly Schema[]): Schema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length > 1 ? { anyOf: distinct } : (distinct[0] ?? {});
}

function resolve<T extends object>(value: T | Reference, document: OpenapiDocument): T {
  if (!('$ref' in value)) return value;
  const [, , group = '', name = ''] = value.$ref.split('/');
  // In a valid document, a reference points to the kind of part that it replaces.
  return resolve(document.components[group]?.[name] as T | Reference, document);
}

/** Schema of a parameter in a URL, where ids look like names: lists of texts accept numbers, too. */
function addressSchema({ description, schema }: Parameter): Schema {
  const takesNames = schema.items?.type === 'string' && !schema.items.enum;
  return { description, ...schema, ...(takesNames && { items: { type: ['number', 'string'] } }) };
}

/** JSON is preferred to equivalent forms, and to pictures. */
const contentSchema = ({ content = {} }: Message): Schema | undefined =>
  (content['application/json'] ?? Object.values(content)[0])?.schema;

/** The schemas that a schema refers to, and those that they refer to. */
function referredTo(root: Schema, schemas: Record<string, Schema>): Record<string, Schema> {
  const found = new Map<string, Schema>();
  const visit = (value: Schema): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name];
      if (!schema) throw new Error(`There is no schema ${name}.`);
      if (found.has(name)) continue;
      found.set(name, withoutLanguage(schema));
      visit(schema);
    }
  };
  visit(root);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutLanguage({ properties, ...schema }: Schema): Schema {
  if (!properties) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => name !== LANGUAGE)),
  };
}
