import type { AddProblem } from '../../../http/core/endpoint.ts';
import { custom } from '../../../http/input/schemas.ts';
import { isDay } from '../../../lib/dates/month.ts';
import {
  type Day,
  earliestStart,
  expandOnce,
  lastDay,
  MAX_OCCURRENCES,
  MAX_YEARS,
  type Recurrence,
} from '../../../lib/recurrence/recurrence.ts';
import {
  formatRule,
  isProblem,
  MAX_RULE_LENGTH,
  parseRule,
  type RuleProblem,
} from '../../../lib/recurrence/recurrence-rule.ts';
import { isRecord } from '../../../lib/text/list.ts';
import type { Series } from './series-store.ts';

/** Recurrences in requests. */

const DAYS = {
  type: 'array',
  items: { type: 'string', maxLength: 30, examples: ['2027-03-06'] },
  maxItems: MAX_OCCURRENCES,
};

export const recurrenceField = custom(
  'When it takes place: a rule of RFC 5545, single days, or both. A series has at most one event a day, all at the same time.',
  {
    type: 'object',
    properties: {
      rrule: {
        type: 'string',
        maxLength: MAX_RULE_LENGTH,
        description: 'From `FREQ=DAILY` to `FREQ=YEARLY`; `UNTIL` as a day includes that day.',
        examples: ['FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20270630'],
      },
      rdates: { ...DAYS, description: 'Further days.' },
      exdates: { ...DAYS, description: 'Days on which it does not take place.' },
    },
  },
);

/** A recurrence as it is stored. */
export type StoredRecurrence = Pick<Series, 'rrule' | 'rdates' | 'exdates'>;

const PARAM = 'recurrence';

interface Reading {
  /** Time of day of the events, such as `19:00:00`; days with another time are refused. */
  time: string | undefined;
  addProblem: AddProblem;
}

/** The members of a recurrence that are sent; undefined, with a problem, if it is invalid. */
export function readSentMembers(sent: unknown, reading: Reading): Partial<StoredRecurrence> | undefined {
  const recurrence = readRecurrence(sent, reading);
  if (!recurrence || !isRecord(sent)) return undefined;
  const members = Object.entries(recurrence);
  return Object.fromEntries(members.filter(([name]) => sent[name] !== undefined && sent[name] !== null));
}

/** Reads a recurrence; undefined, with a problem, if it is invalid. */
export function readRecurrence(sent: unknown, { time, addProblem }: Reading): StoredRecurrence | undefined {
  const refuse = (): undefined => void addProblem(PARAM, { key: 'param.recurrence', values: { max: MAX_OCCURRENCES } });
  if (!isRecord(sent)) return refuse();
  const text = sent.rrule ?? '';
  if (typeof text !== 'string') return refuse();
  const rule = text.trim() === '' ? undefined : parseRule(text);
  if (rule && isProblem(rule)) return void addProblem(PARAM, problemOf(rule));
  const rdates = readDays(sent.rdates ?? [], time);
  const exdates = readDays(sent.exdates ?? [], time);
  if (rdates === undefined || exdates === undefined) return refuse();
  const otherTime = [rdates, exdates].find((days) => !Array.isArray(days));
  if (otherTime && 'otherTime' in otherTime)
    return void addProblem(PARAM, { key: 'param.recurrence_time', values: { day: otherTime.otherTime } });
  if (!Array.isArray(rdates) || !Array.isArray(exdates)) return refuse();
  return { rrule: rule ? formatRule(rule) : '', rdates, exdates };
}

function problemOf(problem: RuleProblem) {
  const { kind: _kind, ...values } = problem;
  const keys = {
    syntax: 'param.rrule',
    frequency: 'param.rrule_frequency',
    time: 'param.rrule_time',
    combination: 'param.rrule_combination',
  } as const;
  return { key: keys[problem.kind], values };
}

const DAY = /^([0-9]{4})-?([0-9]{2})-?([0-9]{2})(?:[T ]([0-9]{2}):?([0-9]{2})(?::?([0-9]{2}))?)?$/;

/** Days in order, each once; the first with another time, or undefined for anything else. */
function readDays(sent: unknown, time: string | undefined): Day[] | { otherTime: Day } | undefined {
  if (!Array.isArray(sent) || sent.length > MAX_OCCURRENCES) return undefined;
  const days: Day[] = [];
  for (const item of sent) {
    const [, year, month, day, hour, minute, second = '00'] = (typeof item === 'string' && DAY.exec(item)) || [];
    const found = `${year}-${month}-${day}`;
    if (year === undefined || !isDay(found)) return undefined;
    if (hour !== undefined && time !== undefined && `${hour}:${minute}:${second}` !== time) return { otherTime: found };
    days.push(found);
  }
  return [...new Set(days)].toSorted();
}

interface Start {
  start: string;
  zone: string;
  isAllDay: boolean;
  now: Date;
}

/** Reports a recurrence that a new series cannot begin with. */
export async function checkStart(
  recurrence: Recurrence,
  { start, zone, isAllDay, now }: Start,
  addProblem: AddProblem,
): Promise<void> {
  const day = start.slice(0, 10);
  if (day < earliestStart(now, zone))
    return addProblem(PARAM, { key: 'param.recurrence_age', values: { years: MAX_YEARS } });
  // A start far ahead is no mistake: its occurrences are made later.
  const until = [lastDay(now, zone), day].toSorted().at(-1) ?? day;
  const { days } = await expandOnce(recurrence, { start, zone, isAllDay, until });
  const [first] = days;
  if (first === undefined) return addProblem(PARAM, { key: 'param.recurrence_empty' });
  const [earliest = first] = recurrence.rdates;
  if (earliest < day) return addProblem(PARAM, { key: 'param.recurrence_start', values: { day, first: earliest } });
  if (first !== day) addProblem(PARAM, { key: 'param.recurrence_start', values: { day, first } });
}
