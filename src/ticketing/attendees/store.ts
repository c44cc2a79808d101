import type { Insertable, Selectable, Updateable } from 'kysely';
import { compiledOnce } from '../../db/compiled-statement.ts';
import type { Database } from '../../db/database.ts';
import { updateUnlessEdited } from '../../db/guarded-update.ts';
import type { AttendeesTable } from '../../db/tables/ticketing.ts';
import { fold } from '../../lib/text/text.ts';
import type { Ticket } from '../tickets/store.ts';

export type Attendee = Selectable<AttendeesTable>;

export const findAttendee = (db: Database, id: number): Promise<Attendee | undefined> =>
  db.query.selectFrom('attendees').selectAll().where('id', '=', id).executeTakeFirst();

/** Columns of an attendee's ticket shown in responses. */
export type HeldTicket = Pick<
  Ticket,
  'id' | 'title' | 'description' | 'price' | 'start_date' | 'end_date' | 'is_deleted'
>;

export interface Holder {
  attendee: Attendee;
  ticket: HeldTicket;
}

/** An attendee with the ticket, in one query: check-ins should take few round trips. */
export async function findHolder(db: Database, id: number): Promise<Holder | undefined> {
  const [row] = await holdersById(db, id);
  if (!row) return undefined;
  const { full_price: price, title, description, start_date, end_date, is_deleted, ...attendee } = row;
  return { attendee, ticket: { id: attendee.ticket_id, price, title, description, start_date, end_date, is_deleted } };
}

const holdersById = compiledOnce((query, id: number) =>
  query
    .selectFrom('attendees')
    .innerJoin('tickets', 'tickets.id', 'attendees.ticket_id')
    .selectAll('attendees')
    .select(['tickets.price as full_price', 'title', 'description', 'start_date', 'end_date', 'is_deleted'])
    .where('attendees.id', '=', id),
);

/** The attendee with an id that is known to exist. */
export async function getAttendee(db: Database, id: number): Promise<Attendee> {
  return db.query.selectFrom('attendees').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Attendees of tickets, except archived ones, oldest first. */
export async function findAttendeesOfTickets(db: Database, ticketIds: readonly number[]): Promise<Attendee[]> {
  if (ticketIds.length === 0) return [];
  return db.query
    .selectFrom('attendees')
    .selectAll()
    .where('ticket_id', 'in', [...new Set(ticketIds)])
    .where('status', '<>', 'trash')
    .orderBy('id')
    .execute();
}

export const findAttendeesOfOrder = (db: Database, orderId: number): Promise<Attendee[]> =>
  db.query.selectFrom('attendees').selectAll().where('order_id', '=', orderId).orderBy('id').execute();

/** Attendees of several orders, oldest first. */
export async function findAttendeesOfOrders(db: Database, orderIds: readonly number[]): Promise<Attendee[]> {
  if (orderIds.length === 0) return [];
  const query = db.query.selectFrom('attendees').selectAll();
  return query
    .where('order_id', 'in', [...orderIds])
    .orderBy('id')
    .execute();
}

/** Attendees by id, in the order of the ids. */
export async function getAttendees(db: Database, ids: readonly number[]): Promise<Attendee[]> {
  if (ids.length === 0) return [];
  const rows = await db.query
    .selectFrom('attendees')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Columns derived from name and e-mail address. */
export const keysOf = ({ full_name, email }: Pick<Attendee, 'full_name' | 'email'>) => ({
  name_key: fold(full_name),
  email_key: fold(email),
});

/** Rows per statement: each has some thirty values, and SQLite allows 32,766 in a statement. */
const ROWS_PER_STATEMENT = 500;

/** Inserts attendees; returns them in the order of their ids. */
export async function insertAttendees(db: Database, rows: readonly Insertable<AttendeesTable>[]): Promise<Attendee[]> {
  const inserted: Attendee[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const part = rows.slice(from, from + ROWS_PER_STATEMENT);
    inserted.push(...(await db.query.insertInto('attendees').values(part).returningAll().execute()));
  }
  return inserted.sort((one, other) => one.id - other.id);
}

/**
 * Changes an attendee, as read in the same transaction.
 * @throws {EditConflict} if the attendee has been edited since
 */
export const updateAttendee = (db: Database, attendee: Attendee, change: Updateable<AttendeesTable>): Promise<void> =>
  updateUnlessEdited(db, 'attendees', attendee, change);
