import { describe, expect, it } from 'vitest';
import { type DoorRow, digestText, digestWith, EMPTY_DIGEST, shortName } from './door-list.ts';
import { type Admission, correctedTime, type Question, type Verdict, verdictOn } from './door-verdict.ts';
import { type Passage, timelineOf } from './timeline.ts';

const RULES: Question['rules'] = {
  modes: ['in', 'out', 'look'],
  reentry: 'after_out',
  may_override: false,
  ticket_ids: [],
  strict_minutes: null,
};
const OUT = { isIn: false, hasLeft: false };
const IN = { isIn: true, hasLeft: false };
const LEFT = { isIn: false, hasLeft: true };
const TICKET = { event_id: 1, ticket_id: 2, admission: 'ok' as Admission };
const EVENT = { id: 1, opens_utc: null, closes_utc: null };
const WINDOW = { id: 1, opens_utc: '2027-03-06 17:30:00', closes_utc: '2027-03-06 22:00:00' };

const QUESTION: Question = {
  mode: 'in',
  ticket: TICKET,
  code: 'right',
  rules: RULES,
  events: [EVENT],
  at: '2027-03-06 18:00:00.000',
  timeline: OUT,
};

type Row = [title: string, change: Partial<Question>, verdict: Verdict];
const rules = (change: Partial<Question['rules']>) => ({ rules: { ...RULES, ...change } });
const admission = (name: Admission) => ({ ticket: { ...TICKET, admission: name } });

const TABLE: readonly Row[] = [
  ['a valid ticket', {}, 'welcome'],
  ['a ticket found by name', { code: 'none' }, 'welcome'],
  ['a signed ticket that is not in the list yet', { code: 'signed' }, 'welcome'],
  ['a look at a valid ticket', { mode: 'look' }, 'welcome'],
  ['a ticket that is in neither', { ticket: undefined }, 'unknown'],
  ['a wrong code', { code: 'wrong' }, 'wrong-code'],
  ['a wrong code of a used ticket', { code: 'wrong', timeline: IN }, 'wrong-code'],
  ['a ticket of another event', { ticket: { ...TICKET, event_id: 9 } }, 'other-event'],
  ['a ticket for another gate', rules({ ticket_ids: [3] }), 'other-gate'],
  ['a ticket for this gate among others', rules({ ticket_ids: [3, 2] }), 'welcome'],
  ['a mode that the gate does not have', { ...rules({ modes: ['look'] }) }, 'not-allowed'],
  ...(['unpaid', 'pending', 'cancelled', 'refunded', 'declined'] as const).map(
    (name): Row => [`an attendee who is ${name}`, admission(name), name],
  ),
  ['an unpaid attendee who is in', { ...admission('unpaid'), timeline: IN }, 'unpaid'],
  ['a refunded attendee who leaves', { ...admission('refunded'), mode: 'out', timeline: IN }, 'goodbye'],
  ['a used ticket', { timeline: IN }, 'already-in'],
  ['a look at a used ticket', { mode: 'look', timeline: IN }, 'already-in'],
  ['a used ticket, without the right to override', { timeline: IN, overrides: true }, 'already-in'],
  ['a used ticket, overridden', { timeline: IN, overrides: true, ...rules({ may_override: true }) }, 'welcome'],
  [
    'an override of a refund',
    { ...admission('refunded'), overrides: true, ...rules({ may_override: true }) },
    'refunded',
  ],
  ['a return after leaving', { timeline: LEFT }, 'welcome'],
  ['a return where tickets admit once', { timeline: LEFT, ...rules({ reentry: 'never' }) }, 'already-in'],
  ['a used ticket where tickets always admit', { timeline: IN, ...rules({ reentry: 'always' }) }, 'welcome'],
  ['a holder who leaves', { mode: 'out', timeline: IN }, 'goodbye'],
  ['a holder who leaves without having come', { mode: 'out' }, 'not-in'],
  ['a ticket before the doors open', { events: [WINDOW], at: '2027-03-06 17:29:59.999' }, 'too-early'],
  ['a ticket when the doors open', { events: [WINDOW], at: '2027-03-06 17:30:00.000' }, 'welcome'],
  ['a ticket after the doors close', { events: [WINDOW], at: '2027-03-06 22:00:00.001' }, 'too-late'],
  [
    'a holder who leaves after that',
    { mode: 'out', timeline: IN, events: [WINDOW], at: '2027-03-06 23:00:00' },
    'goodbye',
  ],
  ['a valid ticket by a list that is too old', { listAge: 10, ...rules({ strict_minutes: 10 }) }, 'list-too-old'],
  ['a valid ticket by a list that is not', { listAge: 9, ...rules({ strict_minutes: 10 }) }, 'welcome'],
  [
    'a used ticket by a list that is too old',
    { listAge: 99, timeline: IN, ...rules({ strict_minutes: 10 }) },
    'already-in',
  ],
];

