import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { isOneOf, positionIn } from '../../db/value-list.ts';
import { searchWords } from '../../lib/text/text.ts';
import { hasNoText } from '../translations/store.ts';
import { findEmbeddedImages } from './embedded-images.ts';
import { imageSlugPattern } from './image-names.ts';

export interface ImageFilter {
  /** Words of the title, the file name or the alternative text in any language. */
  search?: string;
  slugs?: readonly string[];
  include?: readonly number[];
  exclude?: readonly number[];
  authors?: readonly number[];
  excludedAuthors?: readonly number[];
  mimeTypes?: readonly string[];
  /** Exclusive bounds of the upload time in UTC. */
  after?: string;
  before?: string;
  /** Only unused images (true) or only used ones (false). */
  unused?: boolean;
  /** Only images without alternative text in this language; undefined is the site's first. */
  withoutAlt?: { language: string | undefined };
}

export const IMAGE_ORDERS = ['date', 'title', 'filesize'] as const;

export interface ImageOrder {
  by: (typeof IMAGE_ORDERS)[number] | 'id' | 'author' | 'slug' | 'include';
  isDescending: boolean;
}

const NEWEST_FIRST: ImageOrder = { by: 'date', isDescending: true };

interface ImageQuery {
  filter: ImageFilter;
  order?: ImageOrder;
  limit: number;
  offset: number;
}

/** A page of images, newest first by default. */
export async function listImages(db: Database, { filter, order = NEWEST_FIRST, limit, offset }: ImageQuery) {
  const embedded = filter.unused === undefined ? [] : await findEmbeddedImages(db);
  const base = db.query.selectFrom('media').where((eb) => matches(eb, db, { ...filter, embedded }));
  const { total } = await base.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const direction = order.isDescending ? 'desc' : 'asc';
  const images = await base
    .selectAll()
    .orderBy(columnOf(order, filter), direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute();
  return { total: Number(total), images };
}

/** Sort column of a list. `date` sorts by id, which grows with the upload time. */
function columnOf({ by }: ImageOrder, { include }: ImageFilter): Expression<unknown> {
  if (by === 'include' && include) return positionIn(sql.ref('id'), include);
  const columns = { title: 'title_key', filesize: 'filesize', author: 'author_id', slug: 'file' } as const;
  return sql.ref(by in columns ? columns[by as keyof typeof columns] : 'id');
}

type MediaExpression = ExpressionBuilder<Tables, 'media'>;

function matches(
  eb: MediaExpression,
  db: Database,
  { embedded, ...filter }: ImageFilter & { embedded: readonly number[] },
): Expression<SqlBool> {
  const conditions = searchWords(filter.search ?? '').map((word) => hasWord(eb, db, word));
  const some = (column: 'id' | 'author_id' | 'mime_type', values: readonly (string | number)[]) =>
    isOneOf(eb.ref(column), values);
  if (filter.slugs)
    conditions.push(eb.or(filter.slugs.map((slug) => sql<boolean>`file LIKE ${imageSlugPattern(slug)} ESCAPE '!'`)));
  if (filter.include) conditions.push(some('id', filter.include));
  if (filter.exclude) conditions.push(eb.not(some('id', filter.exclude)));
  if (filter.authors) conditions.push(some('author_id', filter.authors));
  if (filter.excludedAuthors) conditions.push(eb.not(some('author_id', filter.excludedAuthors)));
  if (filter.mimeTypes) conditions.push(some('mime_type', filter.mimeTypes));
  if (filter.after !== undefined) conditions.push(eb('date_utc', '>', filter.after));
  if (filter.before !== undefined) conditions.push(eb('date_utc', '<', filter.before));
  if (filter.unused !== undefined) {
    // Literals, because their number may exceed the limit of bound values.
    const used = eb.or([isShown(eb), sql<boolean>`media.id IN (${sql.raw([0, ...embedded].join(','))})`]);
    conditions.push(filter.unused ? eb.not(used) : used);
  }
  if (filter.withoutAlt)
    conditions.push(hasNoText(db, { kind: 'media', language: filter.withoutAlt.language, id: sql.ref('media.id') }));
  return eb.and(conditions);
}

const hasWord = (eb: MediaExpression, db: Database, word: string): Expression<SqlBool> =>
  eb.or([
    db.dialect.contains(eb.ref('search_text'), word),
    eb.exists(
      eb
        .selectFrom('translations as t')
        .select('t.id')
        .whereRef('t.record_id', '=', 'media.id')
        .where('t.kind', '=', 'media')
        .where(db.dialect.contains(sql.ref('t.name_key'), word)),
    ),
  ]);

const isShown = (eb: MediaExpression): Expression<SqlBool> =>
  eb.or([
    eb.exists(eb.selectFrom('events').select('events.id').whereRef('image_id', '=', 'media.id')),
    eb.exists(eb.selectFrom('linked_posts').select('linked_posts.id').whereRef('image_id', '=', 'media.id')),
    eb.exists(eb.selectFrom('site_settings').select('site_settings.id').whereRef('logo_id', '=', 'media.id')),
  ]);
