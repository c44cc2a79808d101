import { z } from 'zod';
import { type CachedData, renderCached } from '../../db/data-cache.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { revisionOf, revisionSchema } from '../../http/core/revisions.ts';
import type { Urls } from '../../http/core/urls.ts';
import { link } from '../../http/output/output.ts';
import { translationsSchema } from '../../platform/translations/rules.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import { findAncestors, type Term } from './store.ts';
import { mayWriteTerms, type TermKind } from './taxonomies.ts';

const urlsSchema = z.object({ self: link, collection: link, up: link.optional() });

/** Term in responses of its own routes; rendered by `renderTerm`. */
export const termSchema = z
  .object({
    id: z.int(),
    count: z.int().describe('Published events without a password that use the term.'),
    description: z.string(),
    name: z.string(),
    slug: z.string(),
    taxonomy: z.string(),
    parent: z.int().optional().describe('Categories only; 0 at the top level.'),
    color: z.string().optional().describe('Only for categories with a colour: `#rrggbb`. Not under `/wp-json`.'),
    meta: z.array(z.unknown()),
    ...revisionSchema,
    url: link,
    urls: urlsSchema,
    translations: translationsSchema.optional(),
    _links: z.record(z.string(), z.array(z.object({ href: link }))).optional(),
  })
  .meta({ id: 'Term', description: 'A category or a tag.' });

/** A term inside an event: its members differ from the term routes, as in the reference. */
export const nestedTermSchema = z
  .object({
    name: z.string(),
    slug: z.string(),
    term_group: z.literal(0),
    term_taxonomy_id: z.int(),
    taxonomy: z.string(),
    description: z.string(),
    parent: z.int(),
    count: z.int(),
    filter: z.literal('raw'),
    id: z.int(),
    color: z.string().optional().describe('Only for categories with a colour: `#rrggbb`.'),
    urls: urlsSchema,
  })
  .meta({ id: 'EventTerm', description: 'A category or tag of an event.' });

const PLURAL = { category: 'categories', tag: 'tags' } as const;

function termUrls({ id, taxonomy, parent_id }: Term, urls: Urls) {
  const path = `/${PLURAL[taxonomy]}`;
  const of = (term: number) => urls.rest('events', `${path}/${term}`);
  return { self: of(id), collection: urls.rest('events', path), ...(parent_id !== 0 && { up: of(parent_id) }) };
}

/** URL of the page that lists the events of a term; for a category it contains the ancestors. */
function archiveUrl(term: Term, ancestors: ReadonlyMap<number, Term>, urls: Urls): string {
  if (term.taxonomy === 'tag') return urls.page(`/tag/${term.slug}/`);
  const slugs = [term.slug];
  for (
    let parent = ancestors.get(term.parent_id);
    parent && slugs.length < 50;
    parent = ancestors.get(parent.parent_id)
  ) {
    slugs.unshift(parent.slug);
  }
  return urls.page(`/events/category/${slugs.join('/')}/`);
}

/** Colours do not exist in the reference; they are only shown outside of it, if set. */
const colorOf = ({ color }: Term, { isReference }: Urls) => (color !== null && !isReference ? { color } : {});

/** Renders a term for its own routes. `ancestors` must include the ancestors of a category. */
function renderTerm(term: Term, ancestors: ReadonlyMap<number, Term>, urls: Urls) {
  return {
    id: term.id,
    count: term.count,
    description: term.description,
    name: term.name,
    slug: term.slug,
    taxonomy: urls.taxonomy(term.taxonomy),
    ...(term.taxonomy === 'category' && { parent: term.parent_id }),
    ...colorOf(term, urls),
    meta: [],
    ...revisionOf(term, urls),
    url: archiveUrl(term, ancestors, urls),
    urls: termUrls(term, urls),
  };
}

/** Renders terms for their own routes. */
export async function renderTerms(kind: TermKind, terms: readonly Term[], ctx: RequestContext) {
  const { db } = ctx.context;
  const [ancestors, texts] = await Promise.all([
    findAncestors(db, terms),
    loadTranslations(
      ctx,
      terms.map(({ id }) => ({ kind: kind.taxonomy, id })),
    ),
  ]);
  const isWriter = mayWriteTerms(kind, ctx.viewer);
  return terms.map((term) => {
    const translations = isWriter ? texts.coverage(kind.taxonomy, term) : undefined;
    const shown = texts.show(kind.taxonomy, term);
    return { ...renderTerm(shown, ancestors, ctx.urls), ...(translations && { translations }) };
  });
}

/** Terms for a list, as `renderCached` returns them. */
export const renderListed = (
  kind: TermKind,
  terms: readonly Term[],
  { ctx, state }: { ctx: RequestContext; state: CachedData | undefined },
): Promise<readonly unknown[]> =>
  renderCached(state, terms, {
    prefix: `${kind.taxonomy} ${ctx.language} ${ctx.urls.style}`,
    render: (missing) => renderTerms(kind, missing, ctx),
  });

/** Additional links of single reads and writes. */
export function termLinks(term: Term, urls: Urls) {
  const entries = Object.entries(termUrls(term, urls)).map(([name, href]) => [name, [{ href }]]);
  return { _links: Object.fromEntries(entries) as Record<string, { href: string }[]> };
}

/** Renders a term inside an event. */
export function renderNestedTerm(term: Term, urls: Urls): z.output<typeof nestedTermSchema> {
  return {
    name: term.name,
    slug: term.slug,
    term_group: 0,
    term_taxonomy_id: term.id,
    taxonomy: urls.taxonomy(term.taxonomy),
    description: term.description,
    parent: term.parent_id,
    count: term.count,
    filter: 'raw',
    id: term.id,
    ...colorOf(term, urls),
    urls: termUrls(term, urls),
  };
}
