import { assertFound, endpoint, ok } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { filledText, integer } from '../../http/input/schemas.ts';
import { findInvoicesOfOrder, invoiceNumber } from '../ledger/invoices.ts';
import { getOrderByToken, ORDER_TOKEN } from '../orders/order-token.ts';
import { invoiceSchema, renderInvoice } from './invoice-view.ts';

const MAX_NUMBER = 40;

/** Invoice of an order, for its customer. */
export const customerInvoiceEndpoint = endpoint({
  namespace: 'tickets',
  methods: ['GET'],
  path: '/orders/{id}/invoices/{number}',
  name: 'buyers_orders.invoice',
  summary: 'Read an invoice or a credit note of an order, as its customer',
  description: 'Requires the token of the order.',
  input: {
    id: integer('Id of the order.', { min: 1 }),
    number: filledText('Number of the invoice, such as `2026-0001`.', { max: MAX_NUMBER }),
  },
  required: ['id', 'number'],
  requestHeaders: [ORDER_TOKEN],
  responses: { 200: invoiceSchema },
  errors: ['order-not-found', 'invoice-not-found'],
  find: async ({ id }, ctx) => (id === undefined ? undefined : getOrderByToken(ctx, id)),
  async handle(ctx, { number }, order) {
    const own = await findInvoicesOfOrder(ctx.context.db, assertFound(order).id);
    const invoice = own.find((one) => invoiceNumber(one) === number);
    if (!invoice) throw new ApiError('invoice-not-found');
    return ok(renderInvoice(invoice, ctx), PRIVATE_NO_STORE);
  },
});
