import type { Database } from '../../db/database.ts';
import { isUnchanged } from '../../db/guarded-update.ts';
import { newRecordId } from '../../db/record-ids.ts';
import type { LookupContext, RequestContext } from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { checkRevision } from '../../http/core/revisions.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { plainText } from '../../lib/text/text.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';
import { auditedImage } from '../../platform/media/audited.ts';
import { type PreparedImage, saveImage } from '../../platform/media/image-storage.ts';
import {
  applyTexts,
  changedTranslations,
  checkName,
  isSameTranslations,
  overlayTexts,
  type Translation,
  textsToWrite,
} from '../../platform/translations/rules.ts';
import { findTranslations } from '../../platform/translations/store.ts';
import {
  authorFor,
  existingImage,
  findPostReferences,
  modifiedTimes,
  type PostReferences,
  publish,
  statusFor,
  withImage,
} from '../posts/post.ts';
import { slugAfter, slugFor } from '../posts/slugs.ts';
import { auditedLinkedPost } from './audited.ts';
import { asLinkedPostInput, type ExtraColumns, type LinkedPostInput, type LinkedPostKind } from './kind.ts';
import {
  findLinkedPost,
  incrementSequencesOf,
  insertLinkedPost,
  type LinkedPost,
  type LinkedPostValues,
  updateLinkedPost,
} from './store.ts';

/** Input of a write inside its transaction. */
export interface SaveContext {
  db: Database;
  ctx: RequestContext;
  /** null removes the image, undefined keeps it. */
  imageId?: number | null;
  /** As sent; derived from the name if absent. */
  slug?: string;
}

/** Rejects missing references, and a name that consists of tags only. */
export async function findReferences(
  kind: LinkedPostKind,
  sent: Readonly<Record<string, unknown>>,
  { isUpdate, ...lookup }: LookupContext & { isUpdate: boolean },
): Promise<PostReferences> {
  const input = asLinkedPostInput(sent);
  checkName(kind.name, input, { ...lookup, isUpdate });
  kind.check?.(input, lookup.addProblem);
  return findPostReferences(input, lookup);
}

interface WriteOptions {
  ctx: RequestContext;
  references: PostReferences;
  slug?: SaveContext['slug'];
}

/** Creates a record and its image in a transaction; returns the id that `save` returns. */
export const insertWithImage = (
  kind: LinkedPostKind,
  input: LinkedPostInput,
  { ctx, references, slug, save = createLinkedPost }: WriteOptions & { save?: typeof createLinkedPost },
): Promise<number> =>
  withImage(references, ctx, (prepared) =>
    ctx.context.db.transaction(async (db) => {
      const imageId = await imageOf(references, prepared, { db, ctx });
      return save(kind, input, { db, ctx, imageId, slug });
    }),
  );

/** Id of the image named by a write, which is stored if it was fetched. */
async function imageOf(
  references: PostReferences,
  prepared: PreparedImage | undefined,
  { db, ctx }: Pick<SaveContext, 'db' | 'ctx'>,
): Promise<number | null | undefined> {
  if (!prepared) return existingImage(db, references);
  const id = await saveImage(db, prepared);
  await logCreation(db, ctx.actor, { kind: auditedImage, id });
  return id;
}

/**
 * Changes a record and its image in a transaction.
 * @throws {InvalidParams} if the record is gone
 * @throws {OutdatedRevision}
 */
export const updateWithImage = (
  kind: LinkedPostKind,
  { id, input }: { id: number; input: LinkedPostInput },
  { ctx, references, slug }: WriteOptions,
): Promise<void> =>
  withImage(references, ctx, (prepared) =>
    ctx.context.db.transaction(async (db) => {
      const current = await lockLinkedPost(kind, id, { db, ctx });
      const imageId = await imageOf(references, prepared, { db, ctx });
      await changeLinkedPost(kind, { current, input }, { db, ctx, imageId, slug });
      if (input.status === 'trash') await unlinkFromEvents(kind, id, db);
    }),
  );

/**
 * Locks and returns the record named by a request: a write replaces the whole row, which may have changed since the
 * look-up.
 * @throws {InvalidParams} if it is gone
 * @throws {OutdatedRevision}
 */
export async function lockLinkedPost(
  kind: LinkedPostKind,
  id: number,
  { db, ctx }: Pick<SaveContext, 'db' | 'ctx'>,
): Promise<LinkedPost> {
  await db.dialect.lock(db, `post-${id}`);
  const post = await getLinkedPost(kind, id, db);
  checkRevision(ctx, post);
  return post;
}

/** Unlinks a record from its events; their other links stay. */
export async function unlinkFromEvents({ name, placeOf }: LinkedPostKind, id: number, db: Database): Promise<void> {
  if (placeOf) await incrementSequencesOf(db, { kind: name, id });
  await db.query.deleteFrom('event_links').where('kind', '=', name).where('target_id', '=', id).execute();
}