describe('the verdict', () => {
  it.each(TABLE)('on %s', (_title, change, verdict) => {
    expect(verdictOn({ ...QUESTION, ...change })).toBe(verdict);
  });
});

const passage = (key: string, action: 'in' | 'out', more: Partial<Passage> = {}): Passage => ({
  ...{ key, at: `2027-03-06 18:0${key}:00`, action, reentry: 'after_out', overrides: false },
  ...more,
});
const keys = (passages: readonly Passage[]) => passages.map(({ key }) => key).join('');

describe('a timeline', () => {
  it.each([
    ['one entry', [passage('1', 'in')], true, '1', ''],
    ['two entries', [passage('1', 'in'), passage('2', 'in')], true, '1', '12'],
    ['three entries', [passage('1', 'in'), passage('2', 'in'), passage('3', 'in')], true, '1', '12 13'],
    ['a return', [passage('1', 'in'), passage('2', 'out'), passage('3', 'in')], true, '123', ''],
    ['two exits', [passage('1', 'in'), passage('2', 'out'), passage('3', 'out')], false, '12', ''],
    ['an exit alone', [passage('1', 'out')], false, '', ''],
    [
      'a return where tickets admit once',
      [passage('1', 'in'), passage('2', 'out'), passage('3', 'in', { reentry: 'never' })],
      true,
      '123',
      '13',
    ],
    [
      'a correction where tickets admit once',
      [passage('1', 'in'), passage('2', 'out', { corrects: true }), passage('3', 'in', { reentry: 'never' })],
      true,
      '123',
      '',
    ],
    ['an override', [passage('1', 'in'), passage('2', 'in', { overrides: true })], true, '1', ''],
    [
      'a gate where tickets always admit',
      [passage('1', 'in'), passage('2', 'in', { reentry: 'always' })],
      true,
      '1',
      '',
    ],
  ])('of %s is the same in any order of arrival', (_title, passages, isIn, effective, clashes) => {
    for (const arrived of [passages, [...passages].reverse()]) {
      const timeline = timelineOf(arrived);
      expect([timeline.isIn, keys(timeline.effective)]).toEqual([isIn, effective]);
      expect(timeline.clashes.map(({ first, second }) => first.key + second.key).join(' ')).toBe(clashes);
    }
  });
});

describe('the time of a scan', () => {
  const at = (scanned: number, offset = 0) => correctedTime({ scanned, offset, received: 1000, paired: 100 });
  it.each([
    ['a right clock', at(500), 500],
    ['a clock behind by years', at(-90_000_000_000, 90_000_000_500), 500],
    ['a clock ahead', at(5000), 1000],
    ['a clock that fell back', at(0), 100],
    ['an absurd offset', at(500, -1e15), 100],
  ])('by %s is within the evening', (_title, time, expected) => {
    expect(time).toBe(expected);
  });
});

describe('the list', () => {
  it('has a digest that does not depend on the order, and follows changes row by row', () => {
    const row = (id: number, since = ''): DoorRow => [id, 1, 2, 'ok', since, 0, 'Ada', 0, 0, id, 'proof', ''];
    const of = (...rows: DoorRow[]) => rows.reduce((sum, one) => digestWith(sum, one), EMPTY_DIGEST);
    const changed = digestWith(digestWith(of(row(1), row(2)), row(2), -1), row(2, 'now'));
    expect(digestText(of(row(2), row(1)))).toBe(digestText(of(row(1), row(2))));
    expect(digestText(changed)).toBe(digestText(of(row(1), row(2, 'now'))));
    expect(digestText(changed)).not.toBe(digestText(of(row(1), row(2))));
    expect(digestText(of(row(1)))).toMatch(/^1-[0-9a-f]{16}$/);
  });

  it.each([
    ['Ada Lovelace', 'Ada L.'],
    ['Ada', 'Ada'],
    ['  Jean  Luc de Bo ', 'Jean B.'],
    ['', ''],
    ['Zoë 😀', 'Zoë 😀.'],
  ])('shortens %s to %s', (name, short) => {
    expect(shortName(name)).toBe(short);
  });
});
