import { type Expression, type ExpressionBuilder, type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { newRecordId } from '../db/records.ts';
import type { LinkedPostsTable, Tables } from '../db/tables.ts';
import { storedSlug } from '../lib/slug.ts';
import { fold, htmlToText, searchWords } from '../lib/text.ts';
import { UNFINISHED } from './post.ts';
import { isVisible, type Visibility } from './status-filter.ts';
import type { Translation } from './texts.ts';
import { keyIn, removeTranslations, saveTranslations } from './translation-store.ts';

export type LinkedPostKindName = LinkedPostsTable['kind'];

/** A venue or an organizer, with its attributes read. */
export type LinkedPost = Omit<Selectable<LinkedPostsTable>, 'attributes'> & {
  attributes: Readonly<Record<string, string>>;
};

const read = (row: Selectable<LinkedPostsTable>): LinkedPost => ({
  ...row,
  // Written by `stored` below.
  attributes: JSON.parse(row.attributes) as Record<string, string>,
});

/** The columns that follow from others, so that they cannot disagree with them. */
const derived = ({ title, description, attributes }: Pick<LinkedPost, 'title' | 'description' | 'attributes'>) => ({
  title_key: fold(title),
  search_text: fold([title, htmlToText(description), ...Object.values(attributes)].join('\n')),
});

export type LinkedPostValues = Omit<LinkedPost, 'id' | 'kind' | 'title_key' | 'search_text'>;

function stored(values: LinkedPostValues): Omit<Insertable<LinkedPostsTable>, 'id' | 'kind'> {
  return { ...values, ...derived(values), attributes: JSON.stringify(values.attributes) };
}

/** The name under which the benchmarks ask for it. */
export const newPostId = newRecordId;

interface Named {
  id: number;
  kind: LinkedPostKindName;
}

interface Written {
  values: LinkedPostValues;
  /** All that there are after the write; absent when none are touched. */
  translations?: readonly Translation[];
}

export async function insertLinkedPost(
  db: Database,
  { id, kind }: Named,
  { values, translations }: Written,
): Promise<void> {
  await db.query
    .insertInto('linked_posts')
    .values({ id, kind, ...stored(values) })
    .execute();
  await saveTexts(db, { id, kind }, { values, translations });
}

export async function updateLinkedPost(
  db: Database,
  { id, kind }: Named,
  { values, translations }: Written,
): Promise<void> {
  await db.query.updateTable('linked_posts').set(stored(values)).where('id', '=', id).execute();
  await saveTexts(db, { id, kind }, { values, translations });
}

/** What falls back is searched in every language, so a changed text of the first one changes them all. */
async function saveTexts(db: Database, named: Named, { values, translations }: Written): Promise<void> {
  if (!translations) return;
  const { title, description, attributes } = values;
  await saveTranslations(db, named, {
    own: { title, description },
    translations,
    keysOf: (texts) => {
      const { title_key, search_text } = derived({ title, description, ...texts, attributes });
      return { name_key: title_key, search_text };
    },
  });
}

/** Removes a record for good. */
export async function removeLinkedPost(db: Database, { id, kind }: Named): Promise<void> {
  await removeTranslations(db, { id, kind });
  await db.query.deleteFrom('linked_posts').where('id', '=', id).execute();
  await db.query.deleteFrom('records').where('id', '=', id).execute();
}

/** Takes a venue or an organizer off its events; what else they are linked to stays. */
export async function unlinkFromEvents(db: Database, kind: LinkedPostKindName, id: number): Promise<void> {
  await db.query.deleteFrom('event_links').where('kind', '=', kind).where('target_id', '=', id).execute();
}

export async function findLinkedPost(
  db: Database,
  kind: LinkedPostKindName,
  id: number,
): Promise<LinkedPost | undefined> {
  const row = await db.query
    .selectFrom('linked_posts')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row && read(row);
}

export async function findLinkedPosts(db: Database, ids: readonly number[]): Promise<Map<number, LinkedPost>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('linked_posts')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, read(row)]));
}

/** Of several records that share a slug, the one with an address is meant, else the oldest draft. */
export async function findLinkedPostBySlug(
  db: Database,
  kind: LinkedPostKindName,
  slug: string,
): Promise<LinkedPost | undefined> {
  const row = await db.query
    .selectFrom('linked_posts')
    .selectAll()
    .where('kind', '=', kind)
    .where('slug', '=', storedSlug(slug))
    .orderBy(({ case: when }) => when().when('status', 'in', UNFINISHED).then(1).else(0).end())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row && read(row);
}

/** Published records of a name, in any letter case, oldest first: of the first language, or of the one that is spoken. */
export async function findNamesakes(
  db: Database,
  { kind, language }: { kind: LinkedPostKindName; language: string | undefined },
  title: string,
): Promise<LinkedPost[]> {
  const key = fold(title);
  const translated = db.query
    .selectFrom('translations')
    .select('record_id')
    .where('kind', '=', kind)
    .where('language', '=', language ?? '')
    .where('name_key', '=', key);
  const rows = await db.query
    .selectFrom('linked_posts')
    .selectAll()
    .where('kind', '=', kind)
    .where('status', '=', 'publish')
    .where((eb) =>
      language === undefined
        ? eb('title_key', '=', key)
        : eb.or([eb('title_key', '=', key), eb('id', 'in', translated)]),
    )
    .orderBy('id')
    .execute();
  return rows.map(read);
}

