import { z } from 'zod';
import { INVOICE_KINDS } from '../../db/tables/price.ts';
import { eventScope, hasEventRights } from '../../http/core/auth.ts';
import {
  type AnyEndpoint,
  created,
  endpoint,
  type InputOf,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { resolveEndParamIn, resolveParamIn } from '../../http/input/date-param.ts';
import { date, integer, oneOf, sharedParameters } from '../../http/input/schemas.ts';
import { type Columns, csvFields, csvResponse, partsById } from '../../http/output/csv-response.ts';
import { csvText } from '../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { unitsOf } from '../../lib/money/money.ts';
import { orderNumber } from '../../lib/order-number.ts';
import type { AuditedKind, Snapshot } from '../../platform/audit/kind.ts';
import { logCreations } from '../../platform/audit/log.ts';
import { bodyOf, type Invoice, type InvoiceBody, invoiceNumber } from '../ledger/invoices.ts';
import { findNamedOrder } from '../orders/order-scope.ts';
import { findOrder } from '../orders/store.ts';
import { findInvoice, findInvoicesAfter, type InvoiceFilter, listInvoices } from './invoice-list.ts';
import { invoiceSchema, listedInvoiceSchema, renderInvoice, renderListedInvoice } from './invoice-view.ts';
import { issueInvoices } from './issue-invoices.ts';

/** Invoices and credit notes, for users who manage orders. */

/** Audit of invoices that staff ask for; those of jobs follow from what happened to their order. */
export const auditedInvoice: AuditedKind = {
  name: 'invoice',
  async snapshot(db, id) {
    const invoice = await findInvoice(db, id);
    return invoice && snapshotOf(invoice);
  },
};

const snapshotOf = ({ kind, order_id, currency, total, ...invoice }: Invoice): Snapshot => ({
  title: invoiceNumber(invoice),
  fields: { kind, order: order_id, currency, total },
});

const invoiceFilters = sharedParameters('invoices', {
  kind: oneOf('Only invoices, or only credit notes.', INVOICE_KINDS),
  order: integer('Only those of this order.', { min: 1 }),
  after: date('Issued at or after this time; in the time zone of the site unless it names one.'),
  before: date(
    'Issued at or before this time; a day without a time is included whole. In the time zone of the site unless it names one.',
  ),
});

type FilterInput = Partial<InputOf<typeof invoiceFilters>>;

function filterOf(
  { kind, order, after, before }: FilterInput,
  { context, viewer, now }: RequestContext,
): InvoiceFilter {
  const clock = { zone: context.config.timezone, now };
  return {
    ...{ kind, order },
    after: after && resolveParamIn('after', after, clock),
    before: before && resolveEndParamIn('before', before, clock),
    within: eventScope(viewer, 'manage_attendees'),
  };
}

const listFields = { ...pageFields, ...invoiceFilters };

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/invoices',
  name: 'invoices.list',
  summary: 'List invoices and credit notes',
  description: 'Latest first. For users who manage orders; authors see those of orders for their own events only.',
  input: listFields,
  responses: { 200: listSchema('invoices', listedInvoiceSchema, 'InvoiceList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: (viewer) => hasEventRights(viewer, 'manage_attendees'),
  async handle(ctx, { page: requestedPage, per_page, ...filters }: Partial<InputOf<typeof listFields>>) {
    const { context, urls } = ctx;
    const page = pageOf({ page: requestedPage, per_page }, context.config.perPage);
    const slice = { limit: page.perPage, offset: page.offset };
    const { invoices, total } = await listInvoices(context.db, filterOf(filters, ctx), slice);
    return listResponse({
      key: 'invoices',
      items: invoices.map((invoice) => renderListedInvoice(invoice, ctx)),
      total,
      page,
      url: urls.rest('admin', '/invoices'),
      params: { per_page: page.perPage, ...filters, after: filters.after?.text, before: filters.before?.text },
    });
  },
});

const read = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/invoices/{id}',
  name: 'invoices.read',
  summary: 'Read an invoice or a credit note',
  input: { id: integer('Id of the invoice.', { min: 1 }) },
  required: ['id'],
  responses: { 200: invoiceSchema },
  errors: ['rest_forbidden', 'invoice-not-found'],
  async find({ id }, ctx) {
    const invoice = id === undefined ? undefined : await findInvoice(ctx.context.db, id);
    return { ...(await findNamedOrder(ctx, invoice?.order_id)), invoice };
  },
  may: (viewer, target) => hasEventRights(viewer, 'manage_attendees', target),
  async handle(ctx, _input, target) {
    if (!target?.invoice) throw new ApiError('invoice-not-found');
    return ok(renderInvoice(target.invoice, ctx), PRIVATE_NO_STORE);
  },
});

