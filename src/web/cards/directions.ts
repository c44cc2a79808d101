import { type Html, html } from '../frame/html.ts';
import type { Venue } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { addressLines } from './place.ts';

/** OpenStreetMap address of a venue with coordinates. */
export const mapAddress = ({ geo_lat: lat, geo_lng: lng }: Pick<Venue, 'geo_lat' | 'geo_lng'>): string =>
  `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`;

/** Links to a venue: a map in the browser, and the map app of a phone. */
export function directions(venue: Venue, { t }: Visit): Html | undefined {
  const { geo_lat: lat, geo_lng: lng, show_map_link: isShown } = venue;
  if (!isShown) return undefined;
  const words = encodeURIComponent([venue.venue, ...addressLines(venue)].join(', '));
  if (lat === undefined || lng === undefined) {
    if (addressLines(venue).length === 0) return undefined;
    return html`<a rel="noopener" href="https://www.openstreetmap.org/search?query=${words}">${t('place.map')}</a>`;
  }
  return html`<a rel="noopener" href="${mapAddress(venue)}">${t('place.map')}</a><span class="on-touch"> · <a class="u-geo" href="geo:${lat},${lng}?q=${lat},${lng}(${encodeURIComponent(venue.venue)})">${t('place.app')}</a></span>`;
}
