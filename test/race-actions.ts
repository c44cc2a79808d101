import { crowd, type RaceAnswer, type Servers } from './two-servers.ts';

/** Actions of races, crash tests and the race benchmark on a running server: create events, and buy. */

type Asked = Pick<Servers, 'ask'>;

/** The body of a response; fails if its status is another one. */
export async function need(status: number, answer: Promise<RaceAnswer>): Promise<RaceAnswer['body']> {
  const { status: got, body } = await answer;
  if (got !== status) throw new Error(`answered ${got} ${JSON.stringify(body)}`);
  return body;
}

/** Id of a new event. */
export async function openEvent({ ask }: Asked): Promise<number> {
  const body = { title: 'Race', start_date: '2037-03-06 18:30:00', end_date: '2037-03-06 21:00:00' };
  return (await need(201, ask('POST events:/events', { body }))).id;
}

/** Id of a new gate. */
export async function openGate({ ask }: Asked, event_ids: number[], rules: object = {}): Promise<number> {
  const body = { name: 'North', event_ids, ...rules };
  return (await need(201, ask('POST admin:/door/gates', { body }))).id;
}

/** Token of a new device of a gate. */
export async function pairDevice({ ask }: Asked, gate: number): Promise<string> {
  const { code } = await need(201, ask(`POST admin:/door/gates/${gate}/pairings`, { body: {} }));
  return (await need(201, ask('POST admin:/door/pair', { body: { code }, anonymous: true }))).token;
}

export async function nonceFor({ ask }: Asked, eventId: number): Promise<string> {
  const body = { action: 'add_ticket_nonce', post_id: eventId };
  return (await need(201, ask('POST tickets:/nonces', { body }))).nonce;
}

export interface Limits {
  mode: 'own' | 'global' | 'capped' | '';
  capacity?: number;
  event_capacity?: number;
}

/** The body that creates a free ticket of an event. */
export const ticketBody = (eventId: number, add_ticket_nonce: string, ticket: Limits) => ({
  post_id: eventId,
  provider: 'tc',
  name: 'Seat',
  price: '0',
  add_ticket_nonce,
  ticket,
});

/** Id of a new free ticket. */
export async function openTicket(servers: Asked, eventId: number, limits: Limits, more: object = {}): Promise<number> {
  const body = { ...ticketBody(eventId, await nonceFor(servers, eventId), limits), ...more };
  return (await need(202, servers.ask('POST tickets:/tickets', { body }))).id;
}

/** A weekly series with a free single ticket and a free pass, which share the seats of each night. */
export async function openSeason(
  servers: Pick<Servers, 'ask' | 'db'>,
  { nights, capacity }: { nights: number; capacity: number },
): Promise<{ pass: number; singles: number[]; events: number[] }> {
  // Events of series are made 24 months ahead.
  const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const body = { title: 'Night', start_date: `${day} 18:30:00`, end_date: `${day} 21:00:00` };
  const { id } = await need(201, servers.ask('POST events:/events', { body }));
  await openTicket(servers, id, { mode: 'global', event_capacity: capacity });
  const recurrence = { rrule: `FREQ=WEEKLY;COUNT=${nights}` };
  await need(201, servers.ask('POST events:/series', { body: { event_id: id, recurrence } }));
  const pass = await openTicket(servers, id, { mode: 'global' }, { scope: 'series' });
  const tickets = await servers.db.query
    .selectFrom('tickets')
    .select(['id', 'event_id', 'pass_id'])
    .where('event_id', 'in', (eb) => eb.selectFrom('tickets').select('event_id').where('pass_id', '=', pass))
    .orderBy('event_id')
    .execute();
  const singles = tickets.filter(({ pass_id }) => pass_id === null);
  return { pass, singles: singles.map((one) => one.id), events: singles.map(({ event_id }) => event_id) };
}

/** Buys a seat by creating an attendee. */
export const attend = ({ ask }: Asked, ticketId: number, index: number): Promise<RaceAnswer> =>
  ask('POST tickets:/attendees', {
    body: { ticket_id: ticketId, full_name: `Guest ${index}`, email: `guest${index}@example.test` },
  });

/** Adds a seat to a new cart. */
export const hold = ({ ask }: Asked, ticketId: number): Promise<RaceAnswer> =>
  ask('POST tickets:/cart', { body: { provider: 'tc', tickets: [{ ticket_id: ticketId, quantity: 1 }] } });

/** Checks out the cart that a response of `hold` created. */
export const checkout = ({ ask }: Asked, held: RaceAnswer): Promise<RaceAnswer> =>
  ask('POST tickets:/cart/checkout', {
    headers: { 'X-Cart-Token': String(held.headers['x-cart-token']) },
    body: { purchaser: { name: 'Guest', email: 'guest@example.test' } },
  });

/** Request of a scanner for some attendees: a check-in key and their codes. */
export async function openDoor(servers: Pick<Servers, 'ask' | 'db'>, people: number): Promise<object[]> {
  const ticketId = await openTicket(servers, await openEvent(servers), { mode: '' });
  const { key } = await need(201, servers.ask('POST admin:/check-in-keys', { body: { name: 'Door' } }));
  await crowd(people, 16, (index) => need(201, attend(servers, ticketId, index)));
  const codes = await servers.db.query
    .selectFrom('attendees')
    .select(['id', 'security_code'])
    .where('ticket_id', '=', ticketId)
    .execute();
  return codes.map(({ id, security_code }) => ({ api_key: key, ticket_id: id, security_code }));
}
