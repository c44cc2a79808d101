import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { LINKED_POST_COLUMNS } from '../../db/tables/calendar.ts';
import type { Tables } from '../../db/tables.ts';
import { isOneOf } from '../../db/value-list.ts';
import type { LinkedKind } from '../../lib/linked-kinds.ts';
import { searchWords } from '../../lib/text/text.ts';
import { keyIn, translationIn } from '../../platform/translations/store.ts';
import { lockedIds, type Reader } from '../posts/event-password.ts';
import { STATUSES } from '../posts/post.ts';
import { isVisible, type Visibility } from '../posts/visibility.ts';
import { findLinkedPosts, type LinkedPost, readLinkedPost } from './store.ts';

export interface LinkedPostFilter {
  kind: LinkedKind;
  /** Language of the searched and sorted texts, unless it is the site's first. */
  language?: string;
  visibility: Visibility;
  search?: string;
  include?: readonly number[];
  slugs?: readonly string[];
  event?: number;
  hasEvents?: boolean;
  /** UTC: only records with an event that starts then or later. */
  upcomingFrom?: string;
  /** Events that the viewer sees. */
  events: CountedEvents;
  /** Conditions of the kind's own filters. */
  own?: readonly RawBuilder<SqlBool>[];
}

/** Events whose links are visible to the viewer. */
interface CountedEvents {
  visibility: Visibility;
  reader: Reader;
}

type PostExpression = ExpressionBuilder<Tables, 'linked_posts'>;

/** Statuses of events that count for `has_events`: drafts do not. */
const COUNTED = ['publish', 'future', 'private'];

const READABLE = STATUSES.filter((status) => status !== 'trash');

const AUTHOR_OF_EVENT = sql`(SELECT events.author_id FROM events WHERE events.id = event_links.event_id)`;

function matches(eb: PostExpression, db: Database, filter: LinkedPostFilter): Expression<SqlBool> {
  const { kind } = filter;
  const links = eb.selectFrom('event_links').where('event_links.kind', '=', kind);
  const conditions: Expression<SqlBool>[] = [
    eb('linked_posts.kind', '=', kind),
    isVisible(filter.visibility, sql.ref('linked_posts.status'), sql.ref('linked_posts.author_id')),
  ];
  for (const word of searchWords(filter.search ?? ''))
    conditions.push(db.dialect.contains(keyOf('search_text', filter), word));
  if (filter.include) conditions.push(isOneOf(eb.ref('linked_posts.id'), filter.include));
  if (filter.slugs) conditions.push(isOneOf(eb.ref('linked_posts.slug'), filter.slugs));
  if (filter.event !== undefined) {
    const own = links.select('target_id').where('event_id', '=', filter.event);
    conditions.push(eb('linked_posts.id', 'in', own), ...isUnlocked(sql`${filter.event}`, filter.events.reader));
  }
  if (filter.hasEvents !== undefined) {
    const { visibility } = filter.events;
    const counted = { ...filter.events, visibility: { ...visibility, statuses: visibility.statuses ?? COUNTED } };
    const some = eb.exists(visibleLinks(eb, kind, counted));
    conditions.push(filter.hasEvents ? some : eb.not(some));
  }
  if (filter.upcomingFrom !== undefined) {
    const listed = visibleLinks(eb, kind, filter.events).where('event_links.hide_from_listings', '=', 0);
    conditions.push(eb.exists(listed.where('event_links.utc_start_date', '>=', filter.upcomingFrom)));
  }
  return eb.and([...conditions, ...(filter.own ?? [])]);
}

/**
 * Links of a record visible to the viewer: a locked event does not show its links. They copy the status of their event,
 * so that each status is a look-up in the index of links. The OFFSET makes PostgreSQL stop at the first link of each
 * record; otherwise it may join the records with all links.
 */
function visibleLinks(eb: PostExpression, kind: LinkedKind, { visibility, reader }: CountedEvents) {
  const { statuses = READABLE, ownOf } = visibility;
  return eb
    .selectFrom('event_links')
    .select('event_links.event_id')
    .where('event_links.kind', '=', kind)
    .whereRef('event_links.target_id', '=', 'linked_posts.id')
    .where(isVisible({ statuses, ownOf }, sql.ref('event_links.status'), AUTHOR_OF_EVENT))
    .where(({ and }) => and(isUnlocked(sql.ref('event_links.event_id'), reader)))
    .limit(1)
    .offset(0);
}

function isUnlocked(id: RawBuilder<unknown>, reader: Reader): Expression<SqlBool>[] {
  const locked = lockedIds(reader);
  return locked ? [sql<SqlBool>`${id} NOT IN (${locked})`] : [];
}

export interface LinkedPostQuery {
  filter: LinkedPostFilter;
  limit: number;
  offset: number;
}

const postOf = (kind: LinkedKind) => ({ kind: sql`${kind}`, id: sql.ref('linked_posts.id') });

const keyOf = (column: 'name_key' | 'search_text', { kind, language }: LinkedPostFilter) =>
  keyIn(language, column, {
    ...postOf(kind),
    own: sql.ref<string>(column === 'name_key' ? 'linked_posts.title_key' : 'linked_posts.search_text'),
  });

/** A page of records by name. */
export async function listLinkedPosts(db: Database, query: LinkedPostQuery) {
  const { filter, limit, offset } = query;
  const base = db.query.selectFrom('linked_posts').where((eb) => matches(eb, db, filter));
  const { total } = await base.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  if (filter.language !== undefined) return { total: Number(total), posts: await listTranslated(db, query) };
  const rows = await base
    .select(LINKED_POST_COLUMNS)
    .orderBy('title_key')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { total: Number(total), posts: rows.map(readLinkedPost) };
}

/**
 * A page in a language other than the first: merges records without a translation and records with one, each by an
 * index of its names. The page is always contained in the first rows of both.
 */
async function listTranslated(db: Database, { filter, limit, offset }: LinkedPostQuery): Promise<LinkedPost[]> {
  const { kind, language = '' } = filter;
  const base = db.query.selectFrom('linked_posts').where((eb) => matches(eb, db, filter));
  const own = base
    .select(['linked_posts.id', 'linked_posts.title_key as key'])
    .where(translationIn(language, 'id', postOf(kind)), 'is', null)
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
