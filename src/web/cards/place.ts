import { postalLines } from '../../lib/text/postal-address.ts';
import type { EventBody, VenueBody } from '../frame/bodies.ts';
import { type Html, html } from '../frame/html.ts';

/** Venues of an event. */
export const venuesOf = ({ venue }: EventBody): VenueBody[] => [venue].flat();

/** Venue of an event on one line: `Harbour Hall, Boston`. */
export function placeLine(event: EventBody): Html | undefined {
  const [venue] = venuesOf(event);
  if (!venue) return undefined;
  const place = [venue.venue, venue.city].filter(Boolean).join(', ');
  return html`<span class="card-place p-location">${place}</span>`;
}

/** Lines of a postal address, in the format of the venue's country. */
export const addressLines = ({ address, city, zip, country, ...venue }: VenueBody): string[] =>
  postalLines({
    ...{ street: address, city, postcode: zip, country },
    region: venue.stateprovince ?? venue.province ?? venue.state,
  });
