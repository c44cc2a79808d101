import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findWrongCounters } from '../src/jobs/recount.ts';
import { sweepCarts } from '../src/jobs/remove-expired.ts';
import { findBookErrors } from '../src/ticketing/books/check-books.ts';
import { addAttendee } from './attendees.ts';
import { DATABASES, type TestServer, useTestServer } from './server.ts';
import { type Shopper, shopperOf, wait } from './shopper.ts';
import {
  availableOf,
  canTake,
  cartAfter,
  countsAs,
  heldOf,
  type Model,
  type ModelTicket,
  mayFollow,
  newModel,
  type Seat,
  soldOf,
} from './stock-model.ts';
import { effort } from './thoroughness.ts';
import { deleteTicket, editTicket, makeEvent, makeTicket } from './tickets.ts';

/** Random histories of an event through the interface, compared with a model after every step. */

const SHOPPERS = 2;
/** Minutes after which every cart has expired. */
const LONGER_THAN_A_HOLD = 16;

type Limits =
  | { mode: 'own'; capacity: number }
  | { mode: '' }
  | { mode: 'global'; event_capacity: number }
  | { mode: 'capped'; capacity: number; event_capacity: number };

/** Tickets, people and orders are identified by a number, modulo how many there are. */
type Step =
  | { does: 'open'; limits: Limits; price: string }
  | { does: 'openReplies'; capacity: number | '' }
  | { does: 'attend'; ticket: number }
  | { does: 'put'; shopper: number; wants: { ticket: number; quantity: number }[] }
  | { does: 'checkout'; shopper: number }
  | { does: 'wait' }
  | { does: 'sweep' }
  | { does: 'order'; order: number; to: string }
  | { does: 'reply'; seat: number; answer: 'yes' | 'no' }
  | { does: 'edit'; ticket: number; limits: Limits }
  | { does: 'remove'; ticket: number };

