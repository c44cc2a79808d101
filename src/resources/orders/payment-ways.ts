import type { PaymentWay } from '../../config.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import { invalidParam } from '../../http/errors.ts';

/** Paid elsewhere: the gateway of orders for which the site names no way to pay. */
export const MANUAL = 'manual';

/** The ways to pay that the site names, in its order; not to be called inside a transaction. */
export const findPaymentWays = async ({ context }: Pick<RequestContext, 'context'>): Promise<readonly PaymentWay[]> =>
  context.config.paymentWays;

/**
 * The way that a checkout chooses: the one it names, or the only one. Undefined for `manual`, and for a checkout that
 * names none of several.
 * @throws {InvalidParams} for a name that is none of them
 */
export async function choosePaymentWay(ctx: RequestContext, name: string | undefined): Promise<PaymentWay | undefined> {
  const ways = await findPaymentWays(ctx);
  if (name === undefined) return ways.length === 1 ? ways[0] : undefined;
  const way = ways.find((one) => one.name === name);
  if (!way && name !== MANUAL) {
    const allowed = [MANUAL, ...ways.map((one) => one.name)].join(', ');
    throw invalidParam('payment', 'param.one_of', { allowed });
  }
  return way;
}
