import type { AnyEndpoint } from '../../http/core/endpoint.ts';
import { encodeQuery } from '../../http/core/urls.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { EXAMPLE_REQUESTS } from './docs-requests.ts';

/** Example values of fields, in display order. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  title: 'Lantern Walk',
  name: 'Jazz',
  venue: 'The Lamplighter Theatre',
  organizer: 'City of Tides',
  start_date: '2030-06-01 20:30',
  end_date: '2030-06-01 22:00',
  username: 'ada',
  email: 'ada@example.org',
  password: 'long and secret',
  role: 'editor',
  scopes: ['read'],
  user_id: 1,
  ticket_id: 7,
  id: 42,
  slug: 'lantern-walk',
  uuid: '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
  full_name: 'Ada Lovelace',
  status: 'publish',
  description: 'Bring a lantern.',
};

/** Quotes one argument of a shell command. */
export const shellWord = (text: string): string =>
  /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

interface Example {
  /** Base URL of the namespace. */
  root: string;
  isSecured: boolean;
}

/** Example curl command. */
export function curlExample(endpoint: AnyEndpoint, { root, isSecured }: Example): string {
  const [method = 'GET'] = endpoint.methods;
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(scalarText(EXAMPLES[name]) ?? (name.endsWith('id') ? 7 : 'example')),
  );
  const { query, headers = {} } = EXAMPLE_REQUESTS[endpoint.name] ?? {};
  const params = query ?? (method === 'GET' && 'per_page' in endpoint.input ? { per_page: 3 } : {});
  const search = Object.keys(params).length > 0 ? `?${encodeQuery(params)}` : '';
  const parts = [
    `curl ${shellWord(`${root}${path}${search}`)}`,
    ...(method === 'GET' || method === 'POST' ? [] : [`-X ${method}`]),
    ...(isSecured ? ["-u 'name:password'"] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...bodyOf(endpoint),
  ];
  return parts.join(' \\\n  ');
}

function bodyOf(endpoint: AnyEndpoint): string[] {
  const [method = 'GET'] = endpoint.methods;
  if (method === 'GET' || method === 'DELETE') return [];
  if (endpoint.takesFiles) return ['-F file=@poster.jpg'];
  const body = EXAMPLE_REQUESTS[endpoint.name]?.body ?? bodyByFields(endpoint);
  if (Object.keys(body).length === 0) return method === 'POST' ? ['-X POST'] : [];
  return ["-H 'Content-Type: application/json'", `-d ${shellWord(jsonOf(body))}`];
}

const bodyByFields = (endpoint: AnyEndpoint): Readonly<Record<string, unknown>> =>
  Object.fromEntries(exampleFields(endpoint).map((name) => [name, EXAMPLES[name] ?? 'example']));

/** Maximum length of JSON on one line. */
const ONE_LINE = 90;

function jsonOf(body: object): string {
  const line = JSON.stringify(body);
  return line.length > ONE_LINE ? JSON.stringify(body, undefined, 2) : line;
}

const MOST_FIELDS = 2;

/** Required fields, or else the first field with an example value. */
function exampleFields({ input, required = [], path }: AnyEndpoint): string[] {
  const isInBody = (name: string) => !path.includes(`{${name}}`);
  const needed = required.filter(isInBody);
  if (needed.length > 0) return [...needed];
  const known = Object.keys(EXAMPLES).filter((name) => name in input && isInBody(name) && name !== 'password');
  return known.slice(0, MOST_FIELDS);
}
