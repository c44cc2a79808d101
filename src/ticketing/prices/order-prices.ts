import { allocate, includedAt, partAt } from '../../lib/money/rates.ts';

/**
 * Prices of an order: from the list prices of its tickets to what is paid. In this order: the discount of a promotion,
 * fees, taxes. All amounts are integers in minor units, all rates thousandths of a percent; everything is rounded half up.
 *
 * - A discount reduces the price of each place, never below 0. One of an amount is divided among the places by largest
 *   remainder.
 * - Fees are charged on places that cost something. A rate is applied to what is paid for the places before added taxes.
 * - Tax is computed once for each line, and for each fee. Its parts in the places of a line, which may differ by one minor
 *   unit, add up to it.
 * - A donation is added last: it has neither discount, fees nor tax.
 */

export interface TaxRate {
  name: string;
  rate: number;
  /** Whether prices include the tax; otherwise it is added to them. */
  included: boolean;
}

/** Places of one ticket, or of one series pass, at one price. */
export interface ListedLine {
  ticket_id: number;
  event_id: number;
  /** As in `tickets`. */
  pass_id?: number | null;
  /** Whether only a promotion opens the ticket. */
  isHidden?: boolean;
  quantity: number;
  /** List price of a place. */
  price: number;
  tax: TaxRate | undefined;
}

export interface Discount {
  /** `price`: a price instead of a higher one. */
  kind: 'percent' | 'amount' | 'price';
  value: number;
  appliesTo(line: ListedLine): boolean;
}

export interface Fee {
  id: number;
  name: string;
  fixed: number;
  rate: number;
  per: 'order' | 'ticket';
  /** Event whose places it is charged on; null for all places. */
  event_id: number | null;
  tax?: TaxRate;
}

/** Terms besides list prices under which an order is sold. */
export interface PriceTerms {
  fees: readonly Fee[];
  discount?: Discount;
  /** Minor units, with the name of the charge. */
  donation?: { amount: number; title: string };
}

/** Places of a line that cost the same. */
interface PricedPlaces {
  quantity: number;
  /** Price of a place, with added tax. */
  price: number;
  /** Tax in the prices of all these places. */
  tax: number;
}

/** An amount besides the prices of places. */
export interface Charge {
  kind: 'fee' | 'donation';
  title: string;
  quantity: number;
  /** With added tax. */
  amount: number;
  tax_rate: number;
  tax: number;
  source_id: number | null;
}

/** Sums before added taxes: `items - discount + fees + added taxes + donation = total`. */
export interface OrderTotals {
  /** List prices of all places. */
  items: number;
  discount: number;
  fees: number;
  /** 0 for none. */
  donation: number;
  taxes: readonly (TaxRate & { amount: number })[];
  total: number;
}

export interface OrderPrices {
  /** The places of each line, dearest first. */
  lines: readonly PricedPlaces[][];
  charges: readonly Charge[];
  totals: OrderTotals;
}

/** Computes the prices of an order. */
export function priceOrder(lines: readonly ListedLine[], { fees, discount, donation }: PriceTerms): OrderPrices {
  const reduced = reducedPrices(lines, discount);
  const places = lines.map((line, at) => taxedPlaces(reduced[at] ?? [], line.tax));
  const bases = fees.flatMap((fee) => feeBase(fee, lines, reduced));
  const charged = bases.map(({ fee, quantity, amount }) => ({ fee, quantity, ...taxed(amount, fee.tax) }));
  const feeCharges = charged.map(
    ({ fee, quantity, amount, tax }): Charge => ({
      kind: 'fee',
      title: fee.name,
      quantity,
      amount,
      tax_rate: fee.tax?.rate ?? 0,
      tax,
      source_id: fee.id,
    }),
  );
  const charges = [...feeCharges, ...donationCharges(donation)];
  const items = sum(lines.map(({ price, quantity }) => price * quantity));
  const taxes = [
    ...lines.map(({ tax }, at) => ({ rate: tax, amount: sum((places[at] ?? []).map((one) => one.tax)) })),
    ...charged.map(({ fee, tax }) => ({ rate: fee.tax, amount: tax })),
  ];
  return {
    lines: places,
    charges,
    totals: {
      items,
      discount: items - sum(reduced.flat()),
      fees: sum(bases.map(({ amount }) => amount)),
      donation: donation?.amount ?? 0,
      taxes: taxesByRate(taxes),
      total:
        sum(places.flat().map(({ price, quantity }) => price * quantity)) + sum(charges.map(({ amount }) => amount)),
    },
  };
}

