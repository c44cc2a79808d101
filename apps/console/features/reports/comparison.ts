import type { SalesReport } from '../../../../packages/client/src/marquee-client.ts';
import { dayStart, secondsBetween } from '../../../../src/lib/dates/local-time.ts';
import { addDaysToDay } from '../../../../src/lib/dates/month.ts';

/** Comparison of the sales of several events. */

/** Maximum number of compared events. */
export const MOST_EVENTS = 8;

/** Days before each event that are compared. */
const DAYS = 365;

/** Ids in an address, such as `12,7`. */
export const idsIn = (text: string): number[] =>
  [...new Set(text.split(',').filter((id) => /^[1-9]\d{0,8}$/.test(id)))].slice(0, MOST_EVENTS).map(Number);

interface Range {
  from: string;
  to: string;
}

/** The compared days of an event, without future ones; both are `2027-03-06`. */
export function daysBefore(day: string, today: string): Range {
  const to = today < day ? today : day;
  const from = addDaysToDay(day, 1 - DAYS);
  return { from: from < to ? from : to, to };
}

interface Point {
  /** Days from the event on: negative before it. */
  x: number;
  y: number;
}

const DAY_SECONDS = 86_400;
const distance = (from: string, to: string): number => secondsBetween(dayStart(from), dayStart(to)) / DAY_SECONDS;

/** Places sold by the number of days before the event. */
export const curveOf = ({ periods = [] }: Pick<SalesReport, 'periods'>, day: string): Point[] =>
  periods.map(({ start, running }) => ({ x: distance(day, start), y: running.places }));

/** The curves from the day before the first sale of any of them. */
export function withoutQuietStart<C extends { points: readonly Point[] }>(curves: readonly C[]): C[] {
  const sales = curves.flatMap(({ points }) => points.filter(({ y }) => y > 0).map(({ x }) => x));
  const first = Math.min(0, ...sales) - 1;
  return curves.map((curve) => ({ ...curve, points: curve.points.filter(({ x }) => x >= first) }));
}
