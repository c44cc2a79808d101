import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findWrongCounters } from '../src/jobs/recount.ts';
import { findBookErrors } from '../src/ticketing/books/check-books.ts';
import {
  attend,
  checkout,
  hold,
  type Limits,
  nonceFor,
  openDoor,
  openEvent,
  openSeason,
  openTicket,
  ticketBody,
} from './race-actions.ts';
import { DATABASES } from './server.ts';
import { effort } from './thoroughness.ts';
import { crowd, type RaceAnswer, type Servers, startServers } from './two-servers.ts';

/**
 * Concurrent requests for the same things, over HTTP, at two processes on one database. Each race runs once more
 * without the guards and must fail then: a race that cannot be lost proves nothing.
 */

const CALLERS = 64;

const succeeded = (answers: readonly { status: number }[]): number =>
  answers.filter(({ status }) => status < 300).length;

interface Sale {
  /** Sales that were acknowledged. */
  accepted: number;
  /** Statuses of refused requests. */
  refused: number[];
}

const saleOf = (answers: readonly { status: number }[]): Sale => ({
  accepted: succeeded(answers),
  refused: [...new Set(answers.map(({ status }) => status).filter((status) => status >= 300))],
});

interface Size {
  capacity: number;
  attempts: number;
}

interface Race {
  name: string;
  size: Size;
  /** Attempts at processes without a guard; CONTROL by default. */
  control?: Size;
  run(servers: Servers, size: Size): Promise<Sale>;
}

type Attempt = (servers: Servers, ticketId: number, index: number) => Promise<RaceAnswer>;

/** Attempts at several tickets in turn, each with its own limits. */
async function compete(
  servers: Servers,
  attempts: number,
  { limits, attempt }: { limits: Limits[]; attempt: Attempt },
) {
  const eventId = await openEvent(servers);
  const tickets: number[] = [];
  for (const one of limits) tickets.push(await openTicket(servers, eventId, one));
  const ticketAt = (index: number) => tickets[index % tickets.length] ?? 0;
  return saleOf(await crowd(attempts, CALLERS, (index) => attempt(servers, ticketAt(index), index)));
}

const forOne =
  (attempt: Attempt): Race['run'] =>
  (servers, { capacity, attempts }) =>
    compete(servers, attempts, { limits: [{ mode: 'own', capacity }], attempt });

const putAndBuy: Attempt = async (servers, ticketId) => {
  const held = await hold(servers, ticketId);
  return held.status === 200 ? checkout(servers, held) : held;
};

const forShared: Race['run'] = (servers, { capacity, attempts }) => {
  const global: Limits = { mode: 'global', event_capacity: capacity };
  const capped: Limits = { mode: 'capped', capacity: Math.ceil(capacity * 0.4) };
  return compete(servers, attempts, { limits: [global, capped], attempt: attend });
};

const NIGHTS = 20;

/** Passes for all nights of a series, and single tickets of some of them. Counts the fullest night. */
const forPass: Race['run'] = async (servers, { capacity, attempts }) => {
  const { pass, singles, events } = await openSeason(servers, { nights: NIGHTS, capacity });
  const some = [0, NIGHTS / 2, NIGHTS - 1].map((night) => singles[night] ?? 0);
  const answers = await crowd(attempts, CALLERS, (index) => {
    if (index % 2 === 1) return attend(servers, some[index % some.length] ?? 0, index);
    return index % 4 === 0 ? putAndBuy(servers, pass, index) : attend(servers, pass, index);
  });
  const nights = await servers.db.query
    .selectFrom('event_stock')
    .select('sold')
    .where('event_id', 'in', events)
    .execute();
  return { ...saleOf(answers), accepted: Math.max(...nights.map(({ sold }) => sold)) };
};

const RACES: readonly Race[] = [
  {
    name: 'an attendee',
    size: effort({ capacity: 500, attempts: 5000 }, { capacity: 50, attempts: 200 }),
    run: forOne(attend),
  },
  {
    name: 'a seat in a cart',
    size: effort({ capacity: 500, attempts: 5000 }, { capacity: 30, attempts: 120 }),
    run: forOne(hold),
  },
  {
    name: 'a seat in a cart that is bought',
    size: effort({ capacity: 500, attempts: 5000 }, { capacity: 30, attempts: 120 }),
    run: forOne(putAndBuy),
  },
  {
    name: 'a shared seat, capped or not',
    size: effort({ capacity: 100, attempts: 400 }, { capacity: 30, attempts: 120 }),
    run: forShared,
  },
  { name: 'a night of a series pass', size: { capacity: 20, attempts: 160 }, run: forPass },
  { name: 'the last seat of a capped ticket', size: { capacity: 1, attempts: 64 }, run: takeLastSeat },
  {
    name: 'a seat whose hold expires at checkout',
    size: effort({ capacity: 60, attempts: 60 }, { capacity: 32, attempts: 32 }),
    control: { capacity: 60, attempts: 60 },
    run: expireAtCheckout,
  },
  {
    name: 'a seat whose hold is released at checkout',
    size: effort({ capacity: 60, attempts: 60 }, { capacity: 32, attempts: 32 }),
    control: { capacity: 60, attempts: 60 },
    run: releaseAtCheckout,
  },
];

