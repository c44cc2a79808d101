import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Urls } from '../core/urls.ts';

/** Schemas of values common to many responses. */

/** An absolute URL. */
export const link = z.string().meta({ format: 'uri' });

const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** Local time of the site or of an event. */
export const localTime = z
  .string()
  .regex(TIME)
  .meta({
    id: 'LocalTime',
    description: '`YYYY-MM-DD HH:MM:SS` in the time zone of the site or of the event.',
    examples: ['2027-03-06 18:30:00'],
  });

/** A day: `YYYY-MM-DD`. */
export const dayText = z.string().meta({ format: 'date' });

/** A time in UTC. */
export const utcTime = z
  .string()
  .regex(TIME)
  .meta({
    id: 'UtcTime',
    description: '`YYYY-MM-DD HH:MM:SS` in UTC.',
    examples: ['2027-03-06 23:30:00'],
  });

/** A file with comma-separated values. */
export const csvText = z.string().meta({ description: 'A line of headings, then a line for each record.' });

/**
 * Members that the reference does not have. Its clients get only members whose values differ from `usual`, so that
 * responses look familiar; all other clients get every member.
 */
export function additions<T extends object>(members: T, usual: T, { isReference }: Urls): Partial<T> {
  if (!isReference) return members;
  const unusual = Object.entries(members).filter(([name, value]) => !isDeepStrictEqual(value, usual[name as keyof T]));
  // Some of the members, unchanged.
  return Object.fromEntries(unusual) as Partial<T>;
}
