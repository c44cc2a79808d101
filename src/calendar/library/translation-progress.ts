import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { readSiteSettings, type SiteTexts } from '../../db/site-settings.ts';
import type { TranslatedKind } from '../../db/tables/calendar.ts';
import { can, type Viewer } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { filledText, oneOf } from '../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { LINKED_KIND_NAMES } from '../../lib/linked-kinds.ts';
import { findLanguage, nameColumn, TEXT_FIELDS } from '../../platform/translations/rules.ts';
import { hasNoText, tableOf } from '../../platform/translations/store.ts';
import { isEditable, PUBLISHED } from '../posts/visibility.ts';
import { category, mayWriteTerms, tag } from '../terms/taxonomies.ts';

/** Progress of translations, and lists of missing ones. */

// The keys cover all kinds.
const KINDS = Object.keys(TEXT_FIELDS) as TranslatedKind[];

/** Records of a kind that the viewer may change, as rows of `r`. */
function recordsOf(kind: TranslatedKind, viewer: Viewer): RawBuilder<unknown> {
  const editable = isEditable(viewer, sql.ref('r.status'), sql.ref('r.author_id'));
  const isLinked = (LINKED_KIND_NAMES as readonly string[]).includes(kind);
  const rows = (condition: RawBuilder<SqlBool>) => sql`FROM ${tableOf(kind)} AS r WHERE ${condition}`;
  if (kind === 'event') return rows(editable);
  if (isLinked) return rows(sql`r.kind = ${kind} AND ${editable}`);
  if (kind === 'category') return rows(sql`r.taxonomy = ${kind} AND ${truth(mayWriteTerms(category, viewer))}`);
  if (kind === 'tag') return rows(sql`r.taxonomy = ${kind} AND ${truth(mayWriteTerms(tag, viewer))}`);
  if (kind === 'media') {
    const isOwn = sql<SqlBool>`r.author_id = ${viewer.account?.id ?? 0}`;
    return rows(
      can(viewer, 'edit_others') ? truth(can(viewer, 'upload')) : sql`${truth(can(viewer, 'upload'))} AND ${isOwn}`,
    );
  }
  return rows(sql`r.is_deleted = 0 AND EXISTS
    (SELECT 1 FROM events AS e WHERE e.id = r.event_id AND e.status <> 'trash' AND ${managesTickets(viewer)})`);
}

const truth = (isTrue: boolean): RawBuilder<SqlBool> => (isTrue ? sql`1 = 1` : sql`1 = 0`);

/** `mayManageTickets` of http/core/auth.ts for `events AS e`. */
function managesTickets(viewer: Viewer): RawBuilder<SqlBool> {
  if (can(viewer, 'manage_tickets')) return truth(true);
  const isOwn = sql`e.author_id = ${viewer.account?.id ?? 0}`;
  const published = truth(can(viewer, 'manage_own_published_tickets'));
  return sql`${isOwn} AND CASE WHEN e.status IN (${PUBLISHED}) THEN ${published} ELSE ${truth(can(viewer, 'manage_own_tickets'))} END`;
}

const countSchema = z.object({
  total: z.int(),
  translated: z.record(z.string(), z.int()).describe('Language -> number of records with any text in it.'),
});

const progressSchema = z
  .object({ progress: z.record(z.string(), countSchema).describe('By kind of record; `site`: texts of the site.') })
  .meta({ id: 'TranslationProgress' });

const progressEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/translations/progress',
  name: 'translations.progress',
  summary: 'Count the translated records in each language',
  description: 'Records that the user may change, without the trash. For images, the text is the alternative text.',
  input: {},
  responses: { 200: progressSchema },
  errors: ['rest_forbidden'],
  find: async () => undefined,
  may: (viewer) => can(viewer, 'edit'),
  async handle(ctx) {
    const counts = await Promise.all(KINDS.map(async (kind) => [kind, await countOf(kind, ctx)] as const));
    return ok({ progress: { ...Object.fromEntries(counts), site: await countSite(ctx) } });
  },
});

