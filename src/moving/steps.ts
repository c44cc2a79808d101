import { isRecord } from '../lib/text/list.ts';
import {
  type Draft,
  type Finding,
  idOf,
  isLocked,
  readAttendee,
  readEvent,
  readLinked,
  readTerm,
  readTicket,
} from './drafts.ts';
import type { WantedImage } from './images.ts';
import { type Item, type Page, type Source, SourceRefusal } from './source.ts';

/** Steps of an import from a running site, ordered so that records come after the records to which they refer. */

/** A page of a step. */
export interface Batch {
  drafts: readonly Draft[];
  /** Images of the media library, with its step only. */
  images?: readonly WantedImage[];
  /** Problems that do not belong to a record. */
  findings?: readonly Finding[];
  /** Number of records in all pages. */
  total: number;
  /** Ids on the page, if not all of them are drafts. */
  listed?: readonly number[];
  isLast: boolean;
}

export interface Step {
  /** Name of the step, for people. */
  name: string;
  /** Reads a page, from 1. */
  read(page: number, reading: Reading): Promise<Batch>;
  /** Whether the number of its records is compared with the total that the source names. */
  isCounted?: boolean;
}

/** State of the reading that the steps share. */
export interface Reading {
  source: Source;
  /** Whether the whole media library is imported, rather than the used images alone. */
  withMedia: boolean;
  /** Events that visitors may read. Other published events need a password, which the source does not reveal. */
  open?: Set<number>;
  /** Whether this import has seen a record already. */
  isSeen(kind: 'event' | 'attendee', id: number): Promise<boolean>;
}

const EVENTS = 'tribe/events/v1';
const TICKETS = 'tribe/tickets/v1';

/** Maximum number of passes over a list that changed while it was read, so that records were missed. */
export const MAX_PASSES = 3;
const MAX_TERM_PAGES = 1000;

const NOTHING: Batch = { drafts: [], total: 0, isLast: true };

const batchOf = (found: Page, page: number, drafts: readonly Draft[]): Batch => ({
  drafts,
  total: found.total,
  isLast: page >= found.pages,
});

/** A page of a list that the source may not have, or not show. */
export async function optionalPage(read: () => Promise<Page>): Promise<Page | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SourceRefusal) return undefined;
    throw error;
  }
}

/** Sources refuse a page beyond the last one, for example if the list has become shorter. */
export async function pageOrEnd(read: () => Promise<Page>, page: number): Promise<Page> {
  try {
    return await read();
  } catch (error) {
    if (page > 1 && error instanceof SourceRefusal && [400, 404].includes(error.status))
      return { items: [], total: 0, pages: 0 };
    throw error;
  }
}

const media: Step = {
  name: 'images',
  async read(page, { source, withMedia }) {
    if (!withMedia) return NOTHING;
    const found = await optionalPage(() => source.page('wp/v2/media', { page, orderby: 'id', order: 'asc' }));
    if (!found) return page > 1 ? NOTHING : { ...NOTHING, findings: [{ code: 'no-media', detail: '' }] };
    const images = found.items.flatMap((item): WantedImage[] => {
      const id = idOf(item.id);
      const isImage = typeof item.mime_type === 'string' && item.mime_type.startsWith('image/');
      return id !== 0 && isImage && typeof item.source_url === 'string'
        ? [{ id, url: item.source_url, details: item }]
        : [];
    });
    return { ...batchOf(found, page, []), images };
  },
};

/** All terms of a kind at once, because parents come before their children. */
const terms = (kind: 'category' | 'tag', plural: string): Step => ({
  name: plural,
  async read(_page, { source }) {
    const drafts = new Map<number, Draft>();
    const readAll = async (): Promise<number> => {
      let total = 0;
      for (let page = 1, pages = 1; page <= pages; page++) {
        const query = { page, hide_empty: 'false' };
        const found = await pageOrEnd(() => source.page(`${EVENTS}/${plural}`, query, plural), page);
        for (const draft of found.items.map((item) => readTerm(kind, item))) drafts.set(draft.id, draft);
        if (page === 1) total = found.total;
        pages = Math.min(found.pages, MAX_TERM_PAGES);
      }
      return total;
    };
    for (let pass = 1, total = 1; pass <= MAX_PASSES && drafts.size < total; pass++) total = await readAll();
    return { drafts: parentsFirst([...drafts.values()]), total: 0, isLast: true };
  },
});

