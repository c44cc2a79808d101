import { z } from 'zod';
import { isLogo, lockSiteSettings, removeLogo } from '../../db/site-settings.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import { can, type Viewer } from '../../http/core/auth.ts';
import { type AnyEndpoint, assertFound, created, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { checkRevision, revisionOf, revisionSchema } from '../../http/core/revisions.ts';
import { boolean, filledText, ids, integer, oneOf, searchText } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { findLanguage, translationsSchema } from '../translations/rules.ts';
import { loadTranslations } from '../translations/store.ts';
import { detailFields, updateDetails, uploadFields } from './image-details.ts';
import { replaceFile } from './image-file.ts';
import { IMAGE_ORDERS, listImages } from './image-list.ts';
import { imageTitle } from './image-names.ts';
import { removeImage, removeImageFiles } from './image-storage.ts';
import { findImages, getImage, imageSchema, namesOfImages, renderImage } from './images.ts';
import { storeUpload } from './store.ts';

/** The author and editors may change an image; all viewers who may upload learn that one is missing. */
const mayChange = (viewer: Viewer, row: MediaTable | undefined): boolean =>
  can(viewer, 'upload') && (!row || row.author_id === viewer.account?.id || can(viewer, 'edit_others'));

async function showAll(ctx: RequestContext, rows: readonly MediaTable[]) {
  const texts = await loadTranslations(ctx, namesOfImages(rows.map(({ id }) => id)), { withAll: true });
  return rows.map((row) => {
    const translations = mayChange(ctx.viewer, row) ? texts.coverage('media', row) : undefined;
    return {
      ...renderImage(texts.show('media', row), ctx.urls),
      title: imageTitle(row),
      ...{ author: String(row.author_id), date_utc: row.date_utc },
      ...revisionOf(row, ctx.urls),
      ...(translations && { translations }),
    };
  });
}

const show = async (row: MediaTable, ctx: RequestContext) => (await showAll(ctx, [row]))[0];

const mediaSchema = imageSchema
  .extend({
    title: z.string().describe('Title; defaults to the file name.'),
    author: z.string(),
    date_utc: utcTime,
    ...revisionSchema,
    translations: translationsSchema.optional(),
  })
  .meta({ id: 'Media', description: 'An uploaded image.' });

const uploadEndpoint = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/media',
  name: 'media.upload',
  summary: 'Upload an image',
  description:
    'PNG, JPEG, GIF, WebP or AVIF, as the field `file` of a multipart form. Renditions are created immediately.',
  input: { file: z.unknown().meta({ type: 'string', format: 'binary', description: 'The image.' }), ...uploadFields },
  responses: { 201: mediaSchema },
  errors: ['rest_forbidden', 'rest_invalid_body', 'rest_body_too_large'],
  takesFiles: true,
  find: async () => undefined,
  may: (viewer) => can(viewer, 'upload'),
  async handle(ctx, input) {
    return created(await show(await storeUpload(ctx, ctx.files.get('file'), input), ctx));
  },
});

const listFields = {
  search: searchText('Words that must all occur in the title, the file name or the alternative text.'),
  unused: boolean(
    'true: only images that no event, venue, organizer or description shows and that are not the logo; false: only the others.',
  ),
  without_alt: filledText('Only images without alternative text in this language.', { max: 35 }),
  author: integer('Only images uploaded by this account.', { min: 1 }),
  include: ids('Only these images.'),
  orderby: oneOf('`date` of the upload (default), `title` or `filesize`.', IMAGE_ORDERS),
  order: oneOf('`asc` or `desc`; the default is `asc` for titles and `desc` otherwise.', ['asc', 'desc']),
};

const listEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/media',
  name: 'media.list',
  summary: 'List uploaded images, newest first',
  input: { ...pageFields, ...listFields },
  responses: { 200: listSchema('media', mediaSchema, 'MediaList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  find: async ({ without_alt }, ctx, addProblem) => findLanguage('without_alt', without_alt, { ctx, addProblem }),
  may: (viewer) => can(viewer, 'upload'),
  async handle(ctx, input, withoutAlt) {
    const { db, config } = ctx.context;
    const page = pageOf(input, config.perPage);
    const { search, unused, author, include, orderby = 'date', order } = input;
    const { total, images } = await listImages(db, {
      filter: { search, unused, withoutAlt, include, ...(author !== undefined && { authors: [author] }) },
      order: { by: orderby, isDescending: (order ?? (orderby === 'title' ? 'asc' : 'desc')) === 'desc' },
      limit: page.perPage,
      offset: page.offset,
    });
    const { page: _page, per_page: _perPage, ...filters } = input;
    const params = { per_page: page.perPage, ...filters, i18n_language: ctx.askedLanguage };
    return listResponse({
      key: 'media',
      items: await showAll(ctx, images),
      total,
      page,
      url: ctx.urls.rest('admin', '/media'),
      params,
    });
  },
});

