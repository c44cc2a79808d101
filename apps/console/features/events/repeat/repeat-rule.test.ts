import { describe, expect, it } from 'vitest';
import { isProblem, parseRule } from '../../../../../src/lib/recurrence/recurrence-rule.ts';
import {
  isComplete,
  monthlyChoices,
  NO_REPEAT,
  type Recurrence,
  type Repeat,
  recurrenceOf,
  withDay,
} from './repeat-rule.ts';

/** A Saturday, the first of its month. */
const SATURDAY = '2027-03-06';

describe('the recurrence of the form', () => {
  it.each<[string, Partial<Repeat>, string, Recurrence | undefined]>([
    ['no repetition', {}, SATURDAY, undefined],
    ['every day', { pattern: 'daily' }, SATURDAY, { rrule: 'FREQ=DAILY;COUNT=10' }],
    [
      'every day except Sunday',
      { pattern: 'daily', except: ['SU'], end: 'open' },
      SATURDAY,
      { rrule: 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR,SA' },
    ],
    ['never without the first day', { pattern: 'daily', except: ['SA'] }, SATURDAY, { rrule: 'FREQ=DAILY;COUNT=10' }],
    [
      'every third day, Sundays too',
      { pattern: 'daily', except: ['SU'], interval: '3' },
      SATURDAY,
      { rrule: 'FREQ=DAILY;INTERVAL=3;COUNT=10' },
    ],
    ['every week', { pattern: 'weekly', count: ' 20 ' }, SATURDAY, { rrule: 'FREQ=WEEKLY;BYDAY=SA;COUNT=20' }],
    [
      'every other Monday, Thursday and Saturday until',
      { pattern: 'weekly', weekdays: ['TH', 'MO'], interval: '2', end: 'until', until: '2027-06-30' },
      SATURDAY,
      { rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH,SA;UNTIL=20270630' },
    ],
    ['every year', { pattern: 'yearly', end: 'open' }, SATURDAY, { rrule: 'FREQ=YEARLY' }],
    [
      'single dates, in order and without earlier ones',
      { pattern: 'dates', added: ['2027-04-02', '2027-03-09', '2027-01-01'] },
      SATURDAY,
      { rdates: [SATURDAY, '2027-03-09', '2027-04-02'] },
    ],
    [
      'further and missing dates',
      { pattern: 'weekly', added: ['2027-03-09'], leftOut: ['2027-03-13', SATURDAY] },
      SATURDAY,
      { rrule: 'FREQ=WEEKLY;BYDAY=SA;COUNT=10', rdates: ['2027-03-09'], exdates: ['2027-03-13'] },
    ],
    ['nothing without a day', { pattern: 'weekly' }, '', undefined],
  ])('is %s', (_, repeat, day, expected) => {
    const recurrence = recurrenceOf({ ...NO_REPEAT, ...repeat }, day);
    expect(recurrence).toEqual(expected);
    if (recurrence?.rrule) expect(isProblem(parseRule(recurrence.rrule))).toBe(false);
  });

  it.each<[string, Repeat['monthly'], string, string]>([
    ['the same date', 'date', SATURDAY, ''],
    ['the first Saturday', 'position', SATURDAY, 'BYDAY=1SA;'],
    ['the last Friday', 'last_weekday', '2027-03-26', 'BYDAY=-1FR;'],
    ['the date where the first day is not the last Saturday', 'last_weekday', SATURDAY, ''],
    ['the last day', 'last_day', '2027-02-28', 'BYMONTHDAY=-1;'],
  ])('of each month is %s', (_, monthly, day, days) => {
    const rrule = `FREQ=MONTHLY;${days}COUNT=10`;
    expect(recurrenceOf({ ...NO_REPEAT, pattern: 'monthly', monthly }, day)).toEqual({ rrule });
    expect(isProblem(parseRule(rrule))).toBe(false);
  });

  it.each<[Partial<Repeat>]>([
    [{ interval: '0' }],
    [{ interval: '1001' }],
    [{ interval: 'two' }],
    [{ count: '' }],
    [{ count: '-3' }],
    [{ count: '99999' }],
    [{ end: 'until', until: '' }],
    [{ end: 'until', until: '2027-03-05' }],
  ])('is incomplete with %o', (repeat) => {
    const input: Repeat = { ...NO_REPEAT, pattern: 'weekly', ...repeat };
    expect(isComplete(input, SATURDAY)).toBe(false);
    expect(recurrenceOf(input, SATURDAY)).toBeUndefined();
  });
});

it.each([
  [SATURDAY, ['date', 'position']],
  ['2027-03-26', ['date', 'position', 'last_weekday']],
  ['2027-03-31', ['date', 'last_weekday', 'last_day']],
  ['2028-02-29', ['date', 'last_weekday', 'last_day']],
])('offers the monthly patterns of %s', (day, expected) => {
  expect(monthlyChoices(day)).toEqual(expected);
});

it('leaves out, adds and takes back days', () => {
  const start: Repeat = { ...NO_REPEAT, pattern: 'weekly' };
  const without = withDay(start, '2027-03-13', { isDate: true, first: SATURDAY });
  expect(without.leftOut).toEqual(['2027-03-13']);
  expect(withDay(without, '2027-03-13', { isDate: false, first: SATURDAY })).toEqual(start);
  const further = withDay(start, '2027-03-14', { isDate: false, first: SATURDAY });
  expect(further.added).toEqual(['2027-03-14']);
  expect(withDay(further, '2027-03-14', { isDate: true, first: SATURDAY })).toEqual(start);
});
