import { type ListedLine, type OrderPrices, type PriceTerms, priceOrder } from '../prices/order-prices.ts';
import type { SitePrices } from '../prices/site-prices.ts';
import type { NewOrder, NewOrderItem } from './create-order.ts';

/** Seats of one ticket at its list price. */
export type ListedItem = Pick<NewOrderItem, 'ticket' | 'price' | 'attendees' | 'dates'>;

type Priced = Pick<NewOrder, 'items' | 'charges' | 'discount'> & Pick<OrderPrices, 'totals'>;

/** The lines of items at list prices. */
export const listedLinesOf = (listed: readonly ListedItem[], taxRates: SitePrices['taxRates']): ListedLine[] =>
  listed.map(({ ticket, price, attendees }) => ({
    ticket_id: ticket.id,
    event_id: ticket.event_id,
    pass_id: ticket.pass_id,
    isHidden: ticket.requires_code === 1,
    quantity: attendees.length,
    price,
    tax: taxRates.get(ticket.tax_rate_id ?? 0),
  }));

/**
 * The items of a new order with what they cost, and its charges. Seats of one ticket that cost different amounts are
 * several items.
 */
export function pricedItems(
  listed: readonly ListedItem[],
  { taxRates, fees }: SitePrices,
  terms: Omit<PriceTerms, 'fees'> = {},
): Priced {
  const lines = listedLinesOf(listed, taxRates);
  const { lines: priced, charges, totals } = priceOrder(lines, { ...terms, fees });
  const items = listed.flatMap((item, at) => {
    let from = 0;
    return (priced[at] ?? []).map(({ quantity, price, tax }): NewOrderItem => {
      const attendees = item.attendees.slice(from, from + quantity);
      from += quantity;
      return { ...item, price, tax, tax_rate: lines[at]?.tax?.rate ?? 0, attendees };
    });
  });
  return { items, charges, discount: totals.discount, totals };
}
