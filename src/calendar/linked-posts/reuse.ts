import type { Database } from '../../db/database.ts';
import { mayEdit } from '../../http/core/auth.ts';
import { paragraphs } from '../../lib/text/html.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { fold, isSameName, plainText } from '../../lib/text/text.ts';
import { findImages } from '../../platform/media/images.ts';
import { TEXT_FIELDS, type Texts, textsOf, writtenLanguage } from '../../platform/translations/rules.ts';
import { findTranslations } from '../../platform/translations/store.ts';
import { authorFor } from '../posts/post.ts';
import type { LinkedPostInput, LinkedPostKind } from './kind.ts';
import { changeLinkedPost, contentOf, createLinkedPost, publicationOf, type SaveContext } from './save.ts';
import { findByName, findLinkedPost, type LinkedPost } from './store.ts';

/**
 * Finds the existing record for one that is sent again: a published one with the same name that does not contradict the
 * sent values. Requests with the same name are serialised, so that one creates the record and the others find it.
 */

/** A matching published record, locked until the transaction ends. */
interface Match {
  post: LinkedPost;
  /** Sent values that the record lacks. */
  additions: LinkedPostInput;
  /** Image to add if the record has none. */
  imageId?: number;
}

/**
 * Blocks other requests with one of these names until the transaction ends. The names of a request are locked in sorted
 * order, to avoid deadlocks.
 */
export async function lockNames(
  { name: kind }: LinkedPostKind,
  inputs: readonly LinkedPostInput[],
  db: Database,
): Promise<void> {
  const names = inputs.map((input) => fold(plainText(scalarText(input[kind]) ?? '')));
  for (const name of [...new Set(names)].sort()) await db.dialect.lock(db, `${kind}-named-${name}`);
}

/**
 * The record of an inline object, whose name is locked. If the viewer may edit it, missing fields are added; otherwise
 * an incomplete record does not match, so that no sent value is lost.
 */
export async function reuseOrCreate(
  kind: LinkedPostKind,
  sent: LinkedPostInput,
  context: SaveContext,
): Promise<number> {
  const input = filledInput(kind, sent);
  for await (const match of matchesOf(kind, input, context)) {
    if (isComplete(match)) return match.post.id;
    if (!mayEdit(context.ctx.viewer, match.post)) continue;
    return addTo(kind, match, context);
  }
  return createLinkedPost(kind, input, context);
}

/**
 * The record for a client that posts the same one on every run and expects the existing one. Missing fields are added
 * if the viewer may edit it.
 * @throws {ApiError} rest_forbidden
 */
export async function findOrCreate(kind: LinkedPostKind, sent: LinkedPostInput, context: SaveContext): Promise<number> {
  // Viewers who may not create the record do not get an existing one either.
  authorFor(context.ctx.viewer, sent.author);
  await lockNames(kind, [sent], context.db);
  for await (const match of matchesOf(kind, filledInput(kind, sent), context)) {
    const isSettled = isComplete(match) || !mayEdit(context.ctx.viewer, match.post);
    return isSettled ? match.post.id : addTo(kind, match, context);
  }
  return createLinkedPost(kind, sent, context);
}

const isComplete = ({ additions, imageId }: Match): boolean =>
  Object.keys(additions).length === 0 && imageId === undefined;

async function addTo(kind: LinkedPostKind, { post, additions, imageId }: Match, context: SaveContext): Promise<number> {
  await changeLinkedPost(kind, { current: post, input: additions }, { ...context, imageId });
  return post.id;
}

/** The fields of a request that are not empty after sanitising. */
function filledInput({ attributes }: LinkedPostKind, sent: LinkedPostInput): LinkedPostInput {
  const isFilled = ([name, value]: [string, unknown]): boolean =>
    value !== null && (!Object.hasOwn(attributes, name) || plainText(scalarText(value) ?? '') !== '');
  return Object.fromEntries(Object.entries(sent).filter(isFilled));
}

/** The candidates for a request, oldest first. */
async function* matchesOf(kind: LinkedPostKind, input: LinkedPostInput, context: SaveContext): AsyncGenerator<Match> {
  const { db, ctx } = context;
  const { title } = contentOf(kind, input);
  const named = { kind: kind.name, language: writtenLanguage(ctx) };
  let after = 0;
  for (;;) {
    const namesakes = await findByName(db, named, { title, after });
    for (const namesake of namesakes) {
      if (!(await compare(kind, { input, post: namesake }, context))) continue;
      // Wait for concurrent changes of the record.
      await db.dialect.lock(db, `post-${namesake.id}`);
      const post = await findLinkedPost(db, kind.name, namesake.id);
      const match = post && (await compare(kind, { input, post }, context));
      if (match) yield match;
    }
    const last = namesakes.at(-1);
    if (!last) return;
    after = last.id;
  }
}

