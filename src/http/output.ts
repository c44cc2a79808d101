import { z } from 'zod';

/** Schemas of values common to many answers. */

/** An absolute address. */
export const link = z.string().meta({ format: 'uri' });

const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** A local time of the site, or of the time zone of its event. */
export const localTime = z
  .string()
  .regex(TIME)
  .meta({
    id: 'LocalTime',
    description: '`YYYY-MM-DD HH:MM:SS` in the time zone of the site or of the event.',
    examples: ['2027-03-06 18:30:00'],
  });

/** A time in UTC. */
export const utcTime = z
  .string()
  .regex(TIME)
  .meta({
    id: 'UtcTime',
    description: '`YYYY-MM-DD HH:MM:SS` in UTC.',
    examples: ['2027-03-06 23:30:00'],
  });