async function countOf(kind: TranslatedKind, { context, viewer }: RequestContext) {
  const { db, config } = context;
  const [first = 'en', ...others] = config.languages;
  const id = sql.ref<number>('r.id');
  const from = recordsOf(kind, viewer);
  const all = await sql<{ total: number }>`SELECT count(*) AS total ${from}`.execute(db.query);
  const total = Number(all.rows[0]?.total ?? 0);
  const missing = await sql<{ n: number }>`SELECT count(*) AS n ${from}
    AND ${hasNoText(db, { kind, language: undefined, id })}`.execute(db.query);
  const translated = await sql<{ language: string; n: number }>`SELECT t.language, count(*) AS n FROM translations AS t
    WHERE t.kind = ${sql.lit(kind)} AND t.record_id IN (SELECT r.id ${from}) GROUP BY t.language`.execute(db.query);
  const known = new Map(translated.rows.map(({ language, n }) => [language, Number(n)]));
  return {
    total,
    translated: {
      [first]: total - Number(missing.rows[0]?.n ?? 0),
      ...Object.fromEntries(others.map((language) => [language, known.get(language) ?? 0])),
    },
  };
}

/** Counts the texts of the site that exist in any language. */
async function countSite({ context }: RequestContext) {
  const { texts } = await readSiteSettings(context.db);
  const filled = (language: string) =>
    Object.entries(texts[language] ?? ({} as SiteTexts)).flatMap(([name, value]) => (isFilled(value) ? [name] : []));
  const { languages } = context.config;
  return {
    total: new Set(languages.flatMap(filled)).size,
    translated: Object.fromEntries(languages.map((language) => [language, filled(language).length])),
  };
}

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== '' && value !== undefined;

const gapSchema = z.object({
  kind: z.string(),
  id: z.int(),
  title: z.string().describe('In the first language; for an image, its title.'),
  event: z.int().optional().describe('Event of a ticket.'),
});

const missingFields = {
  ...pageFields,
  kind: oneOf('Kind of record.', KINDS),
  language: filledText('Language of the site.', { max: 35 }),
};

const missingEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/translations/missing',
  name: 'translations.missing',
  summary: 'List the records of a kind without any text in a language',
  description: 'Oldest first; records that the user may change, without the trash.',
  input: missingFields,
  required: ['kind', 'language'],
  responses: { 200: listSchema('missing', gapSchema, 'MissingTexts') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_missing_callback_param', 'rest_forbidden'],
  find: async ({ language }, ctx, addProblem) => findLanguage('language', language, { ctx, addProblem }),
  may: (viewer) => can(viewer, 'edit'),
  async handle(ctx, { kind, language, ...input }, target) {
    const { db, config } = ctx.context;
    const page = pageOf(input, config.perPage);
    const where = sql`${recordsOf(kind, ctx.viewer)}
      AND ${hasNoText(db, { kind, language: target?.language, id: sql.ref('r.id') })}`;
    const { rows: counted } = await sql<{ total: number }>`SELECT count(*) AS total ${where}`.execute(db.query);
    const name = kind === 'media' ? 'title_key' : nameColumn(kind);
    const { rows } = await sql<Gap>`SELECT r.id, ${sql.ref(`r.${name}`)} AS title,
      ${kind === 'ticket' ? sql.ref('r.event_id') : sql`NULL`} AS event ${where}
      ORDER BY r.id LIMIT ${page.perPage} OFFSET ${page.offset}`.execute(db.query);
    return listResponse({
      key: 'missing',
      items: rows.map(({ id, title, event }) => ({ kind, id, title, ...(event !== null && { event }) })),
      total: Number(counted[0]?.total ?? 0),
      page,
      url: ctx.urls.rest('admin', '/translations/missing'),
      params: { per_page: page.perPage, kind, language, i18n_language: ctx.askedLanguage },
    });
  },
});

interface Gap {
  id: number;
  title: string;
  event: number | null;
}

export const translationEndpoints: AnyEndpoint[] = [progressEndpoint, missingEndpoint];
