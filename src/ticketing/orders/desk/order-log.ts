import type { Database } from '../../../db/database.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import type { Order } from '../store.ts';

/** What the log of an order shows besides changes of its status. */
export const LOGGED_ACTIONS = ['sale', 'places', 'moved', 'new-code', 'purchaser', 'note'] as const;

/** What a step was about; never personal data. */
export interface StepDetails {
  /** Ids of attendees. */
  attendees?: number[];
  /** The ticket that attendees moved to. */
  ticket_id?: number;
  /** Minor units that the cancelled places cost. */
  amount?: number;
  /** Why, as staff gave it. */
  reason?: string;
}

interface Step {
  action: (typeof LOGGED_ACTIONS)[number];
  details?: StepDetails;
  /** 0 for no account. */
  userId: number;
  now: Date;
}

/** Logs a step that leaves the status of an order as it is, in the transaction of the caller. */
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
