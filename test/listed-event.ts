import { NO_TEXTS } from '../src/calendar/events/event-fields.ts';
import type { CalendarEvent } from '../src/calendar/events/lists/feed.ts';
import { dateDetails } from '../src/lib/dates/dates.ts';
import { perLinkedKind } from '../src/lib/linked-kinds.ts';
import type { Organizer, Venue } from '../src/web/frame/responses.ts';

const WRITTEN = '2026-11-21 17:00:00';

const post = (id: number) => ({
  id,
  global_id: `city.example?id=${id}`,
  global_id_lineage: [`city.example?id=${id}`],
  author: '1',
  status: 'publish' as const,
  date: WRITTEN,
  date_utc: WRITTEN,
  modified: WRITTEN,
  modified_utc: WRITTEN,
});

export const listedVenue = (changes: Partial<Venue> = {}): Venue => ({
  ...post(5),
  url: 'https://city.example/venue/old-mill/',
  slug: 'old-mill',
  venue: 'Old mill',
  show_map: true,
  show_map_link: true,
  ...changes,
});

export const listedOrganizer = (changes: Partial<Organizer> = {}): Organizer => ({
  ...post(6),
  url: 'https://city.example/organizer/mill-club/',
  slug: 'mill-club',
  organizer: 'Mill club',
  ...changes,
});

/** An event as lists of the interface return it: an evening in New York. */
export function listedEvent(changes: Partial<CalendarEvent> = {}): CalendarEvent {
  const times = {
    start_date: '2027-03-06 18:30:00',
    end_date: '2027-03-06 21:00:00',
    utc_start_date: '2027-03-06 23:30:00',
    utc_end_date: '2027-03-07 02:00:00',
  };
  const details = dateDetails(times.start_date);
  return {
    ...NO_TEXTS,
    ...post(12),
    url: 'https://city.example/event/lantern-walk/',
    rest_url: 'https://city.example/calendar/events/v1/events/12',
    title: 'Lantern walk',
    slug: 'lantern-walk',
    image: false,
    all_day: false,
    ...times,
    start_date_details: details,
    end_date_details: details,
    utc_start_date_details: details,
    utc_end_date_details: details,
    timezone: 'America/New_York',
    timezone_abbr: 'EST',
    cost: '',
    cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
    show_map: true,
    show_map_link: true,
    hide_from_listings: false,
    sticky: false,
    featured: false,
    categories: [],
    tags: [],
    ...perLinkedKind(() => []),
    custom_fields: [],
    ticketed: false,
    ical_sequence: 3,
    ...changes,
  };
}
