import type { Event } from '../../calendar/events/store.ts';
import { modifiedNow } from '../../calendar/posts/post.ts';
import type { Database } from '../../db/database.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { addDays, dayStart, secondsBetween, toUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { slugify } from '../../lib/text/slug.ts';
import { logCreation } from '../../platform/audit/log.ts';
import { findTranslations } from '../../platform/translations/store.ts';
import { auditedTicket } from './audited.ts';
import { type SaleWindow, windowInUtc } from './sale-window.ts';
import { defaultSku } from './save.ts';
import type { Ticket } from './seats/stock.ts';
import { findSharedSeats, findTicketsOfEvents, insertTicket, saveTicketTexts, setSharedCapacity } from './store.ts';

const DAY = 86_400;

/**
 * Copies the tickets of an event to its copy, in the transaction of the caller: with the same capacities and nothing
 * sold. Their sale windows and discounts move by as many days as the start of the event.
 */
export async function copyTickets(
  db: Database,
  { from, to, ctx }: { from: Event; to: Event; ctx: RequestContext },
): Promise<void> {
  const days = Math.round(secondsBetween(dayStart(from.start_date), dayStart(to.start_date)) / DAY);
  const shared = await findSharedSeats(db, from.id);
  if (shared) await setSharedCapacity(db, to.id, shared.capacity);
  for (const ticket of await findTicketsOfEvents(db, [from.id])) {
    const texts = await findTranslations(db, { kind: 'ticket', id: ticket.id });
    const id = await insertTicket(db, (newId) => copyOf(ticket, newId, { event: to, days, ctx }));
    const own = { title: ticket.title, description: ticket.description };
    if (texts.length > 0) await saveTicketTexts(db, id, { own, translations: texts });
    await logCreation(db, ctx.actor, { kind: auditedTicket, id });
  }
}

function copyOf(
  ticket: Ticket,
  id: number,
  { event, days, ctx }: { event: Event; days: number; ctx: RequestContext },
): Omit<Ticket, 'id' | 'revision'> {
  const { id: former, revision: _revision, ...columns } = ticket;
  const { timezone } = ctx.context.config;
  const author_id = event.author_id;
  const date_utc = toUtc(ctx.now);
  const hasDefaultSku = ticket.sku === defaultSku({ ...ticket, id: former });
  return {
    ...columns,
    ...windowMoved(ticket, days, timezone),
    ...modifiedNow(ctx),
    sale_price_start: dayMoved(ticket.sale_price_start, days),
    sale_price_end: dayMoved(ticket.sale_price_end, days),
    event_id: event.id,
    author_id,
    date_utc,
    date: utcToLocal(date_utc, timezone),
    slug: slugify(ticket.title) || `ticket-${id}`,
    sku: hasDefaultSku ? defaultSku({ id, author_id, title: ticket.title }) : ticket.sku,
    sold: 0,
    held: 0,
  };
}

const dayMoved = (day: string, days: number): string =>
  day === '' ? '' : addDays(`${day} 00:00:00`, days).slice(0, 10);

function windowMoved(window: SaleWindow, days: number, zone: string): SaleWindow {
  const [start_date, end_date] = [dayMoved(window.start_date, days), dayMoved(window.end_date, days)];
  const moved = { start_date, start_time: window.start_time, end_date, end_time: window.end_time };
  return { ...moved, ...windowInUtc(moved, zone) };
}
