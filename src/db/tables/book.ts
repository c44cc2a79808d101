import type { Generated } from 'kysely';

/** Bookkeeping tables. Amounts are in minor units. */

export const FINDING_KINDS = ['missing-here', 'missing-at-service', 'amount'] as const;
export const FINDING_STATUSES = ['open', 'gone', 'closed'] as const;

/** Differences between the ledger and a payment service, one for each payment and refund. */
export interface ReconciliationFindingsTable {
  id: Generated<number>;
  gateway: string;
  /** `payment-ID` or `refund-ID`; for a refund that is unknown here, its id at the service. */
  subject: string;
  kind: (typeof FINDING_KINDS)[number];
  /** null if the payment is unknown here. */
  order_id: number | null;
  /** Our id of the payment, as recorded by the service. */
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
  /** Account that closed the finding; otherwise 0. */
  user_id: Generated<number>;
  created_utc: string;
  modified_utc: string;
}
