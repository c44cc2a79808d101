import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { isZone, localToUtc } from '../dates/dates.ts';
import { type Day, expand, expandOnce, type Recurrence } from './recurrence.ts';
import { formatRule, isProblem, parseRule, type RecurrenceRule } from './recurrence-rule.ts';

function ruleOf(text: string): RecurrenceRule {
  const rule = parseRule(text);
  if (isProblem(rule)) throw new Error(`${text}: ${JSON.stringify(rule)}`);
  return rule;
}

const days = (recurrence: Partial<Recurrence> & { text?: string }, expansion: Partial<Parameters<typeof expand>[1]>) =>
  expand(
    {
      rule: recurrence.text === undefined ? undefined : ruleOf(recurrence.text),
      rdates: [],
      exdates: [],
      ...recurrence,
    },
    {
      start: '2027-01-04 19:00:00',
      zone: 'Europe/Paris',
      isAllDay: false,
      until: '2032-12-31',
      ...expansion,
    },
  );

/** Rules with a first day that is one of theirs. */
const RULES: readonly [start: Day, rule: string][] = [
  ['2027-01-04', 'FREQ=DAILY'],
  ['2027-01-04', 'FREQ=DAILY;INTERVAL=3'],
  ['2027-01-04', 'FREQ=DAILY;COUNT=10'],
  ['2027-01-04', 'FREQ=DAILY;UNTIL=20270131T190000'],
  ['2027-01-04', 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR'],
  ['2027-01-04', 'FREQ=DAILY;BYMONTH=1,2'],
  ['2027-01-10', 'FREQ=DAILY;BYMONTHDAY=10,20,30'],
  ['2027-01-04', 'FREQ=DAILY;INTERVAL=2;BYMONTH=1'],
  ['2027-01-04', 'FREQ=WEEKLY'],
  ['2027-01-04', 'FREQ=WEEKLY;BYDAY=MO'],
  ['2027-01-04', 'FREQ=WEEKLY;BYDAY=MO,TH'],
  ['2027-01-04', 'FREQ=WEEKLY;BYDAY=MO,TH;COUNT=7'],
  ['2027-01-04', 'FREQ=WEEKLY;INTERVAL=2'],
  ['2027-01-04', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU'],
  ['2027-01-05', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU'],
  ['2027-01-05', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO'],
  ['2027-01-04', 'FREQ=WEEKLY;BYMONTH=1,6'],
  ['2027-01-04', 'FREQ=WEEKLY;UNTIL=20270630T170000Z'],
  ['2027-01-04', 'FREQ=WEEKLY;INTERVAL=4;BYDAY=MO,WE,FR'],
  ['2027-01-03', 'FREQ=WEEKLY;WKST=SU'],
  ['2027-01-15', 'FREQ=MONTHLY'],
  ['2027-01-31', 'FREQ=MONTHLY'],
  ['2027-01-30', 'FREQ=MONTHLY;INTERVAL=1'],
  ['2027-01-15', 'FREQ=MONTHLY;INTERVAL=3'],
  ['2027-01-15', 'FREQ=MONTHLY;BYMONTHDAY=15,30'],
  ['2027-01-31', 'FREQ=MONTHLY;BYMONTHDAY=-1'],
  ['2027-01-30', 'FREQ=MONTHLY;BYMONTHDAY=-2'],
  ['2027-01-01', 'FREQ=MONTHLY;BYMONTHDAY=1,-1'],
  ['2027-01-29', 'FREQ=MONTHLY;BYDAY=-1FR'],
  ['2027-01-04', 'FREQ=MONTHLY;BYDAY=1MO'],
  ['2027-01-04', 'FREQ=MONTHLY;BYDAY=1MO,3MO'],
  ['2027-01-29', 'FREQ=MONTHLY;BYDAY=5FR'],
  ['2027-01-22', 'FREQ=MONTHLY;BYDAY=-2FR'],
  ['2027-01-05', 'FREQ=MONTHLY;BYDAY=TU'],
  ['2027-01-29', 'FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR'],
  ['2027-08-13', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'],
  ['2027-01-29', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'],
  ['2027-01-01', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1'],
  ['2027-01-05', 'FREQ=MONTHLY;BYDAY=TU,WE,TH;BYSETPOS=1'],
  ['2027-01-09', 'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13'],
  ['2027-01-04', 'FREQ=MONTHLY;BYDAY=1MO;BYMONTH=1,4,7,10'],
  ['2027-01-04', 'FREQ=MONTHLY;BYDAY=1MO;COUNT=5'],
  ['2027-01-04', 'FREQ=MONTHLY;BYDAY=1MO;UNTIL=20270701'],
  ['2027-01-04', 'FREQ=YEARLY'],
  ['2027-03-01', 'FREQ=YEARLY'],
  ['2028-02-29', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29'],
  ['2027-02-28', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1'],
  ['2027-01-04', 'FREQ=YEARLY;INTERVAL=2'],
  ['2027-03-28', 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'],
  ['2027-11-25', 'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH'],
  ['2027-05-09', 'FREQ=YEARLY;BYMONTH=5;BYDAY=2SU'],
  ['2027-01-04', 'FREQ=YEARLY;BYDAY=1MO'],
  ['2027-12-31', 'FREQ=YEARLY;BYDAY=-1FR'],
  ['2027-04-10', 'FREQ=YEARLY;BYYEARDAY=100'],
  ['2027-04-10', 'FREQ=YEARLY;BYYEARDAY=100,200'],
  ['2028-12-31', 'FREQ=YEARLY;BYYEARDAY=366'],
  ['2027-12-31', 'FREQ=YEARLY;BYYEARDAY=-1'],
  ['2027-05-17', 'FREQ=YEARLY;BYMONTH=5;BYDAY=3MO'],
  ['2027-01-04', 'FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=4'],
  ['2027-06-03', 'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8'],
  ['2027-10-05', 'FREQ=YEARLY;BYMONTH=10;BYDAY=TU;BYSETPOS=1'],
  ['2027-12-27', 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=27;COUNT=4'],
];

/** Days by python-dateutil, for rules that ical.js expands wrongly. */
const BY_DATEUTIL: readonly [start: Day, rule: string, days: readonly Day[]][] = [
  ['2028-02-29', 'FREQ=YEARLY', ['2028-02-29', '2032-02-29', '2036-02-29', '2040-02-29']],
  [
    ...(['2027-05-17', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO'] as const),
    ['2027-05-17', '2028-05-15', '2029-05-14', '2030-05-13', '2031-05-12', '2032-05-10'],
  ],
];

/** The first days of a rule by ical.js, with which rrule-temporal shares no code. */
function byIcal(start: Day, rule: string, { until, limit }: { until: Day; limit: number }): Day[] {
  const first = ICAL.Time.fromDateTimeString(`${start}T19:00:00`);
  const iterator = ICAL.Recur.fromString(rule).iterator(first);
  const found: Day[] = [];
  for (let next = iterator.next(); next && found.length < limit; next = iterator.next()) {
    const day = next.toString().slice(0, 10);
    if (day > until) break;
    found.push(day);
  }
  return found;
}

describe('the days of a rule', () => {
  it('are compared for sixty rules', () => expect(RULES.length).toBeGreaterThanOrEqual(60));

  it.each(RULES)('%s %s agrees with ical.js', async (start, text) => {
    const until = '2032-12-31';
    const found = await days({ text }, { start: `${start} 19:00:00`, zone: 'UTC', until });
    expect(found.days.slice(0, 60)).toEqual(byIcal(start, text, { until, limit: 60 }));
    expect(found.days[0]).toBe(start);
  });

  it.each(BY_DATEUTIL)('%s %s agrees with python-dateutil', async (start, text, expected) => {
    const found = await days({ text }, { start: `${start} 19:00:00`, zone: 'UTC', until: '2040-12-31' });
    expect(found.days.slice(0, expected.length)).toEqual(expected);
  });

  it('agree with ical.js for any simple rule', async () => {
    const weekday = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
    const weekly = fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.uniqueArray(weekday, { minLength: 1, maxLength: 7 }))
      .map(([interval, list]) => `FREQ=WEEKLY;INTERVAL=${interval};BYDAY=${list.join(',')}`);
    const monthly = fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(1, 2, 3, 4, -1, -2), weekday)
      .map(([interval, position, day]) => `FREQ=MONTHLY;INTERVAL=${interval};BYDAY=${position}${day}`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(weekly, monthly), fc.integer({ min: 0, max: 800 }), async (text, offset) => {
        const start = new Date(Date.UTC(2027, 0, 1 + offset)).toISOString().slice(0, 10);
        const until = '2030-12-31';
        const found = await days({ text }, { start: `${start} 19:00:00`, zone: 'UTC', until });
        expect(found.days.slice(0, 20)).toEqual(byIcal(start, text, { until, limit: 20 }));
      }),
      { numRuns: 100, seed: 20_270_104 },
    );
  });
});

describe('clock changes', () => {
  /** The day on which clocks go forward, the times that they skip, and the day on which they go back. */
  const ZONES: readonly [zone: string, forward: Day, skipped: string, back: Day, repeated: string][] = [
    ['Europe/Paris', '2027-03-28', '02:30:00', '2027-10-31', '02:30:00'],
    ['America/New_York', '2027-03-14', '02:30:00', '2027-11-07', '01:30:00'],
    ['Australia/Sydney', '2027-10-03', '02:30:00', '2027-04-04', '02:30:00'],
    ['America/Santiago', '2027-09-05', '00:30:00', '2027-04-03', '23:30:00'],
    ['Australia/Lord_Howe', '2027-10-03', '02:15:00', '2027-04-04', '01:45:00'],
    ['Africa/Cairo', '2027-04-30', '00:30:00', '2027-10-28', '23:30:00'],
  ];

  it.each(ZONES)('%s leaves out a start on %s that does not exist', async (zone, forward, skipped) => {
    expect(isZone(zone)).toBe(true);
    const start = `${dayBefore(forward, 3)} ${skipped}`;
    const found = await days({ text: 'FREQ=DAILY;COUNT=6' }, { start, zone });
    expect(found.skipped).toEqual([forward]);
    expect(found.days).toEqual([-3, -2, -1, 1, 2, 3].map((by) => dayBefore(forward, -by)));
    const allDay = await days({ text: 'FREQ=DAILY;COUNT=6' }, { start, zone, isAllDay: true });
    expect(allDay.days).toContain(forward);
  });

  it.each(ZONES)('%s uses the first of two equal times', async (zone, _forward, _skipped, back, repeated) => {
    const found = await days({ text: 'FREQ=DAILY;COUNT=3' }, { start: `${dayBefore(back, 1)} ${repeated}`, zone });
    expect(found).toMatchObject({ skipped: [], days: [1, 0, -1].map((by) => dayBefore(back, by)) });
    const utc = Date.parse(`${localToUtc(`${back} ${repeated}`, zone).utc.replace(' ', 'T')}Z`);
    const before = Date.parse(`${localToUtc(`${dayBefore(back, 1)} ${repeated}`, zone).utc.replace(' ', 'T')}Z`);
    // The first of the two is a day of 24 hours after the one before; the second would be later.
    expect(utc - before).toBe(24 * 3_600_000);
  });
});

function dayBefore(day: Day, by: number): Day {
  return new Date(Date.parse(day) - by * 86_400_000).toISOString().slice(0, 10);
}

describe('the end of a rule', () => {
  it.each([
    ['a day, included', 'FREQ=WEEKLY;UNTIL=20270118', 3],
    ['a local time, included', 'FREQ=WEEKLY;UNTIL=20270118T190000', 3],
    ['a local time, too early', 'FREQ=WEEKLY;UNTIL=20270118T185959', 2],
    ['a time in another zone, included', 'FREQ=WEEKLY;UNTIL=20270118T180000Z', 3],
    ['a time in another zone, too early', 'FREQ=WEEKLY;UNTIL=20270118T175959Z', 2],
    ['a count', 'FREQ=WEEKLY;COUNT=2', 2],
  ])('is %s', async (_title, text, count) => {
    expect((await days({ text }, {})).days).toHaveLength(count);
  });

  it('a count includes excluded dates', async () => {
    const { days: found } = await days({ text: 'FREQ=WEEKLY;COUNT=3', exdates: ['2027-01-11'] }, {});
    expect(found).toEqual(['2027-01-04', '2027-01-18']);
  });
});

describe('limits', () => {
  it('leaves out days after the last one to return, in bounded time', async () => {
    const started = performance.now();
    const found = await days({ text: 'FREQ=DAILY;COUNT=100000' }, { until: '2029-01-04' });
    expect(found.days).toHaveLength(732);
    expect((await days({ text: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, {})).days).toEqual([]);
    expect((await days({ text: 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30' }, { until: '2047-01-01' })).days).toEqual([]);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('returns days from a later first day', async () => {
    const found = await days({ text: 'FREQ=WEEKLY;COUNT=30' }, { from: '2027-07-01' });
    expect(found.days).toEqual(['2027-07-05', '2027-07-12', '2027-07-19', '2027-07-26']);
  });

  it('adds single days, and excludes days', async () => {
    const rdates = ['2027-02-03', '2027-01-05', '2027-01-05', '2040-01-01'];
    const found = await days({ text: 'FREQ=WEEKLY;COUNT=2', rdates, exdates: ['2027-02-03'] }, {});
    expect(found.days).toEqual(['2027-01-04', '2027-01-05', '2027-01-11']);
    expect((await days({ rdates }, {})).days).toEqual(['2027-01-05', '2027-02-03']);
  });
});

describe('the end', () => {
  it.each<[Partial<Recurrence> & { text?: string }, Day, boolean]>([
    [{ text: 'FREQ=WEEKLY' }, '2027-03-01', false],
    [{ text: 'FREQ=WEEKLY;COUNT=3' }, '2027-01-17', false],
    [{ text: 'FREQ=WEEKLY;COUNT=3' }, '2027-01-18', true],
    [{ text: 'FREQ=WEEKLY;UNTIL=20270118' }, '2027-01-17', false],
    [{ text: 'FREQ=WEEKLY;UNTIL=20270118' }, '2027-01-18', true],
    [{ text: 'FREQ=WEEKLY;COUNT=1', rdates: ['2027-02-01'] }, '2027-01-31', false],
    [{ text: 'FREQ=WEEKLY;COUNT=1', rdates: ['2027-02-01'] }, '2027-02-01', true],
    [{ rdates: ['2027-01-04'] }, '2027-01-04', true],
  ])('of %j is known on %s: %s', async (recurrence, until, hasEnded) => {
    expect(await days(recurrence, { until })).toMatchObject({ hasEnded });
  });
});

describe('an expansion', () => {
  const recurrence = { rule: ruleOf('FREQ=WEEKLY;COUNT=3'), rdates: [], exdates: [] };
  const range = {
    start: '2027-01-04 19:00:00',
    zone: 'Europe/Paris',
    isAllDay: false,
    until: '2029-01-01',
  };

  it('is shared by requests for the same days', async () => {
    const first = expandOnce(recurrence, range);
    expect(expandOnce({ ...recurrence }, { ...range, from: '2027-01-04' })).toBe(first);
    expect(expandOnce(recurrence, { ...range, from: '2027-01-05' })).not.toBe(first);
    expect((await first).days).toHaveLength(3);
  });

  it('of very many days is shared only while it runs', async () => {
    const daily = { ...recurrence, rule: ruleOf('FREQ=DAILY') };
    const [kept, long] = ['2029-09-29', '2029-09-30'].map((until) => ({ ...range, until }) as const);
    const first = expandOnce(daily, kept ?? range);
    const second = expandOnce(daily, long ?? range);
    expect(expandOnce(daily, long ?? range)).toBe(second);
    expect([(await first).days.length, (await second).days.length]).toEqual([1000, 1001]);
    expect(expandOnce(daily, kept ?? range)).toBe(first);
    expect(expandOnce(daily, long ?? range)).not.toBe(second);
  });

  it('is not shared after a failure', async () => {
    const broken = { ...range, zone: 'Nowhere/Else' };
    const failed = expandOnce(recurrence, broken);
    await expect(failed).rejects.toThrow();
    const again = expandOnce(recurrence, broken);
    expect(again).not.toBe(failed);
    await expect(again).rejects.toThrow();
  });

  it('lets other work go first', async () => {
    let isFree = false;
    setImmediate(() => {
      isFree = true;
    });
    await expandOnce(recurrence, { ...range, until: '2029-01-02' });
    expect(isFree).toBe(true);
  });

  it('of many years lets other work go first several times', async () => {
    let [turns, isOver] = [0, false];
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    const long = expand({ ...recurrence, rule: ruleOf('FREQ=DAILY') }, { ...range, start: '2009-01-04 19:00:00' });
    count();
    const { days } = await long;
    isOver = true;
    expect([days.length, turns > 5]).toEqual([7303, true]);
  });
});

describe('rules', () => {
  it.each([
    ['', { kind: 'syntax', part: 'RRULE' }],
    ['FREQ=WEEKLY;FREQ=DAILY', { kind: 'syntax', part: 'RRULE' }],
    ['FREQ=WEEKLY;;COUNT=2', { kind: 'syntax', part: 'RRULE' }],
    [`FREQ=DAILY;BYMONTHDAY=${'1,'.repeat(300)}1`, { kind: 'syntax', part: 'RRULE' }],
    ['COUNT=2', { kind: 'syntax', part: 'FREQ' }],
    ['FREQ=FORTNIGHTLY', { kind: 'syntax', part: 'FREQ' }],
    ['FREQ=HOURLY', { kind: 'frequency', part: 'HOURLY' }],
    ['FREQ=MINUTELY;COUNT=3', { kind: 'frequency', part: 'MINUTELY' }],
    ['FREQ=SECONDLY', { kind: 'frequency', part: 'SECONDLY' }],
    ['FREQ=DAILY;BYHOUR=9,15', { kind: 'time', part: 'BYHOUR' }],
    ['FREQ=DAILY;INTERVAL=0', { kind: 'syntax', part: 'INTERVAL' }],
    ['FREQ=DAILY;INTERVAL=1001', { kind: 'syntax', part: 'INTERVAL' }],
    ['FREQ=DAILY;COUNT=-1', { kind: 'syntax', part: 'COUNT' }],
    ['FREQ=DAILY;COUNT=1e3', { kind: 'syntax', part: 'COUNT' }],
    ['FREQ=DAILY;COUNT=3;UNTIL=20270101', { kind: 'combination', part: 'COUNT', other: 'UNTIL' }],
    ['FREQ=DAILY;UNTIL=20270230', { kind: 'syntax', part: 'UNTIL' }],
    ['FREQ=DAILY;UNTIL=tomorrow', { kind: 'syntax', part: 'UNTIL' }],
    ['FREQ=WEEKLY;BYDAY=XX', { kind: 'syntax', part: 'BYDAY' }],
    ['FREQ=WEEKLY;BYDAY=1MO', { kind: 'combination', part: 'BYDAY', other: 'FREQ=WEEKLY' }],
    ['FREQ=WEEKLY;BYMONTHDAY=1', { kind: 'combination', part: 'BYMONTHDAY', other: 'FREQ=WEEKLY' }],
    ['FREQ=MONTHLY;BYMONTHDAY=32', { kind: 'syntax', part: 'BYMONTHDAY' }],
    ['FREQ=MONTHLY;BYMONTHDAY=0', { kind: 'syntax', part: 'BYMONTHDAY' }],
    ['FREQ=MONTHLY;BYYEARDAY=3', { kind: 'combination', part: 'BYYEARDAY', other: 'FREQ=MONTHLY' }],
    ['FREQ=MONTHLY;BYSETPOS=1', { kind: 'syntax', part: 'BYSETPOS' }],
    ['FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO', { kind: 'combination', part: 'BYDAY', other: 'BYWEEKNO' }],
    ['FREQ=YEARLY;BYEASTER=0', { kind: 'syntax', part: 'BYEASTER' }],
    ['FREQ=YEARLY;RSCALE=CHINESE', { kind: 'syntax', part: 'RSCALE' }],
  ])('%s is refused', (text, problem) => expect(parseRule(text)).toEqual(problem));

  it.each([
    ['rrule:freq=weekly;byday=mo,th,mo;wkst=mo', 'FREQ=WEEKLY;BYDAY=MO,TH'],
    ['BYDAY=-1FR;FREQ=MONTHLY;INTERVAL=02;', 'FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR'],
    ['FREQ=DAILY;UNTIL=20270101T000000Z;WKST=SU', 'FREQ=DAILY;WKST=SU;UNTIL=20270101T000000Z'],
  ])('%s is stored as %s', (text, stored) => {
    expect(formatRule(ruleOf(text))).toBe(stored);
    expect(parseRule(stored)).toEqual(ruleOf(text));
  });
});
