import type { RequestContext } from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { getSite, MANUAL, type PaymentWay } from '../../platform/site/settings.ts';

/** Payment methods of the site, in its order. Must not be called inside a transaction. */
export const findPaymentWays = async ({
  context,
  language,
}: Pick<RequestContext, 'context' | 'language'>): Promise<readonly PaymentWay[]> =>
  (await getSite(context, language)).payment_ways;

/**
 * The payment method of a checkout: the named one, or the only one. Undefined for `manual`, and for a checkout that
 * names none of several.
 * @throws {InvalidParams} for an unknown name
 */
export async function choosePaymentWay(ctx: RequestContext, id: string | undefined): Promise<PaymentWay | undefined> {
  const ways = await findPaymentWays(ctx);
  if (id === undefined) return ways.length === 1 ? ways[0] : undefined;
  const way = ways.find((candidate) => candidate.id === id);
  if (!way && id !== MANUAL) {
    const allowed = [MANUAL, ...ways.map((candidate) => candidate.id)].join(', ');
    throw invalidParam('payment', 'param.one_of', { allowed });
  }
  return way;
}
