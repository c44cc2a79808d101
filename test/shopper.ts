import type { Answer, Asking, TestServer } from './server.ts';

/** A customer with an app, which stores the token of the cart and sends it in the header. */
export interface Shopper {
  token: string | undefined;
  put(tickets: unknown, more?: Record<string, unknown>): Promise<Answer>;
  look(): Promise<Answer>;
  checkout(body?: Record<string, unknown>, asking?: Pick<Asking, 'as' | 'headers'>): Promise<Answer>;
}

export const ADA = { name: 'Ada Park', email: 'ada@example.test' };

export function shopperOf(server: TestServer, token?: string): Shopper {
  const headers = (): Record<string, string> => (shopper.token === undefined ? {} : { 'x-cart-token': shopper.token });
  const shopper: Shopper = {
    token,
    async put(tickets, more = {}) {
      const answer = await server.ask('POST tickets:/cart', {
        body: { provider: 'tc', tickets, ...more },
        headers: headers(),
      });
      shopper.token = answer.headers.get('x-cart-token') ?? shopper.token;
      return answer;
    },
    look: () => server.ask('GET tickets:/cart', { headers: headers() }),
    checkout: (body = {}, { as, headers: own } = {}) =>
      server.ask('POST tickets:/cart/checkout', {
        as,
        body: { purchaser: ADA, ...body },
        headers: { ...headers(), ...own },
      }),
  };
  return shopper;
}

/** The counters of a ticket: held and sold seats. */
export async function counters(server: TestServer, ticketId: number): Promise<{ held: number; sold: number }> {
  return server.context.db.query
    .selectFrom('tickets')
    .select(['held', 'sold'])
    .where('id', '=', ticketId)
    .executeTakeFirstOrThrow();
}

/** As `counters`, for the shared seats of an event. */
export async function sharedCounters(server: TestServer, eventId: number): Promise<{ held: number; sold: number }> {
  return server.context.db.query
    .selectFrom('event_stock')
    .select(['held', 'sold'])
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow();
}

/** Moves the clock of the server. */
export function wait(server: TestServer, minutes: number): void {
  server.clock.now = new Date(server.clock.now.getTime() + minutes * 60_000);
}

/** Puts a place of a ticket into a new cart; returns the id of its hold. */
export async function holdOf(server: TestServer, ticketId: number, quantity = 1): Promise<number> {
  const answer = await shopperOf(server).put([{ ticket_id: ticketId, quantity }]);
  if (answer.status !== 200) throw new Error(`POST /cart answered ${answer.status} ${answer.text}`);
  const row = await server.context.db.query
    .selectFrom('cart_items')
    .select('cart_id')
    .where('ticket_id', '=', ticketId)
    .orderBy('cart_id', 'desc')
    .executeTakeFirstOrThrow();
  return row.cart_id;
}
