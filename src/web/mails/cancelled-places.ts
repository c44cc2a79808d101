import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import { findMail } from '../../platform/mails/store.ts';
import { findRefundsOfOrder, type Refund } from '../../ticketing/ledger/refunds.ts';
import type { MailRecord } from './rendered-mail.ts';

/** Places that a mail about a cancellation names: only the ones cancelled by its step. */

/** Step of an order that a mail is about. */
export interface CancelledStep {
  /** Ids of the cancelled attendees; undefined if the step is no longer known. */
  attendees: ReadonlySet<number> | undefined;
  /** Whether it cancelled all places that the order still had. */
  isWhole: boolean;
}

/** Step in the key of a mail: the entry of the order's log, or for single places the first attendee. */
const KEY = /^place_cancelled-\d+-(places-)?(\d+)$/;

export async function findCancelledStep(
  { db }: Pick<Context, 'db'>,
  { key, record_id }: Pick<MailRecord, 'key' | 'record_id'>,
): Promise<CancelledStep> {
  const named = KEY.exec(await originalKey(db, key));
  if (!named) return { attendees: undefined, isWhole: false };
  const id = Number(named[2]);
  const steps = await findPlaceSteps(db, record_id);
  if (named[1] !== undefined)
    return { attendees: steps.find(({ attendees }) => attendees.has(id))?.attendees, isWhole: false };
  const before = new Set(steps.filter((step) => step.id < id).flatMap(({ attendees }) => [...attendees]));
  const held = await db.query.selectFrom('attendees').select('id').where('order_id', '=', record_id).execute();
  return { attendees: new Set(held.flatMap((one) => (before.has(one.id) ? [] : one.id))), isWhole: true };
}

/** The key of the original of a copied mail; otherwise the key of the mail itself. */
async function originalKey(db: Database, key: string): Promise<string> {
  const copied = /^again-(\d+)-/.exec(key);
  const original = copied && (await findMail(db, Number(copied[1])));
  return original ? originalKey(db, original.key) : key;
}

/** Steps that cancelled places of an order, oldest first. */
async function findPlaceSteps({ query }: Database, order: number) {
  const rows = await query
    .selectFrom('order_log')
    .select(['id', 'details'])
    .where('order_id', '=', order)
    .where('action', '=', 'places')
    .orderBy('id')
    .execute();
  return rows.map(({ id, details }) => {
    // Written by `logStep`.
    const { attendees = [] } = JSON.parse(details) as { attendees?: number[] };
    return { id, attendees: new Set(attendees) };
  });
}

/** Whether a mail about a refund has already told the customer of the cancelled places. */
export async function isToldByRefund(
  { db }: Pick<Context, 'db'>,
  { record_id, created_utc, user_id }: MailRecord,
  step: CancelledStep,
): Promise<boolean> {
  if (user_id !== 0) return false;
  const told = (await findRefundsOfOrder(db, record_id)).filter(
    (refund) => refund.status !== 'failed' && isOfStep(refund, step, created_utc),
  );
  if (told.length === 0) return false;
  const sent = await db.query
    .selectFrom('mails')
    .select('id')
    .where('record_kind', '=', 'refund')
    .where(
      'record_id',
      'in',
      told.map(({ id }) => id),
    )
    .where('kind', '=', 'refund')
    .where('status', '=', 'sent')
    .executeTakeFirst();
  return sent !== undefined;
}

/** Whether a refund is for the places of a step; one for a whole order may name none. */
function isOfStep(refund: Refund, { attendees, isWhole }: CancelledStep, created_utc: string): boolean {
  // Written by `requestRefunds`.
  const ids = new Set(JSON.parse(refund.attendees || '[]') as number[]);
  if (ids.size === 0) return isWhole && refund.created_utc === created_utc;
  return attendees !== undefined && attendees.size > 0 && [...attendees].every((id) => ids.has(id));
}
