import type { Event } from '../../calendar/events/store.ts';
import type { TicketMaker } from '../../calendar/events/ticketing.ts';
import { modifiedTimes } from '../../calendar/posts/post.ts';
import type { Database } from '../../db/database.ts';
import { newRecordId } from '../../db/record-ids.ts';
import { toUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { slugify } from '../../lib/text/slug.ts';
import { logCreation } from '../../platform/audit/log.ts';
import type { Translation } from '../../platform/translations/rules.ts';
import { findTranslations } from '../../platform/translations/store.ts';
import { extendPass } from '../passes/pass-tickets.ts';
import { auditedTicket } from './audited.ts';
import { movedSale } from './move-sales.ts';
import type { Ticket } from './store.ts';
import {
  defaultSku,
  findSharedSeats,
  findTicketsOfEvents,
  insertTicket,
  saveTicketTexts,
  setSharedCapacity,
} from './store.ts';

/**
 * Copies the tickets of an event to its copy, in the transaction of the caller: with the same capacities and nothing
 * sold. Their sale windows and discounts move with the start of the event. A series pass is copied to occurrences only,
 * which its holders get seats in.
 */
export async function copyTickets(
  db: Database,
  { from, to, maker }: { from: Event; to: Event; maker: TicketMaker },
): Promise<void> {
  // A change or a removal in progress is copied as a whole, or comes later.
  await db.dialect.lock(db, `tickets-${from.id}`);
  const shared = await findSharedSeats(db, from.id);
  if (shared) await setSharedCapacity(db, to.id, shared.capacity);
  for (const ticket of await findTicketsOfEvents(db, [from.id])) {
    if (ticket.pass_id !== null && !(await extendPass(db, ticket.pass_id, to, maker.now))) continue;
    const translations = await findTranslations(db, { kind: 'ticket', id: ticket.id });
    await copyTicket(db, { ticket, translations }, { from, to, maker });
  }
}

interface Copying {
  from: Pick<Event, 'start_date' | 'utc_start_date'>;
  to: Event;
  maker: TicketMaker;
}

/** Copies one ticket, without the shared capacity of its event. */
export async function copyTicket(
  db: Database,
  { ticket, translations }: { ticket: Ticket; translations: readonly Translation[] },
  copying: Copying,
): Promise<void> {
  const id = await newRecordId(db, 'ticket');
  await insertTicket(db, copyOf(ticket, id, copying));
  const own = { title: ticket.title, description: ticket.description };
  if (translations.length > 0) await saveTicketTexts(db, id, { own, translations: [...translations] });
  await logCreation(db, copying.maker.actor, { kind: auditedTicket, id });
}

function copyOf(ticket: Ticket, id: number, { from, to, maker }: Copying): Omit<Ticket, 'revision'> {
  const { id: former, revision: _revision, ...columns } = ticket;
  const { timezone } = maker.context.config;
  const author_id = to.author_id;
  const date_utc = toUtc(maker.now);
  const hasDefaultSku = ticket.sku === defaultSku({ ...ticket, id: former });
  return {
    id,
    ...columns,
    ...movedSale(ticket, { from, to, timezone }),
    ...modifiedTimes(maker),
    event_id: to.id,
    author_id,
    date_utc,
    date: utcToLocal(date_utc, timezone),
    slug: slugify(ticket.title) || `ticket-${id}`,
    sku: hasDefaultSku ? defaultSku({ id, author_id, title: ticket.title }) : ticket.sku,
    sold: 0,
    held: 0,
  };
}
