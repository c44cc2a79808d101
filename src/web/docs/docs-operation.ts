import type { Schema } from './docs-schema.ts';

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  content?: Readonly<Record<string, { schema: Schema }>>;
}

/** Parts of an OpenAPI operation used by the page. */
export interface Operation {
  parameters: readonly Parameter[];
  requestBody?: Content;
  responses: Readonly<Record<string, Content & { description: string }>>;
}

type Reference = { $ref?: string };

interface ReferringOperation {
  parameters: readonly (Parameter | Reference)[];
  requestBody?: Content | Reference;
  responses: Readonly<Record<string, Reference>>;
}

/** Parts of an OpenAPI document used by the page. */
export interface Described {
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>> & { schemas: Record<string, Schema> };
}

/** Operation with its references resolved; schemas stay references, except the one of the request body. */
export function operationOf(document: Described, path: string, method: string): Operation | undefined {
  const { parameters = [], ...operations } = document.paths[path] ?? {};
  const operation = operations[method] as ReferringOperation | undefined;
  if (!operation) return undefined;
  // References in `openapiDocument` have the type expected in each position.
  const part = <T>(value: unknown): T => resolved(value as Reference, document) as T;
  const body = operation.requestBody && part<Content>(operation.requestBody);
  return {
    parameters: [...(parameters as Reference[]), ...operation.parameters].map((item) => part<Parameter>(item)),
    requestBody: body && { content: mapValues(body.content ?? {}, ({ schema }) => ({ schema: part<Schema>(schema) })) },
    responses: mapValues(operation.responses, (response) => part(response)),
  };
}

function resolved(value: Reference, { components }: Described): unknown {
  const [, group = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref ?? '') ?? [];
  const { $ref: _ref, ...own } = value;
  return name === '' ? value : { ...(components[group]?.[name] as object), ...own };
}

const mapValues = <T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
