import { z } from 'zod';
import type { MediaTable } from '../../db/tables.ts';
import { can } from '../../http/auth.ts';
import { type AnyEndpoint, created, endpoint, type RequestContext } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { integer, texts } from '../../http/schemas.ts';
import { findShownImages } from '../media/images.ts';
import { isPublicImage, listImages, storeUpload } from '../media/store.ts';
import { LIST_HEADERS, listReply, pageFields, pageOf, viewFields } from './list.ts';
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
  answers: { 201: mediaSchema },
  answerHeaders: ['Location'],
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

const listEndpoint = endpoint({
  namespace: 'wp',
  methods: ['GET'],
  path: '/media',
  name: 'wp_media.list',
  summary: 'List uploaded images, newest first',
  input: {
    ...pageFields,
    context: viewFields.context,
    slug: texts('Only those that were uploaded under one of these names, without their extensions.', { max: 20 }),
  },
  answers: { 200: z.array(mediaSchema) },
  answerHeaders: LIST_HEADERS,
  errors: ['rest_forbidden', 'rest_post_invalid_page_number'],
  find: async () => undefined,
  may: (viewer) => can(viewer, 'upload'),
  async handle(ctx, input) {
    const { slug, page: _page, ...params } = input;
    const page = pageOf(input);
    const query = { slugs: slug, limit: page.perPage, offset: page.offset };
    const { total, images } = await listImages(ctx.context.db, query);
    const shown = await findShownImages(
      ctx,
      images.map(({ id }) => id),
    );
    return listReply({
      items: images.flatMap(({ id }) => shown.get(id) ?? []).map((row) => renderMedia(row, ctx)),
      total,
      page,
      url: ctx.urls.rest('wp', '/media'),
      params: { ...params, slug, i18n_language: ctx.askedLanguage },
      pastTheEnd: 'rest_post_invalid_page_number',
    });
  },
});

/** The image of a request, and whether a public record shows it. */
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
  description: 'For those who may upload; an image of a published record without a password is for everybody.',
  input: { id: integer('Id of the image.'), context: viewFields.context },
  answers: { 200: mediaSchema },
  errors: ['rest_forbidden', 'rest_post_invalid_id'],
  find: findTarget,
  may: (viewer, target, { context }) =>
    target !== undefined && (can(viewer, 'upload') || (target.isPublic && context !== 'edit')),
  async handle(ctx, _input, { row }) {
    if (!row) throw new ApiError('rest_post_invalid_id');
    return { body: renderMedia(row, ctx), revision: row.revision };
  },
});

/** Images, by the rules of `resources/media`. */
export const mediaEndpoints: AnyEndpoint[] = [uploadEndpoint, listEndpoint, readEndpoint];
