import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../calendar/events/store.ts';
import type { TicketMaker } from '../../calendar/events/ticketing.ts';
import { modifiedTimes } from '../../calendar/posts/post.ts';
import type { Database } from '../../db/database.ts';
import { slugify } from '../../lib/text/slug.ts';
import { logChange } from '../../platform/audit/log.ts';
import type { Translation } from '../../platform/translations/rules.ts';
import { findTranslations } from '../../platform/translations/store.ts';
import { recountShared } from '../seats/seat-counters.ts';
import { auditedTicket } from './audited.ts';
import { copyTicket } from './copy.ts';
import { movedSale } from './move-sales.ts';
import type { Ticket } from './store.ts';
import {
  findSharedSeats,
  findTicket,
  findTicketsOfEvents,
  lowerCapped,
  saveTicketTexts,
  setSharedCapacity,
  ticketKeys,
  updateTicket,
} from './store.ts';
import { withdrawTickets } from './withdraw-ticket.ts';

/** Repeats a change of a ticket of one event for the ticket of the same name of another event of its series. */

/** A ticket at one time. */
export interface TicketState {
  ticket: Ticket;
  translations: readonly Translation[];
  /** Capacity of the shared places of its event; absent if it has none. */
  shared?: number | null;
}

export interface TicketChange {
  /** Times of its event, to which the sale is relative. */
  from: Pick<Event, 'start_date' | 'utc_start_date'>;
  /** Absent for a new ticket. */
  before?: TicketState;
  /** Absent for a removed ticket. */
  after?: TicketState;
}

export async function stateOfTicket(db: Database, id: number): Promise<TicketState | undefined> {
  const ticket = await findTicket(db, id);
  if (!ticket) return undefined;
  const shared = await findSharedSeats(db, ticket.event_id);
  const translations = await findTranslations(db, { kind: 'ticket', id });
  return { ticket, translations, ...(shared && { shared: shared.capacity }) };
}

/** Tickets of an event with the kind and the name of another one; series passes are changed as a whole. */
export async function namesakes(
  db: Database,
  eventId: number,
  { provider, title }: Pick<Ticket, 'provider' | 'title'>,
): Promise<Ticket[]> {
  const tickets = await findTicketsOfEvents(db, [eventId]);
  return tickets.filter((ticket) => ticket.pass_id === null && ticket.provider === provider && ticket.title === title);
}

/** Columns that change together. The SKU and the counters are those of each ticket. */
const FIELDS: readonly (readonly (keyof Ticket)[])[] = [
  ...[['title'], ['description'], ['price', 'min_price'], ['mode', 'capacity']],
  ...[
    ['sale_price', 'sale_price_start', 'sale_price_end'],
    ['start_date', 'start_time', 'end_date', 'end_time'],
  ],
  ...[['show_description'], ['menu_order'], ['min_per_order', 'max_per_order'], ['tax_rate_id'], ['not_going']],
  ['requires_code'],
] as (keyof Ticket)[][];

/**
 * Makes a change in another event, in the transaction of the caller. Repeating it changes nothing.
 * @returns whether anything changed
 */
export async function applyTicketChange(
  db: Database,
  change: TicketChange,
  { to, maker }: { to: Event; maker: TicketMaker },
): Promise<boolean> {
  await db.dialect.lock(db, `tickets-${to.id}`);
  const { from, before, after } = change;
  if (!before) return after !== undefined && addTicket(db, { from, after }, { to, maker });
  const [found, ...others] = await namesakes(db, to.id, before.ticket);
  if (!found || others.length > 0) return false;
  // From here on nothing more of it is sold until the end of the transaction.
  await db.dialect.lockRow(db, { table: 'tickets', id: found.id });
  const current = await stateOfTicket(db, found.id);
  if (!current) return false;
  if (after) return changeLike(db, current, { from, before, after, to, maker });
  if (current.ticket.sold + current.ticket.held > 0) return false;
  await withdrawTickets(db, [current.ticket], maker);
  return true;
}