interface Comparison {
  input: LinkedPostInput;
  post: LinkedPost;
}

/** A match, unless the record has another name or contradicts a sent value. Queries the database only if necessary. */
async function compare(
  kind: LinkedPostKind,
  { input, post }: Comparison,
  context: SaveContext,
): Promise<Match | undefined> {
  if (post.status !== 'publish' || contradictsPublication({ input, post }, context)) return undefined;
  const sent = contentOf(kind, input);
  const before = shownFields(kind, post);
  const after = shownFields(kind, contentOf(kind, input, post));
  if ([...before].some(([name, value]) => !isSameValue(kind, name, [value, after.get(name)]))) return undefined;
  const written = await textsIn(context.db, post, writtenLanguage(context.ctx));
  if (![post.title, written.title].some((title = '') => isSameName(title, sent.title))) return undefined;
  const { title: _title, ...texts } = textsOf(kind.name, sent);
  if (Object.entries(texts).some(([name, text]) => !isSameText(written[name] ?? '', text))) return undefined;
  if (!(await isSameImage(context, post))) return undefined;
  const isAddition = (name: string): boolean =>
    name in texts ? !written[name] && texts[name] !== '' : after.has(name) && !before.has(name);
  return {
    post,
    additions: Object.fromEntries(Object.entries(input).filter(([name]) => isAddition(name))),
    imageId: post.image_id === null ? (context.imageId ?? undefined) : undefined,
  };
}

/** Whether the author, the status or the publication date of a request would change the record. */
function contradictsPublication({ input, post }: Comparison, { ctx }: SaveContext): boolean {
  if ((input.author ?? post.author_id) !== post.author_id) return true;
  if ((input.status ?? post.status) !== post.status) return true;
  const { date, date_utc } = publicationOf(input, ctx, post);
  return date !== post.date || date_utc !== post.date_utc;
}

/** The fields of a record except translated texts and image, by parameter; empty fields are absent. */
function shownFields(
  { name: kind, derive, attributes: known, fields = {} }: LinkedPostKind,
  { attributes, ...columns }: Pick<LinkedPost, 'attributes' | 'show_map' | 'show_map_link' | 'geo_lat' | 'geo_lng'>,
): Map<string, unknown> {
  const shown: [string, unknown][] = Object.entries({ ...columns, ...(derive?.(attributes) ?? attributes) });
  const isField = (name: string): boolean =>
    (Object.hasOwn(known, name) || Object.hasOwn(fields, name)) && !Object.hasOwn(TEXT_FIELDS[kind], name);
  return new Map(shown.filter(([name, value]) => isField(name) && value !== '' && value !== null));
}

function isSameValue({ isSame }: LinkedPostKind, name: string, [one, other]: readonly [unknown, unknown]): boolean {
  if (one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return (isSame?.[name] ?? isSameName)(one, other);
}

/** Whether two descriptions are compatible: equal, possibly as rendered in responses, or one is empty. */
const isSameText = (one: string, other: string): boolean =>
  one === '' || other === '' || one === other || paragraphs(one) === paragraphs(other);

/**
 * Whether the images of a request and a record are compatible: the same one, even if fetched twice, or either has none.
 */
async function isSameImage({ db, imageId }: SaveContext, { image_id }: LinkedPost): Promise<boolean> {
  if (!imageId || image_id === null || imageId === image_id) return true;
  const images = await findImages(db, [imageId, image_id]);
  const source = images.get(imageId)?.source_url ?? '';
  return source !== '' && source === images.get(image_id)?.source_url;
}

/** The texts that a record has in a language, without fallbacks. */
async function textsIn(db: Database, post: LinkedPost, language: string | undefined): Promise<Texts> {
  const translations = await findTranslations(db, post);
  if (language !== undefined) return translations.find((translation) => translation.language === language)?.texts ?? {};
  const provisional = translations.flatMap((translation) => translation.provisional);
  // A title counts even while it is provisional.
  return Object.fromEntries(
    Object.entries(textsOf(post.kind, post)).filter(([name]) => name === 'title' || !provisional.includes(name)),
  );
}
