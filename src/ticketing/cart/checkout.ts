import { z } from 'zod';
import { created, endpoint, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { RATE_HEADERS } from '../../http/core/headers.ts';
import { custom, email, filledText } from '../../http/input/schemas.ts';
import { readInput } from '../../http/input/validate.ts';
import { link } from '../../http/output/output.ts';
import { siteMoney } from '../../lib/money/money.ts';
import { isRecord } from '../../lib/text/list.ts';
import { plainText } from '../../lib/text/text.ts';
import { MANUAL } from '../../platform/site/settings.ts';
import { tokenHeaders, UNCACHED, visitorOf, writingVisitorOf } from '../../platform/users/visitor-token.ts';
import { countingRefusals, networkOfTaker } from '../orders/free-places.ts';
import { orderToken, orderUrl } from '../orders/order-token.ts';
import { choosePaymentWay } from '../orders/payment-ways.ts';
import { networkOfCart } from '../orders/seat-limits.ts';
import { orderSchema, renderAmount } from '../orders/view.ts';
import { MaxPerOrderExceeded, maxPerOrderExceeded } from './errors.ts';
import { guestEntries } from './input.ts';
import type { Purchaser } from './order-lines.ts';
import { buyCart, type CheckoutInput, type Purchase } from './purchase.ts';

const checkoutSchema = z
  .object({
    order: orderSchema.pick({ id: true, status: true, total: true, currency: true }).extend({
      token: z.string().describe('For the header `X-Order-Token`: anyone with the token may act for the customer.'),
      url: link.describe('Page of the order; accessible to anyone with the link.'),
    }),
    attendees: z.array(
      z.object({
        id: z.int(),
        ticket_id: z.int(),
        security_code: z.string().describe('Admits the holder; shown in this response only.'),
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
    attendees: guestEntries,
    payment: filledText(
      'Payment method of the site, each of which keeps the places for its own period; by default the only one. `manual`: external payment; completes the order for users who manage attendees.',
      { max: 40 },
    ),
  },
  counted: 'checkouts',
  // The header is part of every request; a cookie is not.
  subjectOf: (ctx) => visitorOf(ctx).tokenHash,
  body: 'CheckoutInput',
  requestHeaders: ['X-Cart-Token'],
  answers: { 201: checkoutSchema },
  answerHeaders: [...RATE_HEADERS, 'X-Cart-Token'],
  errors: [
    'invalid-purchaser-info',
    'cart-is-empty',
    'cart-expired',
    'ticket-does-not-exist',
    'event-cancelled',
    'max-per-order-exceeded',
    'rest_forbidden',
    'too-many-requests',
    'too-many-open-orders',
    'too-many-places-held',
    'too-many-free-places',
  ],
  async handle(ctx, { purchaser, attendees = [], payment }) {
    const visitor = writingVisitorOf(ctx);
    const input: CheckoutInput = {
      purchaser: readPurchaser(purchaser),
      guests: attendees,
      isPaidByHand: payment === MANUAL,
      way: await choosePaymentWay(ctx, payment),
      network: networkOfCart(ctx),
      taker: networkOfTaker(ctx),
    };
    const { tokenHash } = visitor;
    if (tokenHash === undefined) throw new ApiError('cart-is-empty');
    const purchase = await countingRefusals(ctx, () => buy(ctx, tokenHash, input));
    return created(checkoutView(ctx, purchase), { ...UNCACHED, ...tokenHeaders(ctx, visitor, undefined) });
  },
});

async function buy(ctx: RequestContext, tokenHash: string, input: CheckoutInput): Promise<Purchase> {
  try {
    return await ctx.context.db.transaction((trx) => buyCart(trx, tokenHash, { ctx, input }));
  } catch (error) {
    throw error instanceof MaxPerOrderExceeded ? await maxPerOrderExceeded(ctx, error.ticket) : error;
  }
}

const purchaserFields = { name: filledText('', { max: 300 }), email: email('') };

function readPurchaser(sent: unknown): Purchaser {
  const fields = isRecord(sent) ? Object.entries(sent) : [];
  const { input } = readInput(purchaserFields, [], new Map(fields));
  const { name = '', email: address } = input;
  if (plainText(name) === '' || address === undefined) throw new ApiError('invalid-purchaser-info');
  return { name, email: address };
}

function checkoutView(ctx: RequestContext, { order, status, total, attendees }: Purchase) {
  const { config } = ctx.context;
  return {
    order: {
      id: order.id,
      status,
      total: renderAmount(total, siteMoney(config)),
      currency: config.currency,
      token: orderToken(ctx.context, order),
      url: orderUrl(ctx, order),
    },
    attendees: attendees.map(({ id, ticket_id, security_code }) => ({ id, ticket_id, security_code })),
  };
}
