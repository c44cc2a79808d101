import type { Expression, ExpressionBuilder, Insertable, Selectable, SqlBool } from 'kysely';
import type { Database } from '../db/database.ts';
import { newRecordId } from '../db/records.ts';
import type { LinkedPostsTable, Tables } from '../db/tables.ts';
import { storedSlug } from '../lib/slug.ts';
import { fold, htmlToText, searchWords } from '../lib/text.ts';
import { UNFINISHED } from './post.ts';
import { isVisible, type Visibility } from './status-filter.ts';

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

export async function insertLinkedPost(
  db: Database,
  { id, kind }: { id: number; kind: LinkedPostKindName },
  values: LinkedPostValues,
): Promise<void> {
  await db.query
    .insertInto('linked_posts')
    .values({ id, kind, ...stored(values) })
    .execute();
}

export async function updateLinkedPost(db: Database, id: number, values: LinkedPostValues): Promise<void> {
  await db.query.updateTable('linked_posts').set(stored(values)).where('id', '=', id).execute();
}

/** Removes a record for good. */
export async function removeLinkedPost(db: Database, id: number): Promise<void> {
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

/** Published records of a name, in any letter case, oldest first. */
export async function findNamesakes(db: Database, kind: LinkedPostKindName, title: string): Promise<LinkedPost[]> {
  const rows = await db.query
    .selectFrom('linked_posts')
    .selectAll()
    .where('kind', '=', kind)
    .where('status', '=', 'publish')
    .where('title_key', '=', fold(title))
    .orderBy('id')
    .execute();
  return rows.filter((row) => row.title.toLowerCase() === title.toLowerCase()).map(read);
}

export interface LinkedPostFilter {
  kind: LinkedPostKindName;
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
  const conditions: Expression<SqlBool>[] = [eb('kind', '=', kind), isVisible(filter.visibility, 'linked_posts')];
  for (const word of searchWords(filter.search ?? ''))
    conditions.push(db.dialect.contains(eb.ref('search_text'), word));
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

/** A page of records by name. */
export async function listLinkedPosts(db: Database, { filter, limit, offset }: LinkedPostQuery) {
  const base = db.query.selectFrom('linked_posts').where((eb) => matches(eb, db, filter));
  const { total } = await base.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await base.selectAll().orderBy('title_key').orderBy('id').limit(limit).offset(offset).execute();
  return { total: Number(total), posts: rows.map(read) };
}
