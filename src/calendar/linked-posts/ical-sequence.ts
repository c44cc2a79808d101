import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { LinkedKind } from '../../lib/linked-kinds.ts';

/**
 * The only writer of `ical_sequence`: by a higher one, calendars that subscribe to an event notice that its place, its
 * time or its status has changed. Statements change nothing else, so that they do not count as edits of the event.
 */

const nextSequence = (db: Database) =>
  db.query.updateTable('events').set({ ical_sequence: sql<number>`ical_sequence + 1` });

export async function raiseSequence(db: Database, eventId: number): Promise<void> {
  await nextSequence(db).where('id', '=', eventId).execute();
}

/** For all events that a record is linked to. */
export async function raiseSequencesOf(db: Database, { kind, id }: { kind: LinkedKind; id: number }): Promise<void> {
  await nextSequence(db)
    .where('id', 'in', (eb) =>
      eb.selectFrom('event_links').select('event_id').where('kind', '=', kind).where('target_id', '=', id),
    )
    .execute();
}
