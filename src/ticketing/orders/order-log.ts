import type { Database } from '../../db/database.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import type { Order } from './store.ts';

/** Entries of an order log besides changes of its status. */
export const LOGGED_ACTIONS = ['sale', 'payment', 'places', 'moved', 'new-code', 'purchaser', 'note'] as const;

/** Details of a step; never personal data. */
export interface StepDetails {
  /** Ids of attendees. */
  attendees?: number[];
  /** New ticket of moved attendees. */
  ticket_id?: number;
  /** Price of the cancelled seats in minor units. */
  amount?: number;
  /** Reason stated by staff. */
  reason?: string;
  /** Names of gate and device, for a sale at the door. */
  gate?: string;
  device?: string;
}

interface Step {
  action: (typeof LOGGED_ACTIONS)[number];
  details?: StepDetails;
  /** 0 without an account. */
  userId: number;
  now: Date;
}

/** Logs a step that keeps the status of an order, in the transaction of the caller. */
export async function logStep(
  db: Database,
  { id, status }: Pick<Order, 'id' | 'status'>,
  { action, details = {}, userId, now }: Step,
): Promise<void> {
  await db.query
    .insertInto('order_log')
    .values({
      order_id: id,
      from_status: status,
      to_status: status,
      action,
      details: JSON.stringify(details),
      user_id: userId,
      date_utc: toUtc(now),
    })
    .execute();
}
