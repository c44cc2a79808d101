import { z } from 'zod';
import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import { hasEventRights } from '../../http/core/auth.ts';
import { fileHeader } from '../../http/core/content-disposition.ts';
import {
  type AnyEndpoint,
  assertFound,
  type EndpointResponse,
  endpoint,
  type HandlerContext,
  ok,
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
import { invoiceName, makePaper, readAndMakePaper, ticketName, ticketsName } from './make-paper.ts';
import type { SheetFacts } from './ticket-sheet.ts';

/**
 * Tickets and invoices as PDF, and tickets for the wallets of phones. The modules for their texts are loaded on first
 * use.
 */

const ticketFacts = () => import('./ticket-facts.ts');
const ticketSheets = () => import('./ticket-sheet.ts');

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

const fileResponse = (
  content: Uint8Array<ArrayBuffer>,
  { type, name }: { type: string; name: string },
): EndpointResponse => ({
  // `_envelope` has no place for bytes.
  body: '',
  raw: { type, content },
  headers: { ...PRIVATE_NO_STORE, ...fileHeader('inline', name) },
});

const orderId = integer('Id of the order.', { min: 1 });

/** Properties shared by documents of an order. */
const ofOrder = {
  namespace: 'tickets',
  methods: ['GET'],
  requestHeaders: [ORDER_TOKEN],
  responses: { 200: pdfText },
  media: [PDF],
  responseHeaders: ['Content-Disposition'],
} as const;

/**
 * The order with an id, for requests with its token and for users who may read its tickets.
 * @throws {ApiError} order-not-found
 */
async function getReadableOrder(ctx: HandlerContext, id: number): Promise<Order> {
  const { viewer, context } = ctx;
  const isStaff = hasEventRights(viewer, 'read_orders');
  if (isStaff && hasEventRights(viewer, 'read_orders', await findNamedOrder(ctx, id))) {
    const order = await findOrder(context.db, id);
    if (order) return order;
  }
  return getOrderByToken(ctx, id);
}

/** Places of an order: its tickets at most. */
async function countPlaces({ query }: Database, order: number): Promise<number> {
  const { count } = await query
    .selectFrom('attendees')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('order_id', '=', order)
    .where('status', '=', 'publish')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Reads the tickets of an order in a language; undefined for a deleted order. */
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
      'A page of A4 for each ticket that has a code. Requires the token of the order, or an account that may read it. The document has the codes of its tickets, but no link to the order.',
    input: { id: orderId },
    required: ['id'],
    errors: ['order-not-found', 'ticket-not-accessible', 'too-many-requests', 'documents-busy'],
    statuses: { 'ticket-not-accessible': 403 },
    find: async ({ id }: { id?: number }, ctx) => (id === undefined ? undefined : getReadableOrder(ctx, id)),
    async handle(ctx, _input, order) {
      const { context, urls, language } = ctx;
      const { id } = assertFound(order);
      const read = async () => {
        const facts = await readOrderFacts(context, { id, origin: urls.origin, language });
        if (!facts || facts.tickets.length === 0) throw new ApiError('ticket-not-accessible', { status: 403 });
        await countDocument(ctx, facts.tickets.length);
        const { ticketSheet } = await ticketSheets();
        return ticketSheet(facts);
      };
      const content = await readAndMakePaper(context, await countPlaces(context.db, id), read);
      return fileResponse(content, { type: PDF, name: ticketsName(orderNumber(id)) });
    },
  });

const invoiceOfOrder = endpoint({
  ...ofOrder,
  path: '/orders/{id}/invoices/{number}/invoice.pdf',
  name: 'buyers_orders.invoice_pdf',
  summary: 'Get an invoice or a credit note of an order as PDF',
  description: 'Requires the token of the order, or an account that may read it.',
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
    const { invoiceSheet } = await import('./invoice-sheet.ts');
    const sheet = invoiceSheet(renderInvoice(invoice, ctx), { config: context.config, siteName });
    return fileResponse(await makePaper(context, sheet), { type: PDF, name: invoiceName(invoice) });
  },
});

