import { z } from 'zod';
import { INVOICE_KINDS } from '../../db/tables/price.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { utcTime } from '../../http/output/output.ts';
import { siteMoney } from '../../lib/money/money.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { bodyOf, type Invoice, type InvoiceLine, invoiceNumber } from '../ledger/invoices.ts';
import { amountSchema, renderAmount } from '../orders/amounts.ts';

const customerSchema = z
  .object({
    name: z.string(),
    email: z.string(),
    company: z.string(),
    vat_number: z.string(),
    address: z.string(),
  })
  .meta({ id: 'InvoiceCustomer', description: 'Customer of an invoice; empty texts for what was not given.' });

/** Invoice in a list; rendered by `renderListedInvoice`. */
export const listedInvoiceSchema = z
  .object({
    id: z.int(),
    number: z.string().describe('Such as `2026-0001`.'),
    kind: z.enum(INVOICE_KINDS).describe('`credit`: a credit note.'),
    order: z.object({ id: z.int(), number: z.string() }),
    date: z.string().describe('Day of issue in the time zone of the site.'),
    issued_utc: utcTime,
    currency: z.string(),
    total: amountSchema.describe('Of a credit note, the money that it takes back.'),
    corrects: z.string().nullable().describe('Number of the invoice that a credit note corrects.'),
    customer: customerSchema,
  })
  .meta({ id: 'ListedInvoice', description: 'An invoice or a credit note in a list.' });

/** Invoice with its content; rendered by `renderInvoice`. */
export const invoiceSchema = listedInvoiceSchema
  .extend({
    language: z.string(),
    is_due: z.boolean().describe('Whether it was issued before the order was paid.'),
    seller: z.object({ name: z.string(), address: z.string(), vat_number: z.string(), note: z.string() }),
    lines: z.array(
      z.object({
        kind: z.string().describe('`place`, a kind of charge, or `balance`: money that is still to be given back.'),
        title: z.string(),
        event: z.string().describe('Event of a place; otherwise empty.'),
        from: z.string().nullable().describe('First day of the event there; null for other lines.'),
        until: z.string().nullable(),
        quantity: z.int(),
        unit_price: amountSchema.describe('With tax.'),
        tax_rate: z.int().describe('Thousandths of a percent.'),
        tax: amountSchema.describe('Tax in `total`.'),
        total: amountSchema,
      }),
    ),
    discount: amountSchema.describe('Reduction of the list prices that the lines contain.'),
    taxes: z
      .array(z.object({ rate: z.int(), net: amountSchema, tax: amountSchema }))
      .describe('By rate: the amount without tax, and the tax. Empty without taxes.'),
  })
  .meta({ id: 'Invoice', description: 'An invoice or a credit note, as it was issued.' });

type RenderContext = Pick<RequestContext, 'context'>;

export function renderListedInvoice(
  invoice: Invoice,
  { context }: RenderContext,
): z.output<typeof listedInvoiceSchema> {
  const { customer, date, corrects } = bodyOf(invoice);
  const { id, kind, order_id, issued_utc, currency, total } = invoice;
  return {
    ...{ id, kind, date, issued_utc, currency, customer },
    number: invoiceNumber(invoice),
    order: { id: order_id, number: orderNumber(order_id) },
    total: renderAmount(total, siteMoney(context.config, currency)),
    corrects: corrects || null,
  };
}

export function renderInvoice(invoice: Invoice, ctx: RenderContext): z.output<typeof invoiceSchema> {
  const { language, is_due, seller, lines, discount, taxes } = bodyOf(invoice);
  const format = siteMoney(ctx.context.config, invoice.currency);
  const amount = (minor: number) => renderAmount(minor, format);
  return {
    ...renderListedInvoice(invoice, ctx),
    ...{ language, is_due, seller },
    lines: lines.map(counted).map(({ kind, title, event, from, until, quantity, tax_rate, ...line }) => ({
      ...{ kind, title, event, quantity, tax_rate },
      from: from || null,
      until: until || null,
      unit_price: amount(line.unit_price),
      tax: amount(line.tax),
      total: amount(line.total),
    })),
    discount: amount(discount),
    taxes: taxes.map(({ rate, net, tax }) => ({ rate, net: amount(net), tax: amount(tax) })),
  };
}

/** A line with a quantity above 0: amounts that reduce a document have negative prices. */
const counted = (line: InvoiceLine): InvoiceLine =>
  line.quantity < 0 ? { ...line, quantity: -line.quantity, unit_price: -line.unit_price } : line;
