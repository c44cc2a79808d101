/** Days and times as people say them. Times of records are wall clocks of their own zone and are never converted. */

/** A wall clock such as `2027-03-06 18:30:00` as if it were UTC, so that it is shown as it stands. */
const asUtc = (local: string): Date => new Date(`${local.replace(' ', 'T')}Z`);

interface Span {
  start_date: string;
  end_date: string;
  all_day?: boolean | null;
}

/** Says when something takes place: `Sat, 6 Mar 2027, 18:30 – 21:00`. */
export function createWhen(language: string) {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  const days = new Intl.DateTimeFormat(language, day);
  const moments = new Intl.DateTimeFormat(language, { ...day, hour: 'numeric', minute: '2-digit' });
  const times = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return {
    /** The day of a wall clock. */
    day: (local: string): string => days.format(asUtc(local)),
    time: (local: string): string => times.format(asUtc(local)),
    moment: (local: string): string => moments.format(asUtc(local)),
    span: ({ start_date, end_date, all_day }: Span): string =>
      (all_day ? days : moments).formatRange(asUtc(start_date), asUtc(end_date)),
    /** How long ago or ahead an instant in UTC is, in its largest unit. */
    ago(utc: string, now = Date.now()): string {
      const seconds = (asUtc(utc).getTime() - now) / 1000;
      const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
      return relative.format(Math.round(seconds / length), unit);
    },
  };
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
