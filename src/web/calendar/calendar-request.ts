import { type CalendarAddress, calendarPath } from '../frame/address.ts';
import { filterOf, type Subject } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { type Filters, queryOf } from './filters.ts';

/** A page of the calendar, once it is known what it is about. */
export interface CalendarRequest {
  address: CalendarAddress;
  subject: Subject;
  filters: Filters;
  /** The ids of the venues that the filter `city` means. */
  venuesInCity?: string;
}

/** The parameters of the event list that find what a page is about, on whatever days. */
export const selectionOf = ({
  address,
  subject,
  filters: { city: _city, ...filters },
  venuesInCity,
}: CalendarRequest): Readonly<Record<string, unknown>> => ({
  ...filters,
  ...(venuesInCity !== undefined && { venue: venuesInCity }),
  ...(address.isFeatured && { featured: true }),
  ...filterOf(subject),
});

/** The link to another page of the same events: the same filters in another view, on another day or page. */
export const linkTo = (
  { link }: Visit,
  { address, filters }: CalendarRequest,
  { filters: changed = filters, ...more }: Partial<CalendarAddress> & { filters?: Filters } = {},
): string => link(`${calendarPath({ ...address, page: 1, ...more })}${queryOf(changed)}`);

/** Members of an address that each view sets by itself. */
export const PLAIN = { date: undefined, isPast: false, page: 1 } as const;
