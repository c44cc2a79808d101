import type { Database } from '../../db/database.ts';
import type { LinkKind } from '../../db/tables.ts';
import { isOneOf } from '../../db/value-list.ts';

/**
 * Merges move links from one record to another, while events are saved that name the merged record. Writes of events
 * share a lock that a merge has alone: those before it are moved by it, those after it follow it.
 */

const LOCK = 'marquee-merges';

/** For a merge, until the end of its transaction. */
export const lockMerges = (db: Database): Promise<void> => db.dialect.lock(db, LOCK);

/** For a write that links events to records, until the end of its transaction. */
export const holdMerges = (db: Database): Promise<void> => db.dialect.lockShared(db, LOCK);

/** Targets by kind, with the survivor in the place of each record that has been merged since it was looked up. */
export async function followMerges<L extends Partial<Record<LinkKind, readonly number[]>>>(
  db: Database,
  links: L,
): Promise<L> {
  const targets = Object.values(links).flat();
  if (targets.length === 0) return links;
  const merged = await db.query
    .selectFrom('merged_records')
    .select(['kind', 'record_id', 'survivor_id'])
    .where((eb) => isOneOf(eb.ref('record_id'), targets))
    // A record that somebody has restored from the trash is itself again.
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('linked_posts')
            .select('id')
            .whereRef('linked_posts.id', '=', 'merged_records.record_id')
            .whereRef('linked_posts.kind', '=', 'merged_records.kind')
            .where('status', '<>', 'trash'),
        ),
      ),
    )
    .execute();
  if (merged.length === 0) return links;
  const survivors = new Map(merged.map(({ kind, record_id, survivor_id }) => [`${kind} ${record_id}`, survivor_id]));
  const followed = Object.entries(links).map(([kind, ids]) => [
    kind,
    ids?.map((id) => survivors.get(`${kind} ${id}`) ?? id),
  ]);
  // The same kinds.
  return Object.fromEntries(followed) as L;
}
