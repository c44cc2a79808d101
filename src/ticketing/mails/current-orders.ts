import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { fold } from '../../lib/text/text.ts';
import { isAdmitted } from '../attendees/admission.ts';
import type { Attendee } from '../attendees/store.ts';
import { getOrders, type Order } from '../orders/store.ts';
import { isCountedStatus } from '../seats/seats.ts';

/** Orders and tickets of an e-mail address. */

/** Orders and single tickets in a mail. */
const MAX_LISTED = 30;

/**
 * Orders of an address with events to come, the latest first. Only letter case does not matter: another spelling, such as
 * one with a `+tag`, may be the mailbox of another person.
 */
export async function findCurrentOrders(db: Database, to: string, now: LocalTime): Promise<Order[]> {
  const { query } = db;
  const named = await query
    .selectFrom('orders')
    .select('id')
    .where(sql`lower(purchaser_email)`, '=', sql`lower(${to.trim()})`)
    .orderBy('id', 'desc')
    .limit(10 * MAX_LISTED)
    .execute();
  const ids = named.map(({ id }) => id);
  if (ids.length === 0) return [];
  const current = await query
    .selectFrom('attendees')
    .innerJoin('events', 'events.id', 'attendees.event_id')
    .select('attendees.order_id')
    .distinct()
    .where('attendees.order_id', 'in', ids)
    .where('attendees.status', '=', 'publish')
    .where('events.status', '!=', 'trash')
    .where('events.utc_end_date', '>', now)
    .execute();
  const orders = await getOrders(
    db,
    current.flatMap(({ order_id }) => order_id ?? []),
  );
  return [...orders.values()]
    .filter(({ status }) => isCountedStatus(status))
    .sort((a, b) => b.id - a.id)
    .slice(0, MAX_LISTED);
}

/** Tickets of an address outside its own orders: RSVPs, and tickets that others transferred to it. */
export async function findCurrentTickets(db: Database, to: string, now: LocalTime): Promise<Attendee[]> {
  const { query } = db;
  const tickets = query
    .selectFrom('attendees')
    .innerJoin('events', 'events.id', 'attendees.event_id')
    .selectAll('attendees')
    .where('attendees.email_key', '=', fold(to.trim()))
    .where('attendees.status', '=', 'publish')
    .where('events.status', '!=', 'trash')
    .where('events.utc_end_date', '>', now)
    .orderBy('attendees.id', 'desc')
    .limit(MAX_LISTED);
  const rsvps = await tickets.where(sql<boolean>`attendees.provider = 'rsvp'`).execute();
  const given = await tickets
    .where('attendees.id', 'in', query.selectFrom('ticket_transfers').select('attendee_id').distinct())
    .execute();
  const all = new Map([...rsvps, ...given].map((attendee) => [attendee.pass_id ?? attendee.id, attendee]));
  return [...all.values()].filter(isAdmitted).slice(0, MAX_LISTED);
}
