import type { z } from 'zod';
import type { Database } from '../db/database.ts';
import { newRecordId } from '../db/records.ts';
import { mayEdit } from '../http/auth.ts';
import type { Call } from '../http/endpoint.ts';
import { isSameName, plainText } from '../lib/text.ts';
import {
  findLinkedPost,
  findNamesakes,
  insertLinkedPost,
  type LinkedPost,
  type LinkedPostKindName,
  type LinkedPostValues,
  updateLinkedPost,
} from './linked-post-store.ts';
import { authorFor, modifiedNow, type PostInput, publish, statusFor } from './post.ts';
import { slugFor, trashedSlug, untrashedSlug } from './slugs.ts';
import { sentTexts, textsAfter, touched, writtenLanguage } from './texts.ts';
import { findTranslations } from './translation-store.ts';

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
  call: Call;
  /** null removes the image, undefined keeps it. */
  imageId?: number | null;
  /** As sent; made from the name when absent. */
  slug?: string;
}

const NO_COLUMNS: ExtraColumns = { show_map: 1, show_map_link: 1, geo_lat: null, geo_lng: null };

/** What a write makes of the content of a record, in the language of the request. */
function contentOf(form: LinkedPostForm, input: LinkedPostInput, current?: LinkedPost) {
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

function publicationOf(input: LinkedPostInput, call: Call, current?: LinkedPost) {
  const status = statusFor(call.viewer, input.status, current?.status);
  const { timezone } = call.context.config;
  return publish({ status, date: input.date, date_utc: input.date_utc }, current, {
    now: call.now,
    siteZone: timezone,
    zone: timezone,
    epoch: 'instant',
  });
}

/** Creates a venue or an organizer and gives its id. */
export async function createLinkedPost(
  form: LinkedPostForm,
  input: LinkedPostInput,
  { db, call, imageId, slug = '' }: Saving,
): Promise<number> {
  const id = await newRecordId(db, form.kind);
  const { own, translations } = textsAfter(form.kind, input, { call });
  const content = { ...contentOf(form, input), ...own };
  const publication = publicationOf(input, call);
  const values: LinkedPostValues = {
    ...content,
    ...publication,
    ...modifiedNow(call),
    author_id: authorFor(call.viewer, input.author),
    slug: await slugFor(db, { kind: form.kind, id, status: publication.status, title: content.title, slug }),
    image_id: imageId ?? null,
    trashed_from: '',
  };
  await insertLinkedPost(db, { id, kind: form.kind }, { values, ...touched({ own, translations }) });
  return id;
}

/** Changes what is sent and leaves the rest as it is. A status other than trash takes a record out of the trash. */
export async function changeLinkedPost(
  form: LinkedPostForm,
  { current, input }: { current: LinkedPost; input: LinkedPostInput },
  { db, call, imageId, slug }: Saving,
): Promise<void> {
  const { id, kind, title_key: _key, search_text: _text, ...kept } = current;
  const publication = publicationOf(input, call, current);
  const translations = await findTranslations(db, { kind, id });
  const texts = textsAfter(kind, input, { call, before: { record: current, translations } });
  const values = {
    ...kept,
    ...contentOf(form, input, current),
    ...texts.own,
    ...publication,
    ...modifiedNow(call),
    author_id: authorFor(call.viewer, input.author, current.author_id),
    image_id: imageId === undefined ? current.image_id : imageId,
    ...(await slugAfter(db, current, { status: publication.status, slug })),
  };
  await updateLinkedPost(db, { id, kind }, { values, ...touched(texts, translations) });
}

/** Slug and memory of the trash when a record goes there, comes back, or stays where it is. */
async function slugAfter(
  db: Database,
  { id, kind, title, slug, status, trashed_from }: LinkedPost,
  next: { status: string; slug?: string },
) {
  if (next.status === 'trash')
    return status === 'trash'
      ? { slug, trashed_from }
      : { slug: await trashedSlug(db, { kind, id }, slug), trashed_from: status };
  const base = next.slug ?? (status === 'trash' ? untrashedSlug(slug) : slug);
  return { slug: await slugFor(db, { kind, id, status: next.status, title, slug: base }), trashed_from: '' };
}

/**
 * The record that an inline object means: a published one of the same name, if none of its fields says otherwise.
 * What the object knows and the record does not is added to the record, by callers who may edit it; other callers make
 * a record of their own, so that nothing they sent is lost.
 */
export async function reuseOrCreate(form: LinkedPostForm, sent: LinkedPostInput, saving: Saving): Promise<number> {
  const { db, call } = saving;
  // An empty field of an inline object says nothing.
  const input: LinkedPostInput = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
  const { title } = contentOf(form, input);
  const language = writtenLanguage(call);
  for (const found of await findNamesakes(db, { kind: form.kind, language }, title)) {
    // Whoever is changing the record has to be done before it is compared.
    await db.dialect.lock(db, `post-${found.id}`);
    const namesake = await findLinkedPost(db, form.kind, found.id);
    if (namesake?.status !== 'publish') continue;
    const stated = await statedIn(db, namesake, language);
    if (![namesake, stated].some((post) => isSameName(post.title, title))) continue;
    const merged = contentOf(form, input, stated);
    if (contradicts(merged, stated)) continue;
    if (!addsTo(merged, stated) && !saving.imageId) return namesake.id;
    if (!mayEdit(call.viewer, namesake)) continue;
    const { [form.kind]: _name, status: _status, author: _author, ...additions } = input;
    await changeLinkedPost(form, { current: namesake, input: additions }, saving);
    return namesake.id;
  }
  return createLinkedPost(form, input, saving);
}

/** A record with the texts that it has in a language and no others: what falls back says nothing of that language. */
async function statedIn(db: Database, post: LinkedPost, language: string | undefined): Promise<LinkedPost> {
  const translations = await findTranslations(db, post);
  const lent = new Set(translations.flatMap((one) => one.lent));
  const own = { title: post.title, description: lent.has('description') ? '' : post.description };
  const { texts = {} } = translations.find((one) => one.language === language) ?? {};
  return { ...post, ...(language === undefined ? own : { title: '', description: '', ...texts }) };
}

type Content = ReturnType<typeof contentOf>;

/** Every field by name; what is not known is absent. */
function knownFields({ title: _title, description, attributes, ...columns }: Content): Map<string, unknown> {
  const fields = Object.entries({ ...attributes, ...columns, description });
  return new Map(fields.filter(([, value]) => value !== '' && value !== null));
}

/** Whether writing the object to the record would change something that the record says. */
function contradicts(merged: Content, namesake: LinkedPost): boolean {
  const [after, before] = [knownFields(merged), knownFields(contentFieldsOf(namesake))];
  return [...before].some(([name, value]) => after.get(name) !== value);
}

function addsTo(merged: Content, namesake: LinkedPost): boolean {
  return knownFields(merged).size > knownFields(contentFieldsOf(namesake)).size;
}

const contentFieldsOf = ({
  title,
  description,
  attributes,
  show_map,
  show_map_link,
  geo_lat,
  geo_lng,
}: LinkedPost): Content => ({
  title,
  description,
  attributes: { ...attributes },
  show_map,
  show_map_link,
  geo_lat,
  geo_lng,
});
