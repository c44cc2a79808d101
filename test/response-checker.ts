import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { AnyEndpoint } from '../src/http/core/endpoint.ts';
import { type Json, type OpenApi, resolved } from './document.ts';

/** Checks responses against an OpenAPI document. */

interface AnswerLike {
  status: number;
  headers: Headers;
  text: string;
}

export interface ResponseChecker {
  /** Problems of a response to an operation; `path` is as in the document. */
  problemsOf(method: string, path: string, answer: AnswerLike): string[];
}

/** Path of an endpoint in the document of all namespaces. */
export const templateOf = ({ namespace, path }: Pick<AnyEndpoint, 'namespace' | 'path'>): string =>
  `/calendar/${namespace}/v1${path}`;

/** Headers that belong to HTTP, browsers and caches, not to the interface. */
const ORDINARY =
  /^(access-control-.*|allow|cache-control|connection|content-(encoding|length|type)|date|keep-alive|set-cookie|strict-transport-security|transfer-encoding|vary|x-content-type-options|x-robots-tag)$/;

/** Uses the published schemas, but refuses members that they do not name. */
export function createResponseChecker(document: OpenApi): ResponseChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: false, coerceTypes: false });
  // The package is CommonJS; its types put the function below `default`.
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addSchema(closed(document) as Json, 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (schema: Json): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('#/components/', 'openapi#/components/');
    const known = compiled.get(text) ?? ajv.compile(closed(JSON.parse(text)) as Json);
    compiled.set(text, known);
    return known;
  };
  const errorsOf = (schema: unknown, value: unknown): string[] => {
    const validate = validatorOf(schema as Json);
    return validate(value) ? [] : [ajv.errorsText(validate.errors)];
  };

  return {
    problemsOf(method, path, answer) {
      const operation = document.paths[path]?.[method.toLowerCase()] as Json | undefined;
      if (!operation) return [`no operation ${method} ${path}`];
      const response = responseFor(operation, answer.status, document);
      if (!response) return [`status ${answer.status} is not declared`];
      // Where nothing has changed, the headers are those of the full response.
      const full = answer.status === 304 ? responseFor(operation, 200, document) : undefined;
      const headers = { ...(full?.headers as Json | undefined), ...(response.headers as Json | undefined) };
      return [...headerProblems(headers, answer), ...bodyProblems(response, answer)];
    },
  };

  function headerProblems(headers: Json, answer: AnswerLike): string[] {
    const declared = Object.entries(headers).map(
      ([name, header]) => [name.toLowerCase(), resolved(header, document)] as const,
    );
    const names = new Set(declared.map(([name]) => name));
    const undeclared = [...answer.headers.keys()].filter((name) => !names.has(name) && !ORDINARY.test(name));
    return [
      ...undeclared.map((name) => `header ${name} is not declared`),
      ...declared.flatMap(([name, header]) => {
        const value = answer.headers.get(name);
        if (value === null) return header.required ? [`header ${name} is missing`] : [];
        const isNumber = (header.schema as Json).type === 'integer';
        return errorsOf(header.schema, isNumber ? Number(value) : value).map((error) => `header ${name}: ${error}`);
      }),
    ];
  }

  function bodyProblems({ content }: Json, { headers, text }: AnswerLike): string[] {
    if (!content) return text === '' ? [] : ['a body where none is declared'];
    const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    const { schema } = ((content as Json)[type] as Json | undefined) ?? {};
    if (!schema) return [`type ${type} is not declared`];
    return type === 'application/json' ? errorsOf(schema, JSON.parse(text)) : [];
  }
}

function responseFor({ responses }: Json, status: number, document: OpenApi): Json | undefined {
  const all = responses as Json;
  const found = all[status] ?? (status >= 400 ? all.default : undefined);
  return found === undefined ? undefined : resolved(found, document);
}

/** A copy whose objects may have only the members that their schemas name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  const isOpen = copy.type === 'object' && copy.properties && copy.additionalProperties === undefined;
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}