/**
 * The record after or during a write, by the id of its route.
 * @throws {InvalidParams} when another request has removed it
 */
export async function getLinkedPost({ name: kind }: LinkedPostKind, id: number, db: Database): Promise<LinkedPost> {
  const post = await findLinkedPost(db, kind, id);
  if (!post) throw invalidParam('id', 'param.linked_unknown', { kind });
  return post;
}

const NO_COLUMNS: ExtraColumns = { show_map: 1, show_map_link: 1, geo_lat: null, geo_lng: null };

/** The content of a record after a write, in the language of the request. */
export function contentOf(kind: LinkedPostKind, input: LinkedPostInput, current?: LinkedPost) {
  const { title, description } = textsToWrite(kind.name, input);
  const attributes = Object.keys(kind.attributes).flatMap((name) => {
    const value = input[name] === undefined ? current?.attributes[name] : plainText(scalarText(input[name]) ?? '');
    return value ? [[name, value]] : [];
  });
  return {
    title: title ?? current?.title ?? '',
    description: description ?? current?.description ?? '',
    attributes: Object.fromEntries(attributes) as Record<string, string>,
    ...(kind.columns?.(input, current ?? NO_COLUMNS) ?? NO_COLUMNS),
  };
}

/** The publication of a record after a write. */
export function publicationOf(input: LinkedPostInput, ctx: RequestContext, current?: LinkedPost) {
  const status = statusFor(ctx.viewer, input.status, current?.status);
  const { timezone } = ctx.context.config;
  return publish({ status, date: input.date, date_utc: input.date_utc }, current, {
    now: ctx.now,
    siteZone: timezone,
    zone: timezone,
    epoch: 'instant',
  });
}

/** Creates a linked post and returns its id. */
export async function createLinkedPost(
  kind: LinkedPostKind,
  input: LinkedPostInput,
  { db, ctx, imageId, slug = ctx.keptSlug ?? '' }: SaveContext,
): Promise<number> {
  const id = await newRecordId(db, kind.name, ctx.keptId);
  const { own, translations } = applyTexts(kind.name, input, { ctx });
  const content = overlayTexts(contentOf(kind, input), own);
  const publication = publicationOf(input, ctx);
  const values: LinkedPostValues = {
    ...content,
    ...publication,
    ...modifiedTimes(ctx),
    author_id: authorFor(ctx.viewer, input.author),
    slug: await slugFor(db, { kind: kind.name, id, status: publication.status, title: content.title, slug }),
    image_id: imageId ?? null,
    trashed_from: '',
  };
  await insertLinkedPost(db, { id, kind: kind.name }, { values, ...changedTranslations({ own, translations }) });
  await logCreation(db, ctx.actor, { kind: auditedLinkedPost(kind), id });
  return id;
}

/** Changes the fields that were sent. A status other than trash restores a trashed record. */
export async function changeLinkedPost(
  kind: LinkedPostKind,
  { current, input }: { current: LinkedPost; input: LinkedPostInput },
  { db, ctx, imageId, slug }: SaveContext,
): Promise<void> {
  const { id, kind: name, revision: _revision, ...kept } = current;
  const publication = publicationOf(input, ctx, current);
  const translations = await findTranslations(db, current);
  const texts = applyTexts(name, input, { ctx, before: { record: current, translations } });
  const values = {
    ...kept,
    ...overlayTexts(contentOf(kind, input, current), texts.own),
    ...publication,
    ...modifiedTimes(ctx),
    author_id: authorFor(ctx.viewer, input.author, current.author_id),
    image_id: imageId === undefined ? current.image_id : imageId,
    ...(await slugAfter(db, current, { current, status: publication.status, title: current.title, sent: slug })),
  };
  if (isUnchanged(current, values) && isSameTranslations(translations, texts.translations)) return;
  await logChange(db, ctx.actor, { kind: auditedLinkedPost(kind), id }, () =>
    updateLinkedPost(db, current, { values, ...changedTranslations(texts, translations) }),
  );
  const isMoved = placesOf(kind, current, translations) !== placesOf(kind, values, texts.translations);
  if (isMoved) await incrementSequencesOf(db, { kind: name, id });
}

/** The location data of a record in all languages, for comparison. */
const placesOf = (
  { placeOf }: LinkedPostKind,
  post: Pick<LinkedPost, 'title' | 'description' | 'attributes' | 'geo_lat' | 'geo_lng'>,
  translations: readonly Translation[],
): string =>
  JSON.stringify([
    placeOf?.(post),
    ...translations.map(({ language, texts }) => [language, placeOf?.(overlayTexts(post, texts))]).sort(),
  ]);
