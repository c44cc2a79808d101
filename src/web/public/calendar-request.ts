import type { CalendarAddress } from './address.ts';
import type { Filters } from './filters.ts';
import type { Subject } from './subject.ts';

/** A page of the calendar, once it is known what it is about. */
export interface CalendarRequest {
  address: CalendarAddress;
  subject: Subject;
  filters: Filters;
}
