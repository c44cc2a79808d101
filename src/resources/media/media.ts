import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { EditedMeanwhile } from '../../db/errors.ts';
import { isLogo, lockSiteSettings, removeLogo } from '../../db/site-settings.ts';
import type { MediaTable } from '../../db/tables.ts';
import { can, type Viewer } from '../../http/auth.ts';
import { type AnyEndpoint, assertFound, created, endpoint, ok, type RequestContext } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { utcTime } from '../../http/output.ts';
import { LIST_HEADERS, listReply, listSchema, pageFields, pageOf } from '../../http/pagination.ts';
import { checkRevision, revisionOf, revisionSchema } from '../../http/revisions.ts';
import { boolean, integer } from '../../http/schemas.ts';
import { logChange } from '../audit/log.ts';
import { translationsSchema } from '../translations/rules.ts';
import { loadTranslations, removeTranslations } from '../translations/store.ts';
import { auditedImage } from './audited.ts';
import { detailFields, updateDetails } from './image-details.ts';
import { removeImageFiles } from './image-storage.ts';
import { findImages, getImage, imageSchema, namesOfImages, renderImage } from './images.ts';
import { listImages, storeUpload } from './store.ts';

/** Its author and editors may change an image; all who may upload learn that one is missing. */
const mayChange = (viewer: Viewer, row: MediaTable | undefined): boolean =>
  can(viewer, 'upload') && (!row || row.author_id === viewer.account?.id || can(viewer, 'edit_others'));

async function showAll(ctx: RequestContext, rows: readonly MediaTable[]) {
  const texts = await loadTranslations(ctx, namesOfImages(rows.map(({ id }) => id)), { withAll: true });
  return rows.map((row) => {
    const translations = mayChange(ctx.viewer, row) ? texts.coverage('media', row) : undefined;
    return {
      ...renderImage(texts.show('media', row), ctx.urls),
      ...{ author: String(row.author_id), date_utc: row.date_utc },
      ...revisionOf(row, ctx.urls),
      ...(translations && { translations }),
    };
  });
}

const show = async (row: MediaTable, ctx: RequestContext) => (await showAll(ctx, [row]))[0];

const mediaSchema = imageSchema
  .extend({ author: z.string(), date_utc: utcTime, ...revisionSchema, translations: translationsSchema.optional() })
  .meta({ id: 'Media', description: 'An uploaded image.' });

const uploadEndpoint = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/media',
  name: 'media.upload',
  summary: 'Upload an image',
  description:
    'PNG, JPEG, GIF, WebP or AVIF, as the field `file` of a multipart form; the focus point as `focus[x]` and ' +
    '`focus[y]`. Renditions are created immediately.',
  input: { file: z.unknown().meta({ type: 'string', format: 'binary', description: 'The image.' }), ...detailFields },
  answers: { 201: mediaSchema },
  errors: ['rest_forbidden', 'rest_invalid_body', 'rest_body_too_large'],
  takesFiles: true,
  find: async () => undefined,
  may: (viewer) => can(viewer, 'upload'),
  async handle(ctx, input) {
    return created(await show(await storeUpload(ctx, ctx.files.get('file'), input), ctx));
  },
});

const listEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/media',
  name: 'media.list',
  summary: 'List uploaded images, newest first',
  input: pageFields,
  answers: { 200: listSchema('media', mediaSchema, 'MediaList') },
  answerHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  find: async () => undefined,
  may: (viewer) => can(viewer, 'upload'),
  async handle(ctx, input) {
    const { db, config } = ctx.context;
    const page = pageOf(input, config.perPage);
    const { total, images } = await listImages(db, { limit: page.perPage, offset: page.offset });
    const params = { per_page: page.perPage, i18n_language: ctx.askedLanguage };
    return listReply({
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
  answers: { 200: mediaSchema },
  errors: ['rest_forbidden', 'media-not-found'],
  find: findMedia,
  may: (viewer) => can(viewer, 'upload'),
  async handle(ctx, _input, row) {
    if (!row) throw new ApiError('media-not-found');
    return { body: await show(row, ctx), revision: row.revision };
  },
});

/** @throws {EditedMeanwhile} if somebody else has edited it since */
async function removeImage(db: Database, { id, revision }: MediaTable): Promise<void> {
  await removeTranslations(db, { kind: 'media', id });
  const { numDeletedRows } = await db.query
    .deleteFrom('media')
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new EditedMeanwhile({ table: 'media', id });
  await db.query.deleteFrom('records').where('id', '=', id).execute();
}

/** The image of a write, as its answer shows it. */
const showCurrent = async (ctx: RequestContext, _input: unknown, row: MediaTable | undefined) =>
  show(await getImage(ctx.context.db, assertFound(row).id), ctx);

const updateEndpoint = endpoint({
  namespace: 'admin',
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/media/{id}',
  name: 'media.update',
  summary: 'Change the alternative text or the focus point of an image',
  description: 'Fields that are not sent keep their values.',
  input: { id: integer('Id of the image.'), ...detailFields },
  answers: { 200: mediaSchema },
  errors: ['rest_forbidden', 'media-not-found', 'edit-conflict'],
  find: findMedia,
  may: (viewer, row) => mayChange(viewer, row),
  async handle(ctx, { id: _id, ...input }, row) {
    if (!row) throw new ApiError('media-not-found');
    return ok(await show(await updateDetails(ctx, row.id, input), ctx));
  },
  showCurrent,
});

const deleteEndpoint = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/media/{id}',
  name: 'media.delete',
  summary: 'Delete an uploaded image permanently',
  description: 'An image in use cannot be deleted unless `force` also removes it from what shows it.',
  input: {
    id: integer('Id of the image.'),
    force: boolean('Also remove the image from the records that show it, and from the site if it is the logo.'),
  },
  answers: { 200: mediaSchema },
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
      await logChange(db, ctx.actor, { kind: auditedImage, id: row.id }, () => removeImage(db, current));
    });
    await removeImageFiles(ctx.context, row);
    return ok(body);
  },
  showCurrent,
});

/** Images that events, venues and organizers can show. */
export const mediaEndpoints: AnyEndpoint[] = [
  uploadEndpoint,
  listEndpoint,
  readEndpoint,
  updateEndpoint,
  deleteEndpoint,
];
