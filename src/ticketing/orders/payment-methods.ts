import type { RequestContext } from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { MANUAL } from '../../platform/site/payment-gateways.ts';
import { getSite, type PaymentMethod } from '../../platform/site/settings.ts';

/** Payment methods of the site, in its order, unavailable ones too. Must not be called inside a transaction. */
export const findPaymentMethods = async ({
  context,
  language,
}: Pick<RequestContext, 'context' | 'language'>): Promise<readonly PaymentMethod[]> =>
  (await getSite(context, language)).payment_ways;

/**
 * The payment method of a checkout: the named one, or the only available one. Undefined for `manual`, and for a checkout that
 * names none of several.
 * @throws {InvalidParams} for an unknown or unavailable one
 */
export async function choosePaymentMethod(
  ctx: RequestContext,
  id: string | undefined,
): Promise<PaymentMethod | undefined> {
  const ways = (await findPaymentMethods(ctx)).filter(({ available }) => available);
  if (id === undefined) return ways.length === 1 ? ways[0] : undefined;
  const way = ways.find((candidate) => candidate.id === id);
  if (!way && id !== MANUAL) {
    const allowed = [MANUAL, ...ways.map((candidate) => candidate.id)].join(', ');
    throw invalidParam('payment', 'param.one_of', { allowed });
  }
  return way;
}
