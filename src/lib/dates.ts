/**
 * Dates: reading them as people and programs write them. Also the door to the other date and zone files of this folder,
 * for all code outside it.
 */
import { readDate } from './date-parser.ts';
import { meantTime } from './date-resolver.ts';
import { isWallMs, type LocalTime, msWall } from './local-time.ts';
import { getZone, instantOf, offsetAt } from './zones.ts';

// biome-ignore lint/performance/noBarrelFile: dates have one door; what is behind it is nobody's business.
export {
  addDays,
  addMonths,
  addSeconds,
  type DateDetails,
  dateDetails,
  dayEnd,
  dayStart,
  fromUtc,
  type LocalTime,
  secondsBetween,
  toWall,
} from './local-time.ts';
export { hoursFromUtc, isoWithOffset, isZone, localDay, utcToWall, wallToUtc, zoneId } from './zones.ts';
export { zoneAbbreviation } from './zones-abbreviations.ts';

/** A date as read: `wall` names no zone, `instant` names one (its UTC time is given), `epoch` is a count of seconds. */
export type ParsedDate =
  | { kind: 'wall'; wall: LocalTime }
  | { kind: 'instant'; utc: LocalTime }
  | { kind: 'epoch'; utc: LocalTime };

/** Where and when a date is read: relative words are worked out on the clock of `zone` at `now`. */
export interface DateContext {
  zone: string;
  now: Date;
}

const MAX_LENGTH = 100;
const EPOCH = /^(?:-?\d+|@-?\d+(?:\.\d+)?)$/;

/** Refused in every form: it is what an empty date looks like to the programs of this interface. */
const EPOCH_ZERO = '1970-01-01 00:00:00';

function parseEpoch(text: string): ParsedDate | undefined {
  const ms = Math.trunc(Number(text.replace('@', ''))) * 1000;
  const utc = isWallMs(ms) ? msWall(ms) : EPOCH_ZERO;
  return utc === EPOCH_ZERO ? undefined : { kind: 'epoch', utc };
}

function parseWords(text: string, { zone, now }: DateContext): ParsedDate | undefined {
  const said = readDate(text);
  if (!said) return undefined;
  const clock = said.zone ?? getZone(zone);
  const utcNow = Math.floor(now.getTime() / 1000) * 1000;
  const ms = meantTime(said, clock, utcNow + offsetAt(clock, utcNow));
  if (ms === undefined) return undefined;
  const meant = said.zone ? instantOf(clock, ms) : ms;
  const wall = isWallMs(meant) ? msWall(meant) : EPOCH_ZERO;
  if (wall === EPOCH_ZERO) return undefined;
  return said.zone ? { kind: 'instant', utc: wall } : { kind: 'wall', wall: wall };
}

/**
 * Reads a date: ISO 8601, the usual written forms, epoch seconds, relative words (`tomorrow 9am`, `+1 week 2 days`,
 * `first day of next month`); see `date-parser.ts`. Without a time it is midnight, save that units alone (`+5 days`) keep
 * the current time. Undefined for what is no date, not in the calendar (February 30, 24:00), outside the years 1 to 9999,
 * or zero (`0`, 1970-01-01 00:00:00). Never throws on account of the text.
 * @throws RangeError for an unknown `zone`
 */
export function parseDate(text: string, context: DateContext): ParsedDate | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const trimmed = text.trim();
  return EPOCH.test(trimmed) ? parseEpoch(trimmed) : parseWords(trimmed, context);
}

/** Whether a text is a date, and which time of day it says, does not depend on where or when it is read. */
const ANYWHERE: DateContext = { zone: 'UTC', now: new Date(Date.UTC(2000, 0, 15, 12)) };

/** A date of which only what holds everywhere counts: that it is one, or its time of day. */
export const parseAnywhere = (text: string): ParsedDate | undefined => parseDate(text, ANYWHERE);

/** Whether a text is a date at all. */
export const isDate = (text: string): boolean => parseAnywhere(text) !== undefined;

/** A date as a UTC wall clock: without a zone it is UTC already. Undefined for what is no date. */
export function readUtc(text: string, now: Date): LocalTime | undefined {
  const parsed = parseDate(text, { zone: 'UTC', now });
  return parsed?.kind === 'wall' ? parsed.wall : parsed?.utc;
}
