import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { isOneOf } from '../../db/value-list.ts';
import { searchWords } from '../../lib/text/text.ts';
import { lockedIds, type Reader } from '../posts/event-password.ts';
import { nameIn } from './references.ts';
import type { Taxonomy, Term } from './store.ts';

export interface TermFilter {
  taxonomy: Taxonomy;
  /** Language of the searched and sorted names, unless it is the site's first. */
  language?: string;
  search?: string;
  include?: readonly number[];
  exclude?: readonly number[];
  /** Omits terms without events; ancestors of a category with events stay. */
  hideEmpty: boolean;
  parent?: number;
  event?: number;
  /** Reader of the list: a locked event does not show its terms. */
  reader: Reader;
  slugs?: readonly string[];
}

export interface TermOrder {
  /** `name` unless it is a supported order. */
  by?: string;
  descending: boolean;
}

/** Whether a category below one of `terms` has events. UNION terminates even if there were a loop. */
const USED_BELOW = sql<SqlBool>`EXISTS (WITH RECURSIVE below (id, count) AS (
    SELECT child.id, child.count FROM terms AS child WHERE child.parent_id = terms.id
    UNION SELECT child.id, child.count FROM terms AS child JOIN below ON child.parent_id = below.id
  ) SELECT 1 FROM below WHERE below.count > 0)`;

type TermExpression = ExpressionBuilder<Tables, 'terms'>;

/** 1 if there are empty categories. */
const HAS_EMPTY = sql<number>`CASE WHEN EXISTS
  (SELECT 1 FROM terms AS other WHERE other.taxonomy = 'category' AND other.count = 0) THEN 1 ELSE 0 END`;

function matches(
  eb: TermExpression,
  db: Database,
  { taxonomy, usesEmpty, ...filter }: TermFilter & { usesEmpty: boolean },
): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [eb('taxonomy', '=', taxonomy)];
  const isUsed = usesEmpty ? sql<SqlBool>`(count > 0 OR ${USED_BELOW})` : eb('count', '>', 0);
  if (filter.hideEmpty) conditions.push(isUsed);
  if (filter.parent !== undefined) conditions.push(eb('parent_id', '=', filter.parent));
  if (filter.slugs) conditions.push(isOneOf(eb.ref('slug'), filter.slugs));
  if (filter.include) conditions.push(isOneOf(eb.ref('id'), filter.include));
  if (filter.exclude) conditions.push(eb.not(isOneOf(eb.ref('id'), filter.exclude)));
  if (filter.event !== undefined) {
    const linked = eb
      .selectFrom('event_links')
      .select('target_id')
      .where('event_id', '=', filter.event)
      .where('kind', '=', taxonomy);
    conditions.push(eb('id', 'in', linked));
    const locked = lockedIds(filter.reader);
    if (locked) conditions.push(sql<SqlBool>`${filter.event} NOT IN (${locked})`);
  }
  const haystack = sql<string>`${nameIn(taxonomy, filter.language)} || ' ' || slug`;
  for (const word of searchWords(filter.search ?? '')) conditions.push(db.dialect.contains(haystack, word));
  return eb.and(conditions);
}

const COLUMNS = {
  id: 'id',
  term_id: 'id',
  none: 'id',
  name: 'name_key',
  slug: 'slug',
  count: 'count',
  description: 'description',
} as const;

const isColumn = (name: string): name is keyof typeof COLUMNS => Object.hasOwn(COLUMNS, name);

export interface TermQuery {
  filter: TermFilter;
  order: TermOrder;
  limit: number;
  offset: number;
}

interface TermPage {
  total: number;
  terms: Term[];
}

/**
 * A page of terms, and their total. Descendants are only searched if a category has no events, which is rare.
 */
export async function listTerms(db: Database, query: TermQuery): Promise<TermPage> {
  const { filter } = query;
  const { hasEmpty, ...page } = await readPage(db, query, false);
  const mayUseEmpty = hasEmpty && filter.taxonomy === 'category' && filter.hideEmpty;
  return mayUseEmpty ? readPage(db, query, true) : page;
}

async function readPage(
  db: Database,
  { filter, order, limit, offset }: TermQuery,
  usesEmpty: boolean,
): Promise<TermPage & { hasEmpty: boolean }> {
  const matching = db.query.selectFrom('terms').where((eb) => matches(eb, db, { ...filter, usesEmpty }));
  const counted = matching.select(({ fn }) => fn.countAll().as('terms'));
  const ordered = matching
    .selectAll()
    // SQLite would copy all rows for a window function.
    .select([counted.as('total'), HAS_EMPTY.as('has_empty')])
    .orderBy(orderOf(filter, order), order.descending ? 'desc' : 'asc')
    .orderBy('id');
  const rank = order.by === 'include' && filter.include && new Map(filter.include.map((id, index) => [id, index]));
  const rows = await (rank ? ordered : ordered.limit(limit).offset(offset)).execute();
  const [first] = rows;
  if (!first) {
    const { total, has_empty } = await matching
      .select(({ fn }) => [fn.countAll().as('total'), HAS_EMPTY.as('has_empty')])
      .executeTakeFirstOrThrow();
    return { total: Number(total), terms: [], hasEmpty: has_empty === 1 };
  }
  const terms = rows.map(({ total: _total, has_empty: _hasEmpty, ...term }) => term);
  const found = { total: Number(first.total), hasEmpty: first.has_empty === 1 };
  if (!rank) return { ...found, terms };
  terms.sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0));
  return { ...found, terms: terms.slice(offset, offset + limit) };
}

function orderOf({ taxonomy, language }: TermFilter, { by = 'name' }: TermOrder) {
  const column = COLUMNS[isColumn(by) ? by : 'name'];
  return column === 'name_key' ? nameIn(taxonomy, language) : sql.ref(column);
}
