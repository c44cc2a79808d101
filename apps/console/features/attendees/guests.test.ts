import { describe, expect, it } from 'vitest';
import type { ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import { guestGroups, labelSheets } from './guests.ts';

const guest = (id: number, full_name: string, more: Partial<ListedAttendee> = {}) =>
  ({
    id,
    full_name,
    ticket_id: 1,
    ticket: 'Adults',
    status: 'publish',
    attendee_status: 'completed',
    ...more,
  }) as ListedAttendee;

const GUESTS = [
  guest(1, 'zoe'),
  guest(2, 'Émile', { ticket_id: 2, ticket: 'Children' }),
  guest(3, 'Ada', { attendee_status: 'yes', checked_in: true }),
  guest(4, 'Ben', { attendee_status: 'pending' }),
  guest(5, 'No', { attendee_status: 'no' }),
  guest(6, 'Gone', { status: 'trash' }),
  guest(7, 'Lapsed', { attendee_status: 'not-completed' }),
];
const shown = (by: 'name' | 'ticket') =>
  guestGroups(GUESTS, by, new Intl.Collator('en')).map(({ title, guests }) => [title, guests.map(({ id }) => id)]);

describe('a guest list', () => {
  it('has expected attendees in the order of their names, together or by ticket', () => {
    expect(shown('name')).toEqual([['', [3, 4, 2, 1]]]);
    expect(shown('ticket')).toEqual([
      ['Adults', [3, 4, 1]],
      ['Children', [2]],
    ]);
  });
});

describe('sheets of labels', () => {
  it.each([
    [0, 0, []],
    [24, 0, [24]],
    [24, 1, [24, 1]],
    [1, 23, [24]],
    // The first sheet has at least one unused label.
    [1, 999_999_999, [24]],
  ])('for %d badges after %d used labels', (count, used, sizes) => {
    const sheets = labelSheets(Array.from({ length: count }), used);
    expect(sheets.map(({ length }) => length)).toEqual(sizes);
  });

  it('begin after the used labels', () => {
    expect(labelSheets(['Ada'], 2)).toEqual([[undefined, undefined, 'Ada']]);
  });
});
