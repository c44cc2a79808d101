import type { z } from 'zod';
import { LINKED_KINDS } from '../../lib/linked-kinds.ts';
import { ANONYMOUS, type Viewer, viewerOf, withKey } from '../core/auth.ts';
import type { AnyEndpoint, Method } from '../core/endpoint.ts';
import { REQUEST_HEADERS, type RequestHeader } from '../core/headers.ts';
import type { SiteDefaults } from '../input/schemas.ts';
import { responsesOf } from './openapi-responses.ts';
import { bodySchema, Components, inputSchema, type Json, reference, takesBody } from './openapi-schemas.ts';

export interface DocumentOptions {
  /** Base URL of the paths. */
  server: string;
  languages: readonly string[];
  /** Values for documented defaults. */
  site: SiteDefaults;
  /** Prefix of paths, if the document describes several namespaces. */
  prefix?: (endpoint: AnyEndpoint) => string;
}

const API_VERSION = '1.0.0';

/** The OpenAPI 3.1 document of some endpoints, generated from the endpoint objects alone. */
export function openapiDocument(endpoints: readonly AnyEndpoint[], options: DocumentOptions): Json {
  const components = new Components(options.site);
  const language = languageSchema(options.languages);
  components.define('schemas', 'Language', language);
  const paths = pathsOf(endpoints, components, options.prefix ?? (() => ''));
  return {
    openapi: '3.1.0',
    info: {
      version: API_VERSION,
      title: 'Marquee',
      description:
        'Event calendar and ticketing: events, venues, organizers, categories, tags, tickets and check-in. A response lists ' +
        'the error codes of its operation; any request may also get the errors of BadRequest, Unauthorized and Failure.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.server }],
    security: [{}, ...ACCOUNTS, ...KEYS],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    components: { ...components.toJSON(), securitySchemes },
  };
}

const ACCOUNTS = [{ basic: [] }, { bearer: [] }, { session: [] }];
const KEYS = [{ checkInKey: [] }];
const DOOR = withKey(ANONYMOUS, { id: null, eventId: null });
const EDITOR = viewerOf({ id: 0, username: '', email: '', role: 'editor' });

/** Credentials that an endpoint requires; none if it is public. */
function securityOf({ may, needsKey }: AnyEndpoint): Json {
  // The key may also be sent as a parameter, for which the document has no security scheme.
  if (needsKey?.(EDITOR)) return { security: [...KEYS, {}] };
  const mayUse = (viewer: Viewer): boolean => may?.(viewer, undefined, {}) ?? true;
  if (mayUse(ANONYMOUS)) return {};
  return { security: mayUse(DOOR) ? [...ACCOUNTS, ...KEYS] : ACCOUNTS };
}

const securitySchemes = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'Name and password of the account, or one of its application passwords.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'Token with scopes.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'marquee-session',
    description: 'Session, for requests from pages of this site.',
  },
  checkInKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'Check-in key, which reads attendees and checks them in. It may also be sent as the parameter `api_key`.',
  },
};

const tagOf = ({ name }: AnyEndpoint): string => name.split('.')[0] ?? '';

