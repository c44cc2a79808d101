import { describe, expect, it } from 'vitest';
import {
  addDaysToDay,
  columnOf,
  daySpanOf,
  daysBetween,
  isDay,
  lastDayOf,
  monthAfter,
  monthSheet,
  weekStart,
} from './month.ts';

const MONDAY = 1;
const SUNDAY = 7;

describe('days and months', () => {
  it.each([
    ['2027-03', 1, '2027-04'],
    ['2027-12', 1, '2028-01'],
    ['2027-01', -1, '2026-12'],
    ['2027-03', -15, '2025-12'],
    ['0001-12', 1, '0002-01'],
  ])('%s and %i months are %s', (month, months, expected) => {
    expect(monthAfter(month, months)).toBe(expected);
  });

  it.each([
    ['2028-02-29', true],
    ['0001-01-01', true],
    ['9999-12-31', true],
    ['2027-02-29', false],
    ['2027-13-01', false],
    ['2027-00-01', false],
    ['2027-01-00', false],
    ['0000-00-00', false],
    ['0000-02-01', false],
    ['10000-01-01', false],
    ['-2027-01-01', false],
    ['2027-1-1', false],
    ['', false],
  ])('%j is a day: %s', (text, expected) => {
    expect(isDay(text)).toBe(expected);
  });

  it.each([
    ['2027-02', '2027-02-28'],
    ['2028-02', '2028-02-29'],
    ['2027-12', '2027-12-31'],
  ])('the last day of %s is %s', (month, day) => {
    expect(lastDayOf(month)).toBe(day);
    expect(addDaysToDay(day).slice(8)).toBe('01');
  });

  it('include both ends', () => {
    expect(daysBetween('2027-02-27', '2027-03-02')).toEqual(['2027-02-27', '2027-02-28', '2027-03-01', '2027-03-02']);
    expect(daysBetween('2027-03-02', '2027-03-01')).toEqual([]);
  });

  it.each([
    ['2027-03-06', MONDAY, 6, '2027-03-01'],
    ['2027-03-07', MONDAY, 7, '2027-03-01'],
    ['2027-03-07', SUNDAY, 1, '2027-03-07'],
    ['2027-03-06', SUNDAY, 7, '2027-02-28'],
    ['2027-03-05', 6, 7, '2027-02-27'],
  ])('%s in a week from weekday %i is in column %i and the week of %s', (day, first, column, start) => {
    expect([columnOf(day, first), weekStart(day, first)]).toEqual([column, start]);
  });

  it.each([
    ['2027-03-06 18:30:00', '2027-03-06 21:00:00', '2027-03-06', '2027-03-06'],
    ['2027-03-06 00:00:00', '2027-03-07 23:59:59', '2027-03-06', '2027-03-07'],
    ['2027-03-06 20:00:00', '2027-03-07 00:00:00', '2027-03-06', '2027-03-06'],
    ['2027-03-06 22:00:00', '2027-03-07 05:00:00', '2027-03-06', '2027-03-06'],
    ['2027-03-06 10:00:00', '2027-03-07 05:00:00', '2027-03-06', '2027-03-07'],
    ['2027-03-06 22:00:00', '2027-03-08 03:00:00', '2027-03-06', '2027-03-08'],
    ['2027-03-06 18:30:00', '2027-03-06 18:30:00', '2027-03-06', '2027-03-06'],
  ])('%s to %s is from %s to %s', (start, end, first, last) => {
    expect(daySpanOf(start, end)).toEqual({ first, last });
  });
});

/** `name:first-last` by days of March 2027, which begins on a Monday; days may be outside the month. */
const entries = (text: string) =>
  text.split(' ').map((entry) => {
    const [name = '', days = ''] = entry.split(':');
    const [first = 1, last = first] = days.split('-').map(Number);
    return { name, first: addDaysToDay('2027-02-28', first), last: addDaysToDay('2027-02-28', last) };
  });

const sheetOf = (text: string, { lanes = 4, firstWeekday = MONDAY } = {}) =>
  monthSheet(entries(text), { month: '2027-03', firstWeekday, lanes, spanOf: (entry) => entry })
    .filter(({ bars, hidden }) => bars.length + hidden > 0)
    .map(({ day, bars, hidden }) =>
      [
        `${Number(day.slice(8))}:`,
        ...bars.map(({ entry, lane, length, isContinued, goesOn }) =>
          [isContinued && '<', entry.name, lane, length > 1 && `x${length}`, goesOn && '>'].filter(Boolean).join(''),
        ),
        ...(hidden > 0 ? [`+${hidden}`] : []),
      ].join(' '),
    );

describe('the sheet of a month', () => {
  it.each([
    ['a:1 b:1 c:3', ['1: a1 b2', '3: c1']],
    ['a:1 b:1-3 c:3', ['1: b1x3 a2', '3: c2']],
    ['a:5-9', ['5: a1x3>', '8: <a1x2']],
    ['a:30-40', ['30: a1x2>']],
    ['a:1 b:1 c:1 d:1 e:1 f:1', ['1: a1 b2 c3 d4 +2']],
    ['a:1-2 b:2-3 c:3', ['1: a1x2', '2: b2x2', '3: c3']],
    ['a:1 b:2-3', ['1: a2', '2: b1x2']],
    ['a:1 b:1 c:1 d:1 e:2-3', ['1: a1 b2 c3 d4', '2: e1x2']],
    ['a:1-2 b:2-3 c:1-3 d:2-4 e:1', ['1: c1x3 a2x2 e3', '2: d3x3 b4x2']],
    ['a:40 b:1', ['1: b1']],
  ])('has for %s the days %j', (text, days) => {
    expect(sheetOf(text)).toEqual(days);
  });

  it('has entries that began before the month on its first day', () => {
    const entry = { name: 'a', first: '2027-02-20', last: '2027-03-09' };
    const days = monthSheet([entry], { month: '2027-03', firstWeekday: MONDAY, lanes: 4, spanOf: (one) => one });
    const bars = days.flatMap(({ day, bars: own }) => own.map((bar) => ({ day, ...bar })));
    expect(bars).toEqual([
      { day: '2027-03-01', entry, lane: 1, length: 7, isContinued: true, goesOn: true },
      { day: '2027-03-08', entry, lane: 1, length: 2, isContinued: true, goesOn: false },
    ]);
  });

  it('counts an entry without a lane on each of its days', () => {
    expect(sheetOf('a:1 b:1 c:1-2 d:2', { lanes: 2 })).toEqual(['1: c1x2 a2 +1', '2: d2']);
    expect(sheetOf('a:1-2 b:1-2', { lanes: 1 })).toEqual(['1: a1x2 +1', '2: +1']);
  });

  it('begins its weeks as the language does', () => {
    expect(sheetOf('a:6-7', { firstWeekday: SUNDAY })).toEqual(['6: a1>', '7: <a1']);
  });
});
