import { differenceByRate, type RatePart, shareByRate, sumByRate } from '../../lib/money/rate-parts.ts';
import { allocate } from '../../lib/money/rates.ts';
import type { InvoiceBody, InvoiceLine } from '../ledger/invoices.ts';
import type { Charge } from '../ledger/payments.ts';
import type { OrderItem } from '../orders/store.ts';

/**
 * Lines of invoices. The next document states the current price of an order less its invoices. So the documents add up
 * to the price, line by line, whatever happened and however often they are computed.
 */

/** Names of a ticket, in the language of the order. */
export type PlaceNames = Pick<InvoiceLine, 'title' | 'event' | 'from' | 'until'>;

const NO_PLACE = { event: '', from: '', until: '' };

/** The places of an order that are not cancelled. */
export const placeLines = (items: readonly OrderItem[], nameOf: (item: OrderItem) => PlaceNames): InvoiceLine[] =>
  items.flatMap((item): InvoiceLine[] => {
    const { ticket_id, price, quantity, cancelled, tax_rate, tax } = item;
    const left = quantity - cancelled;
    if (left <= 0) return [];
    return [
      {
        key: `place-${ticket_id}-${price}`,
        kind: 'place',
        ...nameOf(item),
        quantity: left,
        unit_price: price,
        tax_rate,
        tax,
        total: price * left,
      },
    ];
  });

/** Amounts of an order besides its places. */
export const chargeLines = (charges: readonly Charge[]): InvoiceLine[] =>
  charges.map(({ id, kind, title, quantity, amount, tax_rate, tax }) => ({
    key: `charge-${id}`,
    kind,
    title,
    ...NO_PLACE,
    ...perUnit(quantity, amount),
    tax_rate,
    tax,
    total: amount,
  }));

/** Money still to be given back for places and charges that an order no longer has, at their tax rates. */
export const balanceLines = (parts: readonly RatePart[], title: string): InvoiceLine[] =>
  parts.map(({ tax_rate, amount, tax }) => ({
    key: `balance-${tax_rate}`,
    kind: 'balance',
    title,
    ...NO_PLACE,
    quantity: 1,
    unit_price: amount,
    tax_rate,
    tax,
    total: amount,
  }));

/** Divides an amount by tax rate, in the proportions of the money by which `before` exceeds `now`. */
export const shareOfRemoved = (
  amount: number,
  { before, now }: { before: readonly InvoiceLine[]; now: readonly InvoiceLine[] },
): RatePart[] => shareByRate(amount, differenceByRate(before.map(partOf), now.map(partOf)));

const partOf = ({ tax_rate, total, tax }: InvoiceLine): RatePart => ({ tax_rate, amount: total, tax });

/**
 * Whether lines both add and take back: places, as after a move to another ticket, or money at different tax rates.
 * Neither an invoice nor a credit note can state them.
 */
export function needsRestating(lines: readonly InvoiceLine[]): boolean {
  const areBoth = (values: readonly number[]) => values.some((value) => value > 0) && values.some((value) => value < 0);
  const places = lines.filter(({ kind }) => kind === 'place').map(({ quantity }) => quantity);
  return (
    areBoth(places) || areBoth(taxesOf(lines).flatMap(({ net, tax }) => [net + tax, totalOf(lines) === 0 ? tax : 0]))
  );
}

/** Part of the discount of an order in the lines of an invoice, by their share in the price of all its places. */
export function discountIn(lines: readonly InvoiceLine[], discount: number, items: readonly OrderItem[]): number {
  const stated = lines.filter(({ kind, quantity }) => kind === 'place' && quantity > 0);
  const price = items.reduce((sum, item) => sum + item.price * item.quantity, 0);
  const [part, all] =
    price > 0
      ? [totalOf(stated), price]
      : [
          stated.reduce((sum, { quantity }) => sum + quantity, 0),
          items.reduce((sum, { quantity }) => sum + quantity, 0),
        ];
  return allocate(discount, [part, Math.max(0, all - part)])[0] ?? 0;
}

/** Quantity and unit price of an amount; 1 if it is not a multiple of the quantity. */
const perUnit = (quantity: number, total: number): Pick<InvoiceLine, 'quantity' | 'unit_price'> =>
  quantity !== 0 && total % quantity === 0
    ? { quantity, unit_price: total / quantity }
    : { quantity: 1, unit_price: total };

/**
 * The lines of several documents together, without those that add up to nothing. Places of a ticket may have had
 * different tax rates, as after moves.
 */
export function sumOfLines(documents: readonly { sign: 1 | -1; lines: readonly InvoiceLine[] }[]): InvoiceLine[] {
  const signed = documents.flatMap(({ sign, lines }) => lines.map((line) => scaled(line, sign)));
  return [...Map.groupBy(signed, ({ key, tax_rate }) => `${key} ${tax_rate}`).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const sum = (value: (line: InvoiceLine) => number) => same.reduce((all, line) => all + value(line), 0);
    const [quantity, tax, total] = [sum((line) => line.quantity), sum((line) => line.tax), sum((line) => line.total)];
    if (quantity === 0 && tax === 0 && total === 0) return [];
    return [{ ...first, ...perUnit(quantity, total), tax, total }];
  });
}

/** A line, or the same line taken back. */
const scaled = (line: InvoiceLine, sign: 1 | -1): InvoiceLine => ({
  ...line,
  quantity: line.quantity * sign,
  tax: line.tax * sign,
  total: line.total * sign,
});

/** Lines with the opposite amounts. */
export const opposite = (lines: readonly InvoiceLine[]): InvoiceLine[] => sumOfLines([{ sign: -1, lines }]);

export const totalOf = (lines: readonly InvoiceLine[]): number => lines.reduce((sum, { total }) => sum + total, 0);

/** The taxes in lines by rate, the highest first; none if all have the rate 0. */
export function taxesOf(lines: readonly InvoiceLine[]): InvoiceBody['taxes'] {
  if (lines.every(({ tax_rate }) => tax_rate === 0)) return [];
  return sumByRate(lines.map(partOf))
    .map(({ tax_rate: rate, amount, tax }) => ({ rate, net: amount - tax, tax }))
    .filter(({ net, tax }) => net !== 0 || tax !== 0)
    .sort((one, other) => other.rate - one.rate);
}