/** Descriptions of the groups of operations. */
const TAGS: Readonly<Record<string, string>> = {
  events: 'Events, and the index of the calendar API.',
  series: 'Series of events that repeat.',
  ...Object.fromEntries(Object.values(LINKED_KINDS).map(({ plural, about }) => [plural, about])),
  categories: 'Hierarchical terms for events.',
  tags: 'Flat terms for events.',
  tickets: 'Tickets and RSVPs, and the index of the ticketing API.',
  attendees: 'People registered for events.',
  cart: 'Tickets selected by a visitor before checkout.',
  qr: 'Ticket codes, and check-in with them.',
  nonces: 'One-time tokens for writing tickets.',
  admin: 'The index of the administration API.',
  media: 'Uploaded images.',
  jobs: 'Background jobs: work that the server does after its response.',
  merges: 'Merges of venues, organizers, categories and tags.',
  translations: 'Progress of the translations.',
  orders: 'Orders of paid tickets.',
  payments: 'Payments of orders, at payment services and offline.',
  refunds: 'Refunds of payments.',
  findings: 'Differences between the ledger and the payment services.',
  gateways: 'Webhooks of payment services.',
  holds: 'Places held by carts.',
  sold_places: 'Sold places and capacities of events.',
  reports: 'Sales, attendance and open tasks.',
  system: 'The state of the server.',
  examples: 'Sample data of a fictional town.',
  buyers_orders: 'Orders as customers see them, with the token of the order.',
  held_tickets: 'Tickets as holders and customers see them.',
  replies: 'RSVPs of visitors without an account.',
  batch: 'Several calls in one request.',
  site: 'Site settings: name, texts, appearance, payment methods.',
  check_in_keys: 'Check-in keys for scanners.',
  gates: 'Gates: entrances of events, with the rights of their devices.',
  door_devices: 'Devices of gates.',
  door: 'Devices at the door: pairing, list, scans and sales.',
  clashes: 'Entries that should not have been, such as a second one with a ticket.',
  door_stats: 'Statistics of the door.',
  signing_keys: 'Keys that sign the codes of tickets.',
  tax_rates: 'Taxes on tickets and fees.',
  fees: 'Fees on orders and places.',
  promotions: 'Promotion codes.',
  invoices: 'Invoices and credit notes.',
  mails: 'Mails to customers.',
  mail_texts: 'Texts of organizers in mails, with a preview.',
  event_reminders: 'Reminder mails for the holders of an event: on or off.',
  reminders: 'Unsubscribing from reminder mails.',
  imports: 'Imports from other sites, files and calendars.',
  import_plans: 'Plans of imports, record by record.',
  import_findings: 'Notes and problems to review after an import.',
  subscriptions: 'Calendars that the site reads regularly.',
  announcements: 'Mails to the holders of an event’s tickets.',
  session: 'Signing in and out with a browser.',
  sessions: 'Sessions of signed-in browsers.',
  audit: 'Audit log of changes.',
  me: 'The authenticated account.',
  second_factor: 'The second factor of the authenticated account.',
  authors: 'Accounts that can be named as authors.',
  users: 'Accounts.',
  application_passwords: 'Passwords for programs.',
  tokens: 'API tokens with some of the rights of an account.',
};

function pathsOf(
  endpoints: readonly AnyEndpoint[],
  components: Components,
  prefix: (endpoint: AnyEndpoint) => string,
): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = `${prefix(endpoint)}${endpoint.path}` || '/';
    const inPath = pathParameters(endpoint, components);
    paths[path] ??= { parameters: [...inPath, languageParameter(components)] };
    for (const method of endpoint.methods) {
      Object.assign(paths[path], { [method.toLowerCase()]: operation(endpoint, method, components) });
    }
  }
  return paths;
}

type Field = [name: string, schema: z.ZodType];

const fieldsOf = ({ input }: AnyEndpoint): Field[] => Object.entries(input as Record<string, z.ZodType>);

const isInPath = ({ path }: AnyEndpoint, name: string): boolean => path.includes(`{${name}}`);

const pathParameters = (endpoint: AnyEndpoint, components: Components): Json[] =>
  fieldsOf(endpoint)
    .filter(([name]) => isInPath(endpoint, name))
    .map((field) => parameter(field, { place: 'path', isRequired: true }, components));

function operation(endpoint: AnyEndpoint, method: Method, components: Components): Json {
  const isFirst = endpoint.methods[0] === method;
  const body = bodySchema(endpoint, components);
  return {
    operationId: isFirst ? endpoint.name : `${endpoint.name}.${method.toLowerCase()}`,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    ...(isFirst && endpoint.description && { description: endpoint.description }),
    ...securityOf(endpoint),
    parameters: [
      ...(takesBody(endpoint) ? [] : queryParameters(endpoint, components)),
      ...headersFor(endpoint).map((name) => headerParameter(name, components)),
    ],
    ...(body && { requestBody: requestBody(endpoint, body, components) }),
    responses: responsesOf(endpoint, isFirst, components),
  };
}

