import { resolveDateParam } from '../../http/date-param.ts';
import { type DateExpression, type LocalTime, utcToWall, wallToUtc } from '../../lib/dates.ts';
import type { Event } from '../events/store.ts';
import type { Ticket } from './stock.ts';

/** What a write says of when a ticket is for sale. Absent stays as it is, null goes back to what follows from the event. */
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

interface WindowOptions {
  event: Pick<Event, 'date' | 'utc_start_date'>;
  siteZone: string;
  now: Date;
}

interface Moment {
  date: string;
  time: string;
}

/** When a ticket is for sale after a write: without a word about it from the day the event was made until it starts. */
export function saleWindow(
  input: WindowInput,
  current: SaleWindow | undefined,
  { event, siteZone, now }: WindowOptions,
): SaleWindow {
  const start = momentOf(
    'start_date',
    { date: input.start_date, time: input.start_time },
    {
      kept: current && { date: current.start_date, time: current.start_time },
      otherwise: dayOf(event.date),
      siteZone,
      now,
    },
  );
  const end = momentOf(
    'end_date',
    { date: input.end_date, time: input.end_time },
    {
      kept: current && { date: current.end_date, time: current.end_time },
      otherwise: split(utcToWall(event.utc_start_date, siteZone)),
      siteZone,
      now,
    },
  );
  const utc = ({ date, time }: Moment, open: string) => wallToUtc(`${date} ${time || open}`, siteZone).utc;
  return {
    start_date: start.date,
    start_time: start.time,
    end_date: end.date,
    end_time: end.time,
    sale_start_utc: utc(start, '00:00:00'),
    // A last day without a time is a whole day.
    sale_end_utc: utc(end, '23:59:59'),
  };
}

const split = (wall: LocalTime): Moment => ({ date: wall.slice(0, 10), time: wall.slice(11) });
const dayOf = (wall: LocalTime): Moment => ({ date: wall.slice(0, 10), time: '00:00:00' });

interface MomentOptions {
  kept?: Moment;
  /** When no day is said. */
  otherwise: Moment;
  siteZone: string;
  now: Date;
}

function momentOf(
  name: string,
  { date, time }: { date?: DateExpression | null; time?: string | null },
  { kept, otherwise, siteZone, now }: MomentOptions,
): Moment {
  if (date) {
    const said = resolveMoment(name, date, { siteZone, now });
    const hasTime = said.time !== '00:00:00';
    return { date: said.date, time: time === undefined ? timeOf(hasTime, said, kept) : (time ?? '') };
  }
  if (date === undefined && kept) return { date: kept.date, time: time === undefined ? kept.time : (time ?? '') };
  return { date: otherwise.date, time: time ?? otherwise.time };
}

const timeOf = (hasTime: boolean, said: Moment, kept: Moment | undefined): string =>
  hasTime ? said.time : (kept?.time ?? '');

function resolveMoment(name: string, date: DateExpression, { siteZone, now }: { siteZone: string; now: Date }): Moment {
  const resolved = resolveDateParam(name, date, { zone: siteZone, now });
  return split(resolved.kind === 'wall' ? resolved.wall : utcToWall(resolved.utc, siteZone));
}

/**
 * The day of the site's calendar that a date of a discount means.
 * @throws {InvalidParams} naming `ticket` when there is no such date now
 */
export const discountDay = (date: DateExpression, siteZone: string, now: Date): string =>
  resolveMoment('ticket', date, { siteZone, now }).date;
