import { assetPath, HAS_MAPS } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import type { Venue } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';
import { mapAddress } from './directions.ts';
import { addressLines } from './place.ts';

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
