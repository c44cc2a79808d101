import { z } from 'zod';
import type { Context } from '../../base/context.ts';
import { hasEventRights } from '../../http/core/auth.ts';
import {
  type AnyEndpoint,
  assertFound,
  type EndpointResponse,
  endpoint,
  type HandlerContext,
} from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { filledText, integer } from '../../http/input/schemas.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { getSite } from '../../platform/site/settings.ts';
import { TICKET_TOKEN } from '../../ticketing/attendees/ticket-token.ts';
import { renderInvoice } from '../../ticketing/invoices/invoice-view.ts';
import { findInvoicesOfOrder, invoiceNumber } from '../../ticketing/ledger/invoices.ts';
import { findNamedOrder } from '../../ticketing/orders/order-scope.ts';
import { getOrderByToken, ORDER_TOKEN } from '../../ticketing/orders/order-token.ts';
import { findOrder, type Order } from '../../ticketing/orders/store.ts';
import { invoiceSheet } from './invoice-sheet.ts';
import { makePaper } from './make-paper.ts';
import { getReadableTicket, readTicketFacts } from './ticket-facts.ts';
import { type SheetFacts, ticketSheet } from './ticket-sheet.ts';

/** Tickets and invoices as PDF. */

const PDF = 'application/pdf';
const pdfText = z.string().describe('The document.');

/** Tickets of a document per point of the limit on heavy reads. */
const TICKETS_PER_POINT = 20;

/** @throws {ApiError} too-many-requests */
async function countDocument({ limits, client, viewer, context }: HandlerContext, tickets: number): Promise<void> {
  if (viewer.account) return;
  // The largest document must be possible under any limit.
  const points = Math.min(Math.ceil(tickets / TICKETS_PER_POINT), context.config.heavyReads);
  await limits.countRequest('heavy-reads', { client, points });
}

const pdfResponse = (content: Uint8Array<ArrayBuffer>, name: string): EndpointResponse => ({
  // `_envelope` has no place for bytes.
  body: '',
  raw: { type: PDF, content },
  headers: { ...PRIVATE_NO_STORE, 'Content-Disposition': `inline; filename="${name}.pdf"` },
});

const orderId = integer('Id of the order.', { min: 1 });

/** Properties shared by documents of an order. */
const ofOrder = {
  namespace: 'tickets',
  methods: ['GET'],
  requestHeaders: [ORDER_TOKEN],
  answers: { 200: pdfText },
  media: [PDF],
  answerHeaders: ['Content-Disposition'],
} as const;

/**
 * The order with an id, for requests with its token and for users who may read its tickets.
 * @throws {ApiError} order-not-found
 */
async function getReadableOrder(ctx: HandlerContext, id: number): Promise<Order> {
  const { viewer, context } = ctx;
  const isStaff = hasEventRights(viewer, 'manage_attendees');
  if (isStaff && hasEventRights(viewer, 'manage_attendees', await findNamedOrder(ctx, id))) {
    const order = await findOrder(context.db, id);
    if (order) return order;
  }
  return getOrderByToken(ctx, id);
}

/** Reads the tickets of an order in a language; undefined for an order that is gone. */
type ReadOrderFacts = (
  context: Context,
  order: { id: number; origin: string; language: string },
) => Promise<SheetFacts | undefined>;

const ticketsOfOrder = (readOrderFacts: ReadOrderFacts) =>
  endpoint({
    ...ofOrder,
    path: '/orders/{id}/tickets.pdf',
    name: 'buyers_orders.tickets_pdf',
    summary: 'Get the tickets of an order as PDF',
    description:
      'A page of A4 for each ticket that has a code. Requires the token of the order, or an account that manages its attendees. The document has the codes of its tickets, but no link to the order.',
    input: { id: orderId },
    required: ['id'],
    errors: ['order-not-found', 'ticket-not-accessible', 'too-many-requests', 'documents-busy'],
    statuses: { 'ticket-not-accessible': 403 },
    find: async ({ id }: { id?: number }, ctx) => (id === undefined ? undefined : getReadableOrder(ctx, id)),
    async handle(ctx, _input, order) {
      const { context, urls, language } = ctx;
      const { id } = assertFound(order);
      const facts = await readOrderFacts(context, { id, origin: urls.origin, language });
      if (!facts || facts.tickets.length === 0) throw new ApiError('ticket-not-accessible', { status: 403 });
      await countDocument(ctx, facts.tickets.length);
      return pdfResponse(await makePaper(context, ticketSheet(facts)), `tickets-${orderNumber(id)}`);
    },
  });

const invoiceOfOrder = endpoint({
  ...ofOrder,
  path: '/orders/{id}/invoices/{number}/invoice.pdf',
  name: 'buyers_orders.invoice_pdf',
  summary: 'Get an invoice or a credit note of an order as PDF',
  description: 'Requires the token of the order, or an account that manages its attendees.',
  input: { id: orderId, number: filledText('Number of the invoice, such as `2026-0001`.', { max: 40 }) },
  required: ['id', 'number'],
  errors: ['order-not-found', 'invoice-not-found', 'too-many-requests', 'documents-busy'],
  find: async ({ id }: { id?: number; number?: string }, ctx) =>
    id === undefined ? undefined : getReadableOrder(ctx, id),
  async handle(ctx, { number }, order) {
    const { context, language } = ctx;
    const own = await findInvoicesOfOrder(context.db, assertFound(order).id);
    const invoice = own.find((one) => invoiceNumber(one) === number);
    if (!invoice) throw new ApiError('invoice-not-found');
    await countDocument(ctx, 1);
    const { name: siteName } = await getSite(context, language);
    const sheet = invoiceSheet(renderInvoice(invoice, ctx), { config: context.config, siteName });
    return pdfResponse(await makePaper(context, sheet), `invoice-${invoiceNumber(invoice)}`);
  },
});

const ticketOfAttendee = endpoint({
  namespace: 'tickets',
  methods: ['GET'],
  path: '/attendees/{id}/ticket.pdf',
  name: 'held_tickets.pdf',
  summary: 'Get a ticket as PDF',
  description:
    'Requires the token of the ticket or of its order, its security code, or an account that may read attendees. With the security code alone, the ticket has no name.',
  input: {
    id: integer('Id of the attendee.', { min: 1 }),
    security_code: filledText('Security code of the ticket.', { max: 200 }),
  },
  required: ['id'],
  requestHeaders: [TICKET_TOKEN, ORDER_TOKEN],
  answers: { 200: pdfText },
  media: [PDF],
  answerHeaders: ['Content-Disposition'],
  errors: [
    ...(['attendee-not-found', 'ticket-transferred', 'ticket-not-accessible'] as const),
    ...(['too-many-requests', 'documents-busy'] as const),
  ],
  statuses: { 'ticket-not-accessible': 403 },
  find: async ({ id, security_code: code }: { id?: number; security_code?: string }, ctx) =>
    id === undefined ? undefined : getReadableTicket(ctx, { id, code }),
  async handle(ctx, { id }, found) {
    const facts = await readTicketFacts(ctx, assertFound(found));
    await countDocument(ctx, 1);
    return pdfResponse(await makePaper(ctx.context, ticketSheet(facts)), `ticket-${id}`);
  },
});

/** @param readOrderFacts reads orders as for mails */
export const paperEndpoints = (readOrderFacts: ReadOrderFacts): readonly AnyEndpoint[] => [
  ticketsOfOrder(readOrderFacts),
  invoiceOfOrder,
  ticketOfAttendee,
];
