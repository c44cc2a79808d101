import { postalLines } from '../../lib/text/postal-address.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event, Venue } from '../frame/responses.ts';

/** Venues of an event. */
export const venuesOf = ({ venue }: Event): Venue[] => [venue].flat();

/** Venue of an event on one line: `Harbour Hall, Boston`. */
export function placeLine(event: Event): Html | undefined {
  const [venue] = venuesOf(event);
  if (!venue) return undefined;
  const place = [venue.venue, venue.city].filter(Boolean).join(', ');
  return html`<span class="card-place p-location">${place}</span>`;
}

/** Lines of a postal address, in the format of the venue's country. */
export const addressLines = ({ address, city, zip, country, ...venue }: Venue): string[] =>
  postalLines({
    ...{ street: address, city, postcode: zip, country },
    region: venue.stateprovince ?? venue.province ?? venue.state,
  });
