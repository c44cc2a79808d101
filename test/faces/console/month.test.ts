import { expect, it } from 'vitest';
import { movedTo, weeksOf } from '../../../apps/console/features/events/calendar/month.ts';

it.each([
  ['2027-02', '2027-02-01', '2027-02-28', 4],
  ['2027-03', '2027-03-01', '2027-04-04', 5],
  ['2028-10', '2028-09-25', '2028-11-05', 6],
])('shows of %s the days from %s to %s', (month, first, last, weeks) => {
  const shown = weeksOf(month);
  expect([shown[0]?.[0], shown.at(-1)?.[6], shown.length]).toEqual([first, last, weeks]);
});

it('moves an event over midnight with its length', () => {
  const night = { start_date: '2027-02-27 22:00:00', end_date: '2027-02-28 03:00:00' };
  expect(movedTo('2027-02-28', night)).toEqual({
    start_date: '2027-02-28 22:00:00',
    end_date: '2027-03-01 03:00:00',
  });
});
