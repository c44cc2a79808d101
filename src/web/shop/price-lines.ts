import { isCountedStatus } from '../../ticketing/seats/seats.ts';
import { priceInWords, taxName } from '../cards/price.ts';
import type { Cart, CustomerOrder } from '../frame/responses.ts';
import type { Visit, Wording } from '../frame/visit.ts';

/** Lines below the tickets of a cart or an order: discount, fees, taxes, donation and the total. */

interface PriceLine {
  name: string;
  amount: string;
  /** Whether the total has it in it already. */
  isNote?: boolean;
  isTotal?: boolean;
}

/** Lines of a cart; only the total if its tickets are all there is. */
export function priceLines(totals: Cart['totals'], visit: Visit): PriceLine[] {
  if (!totals) return [];
  const { t } = visit;
  const { discount, fees, taxes = [], donation, total } = totals;
  const line = (name: string, amount: number): PriceLine[] =>
    amount === 0 ? [] : [{ name, amount: signed(amount, visit) }];
  const added = taxes.filter(({ included }) => !included);
  const included = taxes.filter(({ included }) => included);
  return [
    ...line(t('cart.discount'), -(discount?.minor ?? 0)),
    ...line(t('cart.fees'), fees?.minor ?? 0),
    ...added.flatMap(({ name, rate, amount }) => line(taxName({ name, rate }, visit), amount.minor)),
    ...line(t('cart.donation'), donation?.minor ?? 0),
    { name: t('cart.total'), amount: priceInWords(total.minor, visit), isTotal: true },
    ...included
      .flatMap(({ name, rate, amount }) =>
        line(t('cart.tax_included', { tax: taxName({ name, rate }, visit) }), amount.minor),
      )
      .map((one) => ({ ...one, isNote: true })),
  ];
}

/** Lines of an order, whose items are the prices that were paid for its places. */
export function orderPriceLines(order: CustomerOrder, visit: Wording): PriceLine[] {
  const { charges = [], taxes = [], discount, status, total, currency } = order;
  const { t } = visit;
  const price = ({ minor }: { minor: number }) => signed(minor, visit, currency);
  const lines = charges.map(({ kind, title, amount }) => ({
    name: title,
    amount: price(amount),
    // The total of an order without places includes its kept money.
    isNote: kind === 'kept' && !isCountedStatus(status),
  }));
  return [
    ...lines.filter(({ isNote }) => !isNote),
    { name: t('cart.total'), amount: price(total), isTotal: true },
    ...lines.filter(({ isNote }) => isNote),
    ...taxes.map(({ rate, amount }) => ({
      name: t(lines.some(({ isNote }) => isNote) ? 'cart.tax_included' : 'order.tax', {
        tax: taxName({ name: t('cart.tax'), rate }, visit),
      }),
      amount: price(amount),
      isNote: true,
    })),
    ...(discount ? [{ name: t('order.discount'), amount: price(discount), isNote: true }] : []),
  ];
}

/** An amount that may be negative. */
const signed = (minor: number, visit: Wording, currency?: string): string =>
  `${minor < 0 ? '\u2212' : ''}${priceInWords(Math.abs(minor), visit, currency)}`;
