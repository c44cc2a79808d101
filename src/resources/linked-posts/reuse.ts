import type { Database } from '../../db/database.ts';
import { mayEdit } from '../../http/auth.ts';
import { paragraphs } from '../../lib/html.ts';
import { fold, isSameName, plainText } from '../../lib/text.ts';
import { findImages } from '../media/images.ts';
import { authorFor } from '../posts/post.ts';
import { writtenLanguage } from '../translations/rules.ts';
import { findTranslations } from '../translations/store.ts';
import type { LinkedPostKind } from './kind.ts';
import {
  changeLinkedPost,
  contentOf,
  createLinkedPost,
  type LinkedPostInput,
  publicationOf,
  type Saving,
} from './save.ts';
import { findLinkedPost, findNamesakes, type LinkedPost } from './store.ts';

/**
 * Finding the record that a client means by sending it once more: a published one of the same name that nothing sent
 * contradicts. Requests that send the same name wait for each other, so that one of them creates and the others find.
 */

/** A published record that is meant, locked until the transaction ends. */
interface Match {
  post: LinkedPost;
  /** What is sent and the record does not have. */
  additions: LinkedPostInput;
  /** The image, if the record has none. */
  imageId?: number;
}

/**
 * Makes other requests that send one of these names wait until the transaction ends. All names of a request are locked
 * in one order: two requests with the same ones would otherwise wait for each other.
 */
export async function lockNames(
  { kind }: LinkedPostKind,
  inputs: readonly LinkedPostInput[],
  db: Database,
): Promise<void> {
  const names = inputs.map((input) => fold(plainText(String(input[kind] ?? ''))));
  for (const name of [...new Set(names)].sort()) await db.dialect.lock(db, `${kind}-named-${name}`);
}

/**
 * The record of an inline object, whose name is locked. One that lacks something gets it from callers who may edit it;
 * for other callers it is not the one that is meant, so that nothing they sent is lost.
 */
export async function reuseOrCreate(kind: LinkedPostKind, sent: LinkedPostInput, saving: Saving): Promise<number> {
  const input = filledInput(kind, sent);
  for await (const match of matchesOf(kind, input, saving)) {
    if (isComplete(match)) return match.post.id;
    if (!mayEdit(saving.ctx.viewer, match.post)) continue;
    return addTo(kind, match, saving);
  }
  return createLinkedPost(kind, input, saving);
}

/**
 * The record of a program that posts the same one at every run and relies on getting the first one back. What it lacks
 * is added if the caller may edit it.
 * @throws {ApiError} rest_forbidden
 */
export async function findOrCreate(kind: LinkedPostKind, sent: LinkedPostInput, saving: Saving): Promise<number> {
  // Whoever may not create the record does not get another one either.
  authorFor(saving.ctx.viewer, sent.author);
  await lockNames(kind, [sent], saving.db);
  for await (const match of matchesOf(kind, filledInput(kind, sent), saving)) {
    const isSettled = isComplete(match) || !mayEdit(saving.ctx.viewer, match.post);
    return isSettled ? match.post.id : addTo(kind, match, saving);
  }
  return createLinkedPost(kind, sent, saving);
}

const isComplete = ({ additions, imageId }: Match): boolean =>
  Object.keys(additions).length === 0 && imageId === undefined;

async function addTo(kind: LinkedPostKind, { post, additions, imageId }: Match, saving: Saving): Promise<number> {
  await changeLinkedPost(kind, { current: post, input: additions }, { ...saving, imageId });
  return post.id;
}

/** What a request says: a field that is empty, or is once it is cleaned, says nothing. */
function filledInput({ attributes }: LinkedPostKind, sent: LinkedPostInput): LinkedPostInput {
  const isFilled = ([name, value]: [string, unknown]): boolean =>
    value !== null && (!Object.hasOwn(attributes, name) || plainText(String(value)) !== '');
  return Object.fromEntries(Object.entries(sent).filter(isFilled));
}

