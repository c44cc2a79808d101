import { type CalendarAddress, calendarPath } from '../frame/address.ts';
import { filterOf, type Subject } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { type Filters, queryOf } from './filters.ts';

/** Calendar page with its subject. */
export interface CalendarRequest {
  address: CalendarAddress;
  subject: Subject;
  filters: Filters;
  /** Ids of the venues for the filter `city`. */
  venuesInCity?: string;
}

/** Parameters of the event list for the subject and filters of a page, without days. */
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

/** Link to another page of the same events: same filters, with another view, day or page. */
export const linkTo = (
  { link }: Visit,
  { address, filters }: CalendarRequest,
  { filters: changed = filters, ...more }: Partial<CalendarAddress> & { filters?: Filters } = {},
): string => link(`${calendarPath({ ...address, page: 1, ...more })}${queryOf(changed)}`);

/** Members of an address that each view sets itself. */
export const PLAIN = { date: undefined, isPast: false, page: 1 } as const;
