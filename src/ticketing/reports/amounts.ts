import { z } from 'zod';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { type Money, siteMoney } from '../../lib/money/money.ts';
import { byKey } from '../../lib/text/list.ts';
import { renderAmount } from '../orders/amounts.ts';

/** Amounts of reports, one for each currency. */

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
  .describe('One amount for each currency of the orders; if there are none, in the currency of the site.');

/** Sums amounts, one sum per currency. */
export function addUp(all: readonly Money[]): Money[] {
  const sums = new Map<string, number>();
  for (const { currency, amount } of all) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].map(([currency, amount]) => ({ currency, amount }));
}

/** Renders one amount per currency, sorted by code. */
export function amountsOf(all: readonly Money[], { context }: RequestContext): z.output<typeof amountsSchema> {
  const { config } = context;
  const sums = addUp(all).map(({ currency, amount }) => [currency, amount] as const);
  const shown = sums.length > 0 ? sums : [[config.currency, 0] as const];
  return shown
    .toSorted(byKey)
    .map(([currency, amount]) => ({ currency, ...renderAmount(amount, siteMoney(config, currency)) }));
}
