import { modeOf } from '../../calendar/events/attendance.ts';
import { postalLines } from '../../lib/text/postal-address.ts';
import { assetPath, HAS_MAPS } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event, Venue } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Venues of an event. */
export const venuesOf = ({ venue }: Event): Venue[] => [venue].flat();

/** Place of an event on one line: `Harbour Hall, Boston`, or `Online`. */
export function placeLine(event: Event, { t }: Visit): Html | undefined {
  const mode = modeOf(event);
  const [venue] = mode === 'online' ? [] : venuesOf(event);
  const place = venue && [venue.venue, venue.city].filter(Boolean).join(', ');
  if (mode === 'on_site') return place ? lineOf(place) : undefined;
  return lineOf(
    place ? t('place.also_online', { place }) : t(mode === 'online' ? 'event.online' : 'event.also_online'),
  );
}

const lineOf = (place: string): Html => html`<span dir="auto" class="card-place p-location">${place}</span>`;

/** Lines of a postal address, in the format of the venue's country. */
export const addressLines = ({ address, city, zip, country, ...venue }: Venue): string[] =>
  postalLines({
    ...{ street: address, city, postcode: zip, country },
    region: venue.stateprovince ?? venue.province ?? venue.state,
  });

/** Link to the online address of an event, which does not learn the address of the page. */
export const onlineLink = (address: string, text: string): Html =>
  html`<a rel="noopener noreferrer nofollow" href="${address}">${text}</a>`;

/** OpenStreetMap address of a venue with coordinates. */
const mapAddress = ({ geo_lat: lat, geo_lng: lng }: Pick<Venue, 'geo_lat' | 'geo_lng'>): string =>
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

/** Venue with coordinates. */
type MappedVenue = Venue & { geo_lat: number; geo_lng: number };

/** Venues on a map; none on a site without maps. */
export function mappedVenues(venues: readonly Venue[], { config }: Visit): MappedVenue[] {
  if (!config.mapTiles || !HAS_MAPS) return [];
  const isMapped = (venue: Venue): venue is MappedVenue =>
    venue.show_map && venue.geo_lat !== undefined && venue.geo_lng !== undefined;
  return venues.filter(isMapped);
}

/**
 * Button that shows the venues on a map, for browsers with scripts only. The page must set `mapTiles`, so that the
 * browser may load the tiles.
 */
export function placeMap(venues: readonly Venue[], visit: Visit): Html | undefined {
  const { config, t, link } = visit;
  const mapped = mappedVenues(venues, visit);
  if (!config.mapTiles || mapped.length === 0) return undefined;
  const { template, attribution } = config.mapTiles;
  const places = mapped.map((venue) => ({
    name: venue.venue,
    url: link(venue.url),
    about: addressLines(venue).join(', '),
    ways: venue.show_map_link ? mapAddress(venue) : undefined,
    at: [venue.geo_lat, venue.geo_lng],
  }));
  const texts = { show: t('map.show'), hide: t('map.hide'), in: t('map.in'), out: t('map.out'), ways: t('place.map') };
  return html`<section class="place-map" aria-label="${t('map.label')}" hidden data-map="${assetPath('map.js')}" data-leaflet="${assetPath('leaflet.js')}" data-style="${assetPath('map.css')}" data-tiles="${template}" data-texts="${JSON.stringify(texts)}" data-places="${JSON.stringify(places)}">
<button type="button" class="quiet" aria-expanded="false">${texts.show}</button>
<div class="map-frame" hidden><div class="map" role="region" aria-label="${t('map.about')}"></div>
<p class="map-credit">${credit(attribution)}</p></div>
</section>`;
}

const credit = ({ text, url }: NonNullable<Visit['config']['mapTiles']>['attribution']): Html =>
  url === undefined ? html`${text}` : html`<a rel="noopener" href="${url}">${text}</a>`;
