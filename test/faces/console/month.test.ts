import { expect, it } from 'vitest';
import { daysOfWeek, movedTo, weekOf, weeksOf } from '../../../apps/console/features/events/calendar/month.ts';

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

it('shows events of several days as one bar a week, each in a lane of its own', () => {
  const event = (name: string, start_date: string, end_date: string) => ({ name, start_date, end_date });
  const exhibition = event('exhibition', '2027-02-25 10:00:00', '2027-03-03 18:00:00');
  const festival = event('festival', '2027-03-03 10:00:00', '2027-03-04 23:00:00');
  const fair = event('fair', '2027-03-05 10:00:00', '2027-03-14 23:00:00');
  const night = event('night', '2027-03-02 22:00:00', '2027-03-03 02:00:00');
  const days = daysOfWeek(weekOf('2027-03-01'), [fair, night, festival, exhibition]);
  const shown = days.map(({ lanes, events }) => [
    ...lanes.map((bar) => bar && `${bar.event.name}${bar.isFirst ? ` for ${bar.days}` : ''}`),
    ...events.map(({ name }) => name),
  ]);
  expect(shown).toEqual([
    ['exhibition for 3'],
    ['exhibition', 'night'],
    ['exhibition', 'festival for 2'],
    [undefined, 'festival'],
    ['fair for 3'],
    ['fair'],
    ['fair'],
  ]);
});
