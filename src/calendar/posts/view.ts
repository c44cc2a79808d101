import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { EventsTable } from '../../db/tables/calendar.ts';
import { revisionOf, revisionSchema } from '../../http/core/revisions.ts';
import type { Urls } from '../../http/core/urls.ts';
import { link, localTime, utcTime } from '../../http/output/output.ts';
import { STATUSES, type Status } from './post.ts';

/** First members of every post in responses. */
export const postSchema = {
  id: z.int(),
  author: z.string().describe('Id of the author, as text.'),
  status: z.enum(STATUSES),
  trashed_from: z
    .enum(STATUSES)
    .optional()
    .describe('Status before the record was put into the trash; the right to change it depends on this status.'),
  date: localTime,
  date_utc: utcTime,
  modified: localTime,
  modified_utc: utcTime,
  ...revisionSchema,
  url: link,
};

/** Global id of a record. */
export const globalIdSchema = { global_id: z.string(), global_id_lineage: z.array(z.string()) };

/** Columns shown by `renderPost`. */
export type PostRow = Pick<
  Selectable<EventsTable>,
  | 'id'
  | 'author_id'
  | 'status'
  | 'date'
  | 'date_utc'
  | 'modified'
  | 'modified_utc'
  | 'revision'
  | 'slug'
  | 'trashed_from'
>;

/** URL of the public page; unpublished records have one by id only. */
export function pageUrl(
  kind: string,
  { id, status, slug }: Pick<PostRow, 'id' | 'status' | 'slug'>,
  urls: Urls,
): string {
  if (status === 'publish' || status === 'private') return urls.page(`/${kind}/${slug}/`);
  return urls.page(`/?post_type=${urls.postType(kind)}&p=${id}`);
}

/** Both columns hold only results of `statusFor`. */
const asStatus = (status: string): Status => status as Status;

/** The members of `postSchema`. */
export const renderPost = (kind: string, row: PostRow, urls: Urls) => ({
  id: row.id,
  author: String(row.author_id),
  status: asStatus(row.status),
  ...(row.status === 'trash' && !urls.isReference && { trashed_from: asStatus(row.trashed_from || 'draft') }),
  date: row.date,
  date_utc: row.date_utc,
  modified: row.modified,
  modified_utc: row.modified_utc,
  ...revisionOf(row, urls),
  url: pageUrl(kind, row, urls),
});

/** The members of `globalIdSchema`. */
export function globalId(id: number, urls: Urls, type?: string) {
  const global_id = urls.globalId(id, type);
  return { global_id, global_id_lineage: [global_id] };
}