/** Part of an invoice with one tax rate. */
interface Posting {
  invoice: Invoice;
  body: InvoiceBody;
  rate: number;
  net: number;
  tax: number;
}

/** An invoice by tax rate, with the total on one line without taxes. Credit notes have negative amounts. */
function postingsOf(invoice: Invoice): Posting[] {
  const body = bodyOf(invoice);
  const sign = invoice.kind === 'credit' ? -1 : 1;
  const taxes = body.taxes.length > 0 ? body.taxes : [{ rate: 0, net: invoice.total, tax: 0 }];
  return taxes.map(({ rate, net, tax }) => ({ invoice, body, rate, net: net * sign, tax: tax * sign }));
}

const money = (amount: number, { invoice: { currency } }: Posting): number => unitsOf({ amount, currency });

const COLUMNS = {
  number: { heading: 'column.invoice', cell: ({ invoice }) => invoiceNumber(invoice) },
  kind: { heading: 'column.kind', cell: ({ invoice }) => invoice.kind },
  date: { heading: 'column.date', cell: ({ body }) => body.date },
  corrects: { heading: 'column.corrects', cell: ({ body }) => body.corrects },
  order_id: { heading: 'column.order_id', cell: ({ invoice }) => invoice.order_id },
  order_number: { heading: 'column.number', cell: ({ invoice }) => orderNumber(invoice.order_id) },
  customer: { heading: 'column.full_name', cell: ({ body }) => body.customer.name },
  company: { heading: 'column.company', cell: ({ body }) => body.customer.company },
  vat_number: { heading: 'column.vat_number', cell: ({ body }) => body.customer.vat_number },
  tax_rate: { heading: 'column.tax_rate', cell: ({ rate }) => rate / 1000 },
  net: { heading: 'column.net', cell: (posting) => money(posting.net, posting) },
  tax: { heading: 'column.tax', cell: (posting) => money(posting.tax, posting) },
  total: { heading: 'column.total', cell: (posting) => money(posting.net + posting.tax, posting) },
  currency: { heading: 'column.currency', cell: ({ invoice }) => invoice.currency },
} as const satisfies Columns<string, Posting>;

const exportFields = { ...invoiceFilters, ...csvFields(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]) };

const exported = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/invoices/export',
  name: 'invoices.export',
  summary: 'Export invoices as CSV, for bookkeeping',
  description:
    'Takes the filters of the list. In the order of issue; an invoice has a line for each of its tax rates. Amounts of credit notes are negative, so that `total` adds up to the money that is kept.',
  input: exportFields,
  responses: { 200: csvText },
  media: ['text/csv'],
  responseHeaders: ['Content-Disposition'],
  isStreamed: true,
  errors: ['rest_forbidden'],
  may: (viewer) => hasEventRights(viewer, 'manage_attendees'),
  async handle(ctx, { fields, bom, format: _format, ...filters }: Partial<InputOf<typeof exportFields>>) {
    const filter = filterOf(filters, ctx);
    const read = partsById((slice) => findInvoicesAfter(ctx.context.db, filter, slice));
    return csvResponse(ctx, {
      ...{ name: 'invoices', columns: COLUMNS, fields, bom },
      parts: async function* () {
        for await (const invoices of read) yield invoices.flatMap(postingsOf);
      },
    });
  },
});

const issue = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/orders/{id}/invoices',
  name: 'orders.issue_invoices',
  summary: 'Issue the missing invoices of an order',
  description:
    'For orders that were paid before invoices were turned on. The response lists only new documents: it is empty if the order has all of them, or costs nothing. Repeated requests issue nothing twice.',
  input: { id: integer('Id of the order.', { min: 1 }) },
  required: ['id'],
  responses: { 201: z.object({ invoices: z.array(invoiceSchema) }).meta({ id: 'IssuedInvoices' }) },
  errors: ['rest_forbidden', 'order-not-found', 'invoices-off'],
  find: ({ id }, ctx) => findNamedOrder(ctx, id),
  may: (viewer, target) => hasEventRights(viewer, 'manage_attendees', target),
  async handle(ctx, { id }) {
    const { context } = ctx;
    if (!(await findOrder(context.db, id))) throw new ApiError('order-not-found');
    if (context.config.invoices === 'off') throw new ApiError('invoices-off');
    const issued = await context.db.transaction(async (db) => {
      const documents = await issueInvoices({ ...context, db }, { orderId: id, reason: 'paid' });
      const records = documents.map((invoice) => ({
        ...{ kind: auditedInvoice, id: invoice.id },
        snapshot: snapshotOf(invoice),
      }));
      await logCreations(db, ctx.actor, records);
      return documents;
    });
    return created({ invoices: issued.map((invoice) => renderInvoice(invoice, ctx)) }, PRIVATE_NO_STORE);
  },
});

export const invoiceEndpoints: readonly AnyEndpoint[] = [list, exported, read, issue];
