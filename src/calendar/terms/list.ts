import { sharedCache } from '../../db/current-cache.ts';
import { isAnonymous } from '../../http/core/auth.ts';
import {
  ANY_TIME,
  type AnyEndpoint,
  endpoint,
  type InputOf,
  type LookupContext,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import {
  boolean,
  filledText,
  integer,
  reference,
  references,
  searchText,
  sharedParameter,
  withDefault,
} from '../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { storedSlug } from '../../lib/text/slug.ts';
import { capitalize } from '../../lib/text/text.ts';
import { readLanguage } from '../../platform/translations/rules.ts';
import { checkEventVisible } from '../posts/visible-records.ts';
import { listTerms, type TermFilter, type TermOrder } from './filter.ts';
import { findTermIds, MAX_TERMS } from './references.ts';
import type { Taxonomy } from './store.ts';
import type { TermKind } from './taxonomies.ts';
import { renderListed, termSchema } from './view.ts';

const sharedFields = {
  search: sharedParameter('term_search', searchText('Words that must occur in the name or the slug.')),
  exclude: sharedParameter('term_exclude', references('Exclude these: ids, slugs or names.', { max: MAX_TERMS })),
  include: sharedParameter('term_include', references('Only these: ids, slugs or names.', { max: MAX_TERMS })),
  order: sharedParameter('term_order', filledText('`asc` (default) or `desc`.', { max: 20 })),
  orderby: sharedParameter(
    'term_orderby',
    filledText('`name` (default), `id`, `slug`, `count`, `description` or `include`.', { max: 40 }),
  ),
  post: sharedParameter('term_post', integer('Only terms of this event.', { min: 1 })),
  event: sharedParameter('term_event', integer('Alias of `post`, which it overrides.', { min: 1 })),
  slug: sharedParameter('term_slug', filledText('Only the term with this slug.', { max: 300 })),
};

const hideEmpty = (description: string) => withDefault(boolean(description), 1);

const listFields = (isTree: boolean) => ({
  ...pageFields,
  ...sharedFields,
  hide_empty: hideEmpty(
    isTree
      ? 'Omit categories whose `count` is 0, unless a subcategory has events; true by default.'
      : 'Omit tags whose `count` is 0; true by default.',
  ),
  parent: reference(
    isTree
      ? 'Only children of this category: its id, slug or name; 0 for the top level.'
      : 'Ignored: tags have no parents.',
  ),
});

type ListInput = Partial<InputOf<ReturnType<typeof listFields>>>;

/** The resolved ids of the filters. */
type Target = Pick<TermFilter, 'event' | 'include' | 'exclude' | 'parent'>;

/** List endpoint of a kind of term. */
export function termListEndpoint(kind: TermKind): AnyEndpoint {
  const { plural } = kind;
  return endpoint({
    namespace: 'events',
    methods: ['GET'],
    path: `/${plural}`,
    name: `${plural}.list`,
    summary: `List ${plural}`,
    input: listFields(kind.isTree),
    responses: { 200: listSchema(plural, termSchema, `${capitalize(kind.taxonomy)}List`) },
    responseHeaders: LIST_HEADERS,
    errors: [],
    find: (input: ListInput, ctx, addProblem) => findTargets(kind, input, { ctx, addProblem }),
    async handle(ctx, input: ListInput, target) {
      const { db, config } = ctx.context;
      const page = pageOf(input, config.perPage);
      const filter = {
        ...filterOf(kind, input, target),
        language: readLanguage(ctx),
        reader: { viewer: ctx.viewer },
      };
      const query = { filter, order: orderOf(input) };
      const state = await sharedCache(ctx.context, isAnonymous(ctx.viewer));
      const { total, terms } = await listTerms(db, { ...query, limit: page.perPage, offset: page.offset });
      return listResponse({
        key: plural,
        items: await renderListed(kind, terms, { ctx, state }),
        total,
        page,
        url: ctx.urls.rest('events', `/${plural}/`),
        params: shownParams(input, page.perPage, ctx),
        freshUntil: ANY_TIME,
      });
    },
  });
}

async function findTargets({ taxonomy, isTree }: TermKind, input: ListInput, lookup: LookupContext): Promise<Target> {
  const named = async (name: 'include' | 'exclude') =>
    input[name] && findTermIds(taxonomy, { name, references: input[name] }, lookup);
  const event = input.event ?? input.post;
  if (event !== undefined) await checkEventVisible(input.event === undefined ? 'post' : 'event', event, lookup);
  const parent = isTree && input.parent !== undefined ? await findParentId(taxonomy, input.parent, lookup) : undefined;
  return { event, include: await named('include'), exclude: await named('exclude'), parent };
}

/** Id of the category named by `parent`, 0 for the top level. */
async function findParentId(taxonomy: Taxonomy, named: string, lookup: LookupContext): Promise<number | undefined> {
  if (named === '0') return 0;
  const [id] = await findTermIds(taxonomy, { name: 'parent', references: [named] }, lookup);
  return id;
}

const filterOf = ({ taxonomy }: TermKind, input: ListInput, target: Target): Omit<TermFilter, 'reader'> => ({
  ...target,
  taxonomy,
  search: input.search,
  hideEmpty: input.hide_empty ?? true,
  slugs: input.slug === undefined ? undefined : [storedSlug(input.slug)],
});

const orderOf = ({ order = 'asc', orderby }: ListInput): TermOrder => ({
  by: orderby?.toLowerCase(),
  descending: order.toLowerCase() !== 'asc',
});

/** The parameters repeated in links, except the page. */
const shownParams = (
  { page: _page, per_page: _perPage, ...input }: ListInput,
  perPage: number,
  ctx: RequestContext,
) => ({
  per_page: perPage,
  ...input,
  i18n_language: ctx.askedLanguage,
});