const few = fc.integer({ min: 0, max: 5 });
const some = fc.nat(20);
const limits: fc.Arbitrary<Limits> = fc.oneof(
  fc.record({ mode: fc.constant('own' as const), capacity: few }),
  fc.record({ mode: fc.constant('' as const) }),
  fc.record({ mode: fc.constant('global' as const), event_capacity: few }),
  fc.record({ mode: fc.constant('capped' as const), capacity: few, event_capacity: few }),
);
const does = <T extends Step['does']>(name: T) => fc.constant(name);
const want = fc.record({ ticket: some, quantity: fc.integer({ min: 0, max: 3 }) });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ does: does('open'), limits, price: fc.constantFrom('0', '10') }) },
  { weight: 1, arbitrary: fc.record({ does: does('openReplies'), capacity: fc.oneof(few, fc.constant('' as const)) }) },
  { weight: 8, arbitrary: fc.record({ does: does('attend'), ticket: some }) },
  {
    weight: 24,
    arbitrary: fc.record({ does: does('put'), shopper: some, wants: fc.array(want, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 8, arbitrary: fc.record({ does: does('checkout'), shopper: some }) },
  { weight: 3, arbitrary: fc.record({ does: does('wait') }) },
  { weight: 2, arbitrary: fc.record({ does: does('sweep') }) },
  {
    weight: 8,
    arbitrary: fc.record({
      does: does('order'),
      order: some,
      to: fc.constantFrom('not-completed', 'completed', 'pending', 'refunded'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ does: does('reply'), seat: some, answer: fc.constantFrom('yes', 'no') }) },
  { weight: 5, arbitrary: fc.record({ does: does('edit'), ticket: some, limits }) },
  { weight: 1, arbitrary: fc.record({ does: does('remove'), ticket: some }) },
);

/** The first steps of every history. */
const OPENING: readonly Step[] = [
  { does: 'open', limits: { mode: 'own', capacity: 3 }, price: '0' },
  { does: 'open', limits: { mode: 'global', event_capacity: 4 }, price: '10' },
  { does: 'open', limits: { mode: 'capped', capacity: 2, event_capacity: 4 }, price: '0' },
  { does: 'openReplies', capacity: 2 },
];

const put = (shopper: number, ...wants: [ticket: number, quantity: number][]): Step => ({
  does: 'put',
  shopper,
  wants: wants.map(([ticket, quantity]) => ({ ticket, quantity })),
});

/** A history with every kind of step, so that none depends on chance. */
const EVERYTHING: Step[] = [
  put(0, [0, 3], [2, 1]),
  put(0, [0, 1]),
  put(1, [1, 2], [2, 1]),
  put(1, [1, 3], [2, 0]),
  { does: 'wait' },
  put(0, [0, 3]),
  { does: 'wait' },
  { does: 'edit', ticket: 0, limits: { mode: 'own', capacity: 2 } },
  put(0, [0, 3]),
  put(0, [0, 2], [2, 1]),
  { does: 'wait' },
  { does: 'checkout', shopper: 0 },
  put(1, [1, 2], [2, 1]),
  { does: 'checkout', shopper: 1 },
  { does: 'order', order: 0, to: 'not-completed' },
  { does: 'order', order: 0, to: 'completed' },
  { does: 'order', order: 1, to: 'refunded' },
  { does: 'attend', ticket: 3 },
  { does: 'reply', seat: 0, answer: 'no' },
  { does: 'reply', seat: 0, answer: 'yes' },
  { does: 'edit', ticket: 1, limits: { mode: 'own', capacity: 3 } },
  { does: 'attend', ticket: 1 },
  { does: 'edit', ticket: 1, limits: { mode: 'global', event_capacity: 5 } },
  put(0, [1, 1], [2, 1]),
  { does: 'remove', ticket: 2 },
  { does: 'wait' },
  { does: 'sweep' },
  { does: 'remove', ticket: 0 },
];

interface World {
  server: TestServer;
  eventId: number;
  shoppers: readonly Shopper[];
  model: Model;
}

type StepRunners = { [Name in Step['does']]: (world: World, step: Extract<Step, { does: Name }>) => Promise<void> };

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];

/** The limits of a ticket after a write; lowered shared seats lower the limits of capped tickets. */
function setLimits(model: Model, ticket: ModelTicket, limits: Limits): void {
  ticket.mode = limits.mode;
  ticket.capacity = 'capacity' in limits ? limits.capacity : null;
  if (!('event_capacity' in limits)) return;
  model.sharedSeats = limits.event_capacity;
  for (const other of model.tickets) {
    if (other.mode === 'capped' && !other.isDeleted) {
      other.capacity = Math.min(other.capacity ?? Infinity, limits.event_capacity);
    }
  }
}

const reply = (capacity: number | ''): Limits => (capacity === '' ? { mode: '' } : { mode: 'own', capacity });
const isAccepted = ({ status }: { status: number }): boolean => status < 300;

const DOING: StepRunners = {
  async open({ server, eventId, model }, { limits, price }) {
    const { id } = await makeTicket(server, eventId, { ticket: limits, price });
    const ticket: ModelTicket = { id, provider: 'tc', mode: '', capacity: null, isDeleted: false };
    model.tickets.push(ticket);
    setLimits(model, ticket, limits);
  },
  async openReplies({ server, eventId, model }, { capacity }) {
    const { id } = await makeTicket(server, eventId, { provider: 'rsvp', price: '', ticket: { capacity } });
    const ticket: ModelTicket = { id, provider: 'rsvp', mode: '', capacity: null, isDeleted: false };
    model.tickets.push(ticket);
    setLimits(model, ticket, reply(capacity));
  },
  async attend({ server, model }, { ticket: index }) {
    const ticket = at(model.tickets, index);
    if (!ticket) return;
    const answer = await addAttendee(server, ticket.id);
    expect(isAccepted(answer)).toBe(canTake(model, new Map([[ticket, 1]])));
    if (!isAccepted(answer)) return;
    const { id, order: orderId } = answer.body;
    if (ticket.provider === 'rsvp') {
      model.seats.push({ id, ticket, answer: 'yes' });
      return;
    }
    const order = { id: orderId, status: 'completed' };
    model.orders.push(order);
    model.seats.push({ id, ticket, order });
  },
  async put({ shoppers, model }, { shopper: index, wants }) {
    const [shopper, cart] = [at(shoppers, index), at(model.carts, index)];
    const sold = model.tickets.filter(({ provider }) => provider === 'tc');
    if (!shopper || !cart || sold.length === 0) return;
    const named = new Map(wants.flatMap(({ ticket, quantity }) => [[at(sold, ticket), quantity] as const]));
    const wanted = new Map([...named].flatMap(([ticket, quantity]) => (ticket ? [[ticket, quantity] as const] : [])));
    const after = cartAfter(model, cart, wanted);
    const answer = await shopper.put([...wanted].map(([{ id }, quantity]) => ({ ticket_id: id, quantity })));
    expect(isAccepted(answer)).toBe(after !== undefined);
    if (!after) return;
    Object.assign(cart, { items: after, isLate: false, mayBeReleased: false });
  },
  async checkout({ shoppers, model }, { shopper: index }) {
    const [shopper, cart] = [at(shoppers, index), at(model.carts, index)];
    if (!shopper || !cart) return;
    const answer = await shopper.checkout();
    const isThere = cart.items.size > 0 && (!cart.isLate || canTake(model, cart.items));
    if (cart.mayBeReleased && !isAccepted(answer)) return;
    expect(isAccepted(answer)).toBe(isThere);
    if (!isThere) return;
    const order = { id: answer.body.order.id, status: answer.body.order.status };
    const seats: Seat[] = answer.body.attendees.flatMap(({ id, ticket_id }: { id: number; ticket_id: number }) => {
      const ticket = model.tickets.find((one) => one.id === ticket_id);
      return ticket ? [{ id, ticket, order }] : [];
    });
    for (const [ticket, quantity] of cart.items) {
      expect(seats.filter((seat) => seat.ticket === ticket)).toHaveLength(quantity);
    }
    model.orders.push(order);
    model.seats.push(...seats);
    Object.assign(cart, { items: new Map(), isLate: false, mayBeReleased: false });
  },
  async wait({ server, model }) {
    wait(server, LONGER_THAN_A_HOLD);
    for (const cart of model.carts) Object.assign(cart, { isLate: true, mayBeReleased: false });
  },
  async sweep({ server }) {
    await sweepCarts(server.context);
  },
  async order({ server, model }, { order: index, to }) {
    const order = at(model.orders, index);
    if (!order) return;
    const seats = model.seats.filter((seat) => seat.order === order);
    const taken = Map.groupBy(seats, ({ ticket }) => ticket);
    const wants = new Map([...taken].map(([ticket, members]) => [ticket, members.length]));
    const isBack = countsAs(to) && !countsAs(order.status);
    const isAllowed = mayFollow(order.status, to) && (!isBack || canTake(model, wants));
    const answer = await server.ask(`POST admin:/orders/${order.id}`, { as: 'administrator', body: { status: to } });
    expect(isAccepted(answer)).toBe(isAllowed);
    if (isAllowed) order.status = to;
  },
  async reply({ server, model }, { seat: index, answer: to }) {
    const replies = model.seats.filter(({ ticket }) => ticket.provider === 'rsvp');
    const seat = at(replies, index);
    if (!seat) return;
    const isAllowed = to === 'no' || seat.answer === 'yes' || canTake(model, new Map([[seat.ticket, 1]]));
    const body = { attendee_status: to };
    const answer = await server.ask(`PATCH tickets:/attendees/${seat.id}`, { as: 'administrator', body });
    expect(isAccepted(answer)).toBe(isAllowed);
    if (isAllowed) seat.answer = to;
  },
  async edit({ server, eventId, model }, { ticket: index, limits }) {
    const ticket = at(model.tickets, index);
    if (!ticket || ticket.isDeleted) return;
    const wish = ticket.provider === 'tc' ? limits : reply('capacity' in limits ? limits.capacity : '');
    const sent = ticket.provider === 'tc' ? wish : { capacity: 'capacity' in wish ? wish.capacity : '' };
    expect((await editTicket(server, ticket.id, { post_id: eventId, ticket: sent })).status).toBe(202);
    setLimits(model, ticket, wish);
  },
  async remove({ server, eventId, model }, { ticket: index }) {
    const ticket = at(model.tickets, index);
    if (!ticket || ticket.isDeleted) return;
    expect((await deleteTicket(server, ticket.id, eventId)).status).toBe(202);
    ticket.isDeleted = true;
    for (const { items } of model.carts) items.delete(ticket);
  },
};

const take = (world: World, step: Step): Promise<void> =>
  // The table maps each name to a function that takes a step of that name.
  (DOING[step.does] as (world: World, step: Step) => Promise<void>)(world, step);

interface Limited {
  capacity: number | null;
  sold: number;
  held: number;
}

/** Rows with counters, by name. */
async function countersOf({ server, eventId }: World): Promise<Map<string, Limited>> {
  const { query } = server.context.db;
  const tickets = await query.selectFrom('tickets').selectAll().where('event_id', '=', eventId).execute();
  const shared = await query.selectFrom('event_stock').selectAll().where('event_id', '=', eventId).execute();
  return new Map<string, Limited>([
    ...tickets.map((ticket) => [`ticket ${ticket.id}`, ticket] as const),
    ...shared.map((seats) => ['shared seats', seats] as const),
  ]);
}

/** Only a lowered capacity, or a ticket that begins to share seats, may leave more seats taken than the capacity. */
async function expectWithinCapacity(world: World, before: ReadonlyMap<string, Limited>, step: Step): Promise<void> {
  const after = await countersOf(world);
  for (const [name, { capacity, sold, held }] of after) {
    expect(Math.min(sold, held)).toBeGreaterThanOrEqual(0);
    if (step.does === 'edit' || step.does === 'open') continue;
    const had = before.get(name);
    const given = (had?.sold ?? 0) + (had?.held ?? 0);
    expect(sold + held, name).toBeLessThanOrEqual(Math.max(capacity ?? Infinity, given));
  }
}

async function expectExplained({ server, model }: World, ticket: ModelTicket): Promise<void> {
  const as = 'administrator';
  const { body } = await server.ask(`GET admin:/tickets/${ticket.id}/availability`, { as });
  const expected = {
    available: availableOf(model, ticket),
    sold: { total: soldOf(model, ticket) },
    held: { total: heldOf(model, ticket) },
  };
  expect(body).toMatchObject(expected);
  const parts = [body.sold.rsvp, ...body.sold.by_order.map(({ places }: { places: number }) => places)];
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(body.sold.total);
  if (body.capacity >= 0) {
    const { capacity, over, available, blocked_by_others } = body;
    expect(capacity + over).toBe(body.sold.total + body.held.total + available + blocked_by_others);
  }
  if (body.pool && body.pool.capacity >= 0) {
    const { capacity, over, sold, held, available, blocked_by_cap } = body.pool;
    expect(capacity + over).toBe(sold + held + available + blocked_by_cap);
  }
  const shown = await server.ask(`GET tickets:/tickets/${ticket.id}`, { as });
  expect(shown.body.capacity_details.available).toBe(expected.available);
}

async function live(server: TestServer, steps: readonly Step[]): Promise<void> {
  const model = newModel(SHOPPERS);
  const shoppers = model.carts.map(() => shopperOf(server));
  const world: World = { server, eventId: await makeEvent(server), shoppers, model };
  for (const step of OPENING) await take(world, step);
  for (const step of steps) {
    const before = await countersOf(world);
    await take(world, step);
    if (step.does !== 'wait') for (const cart of model.carts) cart.mayBeReleased = cart.isLate;
    await expectWithinCapacity(world, before, step);
    expect(await findWrongCounters(server.context.db)).toEqual([]);
    expect(await findBookErrors(server.context.db)).toEqual([]);
    for (const ticket of model.tickets) if (!ticket.isDeleted) await expectExplained(world, ticket);
  }
}

describe.each(DATABASES)('the seats of an event on %s', (kind) => {
  const server = useTestServer(kind);

  it('match the model after every step of any history', async () => {
    const histories = fc.array(step, { minLength: 20, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(histories, (steps) => live(server(), steps)),
      { numRuns: effort(8, 2), seed: 20_261_121, examples: [[EVERYTHING]] },
    );
  });
});
