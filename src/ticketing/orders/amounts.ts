import { z } from 'zod';
import { formatMoney, type MoneyFormat } from '../../lib/money/money.ts';
import { type Charge, titleOf } from '../ledger/payments.ts';
import type { OrderTotals } from '../prices/order-prices.ts';
import { isCountedStatus } from '../seats/seats.ts';
import type { Order, OrderItem } from './store.ts';

export const amountSchema = z
  .object({ minor: z.int().describe('In the smallest unit of the currency.'), formatted: z.string() })
  .meta({ id: 'Amount', description: 'An amount of money.' });

/** An amount of money in responses. */
export const renderAmount = (minor: number, format: MoneyFormat) => ({ minor, formatted: formatMoney(minor, format) });

const taxSchema = z
  .object({ name: z.string(), rate: z.int(), included: z.boolean(), amount: amountSchema })
  .meta({ id: 'TaxAmount', description: 'A tax at a rate in thousandths of a percent, included in prices or added.' });

/** Prices of an order before it is placed. */
export const totalsSchema = z
  .object({
    items: amountSchema.describe('List prices of all places.'),
    discount: amountSchema.describe('Reduction by the promotion.'),
    fees: amountSchema,
    taxes: z.array(taxSchema).describe('By rate.'),
    donation: amountSchema.optional().describe('Absent for none.'),
    total: amountSchema.describe('`items` - `discount` + `fees` + the taxes that are not included + `donation`.'),
  })
  .meta({ description: 'Sums of an order, in prices without added taxes.' });

export function renderTotals(totals: OrderTotals, format: MoneyFormat): z.output<typeof totalsSchema> {
  const { items, discount, fees, taxes, donation, total } = totals;
  return {
    items: renderAmount(items, format),
    discount: renderAmount(discount, format),
    fees: renderAmount(fees, format),
    taxes: taxes.map((tax) => ({ ...tax, amount: renderAmount(tax.amount, format) })),
    ...(donation > 0 && { donation: renderAmount(donation, format) }),
    total: renderAmount(total, format),
  };
}

/** Discount and taxes of a placed order. */
export const reductionFields = {
  discount: amountSchema.optional().describe('Reduction of the list prices by a promotion; absent for none.'),
  taxes: z
    .array(z.object({ rate: z.int().describe('Thousandths of a percent.'), amount: amountSchema }))
    .optional()
    .describe('Taxes by rate: those in the total, or in the kept money of an order without places. Absent for none.'),
};

/** Schema of charges in an order. */
export const chargesSchema = z
  .array(z.object({ kind: z.string(), title: z.string(), quantity: z.int(), amount: amountSchema }))
  .describe(
    'Amounts besides the places: `fee`, `donation`, `kept` for money kept for cancelled places, and `credit` (negative) for money given back without a place.',
  );

/**
 * Charges of an order, with titles in a language. Charges of the kinds `kept` and `credit` are stored by tax rate, and
 * rendered as one.
 */
export function renderCharges(
  charges: readonly Charge[],
  { format, language }: { format: MoneyFormat; language: string },
): z.output<typeof chargesSchema> {
  const byKind = Map.groupBy(charges, ({ id, kind }) => (kind === 'kept' || kind === 'credit' ? kind : id));
  const sums = [...byKind.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, amount: others.reduce((sum, { amount }) => sum + amount, first.amount) }] : [],
  );
  return sums
    .filter(({ amount }) => amount !== 0)
    .map((charge) => ({
      kind: charge.kind,
      title: titleOf(charge, language),
      quantity: charge.quantity,
      amount: renderAmount(charge.amount, format),
    }));
}

interface TaxedParts {
  items: readonly OrderItem[];
  charges: readonly Charge[];
}

export function renderReductions({ discount, status }: Order, { items, charges }: TaxedParts, format: MoneyFormat) {
  // The total of an order without places includes its kept money.
  const kept = isCountedStatus(status) ? [] : charges.filter(({ kind }) => kind === 'kept');
  const taxed = (kept.length > 0 ? kept : [...items, ...charges])
    .map(({ tax_rate, tax }) => ({ rate: tax_rate, tax }))
    .filter(({ tax }) => tax !== 0);
  const taxes = [...Map.groupBy(taxed, ({ rate }) => rate)].sort(([a], [b]) => b - a);
  return {
    ...(discount > 0 && { discount: renderAmount(discount, format) }),
    ...(taxes.length > 0 && {
      taxes: taxes.map(([rate, same]) => {
        const amount = same.reduce((sum, { tax }) => sum + tax, 0);
        return { rate, amount: renderAmount(amount, format) };
      }),
    }),
  };
}
