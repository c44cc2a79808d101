import { openTicket } from '../test/race-actions.ts';
import type { DatabaseKind } from '../test/server.ts';
import { createClient } from '../test/two-servers.ts';
import { type Background, repeat, type Send } from './background.ts';
import { fetchOnce, type Request } from './client.ts';
import { chanceOf, zipf } from './random.ts';
import { AUTHORIZATION, type Original, type Site } from './sites.ts';
import { WORDS } from './words.ts';

/** A way in which visitors ask, and the share of a bare server that is wanted of it. */
export interface Target {
  /** For `--cases`. */
  name: string;
  title: string;
  wanted: Partial<Record<DatabaseKind, number>>;
  /** Milliseconds that the slowest hundredth may take, wanted on SQLite. */
  wantedP99?: number;
  /** Asked at a server that remembers nothing. */
  isCold?: boolean;
  /** None of its requests comes twice. */
  isEndless?: boolean;
  /** Requests to send in turn, or `count` requests that were not sent before. */
  requests(site: Site, count: number): readonly Request[] | Promise<readonly Request[]>;
  /** Background work, with its rate per second. */
  background?: { what: string; rate: number; start(site: Site): Promise<Background> };
}

const CALENDAR = '/calendar/events/v1';
const TICKETS = '/calendar/tickets/v1';
const LIST = '/events?per_page=10';
const DAY_MS = 86_400_000;

/** Days within which lists begin whose events fit into any memory, and such whose events do not. */
const [SOON, YEARS] = [14, 3 * 365];
/** Number of events whose responses fit into any cache. */
const FEW = 1000;
/** Places of an order. */
const SEATS = 5;
const SEATS_A_SECOND = 500;

const both = (share: number) => ({ sqlite: share, postgres: share });

/** Targets (README.md), in the order in which they are measured. */
export function targetsOf(original: Original, now: Date): Target[] {
  const ids = original.events.map(({ id }) => id);
  const repeated = (site: Site, headers = {}): Request[] => [{ url: `${site.address}${CALENDAR}${LIST}`, headers }];
  const known = async (site: Site) => {
    const { headers } = await fetchOnce({ url: `${site.address}${CALENDAR}${LIST}` });
    const tag = headers.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '';
    return repeated(site, { 'If-None-Match': tag });
  };
  const lists = distinctLists(now);
  const writing = (rate: number): Target => ({
    name: `writes-${rate}`,
    title: `repeated list, ${rate} event${rate === 1 ? '' : 's'} a second written`,
    wanted: rate === 10 ? both(0.6) : {},
    requests: (site) => repeated(site),
    background: { what: 'writes', rate, start: async (site) => repeat(site.address, rate, writer(site, ids)) },
  });
  return [
    {
      name: 'repeated',
      title: 'repeated list of 10',
      wanted: { sqlite: 0.8, postgres: 0.5 },
      requests: (site) => repeated(site),
    },
    { name: '304', title: 'the same, known already (304)', wanted: both(0.8), requests: known },
    {
      name: 'gzip',
      title: 'the same, compressed',
      wanted: both(0.8),
      requests: (site) => repeated(site, { 'Accept-Encoding': 'gzip' }),
    },
    writing(1),
    writing(10),
    writing(500),
    {
      name: 'new-lists',
      title: 'lists that never repeat, of events rendered before',
      wanted: { sqlite: 0.2 },
      wantedP99: 50,
      isEndless: true,
      requests: (site, count) => lists(site, { count, days: SOON }),
    },
    {
      name: 'cold-lists',
      title: 'lists that never repeat, nothing cached',
      wanted: { sqlite: 0.04 },
      isCold: true,
      isEndless: true,
      requests: (site, count) => lists(site, { count, days: YEARS }),
    },
    {
      name: 'events',
      title: 'single event, each another one, rendered before',
      wanted: { sqlite: 0.35 },
      requests: (site) => ids.slice(0, FEW).map((id) => ({ url: `${site.address}${CALENDAR}/events/${id}` })),
    },
    {
      name: 'cold-events',
      title: 'single event, each another one, nothing cached',
      wanted: { sqlite: 0.08 },
      isCold: true,
      isEndless: true,
      requests: (site) => ids.map((id) => ({ url: `${site.address}${CALENDAR}/events/${id}` })),
    },
    { name: 'day', title: 'mixed day, 5 % writes', wanted: {}, requests: (site) => mixedDay(site, original, now) },
    {
      name: 'sales',
      title: `repeated list, ${SEATS_A_SECOND} places a second sold`,
      wanted: both(0.4),
      requests: (site) => repeated(site),
      background: { what: 'places', rate: SEATS_A_SECOND, start: startSales },
    },
  ];
}

