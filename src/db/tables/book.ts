import type { Generated } from 'kysely';

/** Tables of the bookkeeping. Amounts are in minor units. */

export const FINDING_KINDS = ['missing-here', 'missing-at-service', 'amount'] as const;
export const FINDING_STATUSES = ['open', 'gone', 'closed'] as const;

/** Differences between the ledger and a payment service, one for each payment and refund. */
export interface ReconciliationFindingsTable {
  id: Generated<number>;
  gateway: string;
  /** `payment-ID` or `refund-ID`, or the id at the service of a refund that is not known here. */
  subject: string;
  kind: (typeof FINDING_KINDS)[number];
  /** null if the payment is not known here. */
  order_id: number | null;
  /** Id of the payment here, as the service has it. */
  payment_id: number;
  refund_id: number | null;
  /** Id at the service; null if it has none. */
  external_id: string | null;
  /** Amount in the ledger, and at the service; null where it is missing. */
  booked: number | null;
  booked_currency: Generated<string>;
  settled: number | null;
  settled_currency: Generated<string>;
  /** Time of the payment or refund. */
  date_utc: string;
  /** `gone`: the difference no longer exists. `closed`: closed by staff, with a note. */
  status: Generated<(typeof FINDING_STATUSES)[number]>;
  note: Generated<string>;
  /** Account that closed it; otherwise 0. */
  user_id: Generated<number>;
  created_utc: string;
  modified_utc: string;
}
