import type { Context } from '../../base/context.ts';
import { readSiteSettings } from '../../db/site-settings.ts';
import { ANONYMOUS } from '../../http/core/auth.ts';
import { toUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { translate } from '../../lib/i18n.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { sellerOf } from '../../platform/site/seller.ts';
import {
  bodyOf,
  findInvoicesOfOrder,
  INVOICE_JOB,
  type Invoice,
  type InvoiceBody,
  type InvoiceLine,
  type InvoiceReason,
  insertInvoice,
  invoicedOf,
  invoiceNumber,
} from '../ledger/invoices.ts';
import { findChargesOfOrder, findPaymentsOfOrder, settledOf, titleOf } from '../ledger/payments.ts';
import { billingOf } from '../orders/holder-input.ts';
import { isUnpaid } from '../orders/statuses.ts';
import { findItems, findOrder, type Order, type OrderItem } from '../orders/store.ts';
import {
  balanceLines,
  chargeLines,
  discountIn,
  needsRestating,
  opposite,
  placeLines,
  shareOfRemoved,
  sumOfLines,
  taxesOf,
  totalOf,
} from './invoice-lines.ts';
import { findPlaceNames } from './place-names.ts';

interface Wanted {
  orderId: number;
  reason: InvoiceReason;
}

/** Background job that issues the missing invoices of an order. Repeating it issues nothing more. */
export const invoiceJob = defineJob<{ order: number; reason: InvoiceReason }>({
  kind: INVOICE_JOB,
  work: async (context, { order, reason }) => {
    return async (db) => void (await issueInvoices({ ...context, db }, { orderId: order, reason }));
  },
});

/**
 * Issues the invoices and credit notes that an order lacks, in the transaction of `context.db`. Two processes issue
 * nothing twice: the order is locked, and its invoices have positions.
 * @returns the new documents
 */
export async function issueInvoices(context: Context, { orderId, reason }: Wanted): Promise<Invoice[]> {
  const { db, config } = context;
  await db.dialect.lockRow(db, { table: 'orders', id: orderId });
  const order = await findOrder(db, orderId);
  const issued = order ? await findInvoicesOfOrder(db, orderId) : [];
  if (!order || (issued.length === 0 && reason === 'changed')) return [];
  const language = order.language || (config.languages[0] ?? 'en');
  const last = issued.at(-1);
  const due = last ? bodyOf(last).is_due : reason === 'due';
  const before = sumOfLines(
    issued.map((document) => ({ sign: document.kind === 'credit' ? -1 : 1, lines: bodyOf(document).lines })),
  );
  const items = await findItems(db, orderId);
  const now = await linesNow(context, order, { items, issued, before, isDue: due, language });
  const documents: Issue = { order, items, language, issued, isDue: due && isUnpaid(order.status) };
  return issueAll(context, documents, documentsFor(order, { issued, before, now }));
}

interface Issue {
  order: Order;
  items: readonly OrderItem[];
  language: string;
  issued: readonly Invoice[];
  isDue: boolean;
}

interface Planned {
  kind: Invoice['kind'];
  lines: readonly InvoiceLine[];
  customer: InvoiceBody['customer'];
}

interface Known {
  items: readonly OrderItem[];
  issued: readonly Invoice[];
  /** Lines that the issued documents add up to. */
  before: readonly InvoiceLine[];
  isDue: boolean;
  language: string;
}

/**
 * Lines of the present price of an order, and of money beyond it that is still to be given back, so that credit notes
 * state exactly the money given back.
 */
async function linesNow(context: Context, order: Order, { issued, before, ...known }: Known): Promise<InvoiceLine[]> {
  const price = await priceLines(context, order, known);
  const settled = settledOf(await findPaymentsOfOrder(context.db, order.id));
  const balance = Math.max(0, Math.min(settled, invoicedOf(issued)) - totalOf(price));
  const parts = shareOfRemoved(balance, { before, now: price });
  return [...price, ...balanceLines(parts, translate(known.language, 'invoice.balance'))];
}

/** Lines of the present price of an order; of one without places, the amount that is kept on purpose. */
async function priceLines(
  context: Context,
  order: Order,
  { items, isDue, language }: Pick<Known, 'items' | 'isDue' | 'language'>,
): Promise<InvoiceLine[]> {
  const charges = (await findChargesOfOrder(context.db, order.id)).map((charge) => ({
    ...charge,
    title: titleOf(charge, language),
  }));
  const isCharged = order.status === 'completed' || (isDue && isUnpaid(order.status));
  if (!isCharged) return chargeLines(charges.filter(({ kind }) => kind === 'kept'));
  const names = await findPlaceNames({ context, viewer: ANONYMOUS, language }, items);
  return [...placeLines(items, names), ...chargeLines(charges)];
}

/**
 * Documents that lead from the earlier lines to the current ones. Corrected billing data, other places than before, or
 * other taxes at the same price need a new invoice. Credit notes name the customer of the invoice that they correct.
 */
function documentsFor(
  order: Order,
  { issued, before, now }: { issued: readonly Invoice[]; before: readonly InvoiceLine[]; now: readonly InvoiceLine[] },
): Planned[] {
  const last = issued.findLast(({ kind }) => kind === 'invoice');
  const stated = last ? bodyOf(last).customer : customerOf(order);
  const customer = customerOf(order);
  const lines = sumOfLines([
    { sign: -1, lines: before },
    { sign: 1, lines: now },
  ]);
  const total = totalOf(lines);
  const isCorrected = BILLING.some((member) => customer[member] !== stated[member]);
  if ((isCorrected || needsRestating(lines)) && totalOf(before) > 0 && totalOf(now) > 0)
    return [
      { kind: 'credit', lines: before, customer: stated },
      { kind: 'invoice', lines: now, customer },
    ];
  if (total === 0) return [];
  return total > 0
    ? [{ kind: 'invoice', lines, customer }]
    : [{ kind: 'credit', lines: opposite(lines), customer: stated }];
}

/** Data of the customer whose change needs a new invoice. Only staff change them. */
const BILLING = ['company', 'vat_number', 'address'] as const;

const customerOf = (order: Order): InvoiceBody['customer'] => ({
  name: order.purchaser_name,
  email: order.purchaser_email,
  ...billingOf(order),
});

async function issueAll(context: Context, issue: Issue, planned: readonly Planned[]): Promise<Invoice[]> {
  if (planned.length === 0) return [];
  const { order, issued } = issue;
  const now = toUtc(context.now());
  const day = utcToLocal(now, context.config.timezone).slice(0, 10);
  const { prefix, ...seller } = sellerOf(await readSiteSettings(context.db), context.config, issue.language);
  const documents: Invoice[] = [];
  for (const plan of planned) {
    const all = [...issued, ...documents];
    const body = { ...bodyFor(issue, plan, all), seller, date: day };
    const document = await insertInvoice(context.db, {
      series: `${prefix}${day.slice(0, 4)}`,
      kind: plan.kind,
      order_id: order.id,
      position: all.length + 1,
      issued_utc: now,
      currency: order.currency,
      total: totalOf(plan.lines),
      body,
    });
    documents.push(document);
  }
  return documents;
}

function bodyFor(
  { order, items, language, isDue }: Issue,
  { kind, lines, customer }: Planned,
  earlier: readonly Invoice[],
): Omit<InvoiceBody, 'seller' | 'date'> {
  const corrected = kind === 'credit' ? earlier.findLast((one) => one.kind === 'invoice') : undefined;
  return {
    language,
    customer,
    lines,
    discount: kind === 'invoice' ? discountIn(lines, order.discount, items) : 0,
    taxes: taxesOf(lines),
    is_due: isDue,
    corrects: corrected ? invoiceNumber(corrected) : '',
  };
}
