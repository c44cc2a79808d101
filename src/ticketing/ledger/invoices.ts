import { type Insertable, type Selectable, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { Billing, Seller } from '../../db/site-settings.ts';
import type { InvoicesTable } from '../../db/tables/price.ts';
import type { OrderChargesTable } from '../../db/tables/ticketing.ts';
import { enqueue } from '../../platform/jobs/queue.ts';

/** Ledger of invoices and credit notes. They never change; a correction is a credit note and a new invoice. */

export type Invoice = Selectable<InvoicesTable>;

/** A line of an invoice: places of one ticket at one price, or another amount. Amounts are in minor units. */
export interface InvoiceLine {
  /** Item or charge of the order that it states; later documents find it by this. */
  key: string;
  /** `balance`: money that is still to be given back. */
  kind: 'place' | 'balance' | OrderChargesTable['kind'];
  title: string;
  /** Event of a place, with its first and last day there; empty for other lines. */
  event: string;
  from: string;
  until: string;
  quantity: number;
  /** Price of one, with its tax. */
  unit_price: number;
  /** Thousandths of a percent. */
  tax_rate: number;
  /** Tax in `total`. */
  tax: number;
  total: number;
}

/** Frozen content of an invoice. The amounts of a credit note are the money that it takes back. */
export interface InvoiceBody {
  language: string;
  seller: Omit<Seller, 'prefix'>;
  customer: Billing & { name: string; email: string };
  lines: readonly InvoiceLine[];
  /** Reduction of the list prices by a promotion, which the prices of the lines contain. */
  discount: number;
  /** By rate: the amount without the tax, and the tax. */
  taxes: readonly { rate: number; net: number; tax: number }[];
  /** Whether it was issued before the order was paid. */
  is_due: boolean;
  /** Number of the invoice that a credit note corrects; empty for an invoice. */
  corrects: string;
  /** Day of issue in the time zone of the site. */
  date: string;
}

/** Reads the content of an invoice, written by `insertInvoice`. */
export const bodyOf = ({ body }: Pick<Invoice, 'body'>): InvoiceBody => JSON.parse(body) as InvoiceBody;

const DIGITS = 4;

/** The number of an invoice for people: `2026-0001`. */
export const invoiceNumber = ({ series, number }: Pick<Invoice, 'series' | 'number'>): string =>
  `${series}-${String(number).padStart(DIGITS, '0')}`;

const invoicesOfOrders = byIds((query, ids) =>
  query.selectFrom('invoices').selectAll().where('order_id', 'in', ids).orderBy('position'),
);

/** Invoices and credit notes of an order, in the order in which they were issued. */
export const findInvoicesOfOrder = (db: Database, orderId: number): Promise<Invoice[]> =>
  invoicesOfOrders(db, [orderId]);

/** Invoices of an order less its credit notes, in minor units. */
export const invoicedOf = (invoices: readonly Pick<Invoice, 'kind' | 'total'>[]): number =>
  invoices.reduce((sum, { kind, total }) => sum + (kind === 'credit' ? -total : total), 0);

type NewInvoice = Omit<Insertable<InvoicesTable>, 'id' | 'number' | 'body'> & { body: InvoiceBody };

/**
 * Issues an invoice with the next number of its series, in the transaction of the caller: if that is rolled back, the
 * number is free again, so there is no gap. Other invoices wait for its end; sales never do.
 * @throws a unique violation if the order has an invoice at that position
 */
export async function insertInvoice({ query }: Database, { body, ...invoice }: NewInvoice): Promise<Invoice> {
  const { last } = await query
    .insertInto('number_series')
    .values({ series: invoice.series, last: 1 })
    .onConflict((conflict) => conflict.column('series').doUpdateSet({ last: sql<number>`number_series.last + 1` }))
    .returning('last')
    .executeTakeFirstOrThrow();
  return query
    .insertInto('invoices')
    .values({ ...invoice, number: last, body: JSON.stringify(body) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Job that issues the missing invoices of an order. */
export const INVOICE_JOB = 'invoices.issue';

/** `MARQUEE_INVOICES`: when invoices are issued. */
export type InvoicePolicy = 'off' | 'paid' | 'placed';

/** Reason to look at the invoices of an order: it is paid, or owed by bank transfer, or it has changed. */
export type InvoiceReason = 'paid' | 'due' | 'changed';

interface Occasion {
  orderId: number;
  reason: InvoiceReason;
  now: Date;
}

/** Issues the invoice of an order soon, in the transaction of the reason. */
export const enqueueInvoice = (db: Database, { orderId, reason, now }: Occasion): Promise<void> =>
  enqueue(db, {
    kind: INVOICE_JOB,
    // A change has a key of its own, so that it does not hold the first invoice back.
    key: reason === 'changed' ? `invoice-change-${orderId}` : `invoice-${orderId}`,
    payload: { order: orderId, reason },
    now,
    record: { kind: 'order', id: orderId },
  });

/**
 * Has the invoices of an order follow its change, if it has any; in the transaction of the change, after the order was
 * locked or changed.
 */
export async function enqueueCorrection(db: Database, { orderId, now }: Omit<Occasion, 'reason'>): Promise<void> {
  const issued = await db.query
    .selectFrom('invoices')
    .select('id')
    .where('order_id', '=', orderId)
    .limit(1)
    .executeTakeFirst();
  if (issued) await enqueueInvoice(db, { orderId, reason: 'changed', now });
}
