import { saleRefusal } from '../../calendar/events/event-status.ts';
import type { Event } from '../../calendar/events/store.ts';
import { ApiError } from '../../http/core/errors.ts';
import { resolveDateParam } from '../../http/input/date-param.ts';
import { type DateExpression, dayEndUtc, type LocalTime, localToUtc, utcToLocal } from '../../lib/dates/dates.ts';
import type { Ticket } from './store.ts';

/** The sale window of a write. Absent: unchanged. null: the default, derived from the event. */
export interface WindowInput {
  start_date?: DateExpression | null;
  start_time?: string | null;
  end_date?: DateExpression | null;
  end_time?: string | null;
}

export type SaleWindow = Pick<
  Ticket,
  'start_date' | 'start_time' | 'end_date' | 'end_time' | 'sale_start_utc' | 'sale_end_utc'
>;

interface Moment {
  date: string;
  time: string;
}

/** The sale window after a write; by default from the publication date of the event until it starts. */
export function saleWindow(
  input: WindowInput,
  current: SaleWindow | undefined,
  { event, siteZone, now }: { event: Pick<Event, 'date' | 'utc_start_date'>; siteZone: string; now: Date },
): SaleWindow {
  const start = momentOf(
    'start_date',
    { date: input.start_date, time: input.start_time },
    {
      current: current && { date: current.start_date, time: current.start_time },
      preset: dayOf(event.date),
      siteZone,
      now,
    },
  );
  const end = momentOf(
    'end_date',
    { date: input.end_date, time: input.end_time },
    {
      current: current && { date: current.end_date, time: current.end_time },
      preset: split(utcToLocal(event.utc_start_date, siteZone)),
      siteZone,
      now,
    },
  );
  const local = { start_date: start.date, start_time: start.time, end_date: end.date, end_time: end.time };
  return { ...local, ...windowInUtc(local, siteZone) };
}

type LocalWindow = Pick<SaleWindow, 'start_date' | 'start_time' | 'end_date' | 'end_time'>;

/** A window in UTC; empty for empty days. Days without times are included whole. */
export function windowInUtc(window: LocalWindow, zone: string): Pick<SaleWindow, 'sale_start_utc' | 'sale_end_utc'> {
  const { start_date, start_time, end_date, end_time } = window;
  const utc = (date: string, time: string) => (date === '' ? '' : localToUtc(`${date} ${time}`, zone).utc);
  const isToEnd = end_date !== '' && end_time === '';
  return {
    sale_start_utc: utc(start_date, start_time || '00:00:00'),
    sale_end_utc: isToEnd ? dayEndUtc(end_date, zone) : utc(end_date, end_time),
  };
}

const split = (local: LocalTime): Moment => ({ date: local.slice(0, 10), time: local.slice(11) });
const dayOf = (local: LocalTime): Moment => ({ date: local.slice(0, 10), time: '00:00:00' });

interface MomentOptions {
  current?: Moment;
  /** Default if no day is sent and there is no current one. */
  preset: Moment;
  siteZone: string;
  now: Date;
}

function momentOf(
  name: string,
  { date, time }: { date?: DateExpression | null; time?: string | null },
  { current, preset, siteZone, now }: MomentOptions,
): Moment {
  if (date) {
    const sent = resolveMoment(name, date, { siteZone, now });
    const fallback = sent.time === '00:00:00' ? (current?.time ?? '') : sent.time;
    return { date: sent.date, time: time === undefined ? fallback : (time ?? '') };
  }
  if (date === undefined && current)
    return { date: current.date, time: time === undefined ? current.time : (time ?? '') };
  return { date: preset.date, time: time ?? preset.time };
}

function resolveMoment(name: string, date: DateExpression, { siteZone, now }: { siteZone: string; now: Date }): Moment {
  const resolved = resolveDateParam(name, date, { zone: siteZone, now });
  return split(resolved.kind === 'local' ? resolved.local : utcToLocal(resolved.utc, siteZone));
}

/**
 * Resolves a date of a discount to a day in site time.
 * @throws {InvalidParams} naming `ticket` if there is no such date
 */
export const discountDay = (date: DateExpression, siteZone: string, now: Date): string =>
  resolveMoment('ticket', date, { siteZone, now }).date;

/** Refusal because of the status of the event; undefined if the ticket may be sold. */
export function statusRefusal(
  { id, event_id }: Pick<Ticket, 'id' | 'event_id'>,
  event: Parameters<typeof saleRefusal>[0],
): ApiError | undefined {
  const code = saleRefusal(event);
  return code && new ApiError(code, { data: { ticket_id: id, post_id: event_id } });
}