/** The records that a request may mean, oldest first. */
async function* matchesOf(kind: LinkedPostKind, input: LinkedPostInput, saving: Saving): AsyncGenerator<Match> {
  const { db, ctx } = saving;
  const { title } = contentOf(kind, input);
  const named = { kind: kind.kind, language: writtenLanguage(ctx) };
  let after = 0;
  for (;;) {
    const namesakes = await findNamesakes(db, named, { title, after });
    for (const namesake of namesakes) {
      if (!(await compare(kind, { input, post: namesake }, saving))) continue;
      // Whoever is changing the record has to be done before it is the one.
      await db.dialect.lock(db, `post-${namesake.id}`);
      const post = await findLinkedPost(db, kind.kind, namesake.id);
      const match = post && (await compare(kind, { input, post }, saving));
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

/** A match, unless the record has another name or something sent contradicts it. Asks the database only if need be. */
async function compare(kind: LinkedPostKind, { input, post }: Comparison, saving: Saving): Promise<Match | undefined> {
  if (post.status !== 'publish' || contradictsPublication({ input, post }, saving)) return undefined;
  const sent = contentOf(kind, input);
  const before = shownFields(kind, post);
  const after = shownFields(kind, contentOf(kind, input, post));
  if ([...before].some(([name, value]) => !isSameValue(kind, name, [value, after.get(name)]))) return undefined;
  const coverage = await statedIn(saving.db, post, writtenLanguage(saving.ctx));
  if (![post, coverage].some(({ title }) => isSameName(title, sent.title))) return undefined;
  if (!isSameText(coverage.description, sent.description)) return undefined;
  if (!(await isSameImage(saving, post))) return undefined;
  return {
    post,
    additions: {
      ...Object.fromEntries(Object.entries(input).filter(([name]) => after.has(name) && !before.has(name))),
      ...(coverage.description === '' && sent.description !== '' && { description: input.description }),
    },
    imageId: post.image_id === null ? (saving.imageId ?? undefined) : undefined,
  };
}

/** Whether the author, the status or the publication date of a request would change the record. */
function contradictsPublication({ input, post }: Comparison, { ctx }: Saving): boolean {
  if ((input.author ?? post.author_id) !== post.author_id) return true;
  if ((input.status ?? post.status) !== post.status) return true;
  const { date, date_utc } = publicationOf(input, ctx, post);
  return date !== post.date || date_utc !== post.date_utc;
}

/** What a record shows, its name, texts and image aside, by parameter; an empty field is absent. */
function shownFields(
  { derive, attributes: known, fields }: LinkedPostKind,
  { attributes, ...columns }: Pick<LinkedPost, 'attributes' | 'show_map' | 'show_map_link' | 'geo_lat' | 'geo_lng'>,
): Map<string, unknown> {
  const shown: [string, unknown][] = Object.entries({ ...columns, ...(derive?.(attributes) ?? attributes) });
  const isField = (name: string): boolean => Object.hasOwn(known, name) || Object.hasOwn(fields, name);
  return new Map(shown.filter(([name, value]) => isField(name) && value !== '' && value !== null));
}

function isSameValue({ isSame }: LinkedPostKind, name: string, [one, other]: readonly [unknown, unknown]): boolean {
  if (one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return (isSame?.[name] ?? isSameName)(one, other);
}

/** Whether two descriptions do not contradict each other: they are the same, maybe as answers show them, or one is empty. */
const isSameText = (one: string, other: string): boolean =>
  one === '' || other === '' || one === other || paragraphs(one) === paragraphs(other);

/** Whether the image of a request is that of a record, the same one fetched twice included, or either has none. */
async function isSameImage({ db, imageId }: Saving, { image_id }: LinkedPost): Promise<boolean> {
  if (!imageId || image_id === null || imageId === image_id) return true;
  const images = await findImages(db, [imageId, image_id]);
  const source = images.get(imageId)?.source_url ?? '';
  return source !== '' && source === images.get(image_id)?.source_url;
}

/** A record with the texts that it has in a language and no others: what falls back says nothing of that language. */
async function statedIn(db: Database, post: LinkedPost, language: string | undefined) {
  const translations = await findTranslations(db, post);
  const provisional = new Set(translations.flatMap((one) => one.provisional));
  if (language === undefined)
    return { title: post.title, description: provisional.has('description') ? '' : post.description };
  const { texts } = translations.find((one) => one.language === language) ?? {};
  return { title: '', description: '', ...texts };
}
