import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../db/tables/ticketing.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { filledText } from '../../http/input/schemas.ts';
import { link, utcTime } from '../../http/output/output.ts';
import { siteMoney } from '../../lib/money/money.ts';
import type { Payment } from '../ledger/payments.ts';
import { amountSchema, renderAmount } from '../orders/amounts.ts';
import { payUrl } from '../orders/order-token.ts';
import type { Order } from '../orders/store.ts';

/** Payment of an order at a gateway, for its customer; rendered by `renderPayment`. */
export const paymentSchema = z
  .object({
    id: z.int(),
    status: z
      .enum(PAYMENT_STATUSES)
      .describe(
        '`created` and `open`: not paid yet. `processing`: the money is on its way. `action`: the customer or staff must act.',
      ),
    method: z.string().describe('Id of the payment method.'),
    gateway: z.string(),
    amount: amountSchema,
    redirect_url: link.describe('Page on which the customer pays.'),
    expires_utc: utcTime.nullable().describe('Until when the order keeps its places.'),
  })
  .meta({ id: 'CustomerPayment', description: 'A payment at a payment service, for the customer.' });

export const renderPayment = (
  ctx: RequestContext,
  order: Pick<Order, 'id' | 'access_version' | 'expires_utc'>,
  payment: Payment,
): z.output<typeof paymentSchema> => ({
  id: payment.id,
  status: payment.status,
  method: payment.method,
  gateway: payment.gateway,
  amount: renderAmount(payment.amount, siteMoney(ctx.context.config, payment.currency)),
  redirect_url: payment.status === 'open' && payment.page_url !== '' ? payment.page_url : payUrl(ctx, order),
  expires_utc: order.expires_utc || null,
});

const MAX_URL = 2000;

/** `return_url` of a checkout or payment. */
export const returnUrl = filledText(
  'Page to which the payment service sends the customer afterwards, paid or not: of this site, or of an origin in MARQUEE_CORS_ORIGINS. By default the page of the order.',
  { max: MAX_URL },
);

/**
 * A `return_url` of a trusted origin; empty if none was sent.
 * @throws {InvalidParams}
 */
export function checkedReturnUrl({ context, urls }: RequestContext, sent: string | undefined): string {
  if (sent === undefined) return '';
  const url = URL.parse(sent);
  const { corsOrigins, url: site } = context.config;
  const isTrusted = url !== null && [urls.origin, site, ...corsOrigins].includes(url.origin);
  if (!isTrusted || url.username !== '' || url.password !== '') throw invalidParam('return_url', 'param.return_url');
  return url.href;
}
