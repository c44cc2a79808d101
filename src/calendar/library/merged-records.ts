import type { Database } from '../../db/database.ts';
import type { LinkKind } from '../../db/tables/calendar.ts';
import { isOneOf } from '../../db/value-list.ts';

/**
 * Merges move links from one record to another while events that name the merged record are being saved. Writes of
 * events share a lock that a merge takes exclusively: a merge moves the links of earlier writes, and later writes
 * follow the merge.
 */

const LOCK = 'marquee-merges';

/** Excludes writes until the end of the transaction of a merge. */
export const lockMerges = (db: Database): Promise<void> => db.dialect.lock(db, LOCK);

/** Delays merges until the end of a transaction that links events to records. */
export const delayMerges = (db: Database): Promise<void> => db.dialect.lockShared(db, LOCK);

/** Replaces each target that has been merged since its look-up by the survivor. */
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
    // A record restored from the trash is itself again.
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
  // Has the same kinds.
  return Object.fromEntries(followed) as L;
}
