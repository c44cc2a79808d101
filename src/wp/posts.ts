import { z } from 'zod';
import { ownedAs } from '../calendar/posts/post.ts';
import { statusFilterField, type Visibility, visibilityFor } from '../calendar/posts/visibility.ts';
import { findTermIds, MAX_TERMS } from '../calendar/terms/references.ts';
import { withDescendants } from '../calendar/terms/store.ts';
import { can, mayEdit, type Viewer } from '../http/core/auth.ts';
import {
  type AnyEndpoint,
  assertFound,
  created,
  endpoint,
  type InputOf,
  type LookupContext,
  ok,
  type RequestContext,
} from '../http/core/endpoint.ts';
import { ApiError } from '../http/core/errors.ts';
import { filledText, ids, integer, searchText, texts } from '../http/input/schemas.ts';
import { storedSlug } from '../lib/text/slug.ts';
import { withArticle } from '../lib/text/text.ts';
import { LIST_HEADERS, listResponse, pageFields, pageOf, viewFields } from './list.ts';
import { readWrite, writeFields } from './post-input.ts';
import type { PostRow, PostType } from './post-type.ts';
import { postSchema, renderPosts } from './post-view.ts';

/** The endpoints of a type: list, create, read and update. */
export function postEndpoints<Row extends PostRow, R>(type: PostType<Row, R>): AnyEndpoint[] {
  return [listEndpoint(type), createEndpoint(type), readEndpoint(type), updateEndpoint(type)];
}

const termFilters = {
  tags: texts('Only records with one of these tags: ids, slugs or names.', { max: MAX_TERMS }),
  tribe_events_cat: texts('Only records in one of these categories or their descendants: ids, slugs or names.', {
    max: MAX_TERMS,
  }),
};

const sharedFilters = {
  ...pageFields,
  ...viewFields,
  ...statusFilterField,
  search: searchText('Words that must all occur in the title, the description or the excerpt.'),
  include: ids('Only these records.'),
  slug: texts('Only records with these slugs.', { max: MAX_TERMS }),
};

type ListFields = typeof sharedFilters & typeof termFilters;
type ListInput = Partial<InputOf<ListFields>>;

interface ListTarget {
  visibility: Visibility;
  categories?: number[];
  tags?: number[];
}

/** The context `edit` requires the right to write; access to texts is checked for each record. */
const mayUseContext = (viewer: Viewer, context: string | undefined): boolean =>
  context !== 'edit' || can(viewer, 'edit');

function listEndpoint<Row extends PostRow, R>(type: PostType<Row, R>): AnyEndpoint {
  return endpoint({
    namespace: 'wp',
    methods: ['GET'],
    path: `/${type.type}`,
    name: `${type.name}.list`,
    summary: `List ${type.plural}`,
    description: 'Published records unless `status` says otherwise: events by start, others by name.',
    // Filters that a type lacks are never present.
    input: { ...sharedFilters, ...('tags' in type.names && termFilters) } as ListFields,
    responses: { 200: z.array(postSchema) },
    responseHeaders: LIST_HEADERS,
    errors: ['rest_forbidden', 'rest_post_invalid_page_number'],
    find: (input: ListInput, ctx, addProblem) => findTargets(input, { ctx, addProblem }),
    may: (viewer, _target, input: ListInput) => mayUseContext(viewer, input.context),
    async handle(ctx, input: ListInput, target) {
      const { search, include, slug } = input;
      const page = pageOf(input);
      const filter = { ...target, search, include, slugs: slug?.map(storedSlug) };
      const { total, rows } = await type.list(ctx, filter, page);
      const items = await renderPosts(type, await type.show(ctx, rows), { ctx, ...input });
      const { page: _page, ...params } = input;
      return listResponse({
        items,
        total,
        page,
        url: ctx.urls.rest('wp', `/${type.type}`),
        params: { ...params, i18n_language: ctx.askedLanguage },
        pastTheEnd: 'rest_post_invalid_page_number',
      });
    },
  });
}

async function findTargets({ status, ...input }: ListInput, lookup: LookupContext): Promise<ListTarget> {
  const { ctx, addProblem } = lookup;
  const categories =
    input.tribe_events_cat &&
    (await findTermIds('category', { name: 'tribe_events_cat', references: input.tribe_events_cat }, lookup));
  return {
    visibility: visibilityFor(ctx.viewer, status ?? ['publish'], addProblem),
    categories: categories && (await withDescendants(ctx.context.db, categories)),
    tags: input.tags && (await findTermIds('tag', { name: 'tags', references: input.tags }, lookup)),
  };
}

