import { comment, NOTHING, type Schema, SchemaPrinter } from './schema-printer.ts';

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

/**
 * Source of a module: `Operations`, with the input and the answer of each operation by method and path,
 * and a type for each schema that they refer to.
 */
export function documentTypes(document: OpenapiDocument): string {
  const printer = new SchemaPrinter();
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methodsOf(item).map((method) => {
      const name = `${method.toUpperCase()} ${path.replace(NAMESPACES, '')}`;
      return name === LEFT_OUT ? '' : operationEntry(name, partsOf(item, method, document), printer);
    }),
  );
  // Printing a declaration may add names to the set, which are then visited as well.
  const declarations = new Map<string, string>();
  for (const name of printer.names) declarations.set(name, declaration(name, document, printer));
  return [
    '// Generated from openapi.json by `npm run openapi`.\n',
    `/** Input and answer of each operation, by its method and path. */\nexport interface Operations {\n${operations.join('')}}\n`,
    ...[...declarations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text),
  ].join('\n');
}

/** POST, PUT and PATCH of one path are equivalent; PATCH describes them best. */
function methodsOf(path: Path): Method[] {
  const methods: Method[] = path.patch ? ['get', 'patch', 'delete'] : ['get', 'post', 'put', 'delete'];
  return methods.filter((method) => path[method]);
}

function declaration(name: string, { components }: OpenapiDocument, printer: SchemaPrinter): string {
  const schema = components.schemas[name];
  if (!schema) throw new Error(`There is no schema ${name}.`);
  const type = printer.print(schema, '');
  const text = isInterface(type) ? `interface ${name} ${type}` : `type ${name} = ${type};`;
  return `${comment(schema.description, '')}export ${text}\n`;
}

/** Whether a type is a single object, not a union or a list. */
const isInterface = (type: string): boolean => type.startsWith('{\n') && type.indexOf('\n}') === type.length - 2;

interface Parts {
  summary: string | undefined;
  parameters: Parameter[];
  body: Message | undefined;
  /** One for each status. */
  answers: Message[];
}

/** Input and successful answers of an operation, with all references resolved. */
function partsOf(path: Path, method: Method, document: OpenapiDocument): Parts {
  const { summary, parameters = [], requestBody, responses } = path[method] as Operation;
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return {
    summary,
    parameters: [...(path.parameters ?? []), ...parameters].map((one) => resolve<Parameter>(one, document)),
    body: requestBody && resolve<Message>(requestBody, document),
    answers: successes.map(([, success]) => resolve<Message>(success, document)),
  };
}

function resolve<T extends object>(value: T | Reference, document: OpenapiDocument): T {
  if (!('$ref' in value)) return value;
  const [, , group = '', name = ''] = value.$ref.split('/');
  // In a valid document, a reference points to the kind of part that it replaces.
  return resolve(document.components[group]?.[name] as T | Reference, document);
}

function operationEntry(name: string, { summary, parameters, body, answers }: Parts, printer: SchemaPrinter): string {
  const sent = parameters.filter(({ in: place }) => place === 'path' || place === 'query');
  const required = sent.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  const properties = Object.fromEntries(sent.map((parameter) => [parameter.name, addressSchema(parameter)]));
  const types = [
    printer.print({ type: 'object', properties, required, additionalProperties: false }, '    '),
    contentType(body, printer),
  ];
  const input = types.filter((type) => type && type !== NOTHING).join(' & ') || NOTHING;
  const outputs = new Set(answers.map((answer) => contentType(answer, printer) ?? 'undefined'));
  const output = [...outputs].join(' | ') || 'undefined';
  return `${comment(summary, '  ')}  '${name}': {\n    input: ${input};\n    answer: ${output};\n  };\n`;
}

/** Schema of a parameter in a URL, where ids look like names: lists of texts accept numbers, too. */
function addressSchema({ description, schema }: Parameter): Schema {
  const takesNames = schema.items?.type === 'string' && !schema.items.enum;
  return { description, ...schema, ...(takesNames && { items: { type: ['number', 'string'] } }) };
}

/** JSON is preferred to equivalent forms, and to pictures. */
function contentType(message: Message | undefined, printer: SchemaPrinter): string | undefined {
  if (!message?.content) return undefined;
  const { schema } = message.content['application/json'] ?? Object.values(message.content)[0] ?? {};
  return schema && printer.print(schema, '    ');
}
