import { createReadStream } from 'node:fs';
import { pipeline, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { SourceError } from '../source.ts';
import { DumpParser, type DumpRow } from './dump-parser.ts';
import { CONTENT_TYPES, isReadKey, OPTIONS, Staging } from './staging.ts';

/** Reads an SQL dump of a WordPress site. */

/** Maximum bytes of a dump: a compressed file may unpack to any size. */
const MAX_BYTES = 40_000_000_000;

/**
 * @param prefix beginning of the names of the tables; found in the dump by default
 * @throws {SourceError} for a file that is not a dump of such a site
 */
export async function loadDump(
  file: string,
  { prefix: named, maxBytes }: { prefix?: string; maxBytes?: number } = {},
): Promise<Staging> {
  const prefix = named ?? (await findPrefix(file, maxBytes));
  const staging = new Staging();
  try {
    const tables = tablesOf(prefix);
    const parser = new DumpParser((table) => tables.has(table));
    await readDump(bytesOf(file, maxBytes), parser, ({ rows }) => {
      for (const row of rows) stage(staging, tables.get(row.table), row);
    });
    sealTables(staging, prefix);
    return staging;
  } catch (error) {
    staging.close();
    throw error;
  }
}

/**
 * Ends the reading of the tables of a site.
 * @throws {SourceError} if they do not belong to a site
 */
export function sealTables(staging: Staging, prefix: string): void {
  staging.add('options', { name: 'table_prefix', value: prefix });
  staging.seal();
  if (staging.option('home') === '' && staging.option('siteurl') === '')
    throw new SourceError(`There are no options of a site in the table "${prefix}options".`);
}

async function readDump(
  bytes: AsyncIterable<Buffer>,
  parser: DumpParser,
  onPart: (part: ReturnType<DumpParser['read']>) => void,
): Promise<void> {
  for await (const chunk of bytes) onPart(parser.read(chunk));
  if (parser.isUnfinished) throw new SourceError('The dump breaks off in the middle of a statement. Make a new one.');
}

/** Bytes of a file, unpacked if it is compressed. @param maxBytes maximum size when unpacked */
export async function* bytesOf(file: string, maxBytes = MAX_BYTES): AsyncGenerator<Buffer> {
  const read = createReadStream(file, { highWaterMark: 256 * 1024 });
  let total = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      if (total > maxBytes) done(new SourceError(`The file unpacks to more than ${Math.round(maxBytes / 1e6)} MB.`));
      else done(null, chunk);
    },
  });
  const stream = file.endsWith('.gz')
    ? pipeline(read, createGunzip({ chunkSize: 256 * 1024 }), limit, () => undefined)
    : read;
  try {
    // Both streams consist of buffers.
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    const isPacked = code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE';
    throw new SourceError(isPacked ? `The file "${file}" cannot be unpacked.` : `The file "${file}" cannot be read.`);
  } finally {
    read.destroy();
  }
}

/** @throws {SourceError} if the dump has no site, or several */
async function findPrefix(file: string, maxBytes: number | undefined): Promise<string> {
  const seen = new Set<string>();
  const note = (table: string) => {
    if (seen.size < 5000) seen.add(table);
  };
  const parser = new DumpParser((table) => {
    note(table);
    return false;
  });
  await readDump(bytesOf(file, maxBytes), parser, ({ tables }) => {
    for (const { table } of tables) note(table);
  });
  return sitePrefix(seen, 'dump');
}

/**
 * The beginning that the tables of a site have in common.
 * @throws {SourceError} if there is no site among them, or several
 */
export function sitePrefix(tables: Iterable<string>, source: 'dump' | 'database'): string {
  const found = new Map<string, Set<string>>();
  for (const table of tables) {
    const [, prefix, kind] = /^(.*?)(posts|postmeta|options)$/s.exec(table) ?? [];
    if (prefix !== undefined && kind !== undefined) found.set(prefix, (found.get(prefix) ?? new Set()).add(kind));
  }
  const complete = [...found]
    .filter(([, kinds]) => kinds.size === 3)
    .map(([prefix]) => prefix)
    .toSorted();
  if (complete.length === 0)
    throw new SourceError(
      source === 'dump'
        ? 'The dump has no tables of a WordPress site.'
        : 'The account sees no tables of a WordPress site in this database. It needs the right to SELECT from all of them.',
    );
  if (complete.length > 1)
    throw new SourceError(`The ${source} has several sites. Choose one with --prefix: ${complete.join(', ')}`);
  return complete[0] ?? '';
}

/** Kinds of tables by name. Sites of a network share the accounts of the first one. */
export function tablesOf(prefix: string): ReadonlyMap<string, string> {
  const base = prefix.replace(/(?<=_)\d+_$/, '');
  const own = [
    'posts',
    'postmeta',
    'terms',
    'term_taxonomy',
    'term_relationships',
    'termmeta',
    'options',
    'tec_events',
    'tec_order_modifiers',
  ];
  return new Map([
    ...own.map((name) => [`${prefix}${name}`, name] as const),
    ...['users', 'usermeta'].map((name) => [`${base}${name}`, name] as const),
  ]);
}

