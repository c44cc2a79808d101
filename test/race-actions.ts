import { crowd, type RaceAnswer, type Servers } from './two-servers.ts';

/** What the races, the crashes and their benchmark do at a running server: open events, and buy. */

type Asked = Pick<Servers, 'ask'>;

async function need(status: number, answer: Promise<RaceAnswer>): Promise<RaceAnswer['body']> {
  const { status: got, body } = await answer;
  if (got !== status) throw new Error(`answered ${got} ${JSON.stringify(body)}`);
  return body;
}

/** Id of a new event. */
export async function openEvent({ ask }: Asked): Promise<number> {
  const body = { title: 'Race', start_date: '2037-03-06 18:30:00', end_date: '2037-03-06 21:00:00' };
  return (await need(201, ask('POST events:/events', { body }))).id;
}

export async function nonceFor({ ask }: Asked, eventId: number): Promise<string> {
  const body = { action: 'add_ticket_nonce', post_id: eventId };
  return (await need(201, ask('POST tickets:/nonces', { body }))).nonce;
}

export interface Stock {
  mode: 'own' | 'global' | 'capped' | '';
  capacity?: number;
  event_capacity?: number;
}

/** What is sent to make a free ticket of an event. */
export const ticketBody = (eventId: number, add_ticket_nonce: string, ticket: Stock) => ({
  post_id: eventId,
  provider: 'tc',
  name: 'Seat',
  price: '0',
  add_ticket_nonce,
  ticket,
});

/** Id of a new free ticket. */
export async function openTicket(servers: Asked, eventId: number, stock: Stock): Promise<number> {
  const body = ticketBody(eventId, await nonceFor(servers, eventId), stock);
  return (await need(202, servers.ask('POST tickets:/tickets', { body }))).id;
}

/** Buys one place by making an attendee. */
export const attend = ({ ask }: Asked, ticketId: number, index: number): Promise<RaceAnswer> =>
  ask('POST tickets:/attendees', {
    body: { ticket_id: ticketId, full_name: `Guest ${index}`, email: `guest${index}@example.test` },
  });

/** Puts one place into a cart of its own. */
export const hold = ({ ask }: Asked, ticketId: number): Promise<RaceAnswer> =>
  ask('POST tickets:/cart', { body: { provider: 'tc', tickets: [{ ticket_id: ticketId, quantity: 1 }] } });

/** Buys the cart that an answer of `hold` made. */
export const checkout = ({ ask }: Asked, held: RaceAnswer): Promise<RaceAnswer> =>
  ask('POST tickets:/cart/checkout', {
    headers: { 'X-Cart-Token': String(held.headers['x-cart-token']) },
    body: { purchaser: { name: 'Guest', email: 'guest@example.test' } },
  });

/** A check-in key with the code of each of some people who hold a place: what a scanner sends. */
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
