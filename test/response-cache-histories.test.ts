import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { PERIODIC_JOBS } from '../src/jobs/periodic.ts';
import type { DataVersion } from '../src/lib/data-version.ts';
import { addAttendee } from './attendees.ts';
import { png, upload } from './fixtures.ts';
import { listen, type TestListener } from './listen.ts';
import { DATABASES, type TestServer, useTestServer } from './server.ts';
import { type Shopper, shopperOf } from './shopper.ts';
import { effort } from './thoroughness.ts';
import { addTicket, editTicket } from './tickets.ts';
import { withoutCache } from './without-cache.ts';

/** Random histories, after each step of which memories are compared with an application that remembers nothing. */

const EVENTS = '/calendar/events/v1';
const TICKETS = '/calendar/tickets/v1';
const SHOPPERS = 3;

/** Records are identified by a number, modulo how many there are. */
type Step =
  | { does: 'add'; days: number; venue: number; category: number; title: string }
  | { does: 'change'; event: number; to: object }
  | { does: 'remove'; event: number }
  | { does: 'renameVenue'; venue: number; name: string }
  | { does: 'describeImage'; to: object }
  | { does: 'renameCategory'; category: number; name: string }
  | { does: 'schedule'; event: number; minutes: number }
  | { does: 'addTicket'; event: number; price: string; days: number; minutes: number; stock: object }
  | { does: 'changeTicket'; ticket: number; to: object }
  | { does: 'put'; shopper: number; ticket: number; quantity: number }
  | { does: 'checkout'; shopper: number }
  | { does: 'order'; order: number; to: string }
  | { does: 'sell'; ticket: number }
  | { does: 'wait'; seconds: number; hasJobs: boolean }
  | { does: 'waitForEdge'; seconds: number };

const some = fc.nat(50);
const word = fc.constantFrom('Lantern', 'Harvest', 'River', 'Night', 'Brass', 'Paper');
const days = fc.integer({ min: -2, max: 9 });
const few = fc.integer({ min: 1, max: 4 });
const stock: fc.Arbitrary<object> = fc.oneof(
  fc.record({ mode: fc.constant('own'), capacity: few }),
  fc.record({ mode: fc.constant('global'), event_capacity: few }),
  fc.record({ mode: fc.constant('capped'), capacity: few, event_capacity: few }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('add' as const), days, venue: some, category: some, title: word }),
  fc.record({
    does: fc.constant('change' as const),
    event: some,
    to: fc.oneof(
      fc.record({ title: word }),
      fc.record({ featured: fc.boolean() }),
      fc.record({ status: fc.constantFrom('publish', 'draft', 'trash') }),
      fc.record({ hide_from_listings: fc.boolean() }),
      fc.record({ post_password: fc.constantFrom('', 'secret-word') }),
      fc.record({ event_status: fc.constantFrom('scheduled', 'cancelled'), event_status_reason: word }),
    ),
  }),
  fc.record({ does: fc.constant('remove' as const), event: some }),
  fc.record({ does: fc.constant('renameVenue' as const), venue: some, name: word }),
  fc.record({
    does: fc.constant('describeImage' as const),
    to: fc.oneof(fc.record({ alt: word }), fc.record({ focus: fc.record({ x: some, y: some }) })),
  }),
  fc.record({ does: fc.constant('renameCategory' as const), category: some, name: word }),
  fc.record({ does: fc.constant('schedule' as const), event: some, minutes: fc.constantFrom(1, 90) }),
  fc.record({
    ...{ does: fc.constant('addTicket' as const), event: some, price: fc.constantFrom('5', '12'), days, stock },
    minutes: fc.constantFrom(-60, 1, 20),
  }),
  fc.record({
    does: fc.constant('changeTicket' as const),
    ticket: some,
    to: fc.oneof(fc.record({ name: word }), fc.record({ ticket: stock })),
  }),
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('put' as const), shopper: some, ticket: some, quantity: fc.nat(3) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('checkout' as const), shopper: some }) },
  fc.record({
    does: fc.constant('order' as const),
    order: some,
    to: fc.constantFrom('not-completed', 'completed', 'refunded'),
  }),
  { weight: 2, arbitrary: fc.record({ does: fc.constant('sell' as const), ticket: some }) },
  fc.record({
    does: fc.constant('wait' as const),
    seconds: fc.constantFrom(1, 60, 3600, 13 * 3600, 3 * 86_400),
    hasJobs: fc.boolean(),
  }),
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('waitForEdge' as const), seconds: fc.integer({ min: -1, max: 1 }) }),
  },
);

