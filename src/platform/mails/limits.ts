import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { addSeconds, type LocalTime } from '../../lib/dates/dates.ts';
import { isAboutOrder, ORDER_MAIL_KINDS } from '../../lib/mail-kinds.ts';
import type { Mail } from './outbox.ts';

/** Limits on mails that the server writes by itself, since visitors cause mails to addresses that they need not own. */

/** Mails of one group to one mailbox within a day; further ones wait. */
export const MAX_PER_MAILBOX = 30;
/** Maximum number of mails within a day about one order, or about one ticket, whose holders may change. */
export const MAX_PER_RECORD = 10;
const DAY = 86_400;
/** Seconds after which a mail no longer waits for its mailbox, so that a flood ends. */
const LONGEST_WAIT = 7 * DAY;

/** Mails that count together: RSVPs and transfers, which cost nothing, must not delay tickets, nor must announcements. */
type Group = 'bulk' | 'orders' | 'others';

const groupOf = ({ is_bulk, kind }: Pick<Mail, 'is_bulk' | 'kind'>): Group => {
  if (is_bulk === 1) return 'bulk';
  return isAboutOrder(kind) ? 'orders' : 'others';
};

const isInGroup = (eb: ExpressionBuilder<Tables, 'mails'>, group: Group) =>
  group === 'bulk'
    ? eb('is_bulk', '=', 1)
    : eb.and([eb('is_bulk', '=', 0), eb('kind', group === 'orders' ? 'in' : 'not in', ORDER_MAIL_KINDS)]);

/**
 * Time at which a mail no longer exceeds the limits of its mailbox, its order and its ticket.
 * @returns undefined for a mail within them, or without any: to an account, as visitors could keep it back, or one that
 *   staff ask for, which does not count for others either
 */
export async function endOfLimit(db: Database, mail: Mail, now: LocalTime): Promise<LocalTime | undefined> {
  const { mailbox, user_id, account_id, attendee_id, record_kind, record_id } = mail;
  if (user_id !== 0 || account_id !== 0) return undefined;
  const group = groupOf(mail);
  const counts = [{ same: sql<SqlBool>`mailbox = ${mailbox}`, most: MAX_PER_MAILBOX }];
  if (group === 'others' && attendee_id > 0)
    // The second condition is for the partial index.
    counts.push({ same: sql`(attendee_id = ${attendee_id} AND attendee_id > 0)`, most: MAX_PER_RECORD });
  if (group === 'orders' && record_kind === 'order')
    counts.push({ same: sql`(record_kind = 'order' AND record_id = ${record_id})`, most: MAX_PER_RECORD });
  const ends = await Promise.all(counts.map((count) => findEnd(db, now, { ...count, group })));
  return ends
    .filter((end) => end !== undefined)
    .toSorted()
    .at(-1);
}

/** Whether a mail has waited for its mailbox for so long that it is held. */
export const hasWaitedLong = ({ created_utc }: Pick<Mail, 'created_utc'>, now: LocalTime): boolean =>
  created_utc <= addSeconds(now, -LONGEST_WAIT);

/** Time from which fewer than `most` of the same mails count as sent within a day; undefined if it is now. */
async function findEnd(
  { query }: Database,
  now: LocalTime,
  { same, most, group }: { same: RawBuilder<SqlBool>; most: number; group: Group },
): Promise<LocalTime | undefined> {
  const first = await query
    .selectFrom('mails')
    .select('sent_utc')
    .where(same)
    .where((eb) => isInGroup(eb, group))
    .where('user_id', '=', 0)
    .where('account_id', '=', 0)
    .where('sent_utc', '>', addSeconds(now, -DAY))
    .orderBy('sent_utc', 'desc')
    .limit(1)
    .offset(most - 1)
    .executeTakeFirst();
  return first && addSeconds(first.sent_utc, DAY);
}
