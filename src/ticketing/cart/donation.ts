import type { RequestContext } from '../../http/core/endpoint.ts';
import { getSite } from '../../platform/site/settings.ts';
import { chargeTitle } from '../ledger/payments.ts';
import type { PriceTerms } from '../prices/order-prices.ts';

/** Donations beside the tickets of a cart. */

/** Tests if the site accepts donations. Must not be called inside a transaction. */
export const acceptsDonations = async ({ context, language }: RequestContext): Promise<boolean> =>
  (await getSite(context, language)).accepts_donations;

/** The donation of a cart as a term of its order; its name is in the first language, as all charges are. */
export const donationTerm = (
  amount: number,
  { context }: Pick<RequestContext, 'context'>,
): Pick<PriceTerms, 'donation'> =>
  amount > 0 ? { donation: { amount, title: chargeTitle('donation', context.config.languages[0] ?? 'en') } } : {};
