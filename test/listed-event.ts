import { dateDetails } from '../src/lib/dates/dates.ts';
import type { CalendarBody, OrganizerBody, VenueBody } from '../src/web/frame/bodies.ts';

const WRITTEN = '2026-11-21 17:00:00';

export const listedVenue = (changes: Partial<VenueBody> = {}): VenueBody => ({
  id: 5,
  url: 'https://city.example/venue/old-mill/',
  modified_utc: WRITTEN,
  slug: 'old-mill',
  venue: 'Old mill',
  show_map: true,
  show_map_link: true,
  ...changes,
});

export const listedOrganizer = (changes: Partial<OrganizerBody> = {}): OrganizerBody => ({
  id: 6,
  url: 'https://city.example/organizer/mill-club/',
  modified_utc: WRITTEN,
  slug: 'mill-club',
  organizer: 'Mill club',
  ...changes,
});

/** An event as lists of the interface answer it: an evening in New York. */
export function listedEvent(changes: Partial<CalendarBody> = {}): CalendarBody {
  const times = {
    start_date: '2027-03-06 18:30:00',
    end_date: '2027-03-06 21:00:00',
    utc_start_date: '2027-03-06 23:30:00',
    utc_end_date: '2027-03-07 02:00:00',
  };
  const details = dateDetails(times.start_date);
  return {
    id: 12,
    global_id: 'city.example?id=12',
    global_id_lineage: ['city.example?id=12'],
    author: '1',
    status: 'publish',
    date: WRITTEN,
    date_utc: WRITTEN,
    modified: WRITTEN,
    modified_utc: WRITTEN,
    url: 'https://city.example/event/lantern-walk/',
    rest_url: 'https://city.example/calendar/events/v1/events/12',
    title: 'Lantern walk',
    description: '',
    excerpt: '',
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
    website: '',
    show_map: true,
    show_map_link: true,
    hide_from_listings: false,
    sticky: false,
    featured: false,
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
    custom_fields: [],
    ticketed: false,
    ical_sequence: 3,
    ...changes,
  };
}
