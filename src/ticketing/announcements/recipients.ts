import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { addressKey, isMailAddress, isSampleAddress } from '../../lib/text/email.ts';
import { isAdmittedSql } from '../attendees/admission.ts';
import { CANCELLED_SEAT } from '../orders/statuses.ts';
import { isCountedStatusSql, takesSeatSql } from '../seats/seats.ts';
import type { Announcement } from './store.ts';

/**
 * Holders of an event's tickets who get an announcement. Each address gets it once, however many tickets it has.
 * Spellings of one mailbox count separately: an order for another spelling must not keep the news from the owner.
 */

export interface Recipient {
  /** First attendee of the address. */
  attendee: number;
  address: string;
  /** `addressKey` of the address. */
  key: string;
  /** Empty for the first language of the site. */
  language: string;
}

export type Addressed = Pick<Announcement, 'event_id' | 'kind' | 'audience' | 'until_id' | 'created_utc'> & {
  ticketIds: readonly number[];
};

const ofAudience = ({ audience, ticketIds }: Addressed): RawBuilder<SqlBool> => {
  if (audience === 'not_checked_in') return sql`attendees.checked_in = 0`;
  return audience === 'tickets' ? sql`attendees.ticket_id IN (${sql.join(ticketIds)})` : sql`1 = 1`;
};

/**
 * Attendees with a seat, paid or not: all should know that an event is cancelled. Reminders are for attendees who will
 * be admitted, except attendees that programs create.
 */
const ofKind = ({ kind }: Addressed): RawBuilder<SqlBool> =>
  kind === 'reminder'
    ? sql`((${isAdmittedSql} OR orders.at_door = 1)
        AND (orders.is_mailed = 1 OR (orders.id IS NULL AND attendees.reply_id IS NOT NULL)))`
    : sql`1 = 1`;

/**
 * Attendees who have a seat. A cancelled event concerns all attendees who had one when the announcement was made: their
 * orders may be refunded before its mails are written.
 */
const isHolder = ({ kind, created_utc }: Addressed): RawBuilder<SqlBool> =>
  kind === 'event_cancelled'
    ? sql`(${takesSeatSql('attendees')} OR (attendees.status = 'trash' AND EXISTS (
        SELECT 1 FROM order_log AS step WHERE step.order_id = attendees.order_id AND step.date_utc >= ${created_utc}
        AND ((step.action = 'places' AND attendees.attendance_status = ${sql.lit(CANCELLED_SEAT)})
          OR (${isCountedStatusSql(sql.ref('step.from_status'))} AND NOT ${isCountedStatusSql(sql.ref('step.to_status'))}
            AND attendees.attendance_status = orders.status)))))`
    : takesSeatSql('attendees');

/**
 * Addresses among the next attendees.
 * @returns the addresses and the last attendee examined; undefined if no attendees are left
 */
export async function findRecipients(
  { query }: Database,
  addressed: Addressed,
  { after, limit }: { after: number; limit: number },
): Promise<{ found: Recipient[]; last: number | undefined }> {
  const rows = await query
    .selectFrom('attendees')
    .leftJoin('orders', 'orders.id', 'attendees.order_id')
    .select([
      'attendees.id',
      'attendees.email',
      'attendees.language',
      'orders.purchaser_email',
      'orders.language as order_language',
    ])
    .where('attendees.event_id', '=', addressed.event_id)
    .where('attendees.id', '>', after)
    .where('attendees.id', '<=', addressed.until_id)
    .where(isHolder(addressed))
    .where(ofAudience(addressed))
    .where(ofKind(addressed))
    .orderBy('attendees.id')
    .limit(limit)
    .execute();
  const found = new Map<string, Recipient>();
  for (const { id, email, purchaser_email, language, order_language } of rows) {
    const address = (email || (purchaser_email ?? '')).trim();
    if (!isMailAddress(address) || isSampleAddress(address)) continue;
    const key = addressKey(address);
    if (!found.has(key)) found.set(key, { attendee: id, address, key, language: language || (order_language ?? '') });
  }
  return { found: [...found.values()], last: rows.length < limit ? undefined : rows.at(-1)?.id };
}

/** Attendees per query of a count. */
const SLICE = 1000;

/** Number of addresses that an announcement would go to. */
export async function countRecipients(db: Database, addressed: Addressed): Promise<number> {
  const keys = new Set<string>();
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { found, last }: Awaited<ReturnType<typeof findRecipients>> = await findRecipients(db, addressed, {
      after,
      limit: SLICE,
    });
    for (const { key } of found) keys.add(key);
    after = last;
  }
  return keys.size;
}
