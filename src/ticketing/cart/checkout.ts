import { z } from 'zod';
import { created, endpoint, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { RATE_HEADERS } from '../../http/core/headers.ts';
import { clearable, custom, email, filledText, integer } from '../../http/input/schemas.ts';
import { readInput } from '../../http/input/validate.ts';
import { link } from '../../http/output/output.ts';
import { siteMoney } from '../../lib/money/money.ts';
import { isRecord } from '../../lib/text/list.ts';
import { plainText } from '../../lib/text/text.ts';
import { MANUAL } from '../../platform/site/payment-gateways.ts';
import { NO_STORE, tokenHeaders, visitorOf, writingVisitorOf } from '../../platform/users/visitor-token.ts';
import { ticketUrl } from '../attendees/ticket-token.ts';
import { renderAmount } from '../orders/amounts.ts';
import { countRefusal, networkForFreeSeats } from '../orders/free-seats.ts';
import { billingData } from '../orders/holder-input.ts';
import { orderToken, orderUrl } from '../orders/order-token.ts';
import { choosePaymentMethod } from '../orders/payment-methods.ts';
import { networkOfCart } from '../orders/seat-limits.ts';
import { numberOfOrder, orderSchema } from '../orders/view.ts';
import { checkedReturnUrl, paymentSchema, renderPayment, returnUrl } from '../payments/payment-view.ts';
import { getSitePrices } from '../prices/site-prices.ts';
import { type CheckoutInput, checkOutCart, type Purchase } from './check-out-cart.ts';
import { acceptsDonations } from './donation.ts';
import { MaxPerOrderExceeded, maxPerOrderExceeded } from './errors.ts';
import { holderEntries } from './input.ts';
import type { Customer } from './order-lines.ts';

const checkoutSchema = z
  .object({
    order: orderSchema.pick({ id: true, number: true, status: true, total: true, currency: true }).extend({
      token: z.string().describe('For the header `X-Order-Token`: anyone with the token may act for the customer.'),
      url: link.describe('Page of the order; accessible to anyone with the link.'),
    }),
    payment: paymentSchema.optional().describe('Only for orders that are paid at a payment service.'),
    attendees: z.array(
      z.object({
        id: z.int(),
        ticket_id: z.int(),
        security_code: z
          .string()
          .optional()
          .describe(
            'Admits the holder once the order is paid. Absent until then, unless the order is to be paid at the door.',
          ),
        url: link
          .optional()
          .describe(
            'Page of the ticket, accessible to anyone with the link; its last segment is the token for `X-Ticket-Token`. Absent until the ticket has a page.',
          ),
      }),
    ),
  })
  .meta({ id: 'Checkout', description: 'The order created from a cart.' });

const PURCHASER = {
  $id: 'Purchaser',
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 300 },
    email: { type: 'string', format: 'email', maxLength: 254 },
  },
  required: ['name', 'email'],
};

export const checkoutEndpoint = endpoint({
  namespace: 'tickets',
  methods: ['POST'],
  path: '/cart/checkout',
  name: 'cart.checkout',
  summary: 'Buy the content of the cart',
  description:
    'Creates an order with one attendee per place, and empties the cart. A free order is completed immediately; any other stays pending, with its places taken, until it is paid.',
  input: {
    purchaser: custom('The customer.', PURCHASER),
    attendees: holderEntries,
    billing: clearable(billingData),
    return_url: returnUrl,
    payment: filledText(
      'Payment method of the site; each keeps the places for a period of its own. By default the only one. `manual`: external payment; completes the order for users who manage attendees.',
      { max: 40 },
    ),
    expected_total: integer(
      'Total shown to the customer, in the smallest unit of the currency. Another total is refused with `total-changed`.',
      { max: Number.MAX_SAFE_INTEGER },
    ),
  },
  counted: 'checkouts',
  // The header is part of every request; a cookie is not.
  subjectOf: (ctx) => visitorOf(ctx).tokenHash,
  body: 'CheckoutInput',
  requestHeaders: ['X-Cart-Token'],
  responses: { 201: checkoutSchema },
  responseHeaders: [...RATE_HEADERS, 'X-Cart-Token'],
  errors: [
    'invalid-purchaser-info',
    'cart-is-empty',
    'cart-expired',
    'total-changed',
    'promotion-not-valid',
    'ticket-does-not-exist',
    'event-cancelled',
    'event-postponed',
    'max-per-order-exceeded',
    'min-per-order-missed',
    'rest_forbidden',
    'too-many-requests',
    'too-many-open-orders',
    'too-many-places-held',
    'too-many-free-places',
  ],
  async handle(ctx, { purchaser, attendees = [], billing, payment, return_url, expected_total }) {
    const visitor = writingVisitorOf(ctx);
    const input: CheckoutInput = {
      purchaser: readPurchaser(purchaser),
      holders: attendees,
      billing: billing ?? undefined,
      isPaidByHand: payment === MANUAL,
      paymentMethod: await choosePaymentMethod(ctx, payment),
      returnUrl: checkedReturnUrl(ctx, return_url),
      prices: await getSitePrices(ctx.context),
      acceptsDonations: await acceptsDonations(ctx),
      expectedTotal: expected_total,
      network: networkOfCart(ctx),
      taker: networkForFreeSeats(ctx),
    };
    const { tokenHash } = visitor;
    if (tokenHash === undefined) throw new ApiError('cart-is-empty');
    const purchase = await countRefusal(ctx, () => buy(ctx, tokenHash, input));
    return created(checkoutView(ctx, purchase), { ...NO_STORE, ...tokenHeaders(ctx, visitor, undefined) });
  },
});

async function buy(ctx: RequestContext, tokenHash: string, input: CheckoutInput): Promise<Purchase> {
  try {
    return await ctx.context.db.transaction((trx) => checkOutCart(trx, tokenHash, { ctx, input }));
  } catch (error) {
    throw error instanceof MaxPerOrderExceeded ? await maxPerOrderExceeded(ctx, error.ticket) : error;
  }
}

const purchaserFields = { name: filledText('', { max: 300 }), email: email('') };

function readPurchaser(sent: unknown): Customer {
  const fields = isRecord(sent) ? Object.entries(sent) : [];
  const { input } = readInput(purchaserFields, [], new Map(fields));
  const { name = '', email: address } = input;
  if (plainText(name) === '' || address === undefined) throw new ApiError('invalid-purchaser-info');
  return { name, email: address };
}

function checkoutView(ctx: RequestContext, { order, status, total, attendees, payment }: Purchase) {
  const { config } = ctx.context;
  const hasPages = status === 'completed' || order.at_door === 1;
  const hasCodes = hasPages || order.gateway === MANUAL;
  return {
    order: {
      id: order.id,
      ...numberOfOrder(order, ctx.urls),
      status,
      total: renderAmount(total, siteMoney(config)),
      currency: config.currency,
      token: orderToken(ctx.context, order),
      url: orderUrl(ctx, order),
    },
    ...(payment?.status === 'created' && { payment: renderPayment(ctx, order, payment) }),
    attendees: attendees.map((attendee) => ({
      id: attendee.id,
      ticket_id: attendee.ticket_id,
      ...(hasCodes && { security_code: attendee.security_code }),
      ...(hasPages && { url: ticketUrl(ctx, attendee) }),
    })),
  };
}
