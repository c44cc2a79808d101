import { dateDetails } from '../src/lib/dates.ts';
import type { ListedEvent } from '../src/web/feeds/feed-event.ts';

/** An event as lists of the interface answer it: an evening in New York. */
export function listedEvent(changes: Partial<ListedEvent> = {}): ListedEvent {
  const times = {
    start_date: '2027-03-06 18:30:00',
    end_date: '2027-03-06 21:00:00',
    utc_start_date: '2027-03-06 23:30:00',
    utc_end_date: '2027-03-07 02:00:00',
  };
  const details = dateDetails(times.start_date);
  const written = '2026-11-21 17:00:00';
  return {
    id: 12,
    global_id: 'city.example?id=12',
    global_id_lineage: ['city.example?id=12'],
    author: '1',
    status: 'publish',
    date: written,
    date_utc: written,
    modified: written,
    modified_utc: written,
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
    ...changes,
  };
}
