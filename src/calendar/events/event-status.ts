import type { EventStatus } from '../../db/tables/calendar.ts';
import { type DateExpression, isoWithOffset, type LocalTime, utcToLocal } from '../../lib/dates/dates.ts';
import type { Event } from './store.ts';
import { type EventTimes, requestedInstant } from './times.ts';

/** Status of an event that does not take place as announced: the status, its reason, and the original start. */

const SCHEMA = 'https://schema.org/';

/** Statuses with their schema.org names. */
const SCHEMA_STATUS: Readonly<Record<EventStatus, string>> = {
  scheduled: `${SCHEMA}EventScheduled`,
  cancelled: `${SCHEMA}EventCancelled`,
  postponed: `${SCHEMA}EventPostponed`,
  rescheduled: `${SCHEMA}EventRescheduled`,
  moved_online: `${SCHEMA}EventMovedOnline`,
};

// Object.keys does not carry the key type.
export const EVENT_STATUSES = Object.keys(SCHEMA_STATUS) as EventStatus[];

/** The status fields of a write. Absent: unchanged. null: as announced, and no previous start. */
export interface EventStatusInput {
  event_status?: EventStatus | null;
  previous_start_date?: DateExpression | null;
}

type StatusColumns = Pick<Event, 'event_status' | 'utc_previous_start_date'>;

/**
 * The status columns after a write. If the start of a rescheduled event moves, its earlier start becomes the previous
 * one, unless the write names another.
 * @param times the times after the write
 * @throws {InvalidParams} naming `previous_start_date` if there is no such date
 */
export function statusAfter(
  input: EventStatusInput,
  current: Event | undefined,
  { times, now }: { times: EventTimes; now: Date },
): StatusColumns {
  const currentStatus = current?.event_status ?? 'scheduled';
  const event_status = input.event_status === undefined ? currentStatus : (input.event_status ?? 'scheduled');
  const isMoved = event_status === 'rescheduled' && current?.utc_start_date !== times.utc_start_date;
  const { previous_start_date: sent } = input;
  if (sent) {
    const zone = { zone: times.timezone, now };
    return { event_status, utc_previous_start_date: requestedInstant('previous_start_date', sent, zone) };
  }
  if (sent === null || !current) return { event_status, utc_previous_start_date: '' };
  return {
    event_status,
    utc_previous_start_date: isMoved ? current.utc_start_date : current.utc_previous_start_date,
  };
}

/** Error code if the status of an event closes its ticket sales; undefined if they are open. */
export function saleRefusal(
  event: Pick<Event, 'event_status' | 'sale_stays_open'>,
): 'event-cancelled' | 'event-postponed' | undefined {
  if (event.event_status === 'cancelled') return 'event-cancelled';
  return event.event_status === 'postponed' && event.sale_stays_open === 0 ? 'event-postponed' : undefined;
}

/** The previous start in the time zone of the event; null without one. */
export const previousStart = ({ utc_previous_start_date: utc, timezone }: Event): LocalTime | null =>
  utc === '' ? null : utcToLocal(utc, timezone);

/** The status as schema.org members. */
export function statusJsonLd({ event_status, utc_previous_start_date, timezone }: Event): Record<string, string> {
  return {
    eventStatus: SCHEMA_STATUS[event_status],
    ...(event_status !== 'scheduled' &&
      utc_previous_start_date !== '' && { previousStartDate: isoWithOffset(utc_previous_start_date, timezone) }),
  };
}
