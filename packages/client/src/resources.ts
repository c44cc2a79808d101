import type { Params } from './address.ts';
import type { CallOptions } from './options.ts';
import { itemsOf, type ListAnswer, pagesOf } from './pages.ts';

/** The operations that the methods of a client send. The types of both are in interface.ts. */

/** Sends an operation and returns the body of the response. */
export type Call = (operation: string, params?: Params, options?: CallOptions) => Promise<unknown>;

/** Items per request of `all`. */
const PER_PAGE = 50;

/** @param operation one that returns a list */
export const pages = (call: Call, ...[operation, query = {}, options]: Parameters<Call>) =>
  pagesOf((params) => call(operation, params, options) as Promise<ListAnswer>, query);

/** @param operation one that returns a list */
export async function* all(call: Call, ...[operation, query, options]: Parameters<Call>) {
  for await (const page of pages(call, operation, { per_page: PER_PAGE, ...query }, options)) yield* itemsOf(page);
}

const method = (call: Call, operation: string) => (params?: Params, options?: CallOptions) =>
  call(operation, params, options);

const methodBy =
  (call: Call, operation: string, name = 'id') =>
  (value: number | string, params?: Params, options?: CallOptions) =>
    call(`${operation}/{${name}}`, { ...params, [name]: value }, options);

const listed = (call: Call, path: string) => ({
  list: method(call, `GET ${path}`),
  pages: (query?: Params, options?: CallOptions) => pages(call, `GET ${path}`, query, options),
  all: (query?: Params, options?: CallOptions) => all(call, `GET ${path}`, query, options),
  read: methodBy(call, `GET ${path}`),
});

const editable = (call: Call, path: string) => ({
  ...listed(call, path),
  create: method(call, `POST ${path}`),
  update: methodBy(call, `PATCH ${path}`),
  delete: methodBy(call, `DELETE ${path}`),
});

const slugged = (call: Call, path: string) => ({
  ...editable(call, path),
  readBySlug: methodBy(call, `GET ${path}/by-slug`, 'slug'),
});

/** Action of the one-time token for a write of a ticket, and name of its parameter. */
const NONCES: Readonly<Record<string, string>> = {
  POST: 'add_ticket_nonce',
  PATCH: 'edit_ticket_nonce',
  DELETE: 'remove_ticket_nonce',
};

/** Adds a one-time token to writes of tickets. */
const withNonce =
  (call: Call): Call =>
  async (operation, params, options) => {
    const [method = ''] = operation.split(' ');
    const action = NONCES[method];
    if (!action) return call(operation, params, options);
    // Keys are scoped by path, so the key of the write works here too. A repeated write then gets the same token: with
    // another one it would be another request to the server.
    const input = { action, post_id: params?.post_id };
    const { nonce } = (await call('POST /tickets/v1/nonces', input, options)) as { nonce: string };
    return call(operation, { ...params, [action]: nonce }, options);
  };

function codes(call: Call) {
  const read = methodBy(call, 'GET /tickets/v1/qr');
  return {
    read,
    picture: (id: number, query?: Params, options?: CallOptions) =>
      read(id, query, { ...options, headers: { Accept: 'image/png', ...options?.headers } }),
    checkIn: method(call, 'POST /tickets/v1/qr'),
  };
}

const attendees = '/tickets/v1/attendees';
const orders = '/admin/v1/orders';
const media = '/admin/v1/media';

/** The members of a client, except the cart. */
export const resources = (call: Call) => ({
  events: slugged(call, '/events/v1/events'),
  venues: slugged(call, '/events/v1/venues'),
  organizers: slugged(call, '/events/v1/organizers'),
  categories: editable(call, '/events/v1/categories'),
  tags: editable(call, '/events/v1/tags'),
  tickets: editable(withNonce(call), '/tickets/v1/tickets'),
  attendees: {
    ...listed(call, attendees),
    create: method(call, `POST ${attendees}`),
    update: methodBy(call, `PATCH ${attendees}`),
  },
  orders: { ...listed(call, orders), update: methodBy(call, `PATCH ${orders}`) },
  media: {
    ...listed(call, media),
    upload: method(call, `POST ${media}`),
    update: methodBy(call, `PATCH ${media}`),
    delete: methodBy(call, `DELETE ${media}`),
  },
  qr: codes(call),
});
