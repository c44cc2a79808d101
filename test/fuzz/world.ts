import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Role } from '../../src/http/core/auth.ts';
import type { FuzzRequest } from './request.ts';

export interface FuzzAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

export interface FuzzTarget {
  /** Scheme, host and port. */
  address: string;
  /** Values of `Authorization`, at least of the administrator. */
  credentials: Readonly<Partial<Record<Role, string>>>;
}

/** A server with records that requests can name. */
export interface World {
  /** Sends a request, with records in place of its placeholders. */
  send(sent: FuzzRequest): Promise<FuzzAnswer>;
  /** Creates the records anew, since requests change and remove them. */
  renew(): Promise<void>;
  close(): void;
}

/** Bytes of the headers of a response, which may repeat those of the request. */
const MAX_HEADER_SIZE = 128 * 1024;

/** Names in requests: `$slug`, `$ticket`, `$order`, `$held` and `$cart`; `$id0` is the newest record. */
interface Names {
  latest: number;
  slug: string;
  ticket: number;
  /** Path of the page of an order. */
  order: string;
  /** Path of the page of a ticket. */
  held: string;
  /** Token of a cart. */
  cart: string;
}

const PLACEHOLDER = /(?:\$|%24)(?:id(\d+)|(slug|ticket|order|held|cart))/g;

const filled = (template: string, names: Names): string =>
  template.replace(PLACEHOLDER, (_all, back: string | undefined, name: keyof Names) =>
    back === undefined ? `${names[name]}` : `${Math.max(1, names.latest - Number(back))}`,
  );

export function createWorld({ address, credentials }: FuzzTarget): World {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const names: Names = { latest: 1, slug: 'none', ticket: 1, order: '/order/1/x/', held: '/ticket/1/x/', cart: 'x' };
  const world: World = {
    async send({ role, method, path, headers, body = '' }) {
      const authorization = role && credentials[role];
      const content = filled(typeof body === 'string' ? body : body(), names);
      const target = filled(path, names).replaceAll(/[^\x21-\x7e]/g, encodeURIComponent);
      const sent = startRequest(address, target, {
        ...{ agent, method, maxHeaderSize: MAX_HEADER_SIZE },
        headers: {
          ...(authorization && { authorization }),
          ...filledValues(headers, names),
          // Node sends it by itself for some methods only.
          ...(content !== '' && { 'content-length': Buffer.byteLength(content) }),
        },
      });
      const answer = receive(sent);
      sent.end(content);
      return answer;
    },
    renew: () => renew(world, names),
    close: () => agent.destroy(),
  };
  return world;
}

const filledValues = (headers: Readonly<Record<string, string>>, names: Names): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value, names)]));

/** The host is given apart, so that the path is sent as it is. */
function startRequest(address: string, path: string, options: object): ClientRequest {
  const { hostname, port } = new URL(address);
  return request({ hostname, port, path, ...options });
}

/** A connection that the server closes before the response is what it does with requests that are none. */
async function receive(sent: ClientRequest): Promise<FuzzAnswer> {
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ECONNRESET' || code === 'EPIPE') return { status: 0, headers: {}, text: '' };
    throw error;
  }
}

/** Each event gets a slug and a name of its own. */
let serial = 0;

/** An event with tickets, an order, an attendee and a cart. A step that is refused leaves what it had made before. */
async function renew(world: World, names: Names): Promise<void> {
  const send = async (call: string, fields: object, headers: Record<string, string> = {}) => {
    const answer = await world.send({
      ...{ role: 'administrator', method: 'POST', path: `/calendar/${call}` },
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(fields),
    });
    return answer.status < 300 ? { headers: answer.headers, body: JSON.parse(answer.text) } : undefined;
  };
  serial += 1;
  const days = { start_date: '2037-03-06 18:30:00', end_date: '2037-03-06 21:00:00' };
  const linked = {
    venue: { venue: 'Lantern Hall' },
    organizer: { organizer: 'Club' },
    categories: ['Walks'],
    tags: ['family'],
  };
  const event = (await send('events/v1/events', { title: `Walk ${serial}`, ...days, ...linked }))?.body;
  if (!event) return;
  Object.assign(names, { latest: event.id, slug: event.slug });
  const nonce = (await send('tickets/v1/nonces', { action: 'add_ticket_nonce', post_id: event.id }))?.body.nonce;
  const fields = { post_id: event.id, provider: 'tc', name: 'Seat', price: '0', ticket: { mode: 'own', capacity: 50 } };
  const ticket = (await send('tickets/v1/tickets', { ...fields, add_ticket_nonce: nonce }))?.body;
  if (!ticket) return;
  Object.assign(names, { latest: ticket.id, ticket: ticket.id });
  const seats = { provider: 'tc', tickets: [{ ticket_id: ticket.id, quantity: 1 }] };
  const cart = `${(await send('tickets/v1/cart', seats))?.headers['x-cart-token']}`;
  const purchaser = { name: 'Ada', email: 'ada@example.test' };
  const order = (await send('tickets/v1/cart/checkout', { purchaser, terms: true }, { 'x-cart-token': cart }))?.body;
  const token = (await send('tickets/v1/cart', seats))?.headers['x-cart-token'];
  if (token) names.cart = `${token}`;
  if (!order) return;
  const [attendee] = order.attendees;
  names.latest = attendee.id;
  names.order = new URL(order.order.url).pathname;
  names.held = new URL(attendee.url).pathname;
}
