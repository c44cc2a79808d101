import type { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { newRecordId } from '../../db/record-ids.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import { plainText } from '../../lib/text.ts';
import { authorFor, modifiedNow, type PostInput, publish, statusFor } from '../posts/post.ts';
import { addressAfter, slugFor } from '../posts/slugs.ts';
import { applyTexts, changedTranslations, sentTexts } from '../translations/rules.ts';
import { findTranslations } from '../translations/store.ts';
import {
  insertLinkedPost,
  type LinkedPost,
  type LinkedPostKindName,
  type LinkedPostValues,
  updateLinkedPost,
} from './store.ts';

/** Columns a kind has besides the shared ones. */
export type ExtraColumns = Pick<LinkedPost, 'show_map' | 'show_map_link' | 'geo_lat' | 'geo_lng'>;

/** How one kind is written. */
export interface LinkedPostForm {
  kind: LinkedPostKindName;
  /** Text attributes by name. */
  attributes: Readonly<Record<string, z.ZodType<string | null>>>;
  columns?(input: Readonly<Record<string, unknown>>, current: ExtraColumns): ExtraColumns;
}

/** A checked write: the shared fields, the name under the kind's word, and the attributes. */
export type LinkedPostInput = PostInput & { description?: string | null } & Readonly<Record<string, unknown>>;

export interface Saving {
  db: Database;
  ctx: RequestContext;
  /** null removes the image, undefined keeps it. */
  imageId?: number | null;
  /** As sent; made from the name when absent. */
  slug?: string;
}

const NO_COLUMNS: ExtraColumns = { show_map: 1, show_map_link: 1, geo_lat: null, geo_lng: null };

/** What a write makes of the content of a record, in the language of the request. */
export function contentOf(form: LinkedPostForm, input: LinkedPostInput, current?: LinkedPost) {
  const { title, description } = sentTexts(form.kind, input);
  const attributes = Object.keys(form.attributes).flatMap((name) => {
    const value = input[name] === undefined ? current?.attributes[name] : plainText(String(input[name] ?? ''));
    return value ? [[name, value]] : [];
  });
  return {
    title: title ?? current?.title ?? '',
    description: description ?? current?.description ?? '',
    attributes: Object.fromEntries(attributes) as Record<string, string>,
    ...(form.columns?.(input, current ?? NO_COLUMNS) ?? NO_COLUMNS),
  };
}

/** What a write makes of the publication of a record. */
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

/** Creates a venue or an organizer and gives its id. */
export async function createLinkedPost(
  form: LinkedPostForm,
  input: LinkedPostInput,
  { db, ctx, imageId, slug = '' }: Saving,
): Promise<number> {
  const id = await newRecordId(db, form.kind);
  const { own, translations } = applyTexts(form.kind, input, { ctx });
  const content = { ...contentOf(form, input), ...own };
  const publication = publicationOf(input, ctx);
  const values: LinkedPostValues = {
    ...content,
    ...publication,
    ...modifiedNow(ctx),
    author_id: authorFor(ctx.viewer, input.author),
    slug: await slugFor(db, { kind: form.kind, id, status: publication.status, title: content.title, slug }),
    image_id: imageId ?? null,
    trashed_from: '',
  };
  await insertLinkedPost(db, { id, kind: form.kind }, { values, ...changedTranslations({ own, translations }) });
  return id;
}

/** Changes what is sent and leaves the rest as it is. A status other than trash takes a record out of the trash. */
export async function changeLinkedPost(
  form: LinkedPostForm,
  { current, input }: { current: LinkedPost; input: LinkedPostInput },
  { db, ctx, imageId, slug }: Saving,
): Promise<void> {
  const { id, kind, ...kept } = current;
  const publication = publicationOf(input, ctx, current);
  const translations = await findTranslations(db, { kind, id });
  const texts = applyTexts(kind, input, { ctx, before: { record: current, translations } });
  const values = {
    ...kept,
    ...contentOf(form, input, current),
    ...texts.own,
    ...publication,
    ...modifiedNow(ctx),
    author_id: authorFor(ctx.viewer, input.author, current.author_id),
    image_id: imageId === undefined ? current.image_id : imageId,
    ...(await addressAfter(
      db,
      { kind, id },
      { current, status: publication.status, title: current.title, sent: slug },
    )),
  };
  await updateLinkedPost(db, { id, kind }, { values, ...changedTranslations(texts, translations) });
}
