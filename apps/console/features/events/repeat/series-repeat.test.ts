import { describe, expect, it } from 'vitest';
import { isComplete, type Repeat, recurrenceOf } from './repeat-rule.ts';
import { repeatOf } from './series-repeat.ts';

/** A Saturday, the first of its month. */
const SATURDAY = '2027-03-06';

const only = (rrule: string) => ({ rrule, rdates: [], exdates: [] });

describe('the form of a series', () => {
  it.each<[string, Partial<Repeat>]>([
    ['FREQ=DAILY', { pattern: 'daily', end: 'open' }],
    ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=20', { pattern: 'daily', except: ['SA', 'SU'], end: 'count', count: '20' }],
    ['FREQ=DAILY;INTERVAL=3', { pattern: 'daily', interval: '3' }],
    ['FREQ=WEEKLY', { pattern: 'weekly', weekdays: ['SA'] }],
    ['FREQ=WEEKLY;WKST=SU', { pattern: 'weekly', weekdays: ['SA'] }],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TH,MO', { pattern: 'weekly', weekdays: ['TH', 'MO'], interval: '2' }],
    ['FREQ=WEEKLY;BYDAY=SU', { pattern: 'weekly', weekdays: ['SU'] }],
    ['FREQ=WEEKLY;UNTIL=20270630', { pattern: 'weekly', end: 'until', until: '2027-06-30' }],
    ['FREQ=MONTHLY', { pattern: 'monthly', monthly: 'date' }],
    ['FREQ=MONTHLY;BYMONTHDAY=6', { pattern: 'monthly', monthly: 'date' }],
    ['FREQ=MONTHLY;BYDAY=1SA', { pattern: 'monthly', monthly: 'position' }],
    ['FREQ=YEARLY', { pattern: 'yearly' }],
    ['FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=6', { pattern: 'yearly' }],
  ])('shows %s', (rrule, expected) => {
    expect(repeatOf(only(rrule), SATURDAY)).toMatchObject({ isChange: true, ...expected });
  });

  it.each([
    ...['FREQ=WEEKLY;UNTIL=20270630T180000Z', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;WKST=SU', 'FREQ=WEEKLY;COUNT=20000'],
    ...['FREQ=DAILY;INTERVAL=2;BYDAY=MO,SA', 'FREQ=DAILY;BYMONTH=3', 'FREQ=MONTHLY;BYDAY=2SU', 'FREQ=MONTHLY;BYDAY=SA'],
    ...['FREQ=MONTHLY;BYMONTHDAY=6;BYDAY=1SA', 'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1', 'FREQ=MONTHLY;BYMONTHDAY=6,20'],
    ...['FREQ=YEARLY;BYMONTHDAY=6', 'FREQ=YEARLY;BYMONTH=3,9', 'FREQ=YEARLY;BYWEEKNO=10', 'FREQ=YEARLY;BYYEARDAY=65'],
  ])('keeps %s as it is', (rrule) => {
    const days = { rdates: ['2027-03-09'], exdates: ['2027-03-13'] };
    const repeat = repeatOf({ rrule, ...days }, SATURDAY);
    expect(repeat.pattern).toBe('rule');
    expect(recurrenceOf(repeat, SATURDAY)).toEqual({ rrule, ...days });
  });

  it.each([
    { rrule: 'FREQ=WEEKLY;BYDAY=SA', rdates: ['2027-03-01', '2027-03-09'], exdates: [SATURDAY, '2027-03-13'] },
    { rrule: 'FREQ=MONTHLY;BYDAY=1SA;COUNT=5', rdates: [], exdates: [] },
    { rrule: '', rdates: [SATURDAY, '2027-03-09', '2027-04-02'], exdates: [] },
    { rrule: '', rdates: ['2027-03-01', '2027-03-09'], exdates: [] },
  ])('sends %o back as it was', (recurrence) => {
    expect(recurrenceOf(repeatOf(recurrence, SATURDAY), SATURDAY)).toEqual(recurrence);
  });

  it('names the members that become empty, since others would stay', () => {
    const former = repeatOf({ rrule: 'FREQ=WEEKLY', rdates: ['2027-03-09'], exdates: ['2027-03-13'] }, SATURDAY);
    expect(recurrenceOf({ ...former, added: [], leftOut: [] }, SATURDAY)).toMatchObject({ rdates: [], exdates: [] });
    expect(recurrenceOf({ ...former, pattern: 'dates' }, SATURDAY)).toEqual({
      rrule: '',
      rdates: [SATURDAY, '2027-03-09'],
      exdates: [],
    });
  });

  it('may leave the day of the week of the first event, but not every day', () => {
    const weekly = repeatOf(only('FREQ=WEEKLY'), SATURDAY);
    expect(recurrenceOf({ ...weekly, weekdays: ['TU'] }, SATURDAY)).toMatchObject({ rrule: 'FREQ=WEEKLY;BYDAY=TU' });
    expect(isComplete({ ...weekly, weekdays: [] }, SATURDAY)).toBe(false);
    expect(isComplete({ ...weekly, pattern: 'dates', leftOut: [SATURDAY] }, SATURDAY)).toBe(false);
    const daily = repeatOf(only('FREQ=DAILY;BYDAY=SA'), SATURDAY);
    expect(isComplete(daily, SATURDAY)).toBe(true);
    expect(isComplete({ ...daily, except: [...daily.except, 'SA'] }, SATURDAY)).toBe(false);
  });
});
