import { z } from 'zod';
import type { MediaTable } from '../db/tables/platform.ts';
import { can } from '../http/core/auth.ts';
import { type AnyEndpoint, created, endpoint, type InputOf, type RequestContext } from '../http/core/endpoint.ts';
import { ApiError } from '../http/core/errors.ts';
import { resolveDateParam } from '../http/input/date-param.ts';
import { date, ids, integer, oneOf, searchText, texts } from '../http/input/schemas.ts';
import { type DateExpression, localToUtc } from '../lib/dates/dates.ts';
import { type ImageFilter, type ImageOrder, listImages } from '../platform/media/image-list.ts';
import { findShownImages } from '../platform/media/images.ts';
import { isPublicImage, storeUpload } from '../platform/media/store.ts';
import { LIST_HEADERS, listResponse, pageFields, pageOf, viewFields } from './list.ts';
import { mediaSchema, renderMedia } from './media-view.ts';

const uploadEndpoint = endpoint({
  namespace: 'wp',
  methods: ['POST'],
  path: '/media',
  name: 'wp_media.upload',
  summary: 'Upload an image',
  description:
    'PNG, JPEG, GIF, WebP or AVIF: the field `file` of a multipart form, or the body itself with its name in ' +
    '`Content-Disposition: attachment; filename="poster.png"`.',
  input: { file: z.unknown().meta({ type: 'string', format: 'binary', description: 'The image.' }) },
  responses: { 201: mediaSchema },
  responseHeaders: ['Location'],
  errors: ['rest_forbidden', 'rest_invalid_body', 'rest_body_too_large'],
  takesFiles: true,
  takesRawFile: true,
  find: async () => undefined,
  may: (viewer) => can(viewer, 'upload'),
  async handle(ctx) {
    const row = await storeUpload(ctx, ctx.files.get('file'));
    return created(renderMedia(row, ctx), { Location: ctx.urls.rest('wp', `/media/${row.id}`) });
  },
});

const listFields = {
  slug: texts('Only images uploaded under one of these names, without extensions.', { max: 20 }),
  search: searchText('Words that must all occur in the title, the file name or the alternative text.'),
  include: ids('Only these images.'),
  exclude: ids('Exclude these images.'),
  author: ids('Only images uploaded by these accounts.'),
  author_exclude: ids('Only images uploaded by other accounts.'),
  after: date('Only images uploaded after this time, in the time zone of the site unless it names one.'),
  before: date('Only images uploaded before this time.'),
  media_type: texts('Only images of these types; all are of the type `image`.', { max: 20 }),
  mime_type: texts('Only images of these types, such as `image/png`.', { max: 20 }),
  orderby: oneOf(
    'Default: `date`. `modified` and `relevance` are treated as `date`: images do not change, and all are equally relevant.',
    [...['date', 'id', 'title', 'slug', 'author', 'include', 'modified', 'relevance']] as const,
  ),
  order: oneOf('`desc` by default.', ['asc', 'desc']),
};

type ListInput = Partial<InputOf<typeof listFields>>;

function filterOf(input: ListInput, ctx: RequestContext): ImageFilter {
  const { media_type: types, mime_type: mimeTypes } = input;
  const isOther = types && !types.includes('image');
  return {
    search: input.search,
    slugs: input.slug,
    include: input.include,
    exclude: input.exclude,
    authors: input.author,
    excludedAuthors: input.author_exclude,
    mimeTypes: isOther ? [] : mimeTypes,
    after: input.after && instantOf('after', input.after, ctx),
    before: input.before && instantOf('before', input.before, ctx),
  };
}

/** @throws {InvalidParams} for a date that does not exist */
function instantOf(name: string, date: DateExpression, { context, now }: RequestContext): string {
  const zone = context.config.timezone;
  const resolved = resolveDateParam(name, date, { zone, now });
  return resolved.kind === 'local' ? localToUtc(resolved.local, zone).utc : resolved.utc;
}

function orderOf({ orderby = 'date', order = 'desc' }: ListInput): ImageOrder {
  const by = orderby === 'modified' || orderby === 'relevance' ? 'date' : orderby;
  return { by, isDescending: order === 'desc' && by !== 'include' };
}

const listEndpoint = endpoint({
  namespace: 'wp',
  methods: ['GET'],
  path: '/media',
  name: 'wp_media.list',
  summary: 'List uploaded images, newest first',
  input: {
    ...pageFields,
    context: viewFields.context,
    ...listFields,
  },
  responses: { 200: z.array(mediaSchema) },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden', 'rest_post_invalid_page_number'],
  find: async () => undefined,
  may: (viewer) => can(viewer, 'upload'),
  async handle(ctx, input) {
    const { page: _page, after, before, slug, ...others } = input;
    const page = pageOf(input);
    const filter = filterOf(input, ctx);
    const query = { filter, order: orderOf(input), limit: page.perPage, offset: page.offset };
    const params = { ...others, after: after && filter.after, before: before && filter.before };
    const { total, images } = await listImages(ctx.context.db, query);
    const shown = await findShownImages(
      ctx,
      images.map(({ id }) => id),
    );
    return listResponse({
      items: images.flatMap(({ id }) => shown.get(id) ?? []).map((row) => renderMedia(row, ctx)),
      total,
      page,
      url: ctx.urls.rest('wp', '/media'),
      params: { ...params, slug, i18n_language: ctx.askedLanguage },
      pastTheEnd: 'rest_post_invalid_page_number',
    });
  },
});

/** Image of a request, and whether a public record shows it. */
interface Target {
  row?: MediaTable;
  isPublic: boolean;
}

async function findTarget({ id = 0 }: { id?: number }, ctx: RequestContext): Promise<Target> {
  const row = (await findShownImages(ctx, [id])).get(id);
  return { row, isPublic: row !== undefined && (await isPublicImage(ctx.context.db, id)) };
}

const readEndpoint = endpoint({
  namespace: 'wp',
  methods: ['GET'],
  path: '/media/{id}',
  name: 'wp_media.read',
  summary: 'Read an uploaded image',
  description: 'For users who may upload; an image of a published record without a password is public.',
  input: { id: integer('Id of the image.'), context: viewFields.context },
  responses: { 200: mediaSchema },
  errors: ['rest_forbidden', 'rest_post_invalid_id'],
  find: findTarget,
  may: (viewer, target, { context }) =>
    target !== undefined && (can(viewer, 'upload') || (target.isPublic && context !== 'edit')),
  async handle(ctx, _input, { row }) {
    if (!row) throw new ApiError('rest_post_invalid_id');
    return { body: renderMedia(row, ctx), revision: row.revision };
  },
});

/** Images, by the rules of `platform/media`. */
export const mediaEndpoints: AnyEndpoint[] = [uploadEndpoint, listEndpoint, readEndpoint];
