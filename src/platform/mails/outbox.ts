import { randomBytes } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { MailsTable } from '../../db/tables/platform.ts';
import { addSeconds, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { secretHash } from '../../lib/hash.ts';
import { canonicalAddress, isMailAddress } from '../../lib/text/email.ts';

/** Outbox: mails are rows, written in the transaction of their reason, and sent by one process at a time. */

export type Mail = Selectable<MailsTable>;

export type NewMail = Pick<Mail, 'kind' | 'key' | 'language' | 'record_kind' | 'record_id'> & {
  to: string;
  now: Date;
  /** Seconds until it is sent. */
  delay?: number;
  /** Account that asks for it. */
  userId?: number;
  /** Account of the recipient; a customer by default. */
  accountId?: number;
  /** Event, if the mail is about a single one. */
  eventId?: number;
  /** Attendee who gets it; only for mails to holders. */
  attendeeId?: number;
  /** Whether it is one of many, which wait behind single mails. */
  isBulk?: boolean;
};

export const mailboxHash = (address: string): string => secretHash(canonicalAddress(address));

/** Columns of an address. */
export const addressOf = (address: string): Pick<Mail, 'to_email' | 'mailbox'> => ({
  to_email: address,
  mailbox: mailboxHash(address),
});

/**
 * Writes a mail in the transaction of its reason; one with the same key is written once. Nothing is written for a text
 * that is not an address.
 */
export const queueMail = (db: Database, mail: NewMail): Promise<void> => queueMails(db, [mail]);

/** Like `queueMail`, for several: at most a thousand, since each has some fifteen values. */
export async function queueMails(db: Database, mails: readonly NewMail[]): Promise<void> {
  const rows = mails.flatMap((mail) => rowOf(mail) ?? []);
  if (rows.length === 0) return;
  await db.query
    .insertInto('mails')
    .values(rows)
    // A unique violation would repeat the whole transaction.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  db.announce('mails');
}

/** Undefined for a text that is not an address. */
function rowOf({
  to,
  now,
  delay = 0,
  userId = 0,
  accountId = 0,
  eventId = 0,
  attendeeId = 0,
  isBulk = false,
  ...mail
}: NewMail) {
  const address = to.trim();
  if (!isMailAddress(address)) return undefined;
  const created = toUtc(now);
  return {
    ...mail,
    ...addressOf(address),
    status: 'queued' as const,
    due_utc: addSeconds(created, delay),
    user_id: userId,
    account_id: accountId,
    event_id: eventId,
    attendee_id: attendeeId,
    is_bulk: isBulk ? (1 as const) : (0 as const),
    created_utc: created,
  };
}

/** Seconds for which the process that sends a mail has it for itself: longer than the longest attempt. */
const CLAIM_SECONDS = 120;

// Literals, because partial indexes do not support bound values.
const isQueued = sql<boolean>`status = 'queued'`;

/**
 * Ranks of mails in the order of sending: tickets wait neither for mails that staff send again, nor for mails to many.
 */
const RANKS = [
  sql<boolean>`is_bulk = 0 AND (user_id = 0 OR account_id <> 0)`,
  sql<boolean>`is_bulk = 0`,
  sql<boolean>`1 = 1`,
];

/** The mail of the first rank that has been due for the longest time. */
async function findDueMail(db: Database, now: LocalTime): Promise<Mail | undefined> {
  for (const rank of RANKS) {
    const due = await findDue(db, now, rank);
    if (due) return due;
  }
  return undefined;
}

const findDue = ({ query }: Database, now: LocalTime, which: RawBuilder<boolean>): Promise<Mail | undefined> =>
  query
    .selectFrom('mails')
    .selectAll()
    .where(isQueued)
    .where(which)
    .where('due_utc', '<=', now)
    .orderBy('due_utc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/** Claims the mail that is due next; undefined if none is. */
export async function claimMail(
  db: Database,
  { now, domain }: { now: LocalTime; domain: string },
): Promise<Mail | undefined> {
  for (;;) {
    const due = await findDueMail(db, now);
    if (!due) return undefined;
    const claimed = await db.transaction(({ query }) =>
      query
        .updateTable('mails')
        .set({
          attempts: due.attempts + 1,
          due_utc: addSeconds(now, CLAIM_SECONDS),
          message_id: due.message_id || messageIdOf(due, domain),
        })
        .where('id', '=', due.id)
        .where('attempts', '=', due.attempts)
        .where('due_utc', '=', due.due_utc)
        .where(isQueued)
        .returningAll()
        .executeTakeFirst(),
    );
    if (claimed) return claimed;
  }
}

/**
 * The same for every attempt, so that mail programs recognise a mail that arrives twice. A program that knows it may
 * mark the mail as returned.
 */
const messageIdOf = ({ id }: Mail, domain: string): string =>
  `<mail-${id}-${randomBytes(10).toString('hex')}@${domain}>`;

/** Outcome of an attempt; `removed` for an outdated mail. */
export type Outcome =
  | { status: 'sent' | 'failed' | 'held'; reply: string }
  | { status: 'queued'; reply: string; seconds: number }
  /** Not tried again before a time, UTC. */
  | { status: 'waiting'; reply: string; until: LocalTime }
  | { status: 'removed' };

const MAX_REPLY = 500;

function nextAttempt(outcome: Outcome, now: LocalTime): LocalTime {
  if (outcome.status === 'waiting') return outcome.until;
  return outcome.status === 'queued' ? addSeconds(now, outcome.seconds) : now;
}

/** Books an attempt, unless another process has claimed the mail since. */
export async function bookAttempt(db: Database, mail: Mail, outcome: Outcome, now: LocalTime): Promise<void> {
  await db.transaction(async ({ query }) => {
    if (outcome.status === 'removed') {
      await query.deleteFrom('mails').where('id', '=', mail.id).where('attempts', '=', mail.attempts).execute();
      return;
    }
    const { status, reply } = outcome;
    await query
      .updateTable('mails')
      .set({
        status: status === 'waiting' ? 'queued' : status,
        // PostgreSQL stores no NUL.
        smtp_reply: reply.replaceAll('\0', '').slice(0, MAX_REPLY),
        due_utc: nextAttempt(outcome, now),
        ...(status === 'waiting' && { attempts: mail.attempts - 1 }),
        ...(status === 'sent' && { sent_utc: now }),
      })
      .where('id', '=', mail.id)
      .where('attempts', '=', mail.attempts)
      .where(isQueued)
      .execute();
  });
}

/** Marks the due mails of a server without SMTP as held; returns their number. */
export async function holdDueMails(db: Database, now: LocalTime): Promise<number> {
  // Avoids a transaction while no mail is due.
  if (!(await findDueMail(db, now))) return 0;
  const { numUpdatedRows } = await db.transaction(({ query }) =>
    query.updateTable('mails').set({ status: 'held' }).where(isQueued).where('due_utc', '<=', now).executeTakeFirst(),
  );
  return Number(numUpdatedRows);
}

/** Redirects waiting mails of some records to the corrected address of their customer. */
export async function readdressMails(
  { query }: Database,
  { kind, ids, from, to }: { kind: Mail['record_kind']; ids: readonly number[]; from: string; to: string },
): Promise<void> {
  if (from === to || ids.length === 0 || !isMailAddress(to)) return;
  await query
    .updateTable('mails')
    .set(addressOf(to))
    .where('record_kind', '=', kind)
    .where('record_id', 'in', ids)
    .where('to_email', '=', from)
    .where('status', 'in', ['queued', 'held'])
    .execute();
}
