import { expect, it } from 'vitest';
import {
  eventOf,
  type NewEvent,
  suggestedEnd,
  ticketOf,
} from '../../../apps/console/features/events/new-event/new-event-input.ts';

const typed: NewEvent = {
  ...{ title: ' Lantern Night ', day: '2027-12-31', from: '18:30', until: '21:00' },
  ...{ entry: 'free', price: '', places: '' },
};
const names = { free: '', replies: 'RSVP', tickets: 'Admission' };

it.each([
  ['18:30', '20:30'],
  ['23:15', '01:15'],
  ['00:00', '02:00'],
])('suggests for a start at %s the end %s', (from, until) => {
  expect(suggestedEnd(from)).toBe(until);
});

it.each([
  [typed, { end_date: '2027-12-31 21:00:00', cost: '0' }],
  [{ ...typed, until: '02:00' }, { end_date: '2028-01-01 02:00:00' }],
])('sends %j', (event, sent) => {
  expect(eventOf(event, 4)).toMatchObject({
    ...{ title: 'Lantern Night', start_date: '2027-12-31 18:30:00', venue: 4 },
    ...sent,
  });
});

it.each([
  [{ entry: 'free' }, undefined],
  [
    { entry: 'replies', places: '' },
    { name: 'RSVP', provider: 'rsvp' },
  ],
  [
    { entry: 'tickets', price: '12.50', places: '80' },
    { name: 'Admission', provider: 'tc', price: '12.50', ticket: { mode: 'own', capacity: '80' } },
  ],
] as const)('makes of %j the ticket %j', (changes, ticket) => {
  expect(ticketOf({ ...typed, ...changes }, names)).toEqual(ticket);
});