/** Properties shared by the files of a ticket. */
const ofTicket = {
  namespace: 'tickets',
  methods: ['GET'],
  input: {
    id: integer('Id of the attendee.', { min: 1 }),
    security_code: filledText('Security code of the ticket.', { max: 200 }),
  },
  required: ['id'],
  requestHeaders: [TICKET_TOKEN, ORDER_TOKEN],
  statuses: { 'ticket-not-accessible': 403 },
  find: async ({ id, security_code: code }: { id?: number; security_code?: string }, ctx: HandlerContext) =>
    id === undefined ? undefined : (await ticketFacts()).getReadableTicket(ctx, { id, code }),
} as const;

const ACCESS =
  'Requires the token of the ticket or of its order, its security code, or an account that may read attendees. With the security code alone, it has no name.';
const TICKET_ERRORS = [
  'attendee-not-found',
  'ticket-transferred',
  'ticket-not-accessible',
  'too-many-requests',
] as const;

const ticketOfAttendee = endpoint({
  ...ofTicket,
  path: '/attendees/{id}/ticket.pdf',
  name: 'held_tickets.pdf',
  summary: 'Get a ticket as PDF',
  description: ACCESS,
  responses: { 200: pdfText },
  media: [PDF],
  responseHeaders: ['Content-Disposition'],
  errors: [...TICKET_ERRORS, 'documents-busy'],
  async handle(ctx, { id }, found) {
    const facts = await (await ticketFacts()).readTicketFacts(ctx, assertFound(found));
    const { ticketSheet } = await ticketSheets();
    await countDocument(ctx, 1);
    return fileResponse(await makePaper(ctx.context, ticketSheet(facts)), { type: PDF, name: ticketName(id, 'pdf') });
  },
});

const PASS = 'application/vnd.apple.pkpass';

const applePass = endpoint({
  ...ofTicket,
  path: '/attendees/{id}/ticket.pkpass',
  name: 'held_tickets.apple_pass',
  summary: 'Get a ticket for Apple Wallet',
  description: `${ACCESS} Only on sites that are set up for it.`,
  responses: { 200: z.string().describe('The signed pass.') },
  media: [PASS],
  responseHeaders: ['Content-Disposition'],
  errors: [...TICKET_ERRORS, 'documents-busy', 'wallet-not-configured'],
  async handle(ctx, { id }, found) {
    const { context } = ctx;
    const ticket = assertFound(found);
    const facts = await (await ticketFacts()).readTicketFacts(ctx, ticket);
    const { passSheet } = await import('./apple-wallet.ts');
    const sheet = await passSheet(context, facts, ticket.attendee.pass_id ?? ticket.attendee.id);
    await countDocument(ctx, 1);
    return fileResponse(await makePaper(context, sheet), { type: PASS, name: ticketName(id, 'pkpass') });
  },
});

const googleWallet = endpoint({
  ...ofTicket,
  path: '/attendees/{id}/wallet/google',
  name: 'held_tickets.google_wallet',
  summary: 'Get the link that adds a ticket to Google Wallet',
  description: `${ACCESS} Only on sites that are set up for it.`,
  responses: {
    200: z
      .object({
        url: z
          .string()
          .describe('Address at Google, which adds the ticket to the wallet of any account that opens it.'),
      })
      .meta({ id: 'GoogleWallet', description: 'A ticket for Google Wallet.' }),
  },
  errors: ['attendee-not-found', 'ticket-transferred', 'ticket-not-accessible', 'wallet-not-configured'],
  async handle(ctx, _input, found) {
    const { context } = ctx;
    const ticket = assertFound(found);
    const { readTicketFacts } = await ticketFacts();
    const { googleWalletUrl } = await import('./google-wallet.ts');
    const facts = await readTicketFacts(ctx, ticket);
    const id = ticket.attendee.pass_id ?? ticket.attendee.id;
    return ok({ url: await googleWalletUrl(context, facts, id) }, PRIVATE_NO_STORE);
  },
});

/** @param readOrderFacts reads orders as for mails */
export const paperEndpoints = (readOrderFacts: ReadOrderFacts): readonly AnyEndpoint[] => [
  ticketsOfOrder(readOrderFacts),
  invoiceOfOrder,
  ticketOfAttendee,
  applePass,
  googleWallet,
];
