import type { Database } from '../../db/database.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { findPassDates, isChosen, MAX_PASS_PLACES, type PassDate } from '../passes/pass-dates.ts';
import type { Ticket } from '../tickets/store.ts';
import { MaxPerOrderExceeded } from './errors.ts';
import type { HolderEntry } from './input.ts';
import { type CartItem, type CartMeta, groupOf } from './store.ts';

/** Series passes in carts: an item for each date, all of the quantity of the chosen ticket. */

/** The dates of chosen passes, by the ticket that the visitor chose. */
export type PassDatesByTicket = ReadonlyMap<number, readonly PassDate[]>;

/** Dates of the passes among tickets, by chosen ticket. Passes whose chosen ticket is no longer a date are left out. */
export async function datesOfPasses(
  db: Database,
  tickets: ReadonlyMap<number, Ticket>,
  now: LocalTime,
): Promise<PassDatesByTicket> {
  const dates = await findPassDates(
    db,
    [...tickets.values()].map(({ pass_id }) => pass_id),
    now,
  );
  return new Map(
    [...tickets.values()].flatMap(({ id, pass_id }) => {
      const all = pass_id === null ? [] : (dates.get(pass_id) ?? []);
      return all.some((date) => date.id === id) ? [[id, all] as const] : [];
    }),
  );
}

/** Items of a ticket; for a pass, the items of all its dates, whichever of its tickets was chosen. */
export function itemsOf(items: readonly CartItem[], ticketId: number, sold: readonly Pick<Ticket, 'id'>[]): CartItem[] {
  const ids = new Set([ticketId, ...sold.map(({ id }) => id)]);
  const groups = new Set(items.filter(({ ticket_id }) => ids.has(ticket_id)).map(groupOf));
  return items.filter((item) => groups.has(groupOf(item)));
}

/**
 * Limits the attendees that a single request makes, for staff too.
 * @param tickets of the request; an error names one of them
 * @throws {MaxPerOrderExceeded} with the number of passes that would be accepted alone
 */
export function requirePassPlaces(items: readonly CartItem[], tickets: ReadonlyMap<number, Ticket>): void {
  const places = items.filter(({ pass_id }) => pass_id !== null);
  if (places.reduce((sum, { quantity }) => sum + quantity, 0) <= MAX_PASS_PLACES) return;
  const chosen = places.find((item) => isChosen(item) && tickets.has(item.ticket_id));
  const ticket = chosen && tickets.get(chosen.ticket_id);
  if (!ticket) return;
  const dates = places.filter((item) => item.pass_id === chosen.pass_id).length;
  throw new MaxPerOrderExceeded({ ...ticket, max_per_order: Math.floor(MAX_PASS_PLACES / dates) });
}

interface HolderDetails {
  meta: CartMeta;
  holders: readonly HolderEntry[];
}

/**
 * Holders and answers for the tickets by which passes are sold. The visitor may have given them for another date, which has
 * dropped out since.
 */
export async function forChosenDates(
  db: Database,
  { chosen, tickets }: { chosen: readonly CartItem[]; tickets: ReadonlyMap<number, Ticket> },
  { meta, holders }: HolderDetails,
): Promise<HolderDetails> {
  const known = new Set(chosen.map(({ ticket_id }) => ticket_id));
  const passes = new Map(chosen.map(({ ticket_id }) => [tickets.get(ticket_id)?.pass_id ?? null, ticket_id]));
  passes.delete(null);
  const named = [...holders.map(({ ticket_id }) => ticket_id), ...Object.keys(meta).map(Number)];
  const others = [...new Set(named)].filter((id) => !known.has(id));
  if (others.length === 0 || passes.size === 0) return { meta, holders };
  const rows = await db.query
    .selectFrom('tickets')
    .select(['id', 'pass_id'])
    .where('id', 'in', others)
    .where('pass_id', 'is not', null)
    .execute();
  const moved = new Map(rows.map(({ id, pass_id }) => [id, passes.get(pass_id) ?? id]));
  const answers = [...moved].flatMap(([from, to]) => (meta[from] ? [[to, meta[from]]] : []));
  return {
    meta: { ...Object.fromEntries(answers), ...meta },
    holders: holders.map((holder) => ({ ...holder, ticket_id: moved.get(holder.ticket_id) ?? holder.ticket_id })),
  };
}
