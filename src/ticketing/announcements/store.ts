import { type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { AnnouncementsTable, MailStatus } from '../../db/tables/platform.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';

/** Mails to the holders of an event's tickets. */

export type Announcement = Selectable<AnnouncementsTable>;

/** Statuses of an event that make a kind of announcement untrue. */
const UNTRUE: Readonly<Record<string, (status: string) => boolean>> = {
  event_cancelled: (status) => status !== 'cancelled',
  event_postponed: (status) => status !== 'postponed',
  // It gives the time at which the event takes place.
  event_moved: (status) => status === 'cancelled' || status === 'postponed',
};

/** Whether an announcement of a kind is true of an event with a status. */
export const isTrueOf = (kind: string, status: string): boolean => !UNTRUE[kind]?.(status);

export const findAnnouncement = (db: Database, id: number): Promise<Announcement | undefined> =>
  db.query.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst();

/** Audit of announcements by staff. */
export const auditedAnnouncement: AuditedKind = {
  name: 'announcement',
  async snapshot(db, id) {
    const found = await findAnnouncement(db, id);
    if (!found) return undefined;
    const { event_id: event, kind, subject, body: text, audience, ticket_ids } = found;
    // Written by `insertAnnouncement`.
    const tickets = JSON.parse(ticket_ids) as number[];
    return { title: subject, fields: { event, kind, subject, text, audience, tickets } };
  },
};

export interface NewAnnouncement
  extends Pick<Announcement, 'key' | 'event_id' | 'kind' | 'subject' | 'body' | 'audience' | 'user_id'> {
  ticketIds: readonly number[];
  now: LocalTime;
}

/**
 * Writes an announcement to the present holders of tickets, in the transaction of the caller.
 * @returns undefined if there is one with its key
 */
export async function insertAnnouncement(
  { query }: Database,
  { ticketIds, now, ...announcement }: NewAnnouncement,
): Promise<Announcement | undefined> {
  const { until } = await query
    .selectFrom('attendees')
    .select(({ fn }) => fn.coalesce(fn.max('id'), sql.lit(0)).as('until'))
    .where('event_id', '=', announcement.event_id)
    .executeTakeFirstOrThrow();
  return query
    .insertInto('announcements')
    .values({
      ...announcement,
      ticket_ids: JSON.stringify(ticketIds),
      until_id: until,
      created_utc: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Times of the announcements that staff made for an event since a time, oldest first. */
export async function findRecentTimes({ query }: Database, event: number, since: LocalTime): Promise<LocalTime[]> {
  const rows = await query
    .selectFrom('announcements')
    .select('created_utc')
    .where('event_id', '=', event)
    .where('user_id', '<>', 0)
    .where('created_utc', '>', since)
    .orderBy('id')
    .execute();
  return rows.map(({ created_utc }) => created_utc);
}

/** The announcements of an event, latest first, and their total. */
export async function listAnnouncements(
  { query }: Database,
  event: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ announcements: Announcement[]; total: number }> {
  const found = query.selectFrom('announcements').where('event_id', '=', event);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const announcements = await found.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { announcements, total: Number(total) };
}

/** Numbers of the mails of announcements, by status, without the copies that staff send. */
export async function countMails(
  { query }: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Partial<Record<MailStatus, number>>>> {
  if (ids.length === 0) return new Map();
  const rows = await query
    .selectFrom('mails')
    .select(['record_id', 'status', ({ fn }) => fn.countAll<number>().as('count')])
    .where('record_kind', '=', sql.lit('announcement'))
    .where('record_id', 'in', ids)
    .where('key', 'like', 'announcement-%')
    .groupBy(['record_id', 'status'])
    .execute();
  const counts = new Map<number, Partial<Record<MailStatus, number>>>();
  for (const { record_id, status, count } of rows)
    counts.set(record_id, { ...counts.get(record_id), [status]: Number(count) });
  return counts;
}
