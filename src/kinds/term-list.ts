import { type AnyEndpoint, type Call, endpoint, type InputOf, type Looking } from '../http/endpoint.ts';
import { boolean, filledText, integer, searchText, sharedParameter, texts, withDefault } from '../http/input.ts';
import { LIST_HEADERS, listReply, listSchema, pageFields, pageOf } from '../http/pagination.ts';
import { storedSlug } from '../lib/slug.ts';
import { capitalize } from '../lib/text.ts';
import { renderTerms, type TermKind } from './term-kind.ts';
import { listTerms, type TermFilter, type TermOrder } from './term-query.ts';
import { findTermIds, MAX_TERMS } from './term-references.ts';
import { findTerm } from './term-store.ts';
import { termSchema } from './term-view.ts';
import { readLanguage } from './texts.ts';
import { requireVisibleEvent } from './visible-event.ts';

const sharedFields = {
  search: sharedParameter('term_search', searchText('Words that must occur in the name or the slug.')),
  exclude: sharedParameter('term_exclude', texts('Leave these out: ids, slugs or names.', { max: MAX_TERMS })),
  include: sharedParameter('term_include', texts('Only these: ids, slugs or names.', { max: MAX_TERMS })),
  order: sharedParameter('term_order', filledText('`asc` (default) or `desc`.', { max: 20 })),
  orderby: sharedParameter(
    'term_orderby',
    filledText('`name` (default), `id`, `slug`, `count`, `description` or `include`.', { max: 40 }),
  ),
  hide_empty: sharedParameter(
    'hide_empty',
    withDefault(boolean('Leave out terms whose `count` is 0; true unless said otherwise.'), 1),
  ),
  post: sharedParameter('term_post', integer('Only those of this event.', { min: 1 })),
  event: sharedParameter('term_event', integer('The same as `post`, and wins over it.', { min: 1 })),
  slug: sharedParameter('term_slug', filledText('The one with this slug.', { max: 300 })),
};

const listFields = (isTree: boolean) => ({
  ...pageFields,
  ...sharedFields,
  parent: integer(isTree ? 'Only those directly below this one; 0 for the top.' : 'Ignored: tags have no parents.'),
});

type ListInput = Partial<InputOf<ReturnType<typeof listFields>>>;

/** The ids of what a list is restricted to. */
type Target = Pick<TermFilter, 'event' | 'include' | 'exclude'>;

/** The list of a kind of term. */
export function termListEndpoint(kind: TermKind): AnyEndpoint {
  const { plural } = kind;
  return endpoint({
    namespace: 'events',
    methods: ['GET'],
    path: `/${plural}`,
    name: `${plural}.list`,
    summary: `List ${plural}`,
    input: listFields(kind.isTree),
    answers: { 200: listSchema(plural, termSchema, `${capitalize(kind.taxonomy)}List`) },
    answerHeaders: LIST_HEADERS,
    errors: [],
    find: (input: ListInput, call, refuse) => findTargets(kind, input, { call, refuse }),
    async handle(call, input: ListInput, target) {
      const { db, config } = call.context;
      const page = pageOf(input, config.perPage);
      const filter = {
        ...filterOf(kind, input, target),
        language: readLanguage(call),
        reader: { viewer: call.viewer },
      };
      const query = { filter, order: orderOf(input) };
      const { total, terms } = await listTerms(db, { ...query, limit: page.perPage, offset: page.offset });
      return listReply({
        key: plural,
        items: await renderTerms(kind, terms, call),
        total,
        page,
        url: call.urls.rest('events', `/${plural}/`),
        params: shownParams(input, page.perPage, call),
      });
    },
  });
}

async function findTargets({ taxonomy, isTree }: TermKind, input: ListInput, looking: Looking): Promise<Target> {
  const { call, refuse } = looking;
  const named = async (name: 'include' | 'exclude') =>
    input[name] && findTermIds(taxonomy, { name, references: input[name] }, looking);
  const event = input.event ?? input.post;
  if (event !== undefined) await requireVisibleEvent(input.event === undefined ? 'post' : 'event', event, looking);
  if (isTree && input.parent && !(await findTerm(call.context.db, taxonomy, input.parent)))
    refuse('parent', { key: 'param.term_unknown' });
  return { event, include: await named('include'), exclude: await named('exclude') };
}

const filterOf = ({ taxonomy, isTree }: TermKind, input: ListInput, target: Target): Omit<TermFilter, 'reader'> => ({
  ...target,
  taxonomy,
  search: input.search,
  hideEmpty: input.hide_empty ?? true,
  parent: isTree ? input.parent : undefined,
  slug: input.slug && storedSlug(input.slug),
});

const orderOf = ({ order = 'asc', orderby }: ListInput): TermOrder => ({
  by: orderby?.toLowerCase(),
  descending: order.toLowerCase() !== 'asc',
});

/** What links repeat besides the page. */
const shownParams = ({ page: _page, per_page: _perPage, ...input }: ListInput, perPage: number, call: Call) => ({
  per_page: perPage,
  ...input,
  i18n_language: call.askedLanguage,
});