/** Records that a history has created so far. */
interface Made {
  events: number[];
  venues: number[];
  categories: number[];
  tickets: { id: number; event: number; slug: string }[];
  orders: number[];
  shoppers: Shopper[];
  /** Shown by the first venue. */
  image: number;
}

const at = (ids: readonly number[], index: number): number => ids.at(index % Math.max(1, ids.length)) ?? 0;
const ticketAt = ({ tickets }: Made, index: number) => tickets.at(index % Math.max(1, tickets.length));

/** The next moment at which a hold expires or a sale begins, or after which one ends. */
async function nextEdge({ context, clock }: TestServer): Promise<number | undefined> {
  const { query } = context.db;
  const now = clock.now.getTime();
  const holds = await query.selectFrom('cart_items').select('expires_utc').execute();
  const tickets = await query.selectFrom('tickets').select(['sale_start_utc', 'sale_end_utc']).execute();
  const texts = [
    ...holds.map((item) => item.expires_utc),
    ...tickets.flatMap((ticket) => [ticket.sale_start_utc, ticket.sale_end_utc]),
  ];
  const moments = texts.map((utc) => Date.parse(`${utc.replace(' ', 'T')}Z`)).filter((moment) => moment > now + 1000);
  return moments.length > 0 ? Math.min(...moments) : undefined;
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** Steps may be refused, such as changing a deleted event; only the reads afterwards count. */
async function take(server: TestServer, step: Step, made: Made): Promise<void> {
  const as = 'administrator';
  const write = (call: string, body: object) => server.ask(call, { as, body });
  const after = (seconds: number) => new Date(server.clock.now.getTime() + seconds * 1000);
  if (step.does === 'wait') {
    server.clock.now = after(step.seconds);
    // They publish what is due and release what is held no longer.
    if (step.hasJobs) for (const { work } of PERIODIC_JOBS) await work(server.context);
  }
  if (step.does === 'waitForEdge') {
    const edge = await nextEdge(server);
    if (edge !== undefined) server.clock.now = new Date(edge + step.seconds * 1000);
  }
  if (step.does === 'schedule')
    await write(`POST /events/${at(made.events, step.event)}`, {
      ...{ status: 'future', date_utc: after(step.minutes * 60).toISOString() },
    });
  const ticket = 'ticket' in step ? ticketAt(made, step.ticket) : undefined;
  const shopper = 'shopper' in step ? made.shoppers[step.shopper % SHOPPERS] : undefined;
  if (step.does === 'put' && ticket) await shopper?.put([{ ticket_id: ticket.id, quantity: step.quantity }]);
  if (step.does === 'checkout') {
    const sold = await shopper?.checkout();
    if (sold?.status === 201) made.orders.push(sold.body.order.id);
  }
  if (step.does === 'order') await write(`POST admin:/orders/${at(made.orders, step.order)}`, { status: step.to });
  if (step.does === 'changeTicket' && ticket) {
    // There is no token for a ticket of an event that has been removed.
    const { status } = await server.ask(`GET /events/${ticket.event}`, { as });
    if (status === 200) await editTicket(server, ticket.id, { post_id: ticket.event, ...step.to });
  }
  if (step.does === 'change') await write(`POST /events/${at(made.events, step.event)}`, step.to);
  if (step.does === 'renameVenue') await write(`POST /venues/${at(made.venues, step.venue)}`, { venue: step.name });
  if (step.does === 'describeImage') await write(`PATCH admin:/media/${made.image}`, step.to);
  if (step.does === 'renameCategory')
    await write(`POST /categories/${at(made.categories, step.category)}`, { name: `${step.name} ${step.category}` });
  if (step.does === 'remove')
    await server.ask(`DELETE /events/${at(made.events, step.event)}`, { as, query: { force: true } });
  if (step.does === 'sell' && ticket) await addAttendee(server, ticket.id);
  if (step.does === 'addTicket') {
    const event = await server.ask(`GET /events/${at(made.events, step.event)}`, { as });
    if (event.status !== 200) return;
    const day = dayOf(after(step.days * 86_400));
    const sale = { start_date: after(step.minutes * 60).toISOString(), end_date: day };
    const ticket = { ...step.stock, sale_price: { checked: true, price: '1', start_date: day, end_date: day } };
    const fields = { post_id: event.body.id, provider: 'tc', name: 'Seat', price: step.price, ticket };
    const added = await addTicket(server, { ...fields, ...sale });
    if (added.status === 202) made.tickets.push({ id: added.body.id, event: event.body.id, slug: event.body.slug });
  }
  if (step.does === 'add') {
    const day = dayOf(after(step.days * 86_400));
    const times = { start_date: `${day} 10:00:00`, end_date: `${day} 22:00:00` };
    const linked = { venue: at(made.venues, step.venue), categories: [at(made.categories, step.category)] };
    made.events.push((await server.make('POST /events', { title: step.title, ...times, ...linked })).id);
  }
}

const readsOf = ({ events, venues, categories, tickets }: Made): string[] => {
  const calendar = [
    ...['/events', '/events?per_page=2&page=2', '/events?featured=true', '/events?search=lantern', '/venues', '/tags'],
    ...[
      '/events?ends_after=now',
      '/events?start_date=2026-11-01&end_date=2027-03-01',
      '/events?starts_after=yesterday',
    ],
    ...['/events?order=desc', '/events?event_status=cancelled'],
    ...['/venues?only_with_upcoming=true', '/categories?hide_empty=true', '/events?ticketed=true', '/categories'],
    ...[`/events?categories=${at(categories, 1)}`, `/events?venue=${at(venues, 1)}`, `/venues/${at(venues, 0)}`],
    ...new Set([...events.slice(-4), ...tickets.slice(-3).map(({ event }) => event)].map((id) => `/events/${id}`)),
  ];
  const sold = [
    ...['/tickets', '/tickets?is_available=true', '/tickets?is_available=0&per_page=2', '/tickets?available_from=now'],
    ...['/tickets?orderby=id&order=DESC&after=2026-01-01'],
    ...tickets.slice(-3).map(({ id }) => `/tickets/${id}`),
  ];
  const pages = ['/', '/events/', ...tickets.slice(-2).map(({ slug }) => `/event/${slug}/`)];
  return [...calendar.map((path) => EVENTS + path), ...sold.map((path) => TICKETS + path), ...pages];
};

/**
 * Entity tags of processes with the same settings: one for each text of an address, and no text has that of another.
 * Without `MARQUEE_CACHE_MB` tags of lists differ from those with it.
 */
function createTags() {
  const tags = new Map<string, string>();
  const texts = new Map<string, string>();
  return {
    check(path: string, { tag, text }: { tag: string; text: string }) {
      const [ofText, ofTag] = [`${path} ${text}`, `${path} ${tag}`];
      expect(tags.get(ofText) ?? tag, path).toBe(tag);
      expect(texts.get(ofTag) ?? text, path).toBe(text);
      tags.set(ofText, tag);
      texts.set(ofTag, text);
    },
  };
}

/** An event with a ticket that is on sale. */
const PREPARED: Step[] = [
  { does: 'add', days: 3, venue: 0, category: 0, title: 'Lantern' },
  { does: 'addTicket', event: -1, price: '5', days: 2, minutes: -60, stock: { mode: 'own', capacity: 3 } },
];

const put = (shopper: number, quantity: number): Step => ({ does: 'put', shopper, ticket: -1, quantity });

/** A history with every kind of change of the seats that are left, so that none depends on chance. */
const EVERYTHING: Step[] = [
  { does: 'sell', ticket: -1 },
  put(0, 2),
  { does: 'waitForEdge', seconds: -1 },
  { does: 'waitForEdge', seconds: 0 },
  put(0, 1),
  put(0, 2),
  { does: 'checkout', shopper: 0 },
  { does: 'order', order: -1, to: 'refunded' },
  put(1, 1),
  put(1, 0),
  put(1, 2),
  { does: 'wait', seconds: 3600, hasJobs: true },
  { does: 'changeTicket', ticket: -1, to: { ticket: { mode: 'global', event_capacity: 1 } } },
  { does: 'sell', ticket: -1 },
  { does: 'waitForEdge', seconds: 1 },
];

describe.each(DATABASES)('after any writes, on %s', (kind) => {
  // All processes give the same addresses.
  const server = useTestServer(kind, { url: 'https://events.test' });
  let listeners: TestListener[];
  /** By the part of the version that they do not notice. */
  const careless: Partial<Record<keyof DataVersion, TestListener>> = {};
  let anew: ReturnType<typeof createApp>;
  const made: Made = { events: [], venues: [], categories: [], tickets: [], orders: [], shoppers: [], image: 0 };
  beforeAll(async () => {
    const { context } = server();
    // Each has a memory of its own, as processes have.
    listeners = [await listen(context), await listen(context)];
    anew = createApp({ ...context, db: withoutCache(context.db) });
    const { db } = context;
    for (const part of ['calendar', 'seats'] as const) {
      const dataVersion = async () => ({ ...(await db.dialect.dataVersion(db)), [part]: 'always the same' });
      careless[part] = await listen({
        ...context,
        db: { ...withoutCache(db), dialect: { ...db.dialect, dataVersion } },
      });
    }
    made.shoppers.push(...Array.from({ length: SHOPPERS }, () => shopperOf(server())));
    const uploaded = await server().ask('POST admin:/media', { as: 'editor', form: upload(await png(20, 20)) });
    made.image = uploaded.body.id;
    for (const image of [made.image, null])
      made.venues.push((await server().make('POST /venues', { venue: 'Mill', image })).id);
    for (const name of ['Walks', 'Talks']) made.categories.push((await server().make('POST /categories', { name })).id);
  });
  afterAll(() => Promise.all([...listeners, ...Object.values(careless)].map((listener) => listener.close())));

  /** A response by all that readers see but the id of the request; entity tags apart. */
  const partsOf = async (answer: Response) => ({
    tag: answer.headers.get('etag'),
    parts: {
      status: answer.status,
      headers: ['x-tec-total', 'x-et-total', 'vary', 'content-language'].map((name) => answer.headers.get(name)),
      text: (await answer.text()).replace(/"request_id":"[^"]*"/, '"request_id"'),
    },
  });
  const headers = { 'accept-encoding': 'identity' };

  const compareAll = async (memories: readonly TestListener[], tags = createTags()) => {
    for (const path of readsOf(made)) {
      const expected = await partsOf(await anew.request(path, { headers }));
      for (const { address } of memories) {
        for (let time = 0; time < 2; time += 1) {
          const { parts, tag } = await partsOf(await fetch(`${address}${path}`, { headers }));
          expect(parts, path).toEqual(expected.parts);
          expect(tag === null, path).toBe(expected.tag === null);
          if (tag !== null) tags.check(path, { tag, text: parts.text });
        }
      }
    }
  };

  it('reads of any process get the response that the application would give', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const tags = createTags();
        for (const next of [...PREPARED, ...steps]) {
          await take(server(), next, made);
          await compareAll(listeners, tags);
        }
      }),
      { numRuns: effort(5, 1), endOnFailure: true, examples: [[EVERYTHING]] },
    );
  });

  it.each<[what: string, part: keyof DataVersion, unseen: Step]>([
    ['writes', 'calendar', { does: 'add', days: 1, venue: 0, category: 0, title: 'Unseen' }],
    ['sales', 'seats', { does: 'sell', ticket: 0 }],
  ])('a cache that does not notice %s is detected', async (_what, part, unseen) => {
    const memory = careless[part];
    if (!memory) throw new Error('it has been started before');
    made.tickets = [];
    for (const prepared of PREPARED) await take(server(), prepared, made);
    await compareAll([memory]);
    await take(server(), unseen, made);
    await expect(compareAll([memory])).rejects.toThrow();
  });
});
