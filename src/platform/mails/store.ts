import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { MailStatus } from '../../db/tables/platform.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { secretHash } from '../../lib/hash.ts';
import { addressKey } from '../../lib/text/email.ts';
import { addressOf, type Mail } from './outbox.ts';

/** Mails as staff see them: counts, copies, and the release of held mails. `outbox.ts` has the outbox itself. */

export const findMail = ({ query }: Database, id: number): Promise<Mail | undefined> =>
  query.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst();

/** A mail that an account sends again. */
export interface Resending {
  to: string;
  userId: number;
  now: LocalTime;
}

/** Queues a copy of a mail that was sent. */
export async function copyMail(
  { query, announce }: Database,
  { kind, language, record_kind, record_id, account_id, event_id, attendee_id }: Mail,
  { to, userId, now, key }: Resending & { key: string },
): Promise<Mail> {
  const copy = await query
    .insertInto('mails')
    .values({
      ...{ kind, key, language, record_kind, record_id, account_id, event_id, attendee_id },
      ...addressOf(to),
      status: 'queued',
      due_utc: now,
      user_id: userId,
      created_utc: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  announce('mails');
  return copy;
}

/** Makes a mail that was not sent due at once, with all its attempts. */
export async function requeueMail(
  { query, announce }: Database,
  { id }: Mail,
  { to, userId, now }: Resending,
): Promise<Mail> {
  const queued = await query
    .updateTable('mails')
    .set({ ...addressOf(to), status: 'queued', attempts: 0, due_utc: now, user_id: userId })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  announce('mails');
  return queued;
}

/** Statuses of mails that have not arrived. */
export const UNSENT = ['queued', 'held', 'failed', 'bounced'] as const satisfies readonly MailStatus[];

/** Numbers of mails that have not arrived, by status. */
export async function countUnsentMails({ query }: Database): Promise<Record<(typeof UNSENT)[number], number>> {
  const rows = await query
    .selectFrom('mails')
    .select(['status', ({ fn }) => fn.countAll().as('count')])
    .where('status', 'in', UNSENT)
    .groupBy('status')
    .execute();
  const counts = { queued: 0, held: 0, failed: 0, bounced: 0 };
  return Object.assign(counts, Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)])));
}

/**
 * Numbers of held, failed and returned mails that were written since a time. Held mails to accounts do not count: a site
 * without a mail server has no use for them.
 * @param withAccounts whether failed and returned mails to accounts count
 */
export async function countRecentUnsent(
  { query }: Database,
  { since, withAccounts }: { since: LocalTime; withAccounts: boolean },
): Promise<{ held: number; failed: number; bounced: number }> {
  const rows = await query
    .selectFrom('mails')
    .select(['status', ({ fn }) => fn.countAll().as('count')])
    .where('status', 'in', ['held', 'failed', 'bounced'])
    .where('created_utc', '>=', since)
    .where((eb) =>
      withAccounts ? eb.or([eb('account_id', '=', 0), eb('status', '<>', sql.lit('held'))]) : eb('account_id', '=', 0),
    )
    .groupBy('status')
    .execute();
  const count = (status: MailStatus) => Number(rows.find((row) => row.status === status)?.count ?? 0);
  return { held: count('held'), failed: count('failed'), bounced: count('bounced') };
}

/** Sends the mails that were held since a time; returns their number. */
export const releaseHeldMails = (db: Database, { since, now }: { since: LocalTime; now: LocalTime }): Promise<number> =>
  db.transaction(async ({ query, announce }) => {
    const { numUpdatedRows } = await query
      .updateTable('mails')
      .set({ status: 'queued', due_utc: now })
      .where('status', '=', sql.lit('held'))
      .where('created_utc', '>=', since)
      .executeTakeFirst();
    announce('mails');
    return Number(numUpdatedRows);
  });

/**
 * Hash of an address in `mail_optouts`. Each spelling has its own: the reader of mails to another spelling decides
 * about that one.
 */
export const optoutHash = (address: string): string => secretHash(addressKey(address));

/** The given addresses that opted out of reminders, by their `addressKey`. */
export async function findOptedOut({ query }: Database, addresses: readonly string[]): Promise<string[]> {
  const keys = new Map(addresses.map((address) => [optoutHash(address), addressKey(address)]));
  const rows = await query
    .selectFrom('mail_optouts')
    .select('mailbox')
    .where('mailbox', 'in', [...keys.keys()])
    .execute();
  return rows.flatMap(({ mailbox }) => keys.get(mailbox) ?? []);
}

/** Deletes mails from before a time; returns the number deleted, at most `limit`. */
export const removeMailsBefore = (db: Database, before: LocalTime, limit: number): Promise<number> =>
  db.transaction(async ({ query }) => {
    const old = query
      .selectFrom('mails')
      .select('id')
      .where('created_utc', '<', before)
      .orderBy('created_utc')
      .limit(limit);
    const { numDeletedRows } = await query.deleteFrom('mails').where('id', 'in', old).executeTakeFirst();
    return Number(numDeletedRows);
  });
