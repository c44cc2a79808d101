import type { Generated } from 'kysely';
import type { Flag, RevisedColumns } from '../columns.ts';

/** Tables of taxes, fees, promotion codes and invoices. Amounts are in minor units, rates in thousandths of a percent. */

export interface TaxRatesTable extends RevisedColumns {
  id: Generated<number>;
  name: string;
  rate: number;
  /** Whether prices include the tax; otherwise it is added to them. */
  included: Flag;
}

export interface FeesTable extends RevisedColumns {
  id: Generated<number>;
  name: string;
  fixed: number;
  /** Rate on the prices of the places. */
  rate: number;
  per: 'order' | 'ticket';
  /** Event for whose places it is charged; null for all. */
  event_id: number | null;
  tax_rate_id: number | null;
}

type PromotionKind = 'percent' | 'amount' | 'price' | 'access';

export interface PromotionsTable extends RevisedColumns {
  id: Generated<number>;
  code: string;
  /** Folded code, for look-up. */
  code_key: string;
  /** `price`: replaces a higher price. `access`: opens hidden tickets, at their own prices. */
  kind: PromotionKind;
  /** Rate, or minor units. */
  value: number;
  /** JSON: ids of its tickets; empty for all. */
  ticket_ids: string;
  /** Event of its tickets; null for all. */
  event_id: number | null;
  /** Period in which it can be used, UTC; empty for an open end. */
  from_utc: string;
  until_utc: string;
  /** null for no limit. */
  max_uses: number | null;
  /** Number of rows in `promotion_uses`. */
  used: Generated<number>;
  max_per_buyer: number | null;
  /** Total list price that its tickets in an order must reach, in minor units. */
  minimum: number;
  created_utc: string;
}

/** Orders that count as a use of their promotion. */
export interface PromotionUsesTable {
  order_id: number;
  promotion_id: number;
  /** Key of the customer's mailbox. */
  buyer: string;
}

/** Last number of each series of invoices. */
export interface NumberSeriesTable {
  /** Prefix of the site, and the year in its time zone, such as `2026`. */
  series: string;
  last: number;
}

/** Kinds of `invoices`; a credit note takes back an invoice, or a part of it. */
export const INVOICE_KINDS = ['invoice', 'credit'] as const;

/** Invoices and credit notes. Rows never change. */
export interface InvoicesTable {
  id: Generated<number>;
  series: string;
  /** From 1, without gaps. */
  number: number;
  kind: (typeof INVOICE_KINDS)[number];
  order_id: number;
  /** Position among the documents of its order, from 1, so that two processes cannot both issue the next one. */
  position: number;
  issued_utc: string;
  currency: string;
  /** Minor units; for a credit note, the amount given back. */
  total: number;
  /** JSON: `InvoiceBody` of ticketing/ledger/invoices.ts. */
  body: string;
}