/** Sorts terms by their depth. Terms in a circle, or below an unknown one, move to the top. */
export function parentsFirst(drafts: readonly Draft[]): Draft[] {
  const byId = new Map(drafts.map((draft) => [draft.id, draft]));
  const depths = new Map<Draft, number>();
  const sound = [...byId.values()].map((draft): Draft => {
    const path = new Set([draft.id]);
    let at = idOf(draft.fields.parent);
    for (; at !== 0 && byId.has(at) && !path.has(at); at = idOf(byId.get(at)?.fields.parent)) path.add(at);
    const code = byId.has(at) ? 'parent-loop' : 'parent-missing';
    const isBroken = at !== 0 && (code === 'parent-loop' || path.size === 1);
    const found = isBroken
      ? {
          ...draft,
          fields: { ...draft.fields, parent: 0 },
          findings: [...draft.findings, { code, detail: String(at) }],
        }
      : draft;
    depths.set(found, isBroken ? 0 : path.size);
    return found;
  });
  return sound.toSorted((a, b) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0) || a.id - b.id);
}

const linked = (kind: 'venue' | 'organizer'): Step => ({
  name: `${kind}s`,
  isCounted: true,
  async read(page, { source }) {
    const found = await pageOrEnd(() => source.page(`${EVENTS}/${kind}s`, { page }, `${kind}s`), page);
    const drafts = found.items.map((item) => readLinked(kind, item));
    return batchOf(found, page, drafts);
  },
});

const ALL_DATES = { start_date: '1970-01-02', end_date: '2200-01-01' };
const ALL_STATUSES = 'publish,future,draft,pending,private,trash';

const events: Step = {
  name: 'events',
  isCounted: true,
  async read(page, reading) {
    const { source } = reading;
    const read = (status?: string) => source.page(`${EVENTS}/events`, { page, ...ALL_DATES, status }, 'events');
    const found = await pageOrEnd(
      async () => (source.hasCredentials ? ((await optionalPage(() => read(ALL_STATUSES))) ?? read()) : read()),
      page,
    );
    const drafts: Draft[] = [];
    for (const item of found.items) drafts.push(await eventOf(item, reading));
    return batchOf(found, page, drafts);
  },
};

/** With an account, events look the same with and without a password, so they are also read as a visitor. */
async function eventOf(item: Item, reading: Reading): Promise<Draft> {
  const { source } = reading;
  if (!source.hasCredentials || item.status !== 'publish') return readEvent(item, { isProtected: false });
  reading.open ??= await findOpen(source);
  const id = idOf(item.id);
  // Lists omit all hidden events, so absence from a list does not mean a password.
  const isOpen = reading.open.has(id) || (await isOpenAlone(source, id));
  return readEvent(item, { isProtected: !isOpen });
}

async function findOpen(source: Source): Promise<Set<number>> {
  const open = new Set<number>();
  const visitor = source.asVisitor();
  for (let page = 1, pages = 1; page <= pages; page++) {
    const found = await pageOrEnd(() => visitor.page(`${EVENTS}/events`, { page, ...ALL_DATES }, 'events'), page);
    for (const item of found.items) if (!isLocked(item)) open.add(idOf(item.id));
    pages = Math.min(found.pages, 100_000);
  }
  return open;
}

async function isOpenAlone(source: Source, id: number): Promise<boolean> {
  const { body } = await source.asVisitor().read(`${EVENTS}/events/${id}`).catch(ignoreRefusal);
  // A response without the event, such as an error with status 200, does not show that it is open.
  return isRecord(body) && idOf(body.id) === id && !isLocked(body);
}