/** Enough for processes without guards to sell too much. */
const CONTROL: Size = { capacity: 10, attempts: 128 };

/** Whether one of several rounds fails: without a guard, collisions are a matter of chance. */
async function goesWrong(round: () => Promise<boolean>): Promise<boolean> {
  for (let rounds = 0; rounds < 10; rounds += 1) if (await round()) return true;
  return false;
}

async function takeLastSeat(servers: Servers, { capacity, attempts }: Size): Promise<Sale> {
  const eventId = await openEvent(servers);
  await openTicket(servers, eventId, { mode: 'global', event_capacity: 1000 });
  const capped = await openTicket(servers, eventId, { mode: 'capped', capacity: capacity + 2 });
  await attend(servers, capped, 1);
  await attend(servers, capped, 2);
  return saleOf(await crowd(attempts, CALLERS, (index) => attend(servers, capped, index)));
}

const LONG_AGO = '2020-01-01 00:00:00';

/**
 * Carts hold every seat. Half of the holds expire before the checkouts, the rest during them, while as many newcomers
 * want the returned seats. In the end all remaining seats are sold, so that a lost seat would show.
 */
async function expireAtCheckout(servers: Servers, { capacity }: Size): Promise<Sale> {
  const ticketId = await openTicket(servers, await openEvent(servers), { mode: 'own', capacity });
  const carts = await crowd(capacity, CALLERS, () => hold(servers, ticketId));
  const endHolds = (from: number) =>
    servers.db.transaction(async ({ query }) => {
      await query
        .updateTable('cart_items')
        .set({ expires_utc: LONG_AGO })
        .where('ticket_id', '=', ticketId)
        .$if(from > 0, (update) => update.where('cart_id', '>', from))
        .execute();
    });
  const { middle } = await servers.db.query
    .selectFrom('cart_items')
    .select((eb) => eb.fn.avg<number>('cart_id').as('middle'))
    .where('ticket_id', '=', ticketId)
    .executeTakeFirstOrThrow();
  await endHolds(Math.floor(middle));
  const answers = await crowd(2 * capacity, CALLERS, async (index) => {
    const cart = carts[Math.floor(index / 2)];
    if (index === capacity) await endHolds(0);
    return index % 2 === 0 && cart ? checkout(servers, cart) : attend(servers, ticketId, index);
  });
  const late = await crowd(capacity, CALLERS, (index) => attend(servers, ticketId, index));
  return saleOf([...answers, ...late]);
}

/**
 * Carts hold every seat. Staff release each hold twice while its cart is checked out, and as many newcomers want the
 * returned seats. In the end all remaining seats are sold, so that a lost seat would show.
 */
async function releaseAtCheckout(servers: Servers, { capacity }: Size): Promise<Sale> {
  const eventId = await openEvent(servers);
  const ticketId = await openTicket(servers, eventId, { mode: 'own', capacity });
  const carts = await crowd(capacity, CALLERS, () => hold(servers, ticketId));
  const items = servers.db.query.selectFrom('cart_items').where('ticket_id', '=', ticketId);
  const holds = await items.select('cart_id as id').orderBy('cart_id').execute();
  const releases: RaceAnswer[] = [];
  const answers = await crowd(4 * capacity, CALLERS, async (index) => {
    const cart = carts[Math.floor(index / 4)];
    if (index % 4 === 0 && cart) return checkout(servers, cart);
    if (index % 4 === 1) return attend(servers, ticketId, index);
    const released = await servers.ask(`DELETE admin:/holds/${holds[Math.floor(index / 4)]?.id}`);
    releases.push(released);
    return undefined;
  });
  // Each place is given back at most once, and some are.
  expect(succeeded(releases)).toBeGreaterThan(0);
  expect(new Set(releases.map(({ status }) => status))).toEqual(new Set([200, 404]));
  const late = await crowd(capacity, CALLERS, (index) => attend(servers, ticketId, index));
  return saleOf([...answers, ...late].filter((answer) => answer !== undefined));
}

