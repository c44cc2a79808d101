import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { can } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, type InputOf, type RequestContext } from '../../http/core/endpoint.ts';
import { oneOf, searchText } from '../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { capitalize, searchWords } from '../../lib/text/text.ts';
import { linkedPostKinds } from '../linked-kinds/registry.ts';
import type { LinkedPostKind } from '../linked-posts/kind.ts';
import { findLinkedPosts } from '../linked-posts/store.ts';
import { renderAll } from '../linked-posts/view.ts';
import { lockedIds } from '../posts/event-password.ts';
import { isVisible, readableBy, statusFilterField, type Visibility, visibilityFor } from '../posts/visibility.ts';
import { findTerms } from '../terms/store.ts';
import type { TermKind } from '../terms/taxonomies.ts';
import { category, tag } from '../terms/taxonomies.ts';
import { renderTerms, termSchema } from '../terms/view.ts';

/** Lists of terms and linked posts with the number of their events. */

const ORDERS = ['name', 'events', 'upcoming', 'id'] as const;

const sharedFields = {
  ...pageFields,
  search: searchText('Words that must all occur in the texts of one language.'),
  orderby: oneOf('`name` (default), `events`, `upcoming` or `id`.', ORDERS),
  order: oneOf('`asc` or `desc`; the default is `desc` for counts and `asc` otherwise.', ['asc', 'desc']),
};

const listFields = { ...sharedFields, ...statusFilterField };
type Input = Partial<InputOf<typeof listFields>>;

/** Differences between the lists. */
interface Counted {
  name: string;
  plural: string;
  schema: z.ZodType;
  hasStatus: boolean;
  /** The rows, as `r`, and their columns. */
  table: string;
  nameKey: string;
  searched: string;
  /** The searched column of their translations. */
  translated: string;
  conditions(visibility: Visibility): RawBuilder<SqlBool>[];
  /** Renders records by their ids. */
  render(ctx: RequestContext, ids: readonly number[]): Promise<Map<number, unknown>>;
}

const ofLinkedPosts = (kind: LinkedPostKind): Counted => ({
  name: kind.name,
  plural: kind.plural,
  schema: kind.schema,
  hasStatus: true,
  table: 'linked_posts',
  nameKey: 'r.title_key',
  searched: 'r.search_text',
  translated: 't.search_text',
  conditions: (visibility) => [
    sql`r.kind = ${kind.name}`,
    isVisible(visibility, sql.ref('r.status'), sql.ref('r.author_id')),
  ],
  async render(ctx, ids) {
    const posts = [...(await findLinkedPosts(ctx.context.db, ids)).values()];
    const shown = await renderAll(kind, posts, { ctx });
    return new Map(posts.map(({ id }, index) => [id, shown[index]]));
  },
});

const ofTerms = (kind: TermKind): Counted => ({
  name: kind.taxonomy,
  plural: kind.plural,
  schema: termSchema,
  hasStatus: false,
  table: 'terms',
  nameKey: 'r.name_key',
  searched: 'r.name_key',
  translated: 't.name_key',
  conditions: () => [sql`r.taxonomy = ${kind.taxonomy}`],
  async render(ctx, ids) {
    const terms = [...(await findTerms(ctx.context.db, ids)).values()];
    const shown = await renderTerms(kind, terms, ctx);
    return new Map(terms.map(({ id }, index) => [id, shown[index]]));
  },
});

