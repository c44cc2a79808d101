import { z } from 'zod';
import { checkEventVisible } from '../calendar/posts/visible-records.ts';
import { listTerms, type TermFilter } from '../calendar/terms/filter.ts';
import { MAX_TERMS } from '../calendar/terms/references.ts';
import { createTerm, findReferences, termFields } from '../calendar/terms/save.ts';
import { findTerm, type Term } from '../calendar/terms/store.ts';
import { mayWriteTerms, type TermKind } from '../calendar/terms/taxonomies.ts';
import { renderTerms } from '../calendar/terms/view.ts';
import { type AnyEndpoint, created, endpoint, type InputOf, type RequestContext } from '../http/core/endpoint.ts';
import { ApiError } from '../http/core/errors.ts';
import { boolean, filledText, ids, integer, searchText, texts } from '../http/input/schemas.ts';
import { storedSlug } from '../lib/text/slug.ts';
import { withArticle } from '../lib/text/text.ts';
import { readLanguage } from '../platform/translations/rules.ts';
import { LIST_HEADERS, listResponse, pageFields, pageOf, viewFields } from './list.ts';
import { renderTerm, termSchema } from './term-view.ts';
import { nameFromRequest } from './texts.ts';

/** The endpoints of a taxonomy: list, create and read. */
export const termEndpoints = (kind: TermKind): AnyEndpoint[] => [
  listEndpoint(kind),
  createEndpoint(kind),
  readEndpoint(kind),
];

/** Properties shared by the endpoints of one taxonomy. */
const shared = ({ taxonomy, plural }: TermKind, action: string, suffix = '') => ({
  namespace: 'wp' as const,
  path: `${taxonomy === 'tag' ? '/tags' : '/tribe_events_cat'}${suffix}`,
  name: `wp_${plural}.${action}`,
});

const listFields = {
  ...pageFields,
  context: viewFields.context,
  search: searchText('Words that must occur in the name or the slug.'),
  include: ids('Only these terms.'),
  exclude: ids('Exclude these terms.'),
  slug: texts('Only terms with these slugs.', { max: MAX_TERMS }),
  hide_empty: boolean('Omit terms whose `count` is 0; false by default.'),
  parent: integer('Only direct children of this term; 0 for the top level. Ignored for tags.'),
  post: integer('Only terms of this event.', { min: 1 }),
  order: filledText('`asc` (default) or `desc`.', { max: 20 }),
  orderby: filledText('`name` (default), `id`, `slug`, `count`, `description` or `include`.', { max: 40 }),
};

type ListInput = Partial<InputOf<typeof listFields>>;

function listEndpoint(kind: TermKind): AnyEndpoint {
  return endpoint({
    ...shared(kind, 'list'),
    methods: ['GET'],
    summary: `List ${kind.plural}`,
    input: listFields,
    responses: { 200: z.array(termSchema) },
    responseHeaders: LIST_HEADERS,
    errors: ['rest_forbidden'],
    async find({ post, parent }, ctx, addProblem) {
      if (post !== undefined) await checkEventVisible('post', post, { ctx, addProblem });
      if (kind.isTree && parent && !(await findTerm(ctx.context.db, kind.taxonomy, parent)))
        addProblem('parent', { key: 'param.term_unknown' });
    },
    may: (viewer, _target, { context }) => context !== 'edit' || mayWriteTerms(kind, viewer),
    async handle(ctx, input: ListInput) {
      const page = pageOf(input);
      const { total, terms } = await listTerms(ctx.context.db, {
        filter: filterOf(kind, input, ctx),
        order: { by: input.orderby?.toLowerCase(), descending: input.order?.toLowerCase() === 'desc' },
        limit: page.perPage,
        offset: page.offset,
      });
      const { page: _page, ...params } = input;
      return listResponse({
        items: await renderAll(kind, terms, ctx),
        total,
        page,
        url: ctx.urls.rest('wp', shared(kind, 'list').path),
        params: { ...params, i18n_language: ctx.askedLanguage },
      });
    },
  });
}

const filterOf = ({ taxonomy, isTree }: TermKind, input: ListInput, ctx: RequestContext): TermFilter => ({
  taxonomy,
  language: readLanguage(ctx),
  search: input.search,
  include: input.include,
  exclude: input.exclude,
  slugs: input.slug?.map(storedSlug),
  hideEmpty: input.hide_empty ?? false,
  parent: isTree ? input.parent : undefined,
  event: input.post,
  reader: { viewer: ctx.viewer },
});

async function renderAll(kind: TermKind, terms: readonly Term[], ctx: RequestContext) {
  return (await renderTerms(kind, terms, ctx)).map((term) => renderTerm(term, ctx.urls));
}

/** Names are HTML here. */
const name = z.preprocess(nameFromRequest, termFields.name).meta(termFields.name.meta() ?? {});

function createEndpoint(kind: TermKind): AnyEndpoint {
  return endpoint({
    ...shared(kind, 'create'),
    methods: ['POST'],
    summary: `Create ${withArticle(kind.taxonomy)}`,
    input: { ...termFields, name },
    required: ['name'],
    responses: { 201: termSchema },
    responseHeaders: ['Location'],
    errors: [
      'rest_missing_callback_param',
      'rest_forbidden',
      'term_exists',
      'duplicate_term_slug',
      'rest_taxonomy_not_hierarchical',
    ],
    find: (input, ctx, addProblem) => findReferences(kind, input, { ctx, addProblem, isUpdate: false }),
    may: (viewer) => mayWriteTerms(kind, viewer),
    async handle(ctx, input, parent) {
      const [term] = await renderAll(kind, [await createTerm(kind, input, { ctx, parent })], ctx);
      return created(term, { Location: ctx.urls.rest('wp', shared(kind, 'read', `/${term?.id}`).path) });
    },
  });
}

function readEndpoint(kind: TermKind): AnyEndpoint {
  return endpoint({
    ...shared(kind, 'read', '/{id}'),
    methods: ['GET'],
    summary: `Read ${withArticle(kind.taxonomy)}`,
    input: { id: integer('Id of the term.'), context: viewFields.context },
    responses: { 200: termSchema },
    errors: ['rest_forbidden', 'rest_term_invalid'],
    find: ({ id }, ctx) => findTerm(ctx.context.db, kind.taxonomy, id ?? 0),
    may: (viewer, _term, { context }) => context !== 'edit' || mayWriteTerms(kind, viewer),
    async handle(ctx, _input, term) {
      if (!term) throw new ApiError('rest_term_invalid');
      return { body: (await renderAll(kind, [term], ctx))[0], revision: term.revision };
    },
  });
}