/** Events that lists leave out: hidden ones, and those with broken dates. Another list has their ids. */
const unlisted: Step = {
  name: 'events that no list has',
  async read(page, reading) {
    const { source } = reading;
    const status = source.hasCredentials ? 'publish,future,draft,pending,private' : undefined;
    const query = { page, orderby: 'id', order: 'asc', _fields: 'id', status };
    const found = await optionalPage(() => source.page('wp/v2/tribe_events', query));
    if (!found) return NOTHING;
    const drafts: Draft[] = [];
    const findings: Finding[] = [];
    for (const item of found.items) {
      const id = idOf(item.id);
      if (id === 0 || (await reading.isSeen('event', id))) continue;
      const event = await readEventAlone(id, reading);
      if ('code' in event) findings.push(event);
      else drafts.push(event);
    }
    return { ...batchOf(found, page, drafts), findings };
  },
};

/** Reads an event by its id. */
export async function readEventAlone(id: number, reading: Reading): Promise<Draft | Finding> {
  try {
    const { body } = await reading.source.read(`${EVENTS}/events/${id}`);
    return await eventOf(isRecord(body) ? body : {}, reading);
  } catch (error) {
    if (error instanceof SourceRefusal) return { code: 'not-shown', detail: `event ${id}: ${error.message}` };
    throw error;
  }
}

const tickets: Step = {
  name: 'tickets',
  isCounted: true,
  async read(page, { source }) {
    const read = () => source.page(`${TICKETS}/tickets`, { page, orderby: 'id', order: 'ASC' }, 'tickets');
    // A site without the plug-in for tickets has no such list.
    const found = page === 1 ? await optionalPage(read) : await pageOrEnd(read, page);
    if (!found) return { ...NOTHING, findings: [{ code: 'no-tickets', detail: '' }] };
    const drafts: Draft[] = [];
    // Tickets of an event with a password have no id.
    for (const item of found.items) if (item.id !== 0) drafts.push(readTicket(await wholeTicket(source, item)));
    return { ...batchOf(found, page, drafts), listed: found.items.map(({ id }) => idOf(id)) };
  },
};

/** Reads a ticket by itself: lists leave out the stock keeping unit and the times of sale. */
export async function wholeTicket(source: Source, item: Item): Promise<Item> {
  if (item.sku !== undefined || !source.hasCredentials) return item;
  const { body } = await source.read(`${TICKETS}/tickets/${idOf(item.id)}`).catch(ignoreRefusal);
  return isRecord(body) ? body : item;
}

function ignoreRefusal(error: unknown): { body: undefined } {
  if (error instanceof SourceRefusal) return { body: undefined };
  throw error;
}

/**
 * Attendees by the status of their orders, which the source has only as a filter. Completed orders come first, so that
 * a place that was given up is found in one of them. The last step has RSVPs, and orders of other statuses.
 */
const attendees = (status: string): Step => ({
  name: status === '' ? 'attendees' : `attendees of orders that are ${status}`,
  isCounted: true,
  async read(page, { source, isSeen }) {
    if (!source.hasCredentials) return NOTHING;
    const query = { page, orderby: 'id', order: 'ASC', order_status: status || 'any' };
    const read = () => source.page(`${TICKETS}/attendees`, query, 'attendees');
    const found = page === 1 ? await optionalPage(read) : await pageOrEnd(read, page);
    if (!found) return NOTHING;
    const drafts: Draft[] = [];
    // A source that does not know the filter lists every attendee each time: the first status counts.
    for (const item of found.items)
      if (!(await isSeen('attendee', idOf(item.id)))) drafts.push(readAttendee(item, status));
    return { ...batchOf(found, page, drafts), listed: found.items.map(({ id }) => idOf(id)) };
  },
});

const ORDER_STATUSES = [
  ...['completed', 'pending', 'action-req', 'approved'],
  ...['refunded', 'not-completed', 'denied', 'voided', 'reversed'],
];

/** In the order of execution. Positions are stored, so new steps are added at the end. */
export const STEPS: readonly Step[] = [
  media,
  terms('category', 'categories'),
  terms('tag', 'tags'),
  linked('venue'),
  linked('organizer'),
  events,
  unlisted,
  tickets,
  ...ORDER_STATUSES.map(attendees),
  attendees(''),
];
