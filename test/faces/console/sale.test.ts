import { expect, it } from 'vitest';
import {
  byCounterOrder,
  changeOf,
  createSaleKeys,
  itemsOf,
  offersOf,
  totalOf,
} from '../../../apps/console/features/counter/sale.ts';
import type { EventStock, Ticket } from '../../../packages/client/src/marquee-client.ts';

const ticket = (id: number, fields: object = {}) =>
  ({
    id,
    title: `T${id}`,
    provider: 'tc',
    status: 'publish',
    on_sale: false,
    sale_price_data: {},
    ...fields,
  }) as Ticket;
const cost = (value: string) => ({ cost_details: { values: [value] } });
const stock = {
  tickets: [
    { ticket_id: 1, available: 3 },
    { ticket_id: 2, available: -1 },
    { ticket_id: 3, available: 0 },
  ],
} as EventStock;

it('offers tickets at the price of today with their remaining places, and no RSVPs', () => {
  const reduced = { on_sale: true, sale_price_data: { sale_price: '7.5' }, ...cost('10') };
  const tickets = [ticket(1, cost('10.10')), ticket(2, reduced), ticket(3, cost('')), ticket(4, { provider: 'rsvp' })];
  const offers = offersOf(tickets, stock);
  expect(offers.map(({ ticket_id, price, available }) => [ticket_id, price, available])).toEqual([
    [1, 10.1, 3],
    [2, 7.5, 100],
    [3, 0, 0],
  ]);
  expect(totalOf(offers, { 1: 3, 2: 1 })).toBe(37.8);
  expect(itemsOf({ 1: 3, 2: 0 })).toEqual([{ ticket_id: 1, quantity: 3 }]);
});

it('has one key for a sale however often it is sent, and another for the next one', () => {
  const made = ['key-1', 'key-2', 'key-3'];
  const keys = createSaleKeys(() => made.shift() ?? '');
  const sale = { items: [{ ticket_id: 1, quantity: 2 }] };
  expect([keys.keyOf(sale), keys.keyOf({ ...sale })]).toEqual(['key-1', 'key-1']);
  expect(keys.keyOf({ items: [] })).toBe('key-2');
  keys.finish();
  expect(keys.keyOf({ items: [] })).toBe('key-3');
});

it('offers published upcoming events first, then past ones, the latest first, and drafts last', () => {
  const event = (id: number, status: string, day: string) => ({
    id,
    status,
    utc_start_date: `${day} 19:00:00`,
    utc_end_date: `${day} 21:00:00`,
  });
  const next = event(1, 'publish', '2027-03-07');
  const later = event(2, 'publish', '2027-04-01');
  const past = event(3, 'publish', '2027-03-05');
  const older = event(4, 'private', '2026-03-05');
  const draft = event(5, 'draft', '2027-03-06');
  const sorted = byCounterOrder([draft, older, later, past, next, later], '2027-03-06 12:00:00');
  expect(sorted.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
});

it('calculates the change for the received amount', () => {
  expect([changeOf(50, 37.8), changeOf(37.8, 37.8), changeOf(20, 37.8)]).toEqual([12.2, 0, -17.8]);
});