interface Target<Row, R> {
  row?: Row;
  write?: { input: Readonly<Record<string, unknown>>; references: R };
}

const idField = { id: integer('Id of the record.') };
const passwordField = { password: filledText('Password of the event, if it has one.', { max: 200 }) };
type ReadFields = typeof idField & typeof viewFields & typeof passwordField;

function readEndpoint<Row extends PostRow, R>(type: PostType<Row, R>): AnyEndpoint {
  return endpoint({
    namespace: 'wp',
    methods: ['GET'],
    path: `/${type.type}/{id}`,
    name: `${type.name}.read`,
    summary: `Read ${withArticle(type.singular)}`,
    input: { ...idField, ...viewFields, ...(type.admit && passwordField) } as ReadFields,
    responses: { 200: postSchema },
    errors: ['rest_forbidden', 'rest_post_invalid_id', ...(type.admit ? (['event-password-protected'] as const) : [])],
    find: async ({ id }, ctx): Promise<Target<Row, R>> => ({ row: await type.find(ctx, id ?? 0) }),
    may(viewer, target, { context }) {
      if (!target?.row) return target !== undefined;
      return type.mayRead(viewer, target.row) && (context !== 'edit' || mayEdit(viewer, ownedAs(target.row)));
    },
    async handle(ctx, { password, ...input }, { row }) {
      if (!row) throw new ApiError('rest_post_invalid_id');
      await type.admit?.(ctx, row, password);
      const shown = await type.show(ctx, [row], password);
      if (password !== undefined && shown[0]?.isMasked) throw new ApiError('event-password-protected');
      return { body: (await renderPosts(type, shown, { ctx, ...input }))[0], revision: row.revision };
    },
  });
}

function createEndpoint<Row extends PostRow, R>(type: PostType<Row, R>): AnyEndpoint {
  return endpoint({
    namespace: 'wp',
    methods: ['POST'],
    path: `/${type.type}`,
    name: `${type.name}.create`,
    summary: `Create ${withArticle(type.singular)}`,
    input: writeFields(type),
    responses: { 201: postSchema },
    responseHeaders: ['Location'],
    errors: ['rest_missing_callback_param', 'rest_forbidden', 'rest_post_invalid_id'],
    find: async (input, ctx, addProblem): Promise<Target<Row, R>> => ({
      write: await readWrite(type, input, { ctx, addProblem, isUpdate: false }),
    }),
    may: (viewer) => can(viewer, 'edit'),
    async handle(ctx, _input, { write }) {
      const id = await type.create(ctx, assertFound(write));
      return created(await showWritten(type, id, ctx), { Location: ctx.urls.rest('wp', `/${type.type}/${id}`) });
    },
  });
}

function updateEndpoint<Row extends PostRow, R>(type: PostType<Row, R>): AnyEndpoint {
  return endpoint({
    namespace: 'wp',
    methods: ['POST', 'PUT', 'PATCH'],
    path: `/${type.type}/{id}`,
    name: `${type.name}.update`,
    summary: `Change ${withArticle(type.singular)}`,
    description: 'Omitted fields keep their values.',
    input: { ...idField, ...writeFields(type) },
    responses: { 200: postSchema },
    errors: ['rest_forbidden', 'rest_post_invalid_id', 'edit-conflict'],
    async find(input, ctx, addProblem): Promise<Target<Row, R>> {
      const row = await type.find(ctx, Number(input.id ?? 0));
      return { row, write: await readWrite(type, input, { ctx, addProblem, current: row, isUpdate: true }) };
    },
    may(viewer, target) {
      if (!target) return false;
      return target.row ? mayEdit(viewer, ownedAs(target.row)) : can(viewer, 'edit');
    },
    async handle(ctx, _input, { row, write }) {
      if (!row) throw new ApiError('rest_post_invalid_id');
      await type.update(ctx, row.id, assertFound(write));
      return ok(await showWritten(type, row.id, ctx));
    },
    showCurrent: (ctx, _input, { row }) => showWritten(type, assertFound(row).id, ctx),
  });
}

/** A record after a write, as shown to its writer. */
async function showWritten<Row extends PostRow, R>(type: PostType<Row, R>, id: number, ctx: RequestContext) {
  const row = await type.find(ctx, id);
  if (!row) throw new ApiError('rest_post_invalid_id');
  const [post] = await renderPosts(type, await type.show(ctx, [row]), { ctx, context: 'edit' });
  return post;
}
