import { z } from 'zod';
import type { Flag } from '../../db/columns.ts';
import { boolean, clearable, decimal, url, withDefault } from '../../http/input/schemas.ts';
import { LINKED_KINDS } from '../../lib/linked-kinds.ts';
import { isSameCountry } from '../../lib/text/countries.ts';
import { attributeLine, isSameWebsite, type LinkedPostKind } from '../linked-posts/kind.ts';
import { linkedPostSchema, thingJsonLd } from '../linked-posts/view.ts';

const attributes = {
  address: attributeLine('Street and number.'),
  city: attributeLine('City.'),
  country: attributeLine('Country.'),
  province: attributeLine('Province, outside the United States.'),
  state: attributeLine('State, in the United States.'),
  zip: attributeLine('Postal code.'),
  phone: attributeLine('Telephone number.'),
  website: withDefault(clearable(url('Web address.')), null),
  stateprovince: attributeLine('State or province; derived from `state` or `province` by default.'),
};

type Attributes = Readonly<Record<string, string>>;

/** The region: as sent, otherwise the state in countries with states, otherwise the province. */
function regionOf({ stateprovince, state, province, country = '' }: Attributes): string {
  if (stateprovince) return stateprovince;
  if (state && ['', 'us', 'usa', 'united states'].includes(country.toLowerCase())) return state;
  return province ?? '';
}

/** null leaves it unchanged, too. */
function flag(sent: unknown, current: Flag): Flag {
  if (typeof sent !== 'boolean') return current;
  return sent ? 1 : 0;
}

/** null clears it; absent leaves it unchanged. */
const coordinate = (sent: unknown, current: number | null): number | null =>
  sent === undefined ? current : (sent as number | null);

/** Venues: where an event takes place. */
export const venue = {
  name: 'venue',
  plural: LINKED_KINDS.venue.plural,
  attributes,
  fields: {
    show_map: withDefault(clearable(boolean('Show a map on the page.')), null),
    show_map_link: withDefault(clearable(boolean('Show a link to a map on the page.')), null),
    geo_lat: clearable(decimal('Latitude, -90 to 90. Requires `geo_lng`.', { min: -90, max: 90 })),
    geo_lng: clearable(decimal('Longitude, -180 to 180. Requires `geo_lat`.', { min: -180, max: 180 })),
  },
  schema: linkedPostSchema('venue', attributes, {
    geo_lat: z.number().optional().describe('Latitude.'),
    geo_lng: z.number().optional().describe('Longitude.'),
    show_map: z.boolean(),
    show_map_link: z.boolean(),
  }).meta({ id: 'Venue', description: 'A venue. Empty members are omitted.' }),
  isSame: { website: isSameWebsite, country: isSameCountry },
  together: [['geo_lat', 'geo_lng']],
  check({ geo_lat, geo_lng }, addProblem) {
    const isGiven = (value: unknown) => value !== undefined && value !== null;
    const isCleared = (value: unknown) => value === null;
    if (isGiven(geo_lat) !== isGiven(geo_lng) || isCleared(geo_lat) !== isCleared(geo_lng)) {
      addProblem(isGiven(geo_lat) || isCleared(geo_lat) ? 'geo_lng' : 'geo_lat', { key: 'param.coordinate_pair' });
    }
  },
  columns: (input, current) => ({
    show_map: flag(input.show_map, current.show_map),
    show_map_link: flag(input.show_map_link, current.show_map_link),
    geo_lat: coordinate(input.geo_lat, current.geo_lat),
    geo_lng: coordinate(input.geo_lng, current.geo_lng),
  }),
  derive: (stored) => ({ ...stored, stateprovince: regionOf(stored) }),
  extra: ({ geo_lat, geo_lng }) => ({ geo_lat, geo_lng }),
  always: ({ show_map, show_map_link }) => ({ show_map: show_map === 1, show_map_link: show_map_link === 1 }),
  jsonLd: (post, image) => ({
    ...thingJsonLd('Place', post, image),
    // Search engines require an address.
    address: postalAddress(post.attributes) ?? post.title,
    ...(post.geo_lat !== null && {
      geo: { '@type': 'GeoCoordinates', latitude: post.geo_lat, longitude: post.geo_lng },
    }),
    telephone: post.attributes.phone,
    sameAs: post.attributes.website,
  }),
  inEvents: { jsonLdProperty: 'location', isUnwrapped: true },
  placeOf: ({ title, attributes: { address, city, zip, country, ...stored }, geo_lat, geo_lng }) => [
    title,
    address,
    city,
    zip,
    country,
    regionOf({ ...stored, country: country ?? '' }),
    geo_lat,
    geo_lng,
  ],
  identifying: [['address', 'city'], ['website']],
  metaKeys: {
    _VenueAddress: 'address',
    _VenueCity: 'city',
    _VenueCountry: 'country',
    _VenueProvince: 'province',
    _VenueState: 'state',
    _VenueStateProvince: 'stateprovince',
    _VenueZip: 'zip',
    _VenuePhone: 'phone',
    _VenueURL: 'website',
    _VenueLat: 'geo_lat',
    _VenueLng: 'geo_lng',
    _VenueShowMap: 'show_map',
    _VenueShowMapLink: 'show_map_link',
  },
} satisfies LinkedPostKind;

/** The postal address, if any part of it is known. */
function postalAddress(stored: Attributes) {
  const parts = {
    streetAddress: stored.address,
    addressLocality: stored.city,
    addressRegion: regionOf(stored),
    postalCode: stored.zip,
    addressCountry: stored.country,
  };
  const known = Object.entries(parts).filter(([, value]) => value);
  return known.length > 0 ? { '@type': 'PostalAddress', ...Object.fromEntries(known) } : undefined;
}