/** Columns that are read, in the order of the original, for dumps without column names. */
export const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  postmeta: ['meta_id', 'post_id', 'meta_key', 'meta_value'],
  termmeta: ['meta_id', 'term_id', 'meta_key', 'meta_value'],
  usermeta: ['umeta_id', 'user_id', 'meta_key', 'meta_value'],
  terms: ['term_id', 'name', 'slug', 'term_group'],
  term_taxonomy: ['term_taxonomy_id', 'term_id', 'taxonomy', 'description', 'parent', 'count'],
  term_relationships: ['object_id', 'term_taxonomy_id', 'term_order'],
  options: ['option_id', 'option_name', 'option_value', 'autoload'],
  users: [
    ...['ID', 'user_login', 'user_pass', 'user_nicename', 'user_email', 'user_url', 'user_registered'],
    ...['user_activation_key', 'user_status', 'display_name'],
  ],
  posts: [
    ...['ID', 'post_author', 'post_date', 'post_date_gmt', 'post_content', 'post_title', 'post_excerpt', 'post_status'],
    ...['comment_status', 'ping_status', 'post_password', 'post_name', 'to_ping', 'pinged', 'post_modified'],
    ...['post_modified_gmt', 'post_content_filtered', 'post_parent', 'guid', 'menu_order', 'post_type'],
    ...['post_mime_type', 'comment_count'],
  ],
  tec_order_modifiers: ['id', 'modifier_type', 'sub_type', 'raw_amount', 'slug', 'display_name', 'status'],
  tec_events: ['event_id', 'post_id', 'start_date', 'end_date', 'timezone', 'start_date_utc', 'end_date_utc'],
};

/** Values of a row by the names of its columns. */
interface Row {
  text(column: string): string;
  number(column: string): number;
}

const numberOf = (text: string): number => (/^-?\d{1,15}$/.test(text) ? Number(text) : 0);

function rowOf({ columns, values }: Pick<DumpRow, 'columns' | 'values'>, table: string): Row {
  const names = columns.length > 0 ? columns : (COLUMNS[table] ?? []);
  const text = (name: string): string => values[names.indexOf(name)]?.toString('utf8') ?? '';
  return { text, number: (name) => numberOf(text(name)) };
}

/** Adds a row; `table` is the kind of its table. */
export function stage(staging: Staging, table: string | undefined, row: Pick<DumpRow, 'columns' | 'values'>): void {
  if (table !== undefined) STAGES[table]?.(staging, rowOf(row, table));
}

/** Adds the columns of a row that are read, by table. */
const STAGES: Readonly<Record<string, (staging: Staging, row: Row) => void>> = {
  posts: stagePost,
  postmeta: (staging, row) => stageMeta(staging, 'post', row),
  termmeta: (staging, row) => stageMeta(staging, 'term', row),
  usermeta: (staging, row) => stageMeta(staging, 'user', row),
  terms: (staging, { text, number }) =>
    staging.add('terms', { id: number('term_id'), name: text('name'), slug: text('slug') }),
  term_taxonomy: (staging, { text, number }) =>
    staging.add('taxonomy', {
      ...{ tt_id: number('term_taxonomy_id'), term_id: number('term_id'), taxonomy: text('taxonomy') },
      ...{ description: text('description'), parent: number('parent') },
    }),
  term_relationships: (staging, { number }) =>
    staging.add('relationships', { object_id: number('object_id'), tt_id: number('term_taxonomy_id') }),
  options(staging, { text }) {
    if (OPTIONS.has(text('option_name')))
      staging.add('options', { name: text('option_name'), value: text('option_value') });
  },
  tec_events: (staging, { text, number }) =>
    staging.add('dates', {
      post_id: number('post_id'),
      start_date: text('start_date'),
      end_date: text('end_date') || null,
    }),
  tec_order_modifiers: (staging, { text, number }) =>
    staging.add('modifiers', {
      id: number('id'),
      type: text('modifier_type'),
      slug: text('slug').slice(0, 100),
      status: text('status'),
    }),
  users: (staging, { text, number }) =>
    staging.add('users', {
      ...{ id: number('ID'), login: text('user_login'), pass: text('user_pass'), nicename: text('user_nicename') },
      ...{ email: text('user_email'), registered: text('user_registered'), display_name: text('display_name') },
    }),
};

function stageMeta(staging: Staging, kind: 'post' | 'term' | 'user', { text, number }: Row): void {
  const key = text('meta_key');
  if (isReadKey(key)) staging.add('meta', { kind, about: number(`${kind}_id`), key, value: text('meta_value') });
}

function stagePost(staging: Staging, { text, number }: Row): void {
  const type = text('post_type');
  const isRead = CONTENT_TYPES.has(type);
  staging.add('posts', {
    ...{ id: number('ID'), author: number('post_author'), type, status: text('post_status') },
    ...{ date: text('post_date'), date_gmt: text('post_date_gmt') },
    ...{ modified: text('post_modified'), modified_gmt: text('post_modified_gmt') },
    // Revisions and pages are stored without texts: only their existence and their address matter.
    ...{ content: isRead ? text('post_content') : '', excerpt: isRead ? text('post_excerpt') : '' },
    ...{ title: isRead ? text('post_title') : '', password: text('post_password'), name: text('post_name') },
    ...{
      parent: number('post_parent'),
      menu_order: number('menu_order'),
      mime: text('post_mime_type'),
    },
  });
}