const findMedia = async (input: { id?: number }, ctx: RequestContext) =>
  (await findImages(ctx.context.db, [input.id ?? 0])).get(input.id ?? 0);

/** @throws {ApiError} media-not-found */
const readEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/media/{id}',
  name: 'media.read',
  summary: 'Read an uploaded image',
  input: { id: integer('Id of the image.') },
  responses: { 200: mediaSchema },
  errors: ['rest_forbidden', 'media-not-found'],
  find: findMedia,
  may: (viewer) => can(viewer, 'upload'),
  async handle(ctx, _input, row) {
    if (!row) throw new ApiError('media-not-found');
    return { body: await show(row, ctx), revision: row.revision };
  },
});

/** The image as shown in responses to writes. */
const showCurrent = async (ctx: RequestContext, _input: unknown, row: MediaTable | undefined) =>
  show(await getImage(ctx.context.db, assertFound(row).id), ctx);

const updateEndpoint = endpoint({
  namespace: 'admin',
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/media/{id}',
  name: 'media.update',
  summary: 'Change the title, the alternative text or the focus point of an image',
  description: 'Omitted fields keep their values.',
  input: { id: integer('Id of the image.'), ...detailFields },
  responses: { 200: mediaSchema },
  errors: ['rest_forbidden', 'media-not-found', 'edit-conflict'],
  find: findMedia,
  may: (viewer, row) => mayChange(viewer, row),
  async handle(ctx, { id: _id, ...input }, row) {
    if (!row) throw new ApiError('media-not-found');
    return ok(await show(await updateDetails(ctx, row.id, input), ctx));
  },
  showCurrent,
});

const replaceEndpoint = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/media/{id}/file',
  name: 'media.replace',
  summary: 'Replace the file of an image',
  description:
    'The field `file` of a multipart form. The image shows the new file everywhere, under a URL of ' +
    'its own; the URLs of the old one redirect to it. Title, texts and focal point stay.',
  input: {
    id: integer('Id of the image.'),
    file: z.unknown().meta({ type: 'string', format: 'binary', description: 'The image.' }),
  },
  responses: { 200: mediaSchema },
  errors: ['rest_forbidden', 'rest_invalid_body', 'rest_body_too_large', 'media-not-found', 'edit-conflict'],
  takesFiles: true,
  // The old files are removed after the replacement is committed.
  idempotency: 'recorded',
  find: findMedia,
  may: (viewer, row) => mayChange(viewer, row),
  async handle(ctx, _input, row) {
    if (!row) throw new ApiError('media-not-found');
    return ok(await show(await replaceFile(ctx, row.id, ctx.files.get('file')), ctx));
  },
  showCurrent,
});

const deleteEndpoint = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/media/{id}',
  name: 'media.delete',
  summary: 'Delete an uploaded image permanently',
  description: 'An image in use cannot be deleted unless `force` also removes it from the records that use it.',
  input: {
    id: integer('Id of the image.'),
    force: boolean('Also remove the image from the records that use it, and from the site if it is the logo.'),
  },
  responses: { 200: mediaSchema },
  errors: ['rest_forbidden', 'media-not-found', 'media-in-use', 'edit-conflict'],
  // Files are removed after the removal of the record is committed.
  idempotency: 'recorded',
  find: findMedia,
  may: (viewer, row) => mayChange(viewer, row),
  async handle(ctx, input, row) {
    if (!row) throw new ApiError('media-not-found');
    const body = await show(row, ctx);
    await ctx.context.db.transaction(async (db) => {
      const { query } = db;
      await lockSiteSettings(db);
      await db.dialect.lock(db, `media-${row.id}`);
      const current = await getImage(db, row.id);
      checkRevision(ctx, current);
      if (await isLogo(db, row.id)) {
        if (!input.force) throw new ApiError('media-in-use');
        await removeLogo(db);
      }
      for (const table of ['events', 'linked_posts'] as const) {
        const user = await query
          .selectFrom(table)
          .select('id')
          .where('image_id', '=', row.id)
          .limit(1)
          .executeTakeFirst();
        if (user && !input.force) throw new ApiError('media-in-use', { data: { used_by: user.id } });
        await query.updateTable(table).set({ image_id: null }).where('image_id', '=', row.id).execute();
      }
      await removeImage(db, current, ctx);
    });
    await removeImageFiles(ctx.context, row);
    return ok(body);
  },
  showCurrent,
});

export const mediaEndpoints: AnyEndpoint[] = [
  uploadEndpoint,
  listEndpoint,
  readEndpoint,
  updateEndpoint,
  replaceEndpoint,
  deleteEndpoint,
];
