import { expect, it } from 'vitest';
import { linesOf } from './order-lines.ts';

const amount = (minor: number) => ({ minor, formatted: '' });
const item = (ticket_id: number, minor: number, more: object = {}) => ({
  ...{ ticket_id, event_id: 100 + ticket_id, title: 'All', quantity: 2 },
  ...{ price: amount(minor), subtotal: amount(2 * minor), ...more },
});

it('shows the dates of a pass as one line, with its price', () => {
  const pass = { ticket_id: 2 };
  const lines = linesOf([
    item(1, 334, { pass }),
    item(2, 333, { pass }),
    item(3, 333, { pass, cancelled: 1 }),
    item(9, 5),
  ]);
  expect(lines).toMatchObject([
    {
      ticket_id: 2,
      event_id: 102,
      quantity: 2,
      price: { minor: 1000 },
      subtotal: { minor: 2000 },
      cancelled: 1,
      dates: 3,
    },
    { ticket_id: 9, quantity: 2, price: { minor: 5 }, dates: 0 },
  ]);
});
