import type { Request } from 'playwright-core';
import { type Json, operationsAt, resolved, wholeDocument } from '../../document.ts';

/** Input of an operation according to its description. */
interface Documented {
  path: RegExp;
  method: string;
  query: ReadonlySet<string>;
  body: ReadonlySet<string>;
}

const document = wholeDocument();

const namesIn = (parameters: readonly Json[], place: string): string[] =>
  parameters.filter((parameter) => parameter.in === place).map(({ name }) => String(name));

function bodyNames(operation: Json): string[] {
  if (!operation.requestBody) return [];
  const { content = {} } = resolved(operation.requestBody, document) as { content?: Record<string, Json> };
  return Object.values(content).flatMap(({ schema }) =>
    Object.keys((resolved(schema, document).properties ?? {}) as Json),
  );
}

const OPERATIONS: readonly Documented[] = Object.entries(document.paths).flatMap(([path, item]) => {
  const shared = (item.parameters ?? []) as Json[];
  return operationsAt(item).map(([method, operation]) => {
    const parameters = [...shared, ...((operation.parameters ?? []) as Json[])].map((one) => resolved(one, document));
    return {
      path: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      method: method.toUpperCase(),
      query: new Set(namesIn(parameters, 'query')),
      body: new Set(bodyNames(operation)),
    };
  });
});

/** The page of the console, its parts, and uploaded pictures. */
const isFile = (path: string): boolean => /^\/(console|uploads)\//.test(path) || path === '/favicon.ico';

/** Whether a link leads from the console to a public page, or such a page asks. */
function isElsewhere(request: Request): boolean {
  const path = (url: string): string => new URL(url).pathname;
  return request.isNavigationRequest()
    ? !path(request.url()).startsWith('/calendar/')
    : !path(request.frame().url()).startsWith('/console/');
}

/** Whether the console reads a public page for a preview, as any visitor may. */
const isPublicPage = (request: Request): boolean =>
  request.method() === 'GET' &&
  request.headers().accept === 'text/html' &&
  !/^\/(calendar|wp-json|console|uploads)\//.test(new URL(request.url()).pathname);

const bodyOf = (request: Request): Json => {
  if (!request.headers()['content-type']?.startsWith('application/json')) return {};
  const body: unknown = request.postDataJSON();
  return typeof body === 'object' && body !== null ? (body as Json) : {};
};

/** The parts of a request of the console that the OpenAPI document does not describe: path, method, or parameters. */
export function undocumentedIn(request: Request): string[] {
  const { pathname, searchParams } = new URL(request.url());
  const method = request.method();
  if (isElsewhere(request) || isPublicPage(request) || (isFile(pathname) && request.resourceType() !== 'fetch'))
    return [];
  const operation = OPERATIONS.find((one) => one.method === method && one.path.test(pathname));
  if (!operation) return [`${method} ${pathname} is not documented`];
  return [
    ...[...searchParams.keys()].filter((name) => !operation.query.has(name.replace(/\[.*/, ''))),
    ...Object.keys(bodyOf(request)).filter((name) => !operation.body.has(name)),
  ].map((name) => `${name} of ${method} ${pathname} is not documented`);
}