const donationCharges = (donation: PriceTerms['donation']): Charge[] =>
  donation && donation.amount > 0
    ? [{ kind: 'donation', ...donation, quantity: 1, tax_rate: 0, tax: 0, source_id: null }]
    : [];

/** How much a discount takes off the list prices of lines. */
export const reductionOf = (lines: readonly ListedLine[], discount: Discount): number =>
  sum(lines.map(({ price, quantity }) => price * quantity)) - sum(reducedPrices(lines, discount).flat());

/**
 * Whether a limit to an event covers a line. No limit covers series passes, which are for many events; `null` is no
 * limit, and covers all lines.
 */
export const isOfEvent = ({ event_id, pass_id = null }: ListedLine, limit: number | null): boolean =>
  limit === null || (pass_id === null && event_id === limit);

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/** The price of each place of each line after the discount, before added taxes. */
function reducedPrices(lines: readonly ListedLine[], discount: Discount | undefined): number[][] {
  const listed = lines.map(({ quantity, price }) => Array.from({ length: quantity }, () => price));
  if (!discount) return listed;
  const { kind, value } = discount;
  const isReduced = lines.map((line) => discount.appliesTo(line));
  if (kind === 'amount') {
    const weights = listed.map((prices, at) => prices.map((price) => (isReduced[at] ? price : 0)));
    return less(listed, allocate(Math.min(value, sum(weights.flat())), weights.flat()));
  }
  const reduce = (price: number) =>
    kind === 'price' ? Math.min(price, value) : Math.max(0, price - partAt(price, value));
  return listed.map((prices, at) => (isReduced[at] ? prices.map(reduce) : prices));
}

/** Prices less the parts of a discount, which are in the same order. */
function less(prices: readonly number[][], parts: readonly number[]): number[][] {
  let at = 0;
  return prices.map((line) => line.map((price) => price - (parts[at++] ?? 0)));
}

/** An amount with added tax, and the tax that it then includes. */
function taxed(amount: number, tax: TaxRate | undefined): { amount: number; tax: number } {
  if (!tax) return { amount, tax: 0 };
  if (tax.included) return { amount, tax: includedAt(amount, tax.rate) };
  const added = partAt(amount, tax.rate);
  return { amount: amount + added, tax: added };
}

/** The places of a line with their parts of its tax, by what they cost. */
function taxedPlaces(prices: readonly number[], rate: TaxRate | undefined): PricedPlaces[] {
  const parts = rate ? allocate(taxed(sum(prices), rate).tax, prices) : [];
  const places = prices.map((price, at) => {
    const tax = parts[at] ?? 0;
    return { price: rate && !rate.included ? price + tax : price, tax };
  });
  return [...Map.groupBy(places, ({ price }) => price)]
    .map(([price, same]) => ({ quantity: same.length, price, tax: sum(same.map(({ tax }) => tax)) }))
    .sort((one, other) => other.price - one.price);
}

/** Amount of a fee before added tax; none if no place that it is charged on costs anything. */
function feeBase(
  fee: Fee,
  lines: readonly ListedLine[],
  reduced: readonly number[][],
): { fee: Fee; quantity: number; amount: number }[] {
  const { fixed, rate, per, event_id } = fee;
  const paid = lines.flatMap((line, at) =>
    isOfEvent(line, event_id) ? (reduced[at] ?? []).filter((price) => price > 0) : [],
  );
  if (paid.length === 0) return [];
  const amount =
    per === 'order' ? fixed + partAt(sum(paid), rate) : sum(paid.map((price) => fixed + partAt(price, rate)));
  return amount === 0 ? [] : [{ fee, quantity: per === 'order' ? 1 : paid.length, amount }];
}

/** Sums of taxes, the highest rate first. */
function taxesByRate(taxes: readonly { rate: TaxRate | undefined; amount: number }[]): OrderTotals['taxes'] {
  const named = taxes.flatMap(({ rate, amount }) => (rate && amount > 0 ? { ...rate, amount } : []));
  const groups = Map.groupBy(named, ({ name, rate, included }) => JSON.stringify([name, rate, included]));
  return [...groups.values()]
    .flatMap(([first, ...others]) =>
      first ? { ...first, amount: first.amount + sum(others.map(({ amount }) => amount)) } : [],
    )
    .sort((one, other) => other.rate - one.rate);
}