export interface LinkedPostFilter {
  kind: LinkedPostKindName;
  /** Whose texts are searched and sorted by, where it is not the site's first. */
  language?: string;
  visibility: Visibility;
  search?: string;
  event?: number;
  hasEvents?: boolean;
  /** Only records with such an event. */
  upcoming?: Upcoming;
}

interface Upcoming {
  /** Wall clock of UTC: events that start then or later. */
  from: string;
  /** Which events count. */
  visibility: Visibility;
}

type PostExpression = ExpressionBuilder<Tables, 'linked_posts'>;

/** Linked events that count: not those that nobody may know of yet. */
const COUNTED = ['publish', 'future', 'private'];

function matches(eb: PostExpression, db: Database, filter: LinkedPostFilter): Expression<SqlBool> {
  const { kind } = filter;
  const links = eb.selectFrom('event_links').where('event_links.kind', '=', kind);
  const conditions: Expression<SqlBool>[] = [
    eb('linked_posts.kind', '=', kind),
    isVisible(filter.visibility, 'linked_posts'),
  ];
  for (const word of searchWords(filter.search ?? ''))
    conditions.push(db.dialect.contains(keyOf('search_text', filter), word));
  if (filter.event !== undefined) {
    conditions.push(eb('linked_posts.id', 'in', links.select('target_id').where('event_id', '=', filter.event)));
  }
  if (filter.hasEvents !== undefined) {
    const some = eb.exists(
      links.select('event_id').whereRef('target_id', '=', 'linked_posts.id').where('status', 'in', COUNTED),
    );
    conditions.push(filter.hasEvents ? some : eb.not(some));
  }
  if (filter.upcoming) conditions.push(isUpcoming(eb, kind, filter.upcoming));
  return eb.and(conditions);
}

function isUpcoming(eb: PostExpression, kind: LinkedPostKindName, { from, visibility }: Upcoming): Expression<SqlBool> {
  const events = eb
    .selectFrom('event_links')
    .innerJoin('events', 'events.id', 'event_links.event_id')
    .where('event_links.kind', '=', kind)
    .whereRef('event_links.target_id', '=', 'linked_posts.id')
    .where('event_links.utc_start_date', '>=', from)
    .where('event_links.hide_from_listings', '=', 0)
    .where(isVisible(visibility, 'events'));
  return eb.exists(events.select('events.id'));
}

export interface LinkedPostQuery {
  filter: LinkedPostFilter;
  limit: number;
  offset: number;
}

const keyOf = (column: 'name_key' | 'search_text', { kind, language }: LinkedPostFilter) =>
  keyIn(language, column, {
    kind: sql`${kind}`,
    id: sql.ref('linked_posts.id'),
    own: sql.ref<string>(column === 'name_key' ? 'linked_posts.title_key' : 'linked_posts.search_text'),
  });

/** A page of records by name. */
export async function listLinkedPosts(db: Database, query: LinkedPostQuery) {
  const { filter, limit, offset } = query;
  const base = db.query.selectFrom('linked_posts').where((eb) => matches(eb, db, filter));
  const { total } = await base.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  if (filter.language !== undefined) return { total: Number(total), posts: await listTranslated(db, query) };
  const rows = await base.selectAll().orderBy('title_key').orderBy('id').limit(limit).offset(offset).execute();
  return { total: Number(total), posts: rows.map(read) };
}

/**
 * The page of a language other than the first: those without a translation and those with one, each by an index of its
 * names. The page lies within the first of both, wherever it begins.
 */
async function listTranslated(db: Database, { filter, limit, offset }: LinkedPostQuery): Promise<LinkedPost[]> {
  const { kind, language = '' } = filter;
  const base = db.query.selectFrom('linked_posts').where((eb) => matches(eb, db, filter));
  const own = base
    .select(['linked_posts.id', 'linked_posts.title_key as key'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('translations as tr')
            .select('tr.id')
            .whereRef('tr.record_id', '=', 'linked_posts.id')
            .where('tr.kind', '=', kind)
            .where('tr.language', '=', language),
        ),
      ),
    )
    .orderBy('linked_posts.title_key')
    .orderBy('linked_posts.id')
    .limit(offset + limit);
  const translated = base
    .innerJoin('translations as t', 't.record_id', 'linked_posts.id')
    .select(['linked_posts.id', 't.name_key as key'])
    .where('t.kind', '=', kind)
    .where('t.language', '=', language)
    .orderBy('t.name_key')
    .orderBy('t.record_id')
    .limit(offset + limit);
  const page = await sql<{ id: number }>`SELECT id FROM (
      SELECT * FROM (${own}) AS own UNION ALL SELECT * FROM (${translated}) AS translated) AS merged
    ORDER BY key, id LIMIT ${limit} OFFSET ${offset}`.execute(db.query);
  const found = page.rows.map(({ id }) => id);
  const posts = await findLinkedPosts(db, found);
  return found.flatMap((id) => posts.get(id) ?? []);
}
