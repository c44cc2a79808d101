import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { LinkKind } from '../../db/tables/calendar.ts';
import { isOneOf } from '../../db/value-list.ts';

/** A move of event links to the survivor of a merge. */

interface Move {
  mergeId: number;
  kind: LinkKind;
  /** Merged record. */
  from: number;
  /** Survivor. */
  to: number;
}

/** Gives the survivor the events of a merged record, and records the moved links. */
export async function moveLinks({ query }: Database, { mergeId, kind, from, to }: Move): Promise<void> {
  await sql`INSERT INTO merged_links (merge_id, target_id, event_id, position, is_moved)
    SELECT ${mergeId}, ${from}, l.event_id, l.position, CASE WHEN s.event_id IS NULL THEN 1 ELSE 0 END
    FROM event_links AS l
    LEFT JOIN event_links AS s ON s.event_id = l.event_id AND s.kind = l.kind AND s.target_id = ${to}
    WHERE l.kind = ${kind} AND l.target_id = ${from}`.execute(query);
  await query
    .updateTable('event_links')
    .set({ target_id: to })
    .where('kind', '=', kind)
    .where('target_id', '=', from)
    .where('event_id', 'in', (eb) =>
      eb
        .selectFrom('merged_links')
        .select('merged_links.event_id')
        .where('merge_id', '=', mergeId)
        .where('merged_links.target_id', '=', from)
        .where('is_moved', '=', 1),
    )
    .execute();
  await query.deleteFrom('event_links').where('kind', '=', kind).where('target_id', '=', from).execute();
}

/** Gives a merged record its events back, except events that the survivor has lost meanwhile. */
export async function returnLinks({ query }: Database, { mergeId, kind, from, to }: Move): Promise<void> {
  const keptOf = (isMoved: 0 | 1) => sql`SELECT ml.event_id FROM merged_links AS ml
    WHERE ml.merge_id = ${mergeId} AND ml.target_id = ${from} AND ml.is_moved = ${isMoved}`;
  await sql`INSERT INTO event_links (event_id, kind, target_id, position, status, hide_from_listings, utc_start_date,
      start_date, utc_end_date, end_date)
    SELECT l.event_id, l.kind, ml.target_id, ml.position, l.status, l.hide_from_listings, l.utc_start_date,
      l.start_date, l.utc_end_date, l.end_date
    FROM merged_links AS ml
    JOIN event_links AS l ON l.event_id = ml.event_id AND l.kind = ${kind} AND l.target_id = ${to}
    WHERE ml.merge_id = ${mergeId} AND ml.target_id = ${from} AND ml.is_moved = 0
    ON CONFLICT (event_id, kind, target_id) DO NOTHING`.execute(query);
  await sql`UPDATE event_links SET target_id = ${from}
    WHERE kind = ${kind} AND target_id = ${to} AND event_id IN (${keptOf(1)})
      AND event_id NOT IN (SELECT x.event_id FROM event_links AS x WHERE x.kind = ${kind} AND x.target_id = ${from})`.execute(
    query,
  );
}

/** Number of events linked to any of these records. */
export async function countEvents({ query }: Database, kind: LinkKind, ids: readonly number[]): Promise<number> {
  const { events } = await query
    .selectFrom('event_links')
    .select(({ fn }) => fn.count<number>('event_id').distinct().as('events'))
    .where('kind', '=', kind)
    .where((eb) => isOneOf(eb.ref('target_id'), ids))
    .executeTakeFirstOrThrow();
  return Number(events);
}
