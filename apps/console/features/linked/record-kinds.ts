import type { Input, Venue } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { Problem } from '../../../client/problem.ts';
import { read, refresh } from '../../data/queries.ts';
import type { Picture } from '../../shared/pictures/picture-field.tsx';
import type { RecordKind } from '../../shared/record/use-record.ts';
import { coordinatesText, readCoordinates } from './coordinates.ts';
import { type Kind, type Linked, SCREENS, type TextName, textOf } from './kinds.ts';
import { t } from './routes.ts';

/** Editable fields of a venue. */
export type VenueFields = ReturnType<typeof venueFields>;

const sharedFields = ({ description = '', image }: Linked) => ({
  description,
  image: image ? ({ id: image.id, url: image.url } as Picture) : null,
});

const venueFields = (record: Venue) => {
  const { venue, address = '', city = '', zip = '', country = '', phone = '', website = '', geo_lat, geo_lng } = record;
  return {
    venue,
    address,
    city,
    zip,
    country,
    phone,
    website,
    region: record.stateprovince ?? '',
    coordinates: geo_lat === undefined || geo_lng === undefined ? '' : coordinatesText({ lat: geo_lat, lng: geo_lng }),
    show_map: record.show_map,
    show_map_link: record.show_map_link,
    ...sharedFields(record),
  };
};

type VenueChange = Omit<Input<'PATCH /events/v1/venues/{id}'>, 'id'>;

/** The region is read from its own member, since the server derives the other one. */
export const regionChange = (region: string) => ({ stateprovince: region, state: null, province: null });

/** @throws {Problem} at the coordinates that cannot be read */
function pointChange(text: string): VenueChange {
  if (text.trim() === '') return { geo_lat: null, geo_lng: null };
  const point = readCoordinates(text);
  if (typeof point === 'object') return { geo_lat: point.lat, geo_lng: point.lng };
  const message = t(`coordinates.${point}`);
  throw new Problem(new Error(message)).at('coordinates', message);
}

export const pictureChange = (image: { id: number } | null | undefined) => ({ image: image ? String(image.id) : null });

function changeOf({ region, coordinates, image, ...plain }: Partial<VenueFields>): VenueChange {
  return {
    ...plain,
    ...(region !== undefined && regionChange(region)),
    ...(coordinates !== undefined && pointChange(coordinates)),
    ...(image !== undefined && pictureChange(image)),
  };
}

const isDraft = ({ status }: { status: string }): boolean => status === 'draft' || status === 'pending';

export const venueKind: RecordKind<Venue, VenueFields> = {
  path: '/events/v1/venues',
  read: (id) => read('GET /events/v1/venues/{id}', { id }),
  async write(id, patch, options) {
    const written = await call('PATCH /events/v1/venues/{id}', { id, ...changeOf(patch) }, options);
    void refresh('/admin/v1/venues');
    return written;
  },
  fieldsOf: venueFields,
  isDraft,
};

/** Fields of all kinds that have texts and a picture only; a form uses the ones of its kind. */
export type TextFields = Readonly<Record<Exclude<TextName, 'image'>, string>> & Pick<VenueFields, 'image'>;

/** Builds a kind whose form has the texts of `SCREENS`, a description and a picture. */
export const textKind = (kind: Kind): RecordKind<Linked, TextFields> => ({
  path: `/events/v1/${kind}`,
  read: (id) => read(`GET /events/v1/${kind}/{id}`, { id }),
  async write(id, { image, ...plain }, options) {
    const change = { ...plain, ...(image !== undefined && pictureChange(image)) };
    const written = await call(`PATCH /events/v1/${kind}/{id}`, { id, ...change }, options);
    void refresh(`/admin/v1/${kind}`);
    return written;
  },
  fieldsOf: (record) => ({ ...textsOf(kind, record), ...sharedFields(record) }),
  isDraft,
});

const textsOf = (kind: Kind, record: Linked) =>
  // Forms read only the names of their kind.
  Object.fromEntries(SCREENS[kind].texts.map((name) => [name, textOf(record, name)])) as Record<TextName, string>;