function listEndpoint(counted: Counted): AnyEndpoint {
  const { name, plural } = counted;
  const item = z
    .object({
      [name]: counted.schema,
      events: z.int().describe('Number of events visible to the user, without the trash.'),
      upcoming: z.int().describe('Number of these events that have not started yet.'),
    })
    .meta({ id: `Counted${capitalize(name)}` });
  return endpoint({
    namespace: 'admin',
    methods: ['GET'],
    path: `/${plural}`,
    name: `${plural}.counted`,
    summary: `List ${plural} with the number of their events`,
    // Terms have no status.
    input: (counted.hasStatus ? listFields : sharedFields) as typeof listFields,
    responses: { 200: listSchema(plural, item, `Counted${capitalize(plural)}`) },
    responseHeaders: LIST_HEADERS,
    errors: ['rest_forbidden'],
    find: async (input: Input, ctx, addProblem) => visibilityFor(ctx.viewer, input.status, addProblem),
    may: (viewer) => can(viewer, 'edit'),
    async handle(ctx, input: Input, visibility) {
      const page = pageOf(input, ctx.context.config.perPage);
      const { total, rows } = await readPage(counted, ctx, { input, visibility, ...page, limit: page.perPage });
      const shown = await counted.render(
        ctx,
        rows.map(({ id }) => id),
      );
      const { page: _page, per_page: _perPage, status: _status, ...params } = input;
      return listResponse({
        key: plural,
        items: rows.map(({ id, events, upcoming }) => ({ [name]: shown.get(id), events, upcoming })),
        total,
        page,
        url: ctx.urls.rest('admin', `/${plural}`),
        params: {
          per_page: page.perPage,
          ...params,
          ...(counted.hasStatus && { status: visibility.label }),
          i18n_language: ctx.askedLanguage,
        },
      });
    },
  });
}

interface PageQuery {
  input: Input;
  visibility: Visibility;
  limit: number;
  offset: number;
}

async function readPage(counted: Counted, ctx: RequestContext, { input, visibility, limit, offset }: PageQuery) {
  const { db } = ctx.context;
  const { orderby = 'name' } = input;
  const isCount = orderby === 'events' || orderby === 'upcoming';
  const direction = sql.raw((input.order ?? (isCount ? 'desc' : 'asc')) === 'desc' ? 'DESC' : 'ASC');
  const columns = { name: counted.nameKey, events: 'events', upcoming: 'upcoming', id: 'r.id' };
  const conditions = [...counted.conditions(visibility), ...wordsIn(counted, ctx, input.search)];
  const from = sql`FROM ${sql.table(counted.table)} AS r`;
  const where = sql`WHERE ${sql.join(conditions, sql` AND `)}`;
  const { rows: totals } = await sql<{ total: number }>`SELECT count(*) AS total ${from} ${where}`.execute(db.query);
  const { rows } = await sql<{ id: number; events: number; upcoming: number }>`
    SELECT r.id, coalesce(c.events, 0) AS events, coalesce(c.upcoming, 0) AS upcoming ${from}
    LEFT JOIN (${countsOf(counted, ctx)}) AS c ON c.target_id = r.id ${where}
    ORDER BY ${sql.ref(columns[orderby])} ${direction}, r.id LIMIT ${limit} OFFSET ${offset}`.execute(db.query);
  return {
    total: Number(totals[0]?.total ?? 0),
    rows: rows.map((row) => ({ id: row.id, events: Number(row.events), upcoming: Number(row.upcoming) })),
  };
}

/** A locked event does not show its links. */
function countsOf({ name }: Counted, { viewer, now }: RequestContext): RawBuilder<unknown> {
  const author = sql`(SELECT e.author_id FROM events AS e WHERE e.id = l.event_id)`;
  const locked = lockedIds({ viewer });
  return sql`SELECT l.target_id, count(*) AS events,
      sum(CASE WHEN l.utc_start_date >= ${toUtc(now)} THEN 1 ELSE 0 END) AS upcoming
    FROM event_links AS l
    WHERE l.kind = ${name} AND ${isVisible(readableBy(viewer), sql.ref('l.status'), author)}
      ${locked ? sql`AND l.event_id NOT IN (${locked})` : sql``}
    GROUP BY l.target_id`;
}

function wordsIn({ name, searched, translated }: Counted, { context }: RequestContext, search = '') {
  const { dialect } = context.db;
  const words = searchWords(search);
  if (words.length === 0) return [];
  const all = (column: string) =>
    sql.join(
      words.map((word) => dialect.contains(sql.ref(column), word)),
      sql` AND `,
    );
  return [
    sql<SqlBool>`((${all(searched)}) OR EXISTS (SELECT 1 FROM translations AS t
      WHERE t.record_id = r.id AND t.kind = ${name} AND ${all(translated)}))`,
  ];
}

export const countedListEndpoints: AnyEndpoint[] = [
  ...Object.values(linkedPostKinds).map(ofLinkedPosts),
  ...[category, tag].map(ofTerms),
].map(listEndpoint);
