import { dateLocale } from '../../../i18n/texts.ts';

/** Formats days `2027-03-06` in the language of the console. */
export const dayFormat = (options: Intl.DateTimeFormatOptions): ((day: string) => string) => {
  const dates = new Intl.DateTimeFormat(dateLocale, { ...options, timeZone: 'UTC' });
  return (day) => dates.format(new Date(`${day}T00:00:00Z`));
};

const monthOf = dayFormat({ month: 'long', year: 'numeric' });

/** Name of a month `2027-03`. */
export const monthName = (month: string): string => monthOf(`${month}-01`);

const weekdayName = dayFormat({ weekday: 'short' });

/** Head of a calendar: the names of the days of its weeks. */
export const WeekHead = ({ days }: { days: readonly string[] }) => (
  <thead>
    <tr>
      {days.map((day) => (
        <th key={day} scope="col">
          {weekdayName(day)}
        </th>
      ))}
    </tr>
  </thead>
);
