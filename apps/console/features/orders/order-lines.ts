import type { FullOrder } from '../../../../packages/client/src/marquee-client.ts';

export type Line = FullOrder['items'][number] & {
  /** Number of dates of a series pass; 0 without one. */
  dates: number;
};

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** The lines of an order: the dates of a series pass are one line, under the event that it was bought for. */
export const linesOf = (items: FullOrder['items']): Line[] =>
  items.flatMap((item) => {
    const { pass } = item;
    if (!pass) return [{ ...item, dates: 0 }];
    const dates = items.filter((one) => one.pass?.ticket_id === pass.ticket_id);
    return dates[0] === item ? [lineOfPass(item, dates)] : [];
  });

function lineOfPass(first: FullOrder['items'][number], dates: FullOrder['items']): Line {
  const chosen = dates.find(({ ticket_id, pass }) => ticket_id === pass?.ticket_id) ?? first;
  const minor = (amount: 'price' | 'subtotal') => sumOf(dates.map((date) => date[amount].minor));
  return {
    ...chosen,
    quantity: Math.max(...dates.map(({ quantity }) => quantity)),
    price: { ...chosen.price, minor: minor('price') },
    subtotal: { ...chosen.subtotal, minor: minor('subtotal') },
    cancelled: sumOf(dates.map(({ cancelled = 0 }) => cancelled)),
    dates: dates.length,
  };
}