const queryParameters = (endpoint: AnyEndpoint, components: Components): Json[] =>
  fieldsOf(endpoint)
    .filter(([name]) => !isInPath(endpoint, name))
    .map((field) => {
      const isRequired = endpoint.required?.includes(field[0]) ?? false;
      return parameter(field, { place: 'query', isRequired }, components);
    });

interface ParameterOptions {
  place: 'path' | 'query';
  isRequired: boolean;
}

function parameter([name, schema]: Field, { place, isRequired }: ParameterOptions, components: Components): Json {
  const component = place === 'query' ? schema.meta()?.component : undefined;
  const { description, ...json } = inputSchema(schema, { components, withDefaults: true });
  const list = json.type === 'array' && place === 'query' ? { explode: false } : {};
  const described = { name, in: place, ...(isRequired && { required: true }), description, ...list, schema: json };
  return typeof component === 'string' ? components.define('parameters', component, described) : described;
}

const headersFor = (endpoint: AnyEndpoint): RequestHeader[] => {
  const { methods, hasEffect, requestHeaders = [], showCurrent, takesBytes } = endpoint;
  const forEdits: RequestHeader[] = showCurrent ? ['If-Match'] : [];
  if (takesBytes !== undefined) return [...requestHeaders];
  if (!methods.includes('GET')) return ['Idempotency-Key', ...forEdits, ...requestHeaders];
  return hasEffect ? [...requestHeaders] : ['If-None-Match', ...requestHeaders];
};

const headerParameter = (name: RequestHeader, components: Components): Json =>
  components.define('parameters', name, { name, in: 'header', ...REQUEST_HEADERS[name] });

/** The language parameter of every endpoint; it depends on the configuration, so endpoints do not declare it. */
export const languageSchema = (languages: readonly string[]) => ({
  type: 'string',
  description: 'Language of content and messages; by default, chosen by Accept-Language.',
  enum: [...languages],
});

const languageParameter = (components: Components): Json =>
  components.define('parameters', 'i18n_language', {
    name: 'i18n_language',
    in: 'query',
    schema: reference('schemas', 'Language'),
  });

/** Request body as a component, which endpoints for one record by id and by slug share. */
function requestBody(endpoint: AnyEndpoint, body: Json, components: Components): Json {
  const name = endpoint.body ?? bodyName(endpoint.name);
  const schema = components.define('schemas', name, withoutRepetition(name, body, components));
  const types = endpoint.takesFiles
    ? ['multipart/form-data']
    : ['application/json', 'application/x-www-form-urlencoded'];
  return components.define('requestBodies', name, {
    required: 'required' in body || endpoint.takesFiles === true,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  });
}

/** Omits descriptions of a change that the input repeats: the fields of `EventChange` are described in `EventInput`. */
function withoutRepetition(name: string, body: Json, { groups }: Components): Json {
  const input = name.replace(/Change$/, 'Input');
  const known = groups.schemas.get(input)?.properties as Record<string, Json> | undefined;
  if (!known || input === name) return body;
  const properties = Object.entries(body.properties as Record<string, Json>).map(([field, schema]) => {
    const { description, ...rest } = schema;
    return [field, description === known[field]?.description ? rest : schema];
  });
  const description = `Absent fields keep their values. The fields have the same meaning as in ${input}.`;
  return { ...body, description, properties: Object.fromEntries(properties) };
}

/** `nonces.create` gives `NoncesCreate`, unless the endpoint names its body schema. */
const bodyName = (name: string): string =>
  name.replace(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase());
