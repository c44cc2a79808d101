import { z } from 'zod';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { formatOf, renderAmount } from '../orders/view.ts';

/** Minor units of a currency. */
export interface Money {
  currency: string;
  amount: number;
}

export const amountsSchema = z
  .array(
    z
      .object({
        currency: z.string(),
        minor: z.int().describe('In the smallest unit of the currency.'),
        formatted: z.string(),
      })
      .meta({ id: 'CurrencyAmount' }),
  )
  .describe('One amount for each currency of the orders; that of the site if there are none.');

/** One sum for each currency. */
export function addUp(all: readonly Money[]): Money[] {
  const sums = new Map<string, number>();
  for (const { currency, amount } of all) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].map(([currency, amount]) => ({ currency, amount }));
}

/** One amount for each currency, in the order of their codes. */
export function amountsOf(all: readonly Money[], { context }: RequestContext): z.output<typeof amountsSchema> {
  const { config } = context;
  const sums = addUp(all);
  const shown = sums.length > 0 ? sums : [{ currency: config.currency, amount: 0 }];
  return shown
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
    .map(({ currency, amount }) => ({ currency, ...renderAmount(amount, formatOf(currency, config)) }));
}
