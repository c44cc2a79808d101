import { type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { AuditKind } from '../../db/tables/platform.ts';
import type { AttendeesTable } from '../../db/tables/ticketing.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { IMPORTED } from '../../ticketing/imports/import-order.ts';
import type { Finding } from '../drafts.ts';
import type { LinkKind } from '../links.ts';
import { findChangedHere, IMPORT_REQUEST } from '../plan.ts';

/** Use of imported records at this site, which keeps them from being removed. */

/** A record that an undo names. */
export interface NamedRecord {
  kind: LinkKind;
  id: number;
  title: string;
  reason: Finding;
}

/** Condition: a column has the id of a record that an import created and that has not been removed. */
const isOf = (importId: number, kind: LinkKind, column: string) => sql<boolean>`EXISTS (
  SELECT 1 FROM import_changes AS change WHERE change.import_id = ${importId} AND change.kind = ${kind}
    AND change.action = 'created' AND change.outcome <> 'removed' AND change.record_id = ${sql.ref(column)})`;

/** Maximum number of records named in a refusal. */
const MAX_NAMED = 100;

/** Imported events for which tickets were sold here, and imported attendees who were checked in here. */
export async function findSold(db: Database, importId: number, now: Date): Promise<NamedRecord[]> {
  const isOfImport = (alias: string) => sql<boolean>`(${isOf(importId, 'event', `${alias}.event_id`)}
    OR ${isOf(importId, 'ticket', `${alias}.ticket_id`)} OR EXISTS (SELECT 1 FROM events AS occurrence
      WHERE occurrence.id = ${sql.ref(`${alias}.event_id`)} AND ${isOf(importId, 'series', 'occurrence.series_id')}))`;
  const { rows: sold } = await sql<{ id: number; count: number }>`SELECT a.event_id AS id, count(*) AS count
    FROM attendees AS a WHERE ${isOfImport('a')} AND NOT ${isOf(importId, 'attendee', 'a.id')}
    GROUP BY a.event_id ORDER BY a.event_id LIMIT ${MAX_NAMED}`.execute(db.query);
  const { rows: held } = await sql<{ id: number; count: number }>`SELECT i.event_id AS id, sum(i.quantity) AS count
    FROM cart_items AS i WHERE i.expires_utc > ${toUtc(now)} AND ${isOfImport('i')}
    GROUP BY i.event_id ORDER BY i.event_id LIMIT ${MAX_NAMED}`.execute(db.query);
  const { rows: inside } = await sql<{ id: number }>`SELECT a.id FROM attendees AS a
    WHERE a.checked_in = 1 AND ${isOf(importId, 'attendee', 'a.id')} AND NOT ${wasCheckedIn('a.id')}
    ORDER BY a.id LIMIT ${MAX_NAMED}`.execute(db.query);
  const found = [
    ...sold.map((row) => ({ kind: 'event' as const, id: row.id, reason: counted('sold-here', row.count) })),
    ...held.map((row) => ({ kind: 'event' as const, id: row.id, reason: counted('in-cart', row.count) })),
    ...inside.map((row) => ({
      kind: 'attendee' as const,
      id: row.id,
      reason: { code: 'checked-in-here', detail: '' },
    })),
  ];
  const named: NamedRecord[] = [];
  for (const one of found) named.push({ ...one, id: Number(one.id), title: await findTitle(db, one.kind, one.id) });
  return named;
}

const counted = (code: string, count: number): Finding => ({ code, detail: String(Number(count)) });

/** Whether a check-in came from the source. Check-ins at this site have an account, a key or a device. */
const wasCheckedIn = (column: string) => sql<boolean>`EXISTS (SELECT 1 FROM check_ins AS told
  WHERE told.attendee_id = ${sql.ref(column)} AND told.action = 'in' AND told.user_id = 0 AND told.key_id IS NULL
    AND told.device = '' AND told.scan_id IS NULL)`;

const TITLES: Readonly<Record<Exclude<LinkKind, 'series'>, readonly [table: string, column: string]>> = {
  event: ['events', 'title'],
  venue: ['linked_posts', 'title'],
  organizer: ['linked_posts', 'title'],
  category: ['terms', 'name'],
  tag: ['terms', 'name'],
  ticket: ['tickets', 'title'],
  attendee: ['attendees', 'full_name'],
  order: ['orders', 'purchaser_name'],
  media: ['media', 'file'],
  account: ['users', 'username'],
};

/** Display name of a record; empty if it is gone. */
export async function findTitle(db: Database, kind: LinkKind, id: number): Promise<string> {
  const [table, column] = kind === 'series' ? TITLES.event : TITLES[kind];
  const key = kind === 'series' ? 'series_id' : 'id';
  const { rows } = await sql<{ title: string }>`SELECT ${sql.ref(column)} AS title FROM ${sql.table(table)}
    WHERE ${sql.ref(key)} = ${id} LIMIT 1`.execute(db.query);
  return rows[0]?.title ?? '';
}

/** The change of a record at this site since a revision. */
export async function findLocalChange(
  db: Database,
  kind: Exclude<LinkKind, 'account'>,
  at: { record_id: number; revision: number | null },
): Promise<Finding | undefined> {
  const changed = await findChangedHere(db, kind, at);
  if (changed === 'deleted') return undefined;
  if (changed === 'unknown') return { code: 'history-gone', detail: '' };
  return changed.size > 0 ? { code: 'changed-since', detail: [...changed].join(', ') } : undefined;
}

/** Changes of a record, according to the audit log, that were not made by imports. */
export async function findOwnEntries(db: Database, kind: AuditKind, id: number): Promise<Finding | undefined> {
  const rows = await db.query
    .selectFrom('audit')
    .select(['fields', 'request_id'])
    .where('kind', '=', kind)
    .where('record_id', '=', id)
    .execute();
  const own = rows.filter(({ request_id }) => !request_id.startsWith(IMPORT_REQUEST));
  if (own.length === 0) return undefined;
  // A list of names, written by the audit log.
  const names = new Set(own.flatMap(({ fields }) => JSON.parse(fields) as string[]));
  return { code: 'changed-since', detail: [...names].join(', ') };
}

/** Reason why an imported attendee stays; undefined if it can be removed. */
export async function findUseOfAttendee(
  db: Database,
  { id, checked_in }: Pick<Selectable<AttendeesTable>, 'id' | 'checked_in'>,
): Promise<Finding | undefined> {
  const changed = await findOwnEntries(db, 'attendee', id);
  if (changed) return changed;
  if (await isNamedIn(db, 'ticket_transfers', 'attendee_id', id)) return { code: 'changed-since', detail: 'transfer' };
  if (checked_in === 0) return undefined;
  const { rows } = await sql`SELECT 1 FROM attendees AS a WHERE a.id = ${id} AND ${wasCheckedIn('a.id')}`.execute(
    db.query,
  );
  return rows.length === 0 ? { code: 'checked-in-here', detail: '' } : undefined;
}

/** Reason why an imported order stays, apart from its attendees; undefined if it can be removed. */
export async function findUseOfOrder(db: Database, id: number): Promise<Finding | undefined> {
  const changed = await findOwnEntries(db, 'order', id);
  if (changed) return changed;
  const steps = await db.query.selectFrom('order_log').select('id').where('order_id', '=', id).limit(2).execute();
  if (steps.length > 1) return { code: 'changed-since', detail: 'status' };
  const paid = db.query.selectFrom('payments').select('id').where('order_id', '=', id).where('method', '<>', IMPORTED);
  if (await paid.limit(1).executeTakeFirst()) return { code: 'changed-since', detail: 'payments' };
  for (const table of ['refunds', 'invoices'] as const)
    if (await isNamedIn(db, table, 'order_id', id)) return { code: 'changed-since', detail: table };
  return undefined;
}

/** Whether a table has a row with a given value in a column. */
export async function isNamedIn(db: Database, table: string, column: string, id: number): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${id} LIMIT 1`.execute(
    db.query,
  );
  return rows.length > 0;
}

/** Ids of records, by a condition on a table. */
export async function findIds(
  db: Database,
  table: string,
  where: Readonly<Record<string, string | number>>,
  column = 'id',
): Promise<number[]> {
  const conditions = Object.entries(where).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { rows } = await sql<{ id: number }>`SELECT ${sql.ref(column)} AS id FROM ${sql.table(table)}
    WHERE ${sql.join(conditions, sql` AND `)}`.execute(db.query);
  return rows.map(({ id }) => Number(id));
}
