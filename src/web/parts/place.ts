import { type Html, html } from '../html.ts';
import type { EventBody, VenueBody } from '../public/bodies.ts';

/** The venues of an event. */
export const venuesOf = ({ venue }: EventBody): VenueBody[] => [venue].flat();

/** Where an event takes place, in one line: `Harbour Hall, Boston`. */
export function placeLine(event: EventBody): Html | undefined {
  const [venue] = venuesOf(event);
  if (!venue) return undefined;
  const place = [venue.venue, venue.city].filter(Boolean).join(', ');
  return html`<span class="card-place p-location">${place}</span>`;
}

/** Lines of a postal address. */
export const addressLines = ({ address, zip, city, stateprovince, country }: VenueBody): string[] =>
  [address, [zip, city].filter(Boolean).join(' '), stateprovince, country].filter(
    (line) => line !== undefined && line !== '',
  ) as string[];
