import { fold } from '../../lib/text/text.ts';
import type { Visit } from '../frame/visit.ts';

/** Maximum number of venues per request, and of requests. */
const PER_PAGE = 100;
const MAX_PAGES = 10;

/** Ids of the venues in a city, in the format of the filter `venue`; empty if there are none. */
export async function venuesInCity({ ask }: Visit, city: string): Promise<string> {
  const pageOf = (page: number) => ask('venues.list', { search: city, per_page: PER_PAGE, page });
  const first = await pageOf(1);
  const others = Array.from({ length: Math.min(first.total_pages, MAX_PAGES) - 1 }, (_one, index) => pageOf(index + 2));
  const found = [first, ...(await Promise.all(others))].flatMap(({ venues }) => venues);
  const asked = fold(city).trim();
  return found
    .filter((venue) => fold(venue.city ?? '').trim() === asked)
    .map(({ id }) => id)
    .join(',');
}
