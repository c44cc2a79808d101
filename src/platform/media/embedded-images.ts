import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import { originalOf } from './image-names.ts';
import { UPLOADS } from './images.ts';

/** Images within texts, referenced by the URLs of their files. */

/** The texts that may contain images. */
const TEXT_COLUMNS = [
  ['events', 'description'],
  ['events', 'excerpt'],
  ['linked_posts', 'description'],
  ['terms', 'description'],
  ['tickets', 'description'],
  ['translations', 'texts'],
  ['site_texts', 'texts'],
] as const;

const FILE = /\/uploads\/(\d{4}\/\d\d\/[\w-]{1,200}\.\w{1,5})/g;

/** Number of files per look-up. */
const BATCH = 5000;

/** The ids of all images embedded in texts. Reads every text with an image, so it takes a moment on large sites. */
export async function findEmbeddedImages(db: Database): Promise<number[]> {
  const files = new Set<string>();
  for (const [table, column] of TEXT_COLUMNS) {
    const { rows } = await sql<{ text: string }>`SELECT ${sql.ref(column)} AS text FROM ${sql.table(table)}
      WHERE ${db.dialect.contains(sql.ref(column), UPLOADS)}`.execute(db.query);
    for (const { text } of rows) for (const [, file = ''] of text.matchAll(FILE)) files.add(originalOf(file));
  }
  const all = [...files];
  const found: number[] = [];
  for (let start = 0; start < all.length; start += BATCH)
    found.push(...(await idsOf(db, all.slice(start, start + BATCH))));
  return found;
}

async function idsOf({ query }: Database, files: readonly string[]): Promise<number[]> {
  const present = await query.selectFrom('media').select('id').where('file', 'in', files).execute();
  const former = await query.selectFrom('former_files').select('media_id as id').where('file', 'in', files).execute();
  return [...present, ...former].map(({ id }) => id);
}

/** Builds the condition that a text embeds an image, under its current file or an earlier one. */
export async function createEmbedsCondition(
  { query, dialect }: Database,
  image: MediaTable,
): Promise<(column: Expression<string>) => RawBuilder<SqlBool>> {
  const former = await query
    .selectFrom('former_files')
    .select('file')
    .where('media_id', '=', image.id)
    .where('size', '=', '')
    .execute();
  // Names of renditions begin with the name of the original.
  const stems = [image, ...former].map(({ file }) => `${UPLOADS}${file.slice(0, file.lastIndexOf('.'))}`);
  return (column) =>
    sql`(${sql.join(
      stems.map((stem) => dialect.contains(column, stem)),
      sql` OR `,
    )})`;
}