async function addTicket(
  db: Database,
  { from, after }: Pick<TicketChange, 'from'> & { after: TicketState },
  { to, maker }: { to: Event; maker: TicketMaker },
): Promise<boolean> {
  if ((await namesakes(db, to.id, after.ticket)).length > 0) return false;
  if (after.shared !== undefined && !(await findSharedSeats(db, to.id)))
    await setSharedCapacity(db, to.id, after.shared);
  await copyTicket(db, after, { from, to, maker });
  return true;
}

interface Repetition extends Required<TicketChange> {
  to: Event;
  maker: TicketMaker;
}

/** Changes the fields that still have the earlier value of the other ticket; a value of its own stays. */
async function changeLike(db: Database, current: TicketState, repetition: Repetition): Promise<boolean> {
  const { from, before, after, to, maker } = repetition;
  const { timezone } = maker.context.config;
  const [former, latter] = [before.ticket, after.ticket].map((ticket) => ({
    ...ticket,
    ...movedSale(ticket, { from, to, timezone }),
  })) as [Ticket, Ticket];
  const { ticket } = current;
  const isLike = (one: Ticket, other: Ticket) => (name: keyof Ticket) => one[name] === other[name];
  const fields = FIELDS.filter(
    (names) => !names.every(isLike(former, latter)) && names.every(isLike(ticket, former)),
  ).flat();
  const values = Object.fromEntries(fields.map((name) => [name, latter[name]]));
  const { sale_start_utc, sale_end_utc } = latter;
  const window = fields.includes('start_date') ? { sale_start_utc, sale_end_utc } : {};
  const translations = mergedTexts(current.translations, before.translations, after.translations);
  const shared = sharedAfter(current, before, after);
  const hasTexts = !isDeepStrictEqual(translations, current.translations);
  if (fields.length === 0 && !hasTexts && shared === current.shared) return false;
  const changed = { ...ticket, ...values };
  const { title, description } = changed;
  await logChange(db, maker.actor, { kind: auditedTicket, id: ticket.id }, async () => {
    const keys = { ...ticketKeys({ title, description }), slug: slugify(title) || `ticket-${ticket.id}` };
    await updateTicket(db, ticket, { ...values, ...window, ...keys, ...modifiedTimes(maker) });
    if (hasTexts || translations.length > 0)
      await saveTicketTexts(db, ticket.id, { own: { title, description }, translations: [...translations] });
    if (shared !== undefined) await shareSeats(db, to.id, { shared, isNew: shared !== current.shared });
  });
  return true;
}

async function shareSeats(
  db: Database,
  eventId: number,
  { shared, isNew }: { shared: number | null; isNew: boolean },
): Promise<void> {
  if (isNew && shared !== null) await lowerCapped(db, eventId, shared);
  if (isNew) await setSharedCapacity(db, eventId, shared);
  await recountShared(db, eventId);
}

/** The shared capacity of an event after the change; a capacity of its own stays. */
function sharedAfter(current: TicketState, before: TicketState, after: TicketState): number | null | undefined {
  if (before.shared === after.shared) return current.shared;
  return current.shared === undefined || current.shared === before.shared ? after.shared : current.shared;
}

/** Texts in other languages after the change; own ones stay. */
function mergedTexts(
  current: readonly Translation[],
  before: readonly Translation[],
  after: readonly Translation[],
): readonly Translation[] {
  const [own, former, latter] = [current, before, after].map(
    (list) => new Map(list.map((one) => [one.language, one])),
  ) as [Map<string, Translation>, Map<string, Translation>, Map<string, Translation>];
  const languages = [...new Set([...own.keys(), ...latter.keys()])];
  return languages.flatMap((language) => {
    const [mine, was, is] = [own.get(language), former.get(language), latter.get(language)];
    const columns = [...new Set([...Object.keys(mine?.texts ?? {}), ...Object.keys(is?.texts ?? {})])];
    const source = (column: string): Translation | undefined =>
      was?.texts[column] !== is?.texts[column] && mine?.texts[column] === was?.texts[column] ? is : mine;
    const texts = Object.fromEntries(
      columns.flatMap((column) => {
        const text = source(column)?.texts[column];
        return text === undefined ? [] : [[column, text]];
      }),
    );
    const provisional = Object.keys(texts).filter((column) => source(column)?.provisional.includes(column));
    return Object.keys(texts).length > 0 ? [{ language, texts, provisional }] : [];
  });
}
