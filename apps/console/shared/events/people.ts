import type { Event } from '../../../../packages/client/src/marquee-client.ts';

/** Number of people who have a ticket of an event or come to it, without RSVPs that declined; 0 if it is unknown. */
export const peopleOf = ({ attendance }: Pick<Event, 'attendance'>): number =>
  attendance ? attendance.total_attendees - attendance.declined : 0;