/** Lists from each second of some days on, so that no address comes twice. */
function distinctLists(now: Date) {
  let asked = 0;
  return (site: Site, { count, days }: { count: number; days: number }): Request[] =>
    Array.from({ length: count }, () => {
      asked += 1;
      // 7919 seconds further each time, which is prime to the length of a day.
      const from = new Date(now.getTime() + ((asked * 7919) % (days * 86_400)) * 1000).toISOString().slice(0, 19);
      return { url: `${site.address}${CALENDAR}${LIST}&start_date=${from}&page=${1 + (asked % 3)}` };
    });
}

let written = 0;

/** Gives an event a title that it did not have before. */
function edit(site: Site, id: number): Request {
  written += 1;
  const url = `${site.address}${CALENDAR}/events/${id}`;
  return { url, headers: { Authorization: AUTHORIZATION }, body: JSON.stringify({ title: `Edition ${written}` }) };
}

const writer = (site: Site, ids: readonly number[]) => (send: Send) => send(edit(site, ids[written % ids.length] ?? 0));

/** Sells places of an event in the list by carts that are checked out at once. */
async function startSales(site: Site): Promise<Background> {
  const ticket = await ticketInList(site);
  const cart: Request = {
    url: `${site.address}${TICKETS}/cart`,
    body: JSON.stringify({ provider: 'tc', tickets: [{ ticket_id: ticket, quantity: SEATS }] }),
  };
  const purchaser = { name: 'Guest', email: 'guest@example.test' };
  const sales = repeat(site.address, SEATS_A_SECOND / SEATS, async (send) => {
    const { head } = await send(cart);
    const token = /^x-cart-token: (\S+)/im.exec(head)?.[1] ?? '';
    await send({
      url: `${cart.url}/checkout`,
      headers: { 'X-Cart-Token': token },
      body: JSON.stringify({ purchaser }),
    });
  });
  return { stop: async () => (await sales.stop()) * SEATS };
}

const tickets = new Map<string, number>();

/** A free ticket, of more seats than are ever sold, of the last event in the list. */
async function ticketInList(site: Site): Promise<number> {
  const made = tickets.get(site.address);
  if (made !== undefined) return made;
  const { body } = await fetchOnce({ url: `${site.address}${CALENDAR}${LIST}` });
  const { events } = JSON.parse(body.toString()) as { events: { id: number }[] }; // a list of events
  const client = createClient(() => [site.address]);
  const seats = { mode: 'own', capacity: 10_000_000 } as const;
  // By itself, the sale would end with the begin of the event, and those of the list may have begun.
  const ticket = await openTicket(client, events.at(-1)?.id ?? 0, seats, { end_date: '2100-01-01' });
  client.close();
  tickets.set(site.address, ticket);
  return ticket;
}

/** How many of a hundred requests of a day are of a kind. */
const SHARES = {
  list: 30,
  month: 10,
  category: 10,
  venue: 5,
  search: 5,
  event: 25,
  categories: 5,
  venues: 5,
  write: 5,
};

/** A thousand requests: known pages mostly, by unequal use, and some edits. */
function mixedDay(site: Site, { generated, events }: Original, now: Date): Request[] {
  const chance = chanceOf(3);
  const [anEvent, aCategory, aVenue, aWord] = [FEW, 50, 100, 2000].map(zipf) as Draw[]; // as many as are named
  const addresses: Record<Exclude<keyof typeof SHARES, 'write'>, () => string> = {
    list: () => LIST,
    month: () => `${LIST}&start_date=${monthFrom(now, chance.below(12))}`,
    category: () => `${LIST}&categories=${generated.categories[aCategory?.(chance) ?? 0]}`,
    venue: () => `${LIST}&venue=${generated.venues[aVenue?.(chance) ?? 0]}`,
    search: () => `${LIST}&search=${WORDS[30 + (aWord?.(chance) ?? 0)]}`,
    event: () => `/events/by-slug/${events[anEvent?.(chance) ?? 0]?.slug}`,
    categories: () => '/categories?per_page=10',
    venues: () => '/venues?per_page=10',
  };
  const kinds = Object.entries(SHARES).flatMap(([kind, share]) => Array.from({ length: share }, () => kind));
  return Array.from({ length: 1000 }, () => {
    const kind = chance.pick(kinds) as keyof typeof SHARES; // its keys
    if (kind === 'write') return edit(site, events[chance.below(events.length)]?.id ?? 0);
    return { url: `${site.address}${CALENDAR}${addresses[kind]()}` };
  });
}

type Draw = ReturnType<typeof zipf>;

const monthFrom = (now: Date, months: number): string =>
  new Date(now.getTime() + months * 30 * DAY_MS).toISOString().slice(0, 10);
