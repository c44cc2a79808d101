import { describe, expect, it } from 'vitest';
import type { ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import { cancelCall, planCancellation, sumCancellation } from './cancellation.ts';

type Shown = Pick<ListedAttendee, 'order_id' | 'status' | 'checked_in' | 'attendee_status'>;

const attendee = (id: number, shown: Partial<Shown> = {}): ListedAttendee =>
  // The plan looks at these members only.
  ({ id, order_id: 1, status: 'publish', checked_in: false, attendee_status: 'completed', ...shown }) as ListedAttendee;

const idsOf = (rows: readonly ListedAttendee[]) => rows.map(({ id }) => id);

describe('the plan of a cancellation', () => {
  it('cancels the places of attendees who are not inside, grouped by their order', () => {
    const rows = [attendee(1), attendee(2, { order_id: 7 }), attendee(3)];
    const { orders, ...others } = planCancellation(rows);
    expect(orders.map(({ id, attendees }) => [id, idsOf(attendees)])).toEqual([
      [1, [1, 3]],
      [7, [2]],
    ]);
    expect(others).toEqual({ archived: 0, inside: 0, rsvps: 0 });
  });

  it.each([
    ['archived', { status: 'trash' }],
    ['archived', { status: 'trash', checked_in: true }],
    ['archived', { status: 'trash', order_id: null }],
    ['inside', { checked_in: true }],
    ['inside', { checked_in: true, order_id: null }],
    ['rsvps', { order_id: null, attendee_status: 'yes' }],
  ] as const)('leaves out and counts as %s: %j', (counted, shown) => {
    const none = { orders: [], archived: 0, inside: 0, rsvps: 0 };
    expect(planCancellation([attendee(1, shown)])).toEqual({ ...none, [counted]: 1 });
  });
});

describe('the sum of what is cancelled', () => {
  const order = (id: number, attendee_status = 'completed') => ({
    id,
    attendees: [attendee(id * 10, { attendee_status }), attendee(id * 10 + 1, { attendee_status })],
  });
  const answer = (status: string, minor: number, { archived = [1, 2], currency = 'EUR' } = {}) => ({
    status,
    currency,
    changes: { archived, paid: { minor, formatted: '' } },
  });

  it('has the places, the orders that become void, and what was paid in each currency', () => {
    const changed = [order(1), order(2), order(3, 'pending'), order(4), order(5)];
    const answers = [
      answer('voided', 2000),
      answer('completed', 550, { archived: [20] }),
      // It is unpaid.
      answer('voided', 900),
      answer('completed', 100, { currency: 'CHF' }),
      // Another user has cancelled it meanwhile.
      answer('voided', 0, { archived: [] }),
    ];
    expect(sumCancellation({ tried: 5, of: 5, changed, answers, failed: [] })).toEqual({
      orders: changed,
      places: 7,
      voided: 2,
      paid: new Map([
        ['EUR', 2550],
        ['CHF', 100],
      ]),
      refused: [],
    });
  });

  it('leaves out the orders that refuse, and says how many places they keep', () => {
    const error = new Error('refused');
    const failed = [{ row: order(2), error }];
    const state = { tried: 2, of: 2, changed: [order(1)], answers: [answer('voided', 0)], failed };
    expect(sumCancellation(state)).toMatchObject({ orders: [{ id: 1 }], places: 2, refused: [{ error, places: 2 }] });
  });
});

it('asks with the same attendees what it would do', () => {
  const places = { id: 4, attendees: [attendee(1), attendee(2)] };
  const { body: asked, ...preview } = cancelCall(places, { dry_run: true });
  const { body: done, ...act } = cancelCall(places, { reason: 'Ill' });
  expect(preview).toEqual(act);
  expect(asked).toEqual({ attendees: [1, 2], dry_run: true });
  expect(done).toEqual({ attendees: [1, 2], reason: 'Ill' });
});