/** Sends each body to both processes at the same time; returns the pairs of responses. */
const askBoth = (servers: Servers, call: string, bodies: readonly object[]): Promise<[RaceAnswer, RaceAnswer][]> =>
  crowd(bodies.length, CALLERS / 4, (index) => {
    const body = bodies[index];
    return Promise.all([servers.ask(call, { body, process: 0 }), servers.ask(call, { body, process: 1 })]);
  });

const PAIRS = effort(40, 16);

const scanTwice = async (servers: Servers) => askBoth(servers, 'POST tickets:/qr', await openDoor(servers, PAIRS));

async function spendTwice(servers: Servers) {
  const eventId = await openEvent(servers);
  const bodies: object[] = [];
  while (bodies.length < PAIRS)
    bodies.push(ticketBody(eventId, await nonceFor(servers, eventId), { mode: 'own', capacity: 1 }));
  return askBoth(servers, 'POST tickets:/tickets', bodies);
}

/** Two edits of each new event, based on the revision that both have read. */
async function editTwice(servers: Servers, headers: Record<string, string>) {
  const ids: number[] = [];
  while (ids.length < PAIRS) ids.push(await openEvent(servers));
  return crowd(PAIRS, CALLERS / 4, async (index): Promise<[RaceAnswer, RaceAnswer]> => {
    const edit = (process: 0 | 1) =>
      servers.ask(`PATCH events:/events/${ids[index]}`, { body: { excerpt: `by ${process}` }, headers, process });
    return Promise.all([edit(0), edit(1)]);
  });
}

const FIRST = { 'if-match': '"r1"' };

describe.each(DATABASES)('two processes on %s', (kind) => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers(kind, { postgresUrl: inject('postgresUrl') });
  });
  afterAll(() => servers?.close());

  it.each(RACES)('sell $name to exactly $size.capacity customers', async ({ run, size }) => {
    expect(await run(servers, size)).toEqual({ accepted: size.capacity, refused: [409] });
    expect(await findWrongCounters(servers.db)).toEqual([]);
    expect(await findBookErrors(servers.db)).toEqual([]);
  });

  it('check in a code once for two scanners', async () => {
    for (const pair of await scanTwice(servers)) {
      expect(pair.map(({ status }) => status).sort()).toEqual([201, 403]);
      expect(pair.map(({ body }) => body.error)).toContain('attendee_already_checked_in');
    }
    const log = await servers.db.query.selectFrom('check_ins').select('attendee_id').execute();
    expect(log).toHaveLength(PAIRS);
  });

  it('accept a one-time token once', async () => {
    for (const pair of await spendTwice(servers)) {
      expect(pair.map(({ status }) => status).sort()).toEqual([202, 403]);
      expect(pair.map(({ body }) => body.code)).toContain('forbidden');
    }
  });

  it('accept one edit of a revision', async () => {
    for (const pair of await editTwice(servers, FIRST)) {
      expect(pair.map(({ status }) => status).sort()).toEqual([200, 412]);
      const [accepted, refused] = pair.toSorted((a, b) => a.status - b.status);
      expect(refused?.body.data.record.excerpt).toBe(accepted?.body.excerpt);
    }
  });

  /** These run last, because they write inconsistent data. */
  describe('without the guards', () => {
    beforeAll(() => servers.unguard());

    it.each(RACES)('sell $name too often', async ({ run, control = CONTROL }) => {
      const round = async () => (await run(servers, control)).accepted > control.capacity;
      expect(await goesWrong(round)).toBe(true);
    });

    it('check in one code twice', async () => {
      const round = async () => (await scanTwice(servers)).some((pair) => succeeded(pair) === 2);
      expect(await goesWrong(round)).toBe(true);
    });

    it('accept two edits of a revision', async () => {
      // SQLite has one writer at a time, which no statement undoes: there, only edits without If-Match collide.
      const headers: Record<string, string> = kind === 'postgres' ? FIRST : {};
      const round = async () => (await editTwice(servers, headers)).some((pair) => succeeded(pair) === 2);
      expect(await goesWrong(round)).toBe(true);
    });

    it('accept a one-time token twice', async () => {
      const round = async () => (await spendTwice(servers)).some((pair) => succeeded(pair) === 2);
      expect(await goesWrong(round)).toBe(true);
    });
  });
});
