import type { Media } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { read } from '../../data/queries.ts';
import type { RecordKind } from '../../shared/record/use-record.ts';
import { formerOf } from './former.ts';

/** The fields of a picture that its form edits. */
export type MediaFields = ReturnType<typeof fieldsOf>;

/** Where a picture is cropped around unless somebody says otherwise. */
const MIDDLE = { x: 50, y: 50 };

const fieldsOf = ({ title, alt = '', focus = MIDDLE }: Media) => ({ title, alt, focus });

/** Pictures in a form. */
export const mediaKind: RecordKind<Media, MediaFields> = {
  path: '/admin/v1/media',
  read: (id) => read('GET /admin/v1/media/{id}', { id }),
  write: (id, patch, options) => call('PATCH /admin/v1/media/{id}', { id, ...patch }, options),
  fieldsOf,
  formerOf,
  isDraft: () => false,
};
