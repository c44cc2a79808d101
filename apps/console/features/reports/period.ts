import { addDaysToDay } from '../../../../src/lib/dates/month.ts';
import { BEGINNING } from '../../shared/orders/sales.ts';
import type { Grouping, Kind } from './routes.ts';

/** Days of a report, both included. */
export interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

/** Choices of days: the last 30, the last 365, all, and others. */
export type Period = 'month' | 'year' | 'all' | 'other';

interface Basis {
  /** Day of the site. */
  today: string;
  /** Whether a report without days covers all of them, as for the attendance of one event. */
  isAllByDefault: boolean;
}

/** Days of the report for the days in the address, with the defaults of the server; empty for all. */
export function shownDays({ from, to }: Days, { today, isAllByDefault }: Basis): Required<Days> {
  if (isAllByDefault && !from && !to) return { from: '', to: '' };
  const last = to ?? today;
  return { from: from ?? addDaysToDay(last, -29), to: last };
}

/** Days of the address for a period. */
export function daysOfPeriod(period: Exclude<Period, 'other'>, { today, isAllByDefault }: Basis): Days {
  if (period === 'year') return { from: addDaysToDay(today, -364), to: undefined };
  if (period === 'all') return { from: isAllByDefault ? undefined : BEGINNING, to: undefined };
  return { from: isAllByDefault ? addDaysToDay(today, -29) : undefined, to: undefined };
}

const NAMED = ['month', 'year', 'all'] as const;

/** Period of the days in the address. */
export function periodOf(asked: Days, basis: Basis): Period {
  const shown = shownDays(asked, basis);
  const isSame = (other: Required<Days>) => other.from === shown.from && other.to === shown.to;
  return NAMED.find((one) => isSame(shownDays(daysOfPeriod(one, basis), basis))) ?? 'other';
}

/** The periods that a report may have: those by day and by hour have a maximum length. */
export function periodsFor(kind: Kind, by: Grouping): readonly Exclude<Period, 'other'>[] {
  if (kind === 'attendance') return NAMED;
  if (kind === 'money' || by === 'day') return ['month', 'year'];
  return by === 'hour' ? ['month'] : NAMED;
}
