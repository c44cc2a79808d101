import type { Event } from '../../calendar/events/store.ts';
import { modifiedTimes } from '../../calendar/posts/post.ts';
import type { Database } from '../../db/database.ts';
import { mayManageTickets } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { addDays, dayStart, secondsBetween, utcToLocal } from '../../lib/dates/dates.ts';
import { logChange } from '../../platform/audit/log.ts';
import { auditedTicket } from './audited.ts';
import { type SaleWindow, windowInUtc } from './sale-window.ts';
import type { Ticket } from './store.ts';
import { findTicketsOfEvents, updateTicket } from './store.ts';

const DAY = 86_400;

/** An event before and after its start changes. */
interface Move {
  from: Pick<Event, 'start_date' | 'utc_start_date'>;
  to: Pick<Event, 'start_date' | 'utc_start_date'>;
}

type Sale = SaleWindow & Pick<Ticket, 'sale_price_start' | 'sale_price_end' | 'pass_id'>;

/**
 * The sale window and the discount of a ticket whose event moves: they move by as many days as the event, those of a
 * series pass stay. A sale that ends when the event starts ends at its new start.
 */
export function movedSale(ticket: Sale, { from, to, timezone }: Move & { timezone: string }): Omit<Sale, 'pass_id'> {
  const distance = Math.round(secondsBetween(dayStart(from.start_date), dayStart(to.start_date)) / DAY);
  const days = ticket.pass_id === null ? distance : 0;
  const start = utcToLocal(to.utc_start_date, timezone);
  const end =
    ticket.sale_end_utc === from.utc_start_date
      ? { end_date: start.slice(0, 10), end_time: start.slice(11) }
      : { end_date: dayMoved(ticket.end_date, days), end_time: ticket.end_time };
  const moved = { start_date: dayMoved(ticket.start_date, days), start_time: ticket.start_time, ...end };
  return {
    ...moved,
    ...windowInUtc(moved, timezone),
    sale_price_start: dayMoved(ticket.sale_price_start, days),
    sale_price_end: dayMoved(ticket.sale_price_end, days),
  };
}

const dayMoved = (day: string, days: number): string =>
  day === '' ? '' : addDays(`${day} 00:00:00`, days).slice(0, 10);

/**
 * Moves the sales of an event's tickets with its start, in the transaction of the caller.
 * @throws {ApiError} if the viewer may not change the tickets
 */
export async function moveSales(
  db: Database,
  { from, to, ctx }: { from: Event; to: Event; ctx: RequestContext },
): Promise<void> {
  if (from.start_date === to.start_date && from.utc_start_date === to.utc_start_date) return;
  if (!mayManageTickets(ctx.viewer, from)) throw new ApiError('rest_forbidden');
  await db.dialect.lock(db, `tickets-${from.id}`);
  const { timezone } = ctx.context.config;
  for (const ticket of await findTicketsOfEvents(db, [from.id])) {
    const values = { ...movedSale(ticket, { from, to, timezone }), ...modifiedTimes(ctx) };
    await logChange(db, ctx.actor, { kind: auditedTicket, id: ticket.id }, () => updateTicket(db, ticket, values));
  }
}
