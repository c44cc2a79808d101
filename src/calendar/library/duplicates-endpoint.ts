import { sql } from 'kysely';
import { z } from 'zod';
import { can } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { fold } from '../../lib/text/text.ts';
import { linkedPostKinds } from '../linked-kinds/registry.ts';
import type { LinkedPostKind } from '../linked-posts/kind.ts';
import { isVisible, readableBy } from '../posts/visibility.ts';
import type { TermKind } from '../terms/taxonomies.ts';
import { category, tag } from '../terms/taxonomies.ts';
import { type Candidate, findPairs, MAX_PAIRS, websiteKey } from './duplicates.ts';

/** Maximum number of records compared, oldest first. */
const MAX_COMPARED = 20_000;

type Named = Candidate & { title: string; slug: string };

const recordSchema = z.object({ id: z.int(), title: z.string(), slug: z.string() });

const schema = z
  .object({
    duplicates: z.array(
      z.object({
        records: z.array(recordSchema).describe('Two records, the older one first.'),
        reasons: z.array(z.string()).describe('Shared properties: `name`, `place`, `website` and the like.'),
      }),
    ),
  })
  .meta({ id: 'Duplicates' });

const duplicatesEndpoint = (
  plural: string,
  { alike, load }: { alike: string; load(ctx: RequestContext): Promise<Named[]> },
): AnyEndpoint =>
  endpoint({
    namespace: 'admin',
    methods: ['GET'],
    path: `/${plural}/duplicates`,
    name: `${plural}.duplicates`,
    summary: `List probable duplicates among ${plural}`,
    description:
      `Pairs that share ${alike}, regardless of case and accents; pairs with the most reasons first, at most ${MAX_PAIRS}. ` +
      `The oldest ${MAX_COMPARED} are compared.`,
    input: {},
    responses: { 200: schema },
    errors: ['rest_forbidden'],
    find: async () => undefined,
    may: (viewer) => can(viewer, 'edit'),
    async handle(ctx) {
      const records = await load(ctx);
      const byId = new Map(records.map(({ id, title, slug }) => [id, { id, title, slug }]));
      const pairs = findPairs(records).map(({ ids, reasons }) => ({ records: ids.map((id) => byId.get(id)), reasons }));
      return ok({ duplicates: pairs });
    },
  });

async function loadLinkedPosts({ name, identifying }: LinkedPostKind, { context, viewer }: RequestContext) {
  const rows = await context.db.query
    .selectFrom('linked_posts')
    .select(['id', 'title', 'title_key', 'slug', 'attributes', 'geo_lat', 'geo_lng'])
    .where('kind', '=', name)
    .where(isVisible(readableBy(viewer), sql.ref('status'), sql.ref('author_id')))
    .orderBy('id')
    .limit(MAX_COMPARED)
    .execute();
  return rows.map(({ id, title, title_key, slug, attributes, geo_lat, geo_lng }): Named => {
    // Written by linked-posts/store.ts.
    const values = JSON.parse(attributes) as Record<string, string>;
    return {
      ...{ id, title, slug, name: title_key },
      traits: Object.fromEntries(identifying.map((columns) => [columns[0] ?? '', traitOf(columns, values)])),
      lat: geo_lat ?? undefined,
      lng: geo_lng ?? undefined,
    };
  });
}

/** Empty unless all attributes have values. */
function traitOf(columns: readonly string[], values: Readonly<Record<string, string>>): string {
  const keys = columns.map((column) => {
    const value = values[column] ?? '';
    return column === 'website' ? websiteKey(value) : fold(value);
  });
  return keys.includes('') ? '' : keys.join('\n');
}

async function loadTerms({ taxonomy }: TermKind, { context }: RequestContext): Promise<Named[]> {
  const rows = await context.db.query
    .selectFrom('terms')
    .select(['id', 'name as title', 'name_key as name', 'slug'])
    .where('taxonomy', '=', taxonomy)
    .orderBy('id')
    .limit(MAX_COMPARED)
    .execute();
  return rows.map((row) => ({ ...row, traits: {} }));
}

/** Probable duplicates of each kind of record that can be merged. */
export const duplicatesEndpoints: AnyEndpoint[] = [
  ...Object.values(linkedPostKinds).map((kind) =>
    duplicatesEndpoint(kind.plural, {
      alike: `${['the name', ...kind.identifying.map((columns) => `the ${columns.join(' and ')}`)].join(', ')}, or are within 100 metres`,
      load: (ctx) => loadLinkedPosts(kind, ctx),
    }),
  ),
  ...[category, tag].map((kind) =>
    duplicatesEndpoint(kind.plural, { alike: 'the name', load: (ctx) => loadTerms(kind, ctx) }),
  ),
];
