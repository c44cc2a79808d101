import type { Selectable } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { TicketTransfersTable } from '../../db/tables/ticketing.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import type { Attendee } from './store.ts';

/** Transfers of tickets to other holders. */

export type Transfer = Selectable<TicketTransfersTable>;

const transfersByAttendee = byIds((query, ids) =>
  query.selectFrom('ticket_transfers').selectAll().where('attendee_id', 'in', ids).orderBy('id'),
);

/** Transfers of the tickets of attendees, oldest first. */
export async function findTransfers(
  db: Database,
  attendeeIds: readonly number[],
): Promise<ReadonlyMap<number, Transfer[]>> {
  return Map.groupBy(await transfersByAttendee(db, attendeeIds), ({ attendee_id }) => attendee_id);
}

/** Takes an attendee out of its RSVP. If it was the first one, the others answer for themselves from then on. */
export async function leaveRsvp(db: Database, id: number): Promise<void> {
  await db.query
    .updateTable('attendees')
    .set({ reply_id: null })
    .where((eb) => eb.or([eb('id', '=', id), eb('reply_id', '=', id)]))
    .where('reply_id', 'is not', null)
    .execute();
}

/** The other attendees whose answer the first one of an RSVP may change; none for any other attendee. */
export const findCompanions = (db: Database, { id, reply_id }: Attendee): Promise<Attendee[]> =>
  reply_id === id
    ? db.query
        .selectFrom('attendees')
        .selectAll()
        .where('reply_id', '=', id)
        .where('id', '<>', id)
        .where('status', '=', 'publish')
        .orderBy('id')
        .execute()
    : Promise.resolve([]);

/** Records a transfer, in the transaction that changes the attendee. The place leaves its RSVP. Returns its id. */
export async function recordTransfer(
  db: Database,
  { id, security_code }: Pick<Attendee, 'id' | 'security_code'>,
  { full_name, date_utc }: { full_name: string; date_utc: LocalTime },
): Promise<number> {
  const transfer = await db.query
    .insertInto('ticket_transfers')
    .values({ attendee_id: id, former_code: security_code, full_name, date_utc })
    .returning('id')
    .executeTakeFirstOrThrow();
  await leaveRsvp(db, id);
  return transfer.id;
}
