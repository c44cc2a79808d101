import type { UseQueryOptions } from '@tanstack/react-query';
import { call } from '../../client/call.ts';
import { read } from '../frame/queries.ts';
import { isPublished } from '../parts/event-rights.ts';
import type { Picture } from '../parts/picture-field.tsx';
import type { RecordKind } from '../record/use-record.ts';
import { KINDS, type Kind } from './kinds.ts';
import { type LinkedPost, textOf } from './linked-post.ts';

/** The fields of a venue or an organizer that its form edits. */
export interface LinkedPostFields {
  [name: string]: string | boolean | Picture | null;
  description: string;
  image: Picture | null;
  /** Two numbers, or empty. */
  coordinates: string;
}

const fieldsOf =
  (kind: Kind) =>
  (record: LinkedPost): LinkedPostFields => {
    const { image, geo_lat, geo_lng } = record;
    const { name, lines, switches } = KINDS[kind];
    return {
      ...Object.fromEntries([name, ...lines].map((one) => [one, textOf(record, one)])),
      ...Object.fromEntries(switches.map((one) => [one, record[one] === true])),
      description: textOf(record, 'description'),
      image: image ? { id: image.id, url: image.url } : null,
      coordinates: geo_lat === undefined ? '' : `${geo_lat}, ${geo_lng}`,
    };
  };

/** What the interface calls the fields. */
export function changeOf({ image, coordinates, ...others }: Partial<LinkedPostFields>): Record<string, unknown> {
  const [geo_lat = null, geo_lng = null] = coordinates ? coordinates.split(',').map(Number) : [];
  return {
    ...others,
    ...(image !== undefined && { image: image ? String(image.id) : null }),
    ...(coordinates !== undefined && { geo_lat, geo_lng }),
  };
}

/** Venues or organizers in a form. */
export const linkedPostKind = (kind: Kind): RecordKind<LinkedPost, LinkedPostFields> => ({
  path: `/events/v1/${kind}`,
  read: (id) =>
    // Both kinds are read by their ids.
    read(`GET /events/v1/${kind}/{id}` as 'GET /events/v1/venues/{id}', { id }) as unknown as UseQueryOptions<
      LinkedPost,
      Error,
      LinkedPost,
      readonly unknown[]
    >,
  async write(id, patch, options) {
    const operation = `PATCH /events/v1/${kind}/{id}` as 'PATCH /events/v1/venues/{id}';
    return (await call(operation, { id, ...changeOf(patch) }, options)) as unknown as LinkedPost;
  },
  fieldsOf: fieldsOf(kind),
  isDraft: ({ status }) => !isPublished(status),
});
