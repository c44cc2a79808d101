import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { addressKey } from '../../lib/text/email.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { findUnreachable } from '../../platform/mails/bounces.ts';
import { mailboxHash, queueMails } from '../../platform/mails/outbox.ts';
import { findOptedOut } from '../../platform/mails/store.ts';
import { findRecipients, type Recipient } from './recipients.ts';
import { type Announcement, findAnnouncement } from './store.ts';

const ANNOUNCEMENT_JOB = 'announcements.write';

/** Attendees per transaction. */
const BATCH = 500;

/** Has a job write the mails of an announcement, in the transaction that makes it. */
export const enqueueAnnouncement = (
  db: Database,
  { id, event_id }: Pick<Announcement, 'id' | 'event_id'>,
  now: Date,
): Promise<void> =>
  enqueue(db, {
    kind: ANNOUNCEMENT_JOB,
    key: `announcement-${id}`,
    payload: { announcement: id },
    now,
    record: { kind: 'event', id: event_id },
  });

/**
 * Background job that writes the mails of an announcement. Each batch moves the announcement on in its transaction, so
 * that an interruption repeats none.
 */
export const announcementJob = defineJob<{ announcement: number }>({
  kind: ANNOUNCEMENT_JOB,
  async work({ db, now }, { announcement }, { heartbeat }) {
    while (await db.transaction((trx) => writeBatch(trx, announcement, now()))) await heartbeat();
    return undefined;
  },
});

/** Writes the next mails of an announcement; returns whether there may be more. */
async function writeBatch(db: Database, id: number, now: Date): Promise<boolean> {
  await db.dialect.lockRow(db, { table: 'announcements', id });
  const announcement = await findAnnouncement(db, id);
  if (announcement?.done_utc !== '') return false;
  const { after_id: after, recipients } = announcement;
  // Written by `insertAnnouncement`.
  const addressed = { ...announcement, ticketIds: JSON.parse(announcement.ticket_ids) as number[] };
  const { found, last } = await findRecipients(db, addressed, { after, limit: BATCH });
  const added = await withoutKnown(db, announcement, found);
  await queueMails(
    db,
    added.map(({ attendee, address, language }) => ({
      ...{ kind: announcement.kind, key: `announcement-${id}:attendee-${attendee}`, to: address, language, now },
      ...{ record_kind: 'announcement' as const, record_id: id },
      ...{ eventId: announcement.event_id, attendeeId: attendee, isBulk: true },
    })),
  );
  await db.query
    .updateTable('announcements')
    .set({
      recipients: recipients + added.length,
      ...(last === undefined ? { done_utc: toUtc(now) } : { after_id: last }),
    })
    .where('id', '=', id)
    .execute();
  return last !== undefined;
}

/**
 * Leaves out addresses that have a mail of the announcement; for reminders, also addresses that opted out or return
 * mails.
 */
async function withoutKnown(
  db: Database,
  { id, kind }: Announcement,
  found: readonly Recipient[],
): Promise<Recipient[]> {
  if (found.length === 0) return [];
  const { query } = db;
  const addresses = found.map(({ address }) => address);
  const mailed = await query
    .selectFrom('mails')
    .select('to_email')
    .where('record_kind', '=', sql.lit('announcement'))
    .where('record_id', '=', id)
    .where('mailbox', 'in', addresses.map(mailboxHash))
    .execute();
  const known = new Set(mailed.map(({ to_email }) => addressKey(to_email)));
  const unwelcome =
    kind === 'reminder' ? [...(await findOptedOut(db, addresses)), ...(await findUnreachable(db, addresses))] : [];
  for (const key of unwelcome) known.add(key);
  return found.filter(({ key }) => !known.has(key));
}
