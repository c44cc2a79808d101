import { type Insertable, type Selectable, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import { updateUnlessEdited } from '../../db/guarded-update.ts';
import { LINKED_POST_COLUMNS, type LinkedPostsTable } from '../../db/tables/calendar.ts';
import { LINKED_KINDS, type LinkedKind } from '../../lib/linked-kinds.ts';
import { storedSlug } from '../../lib/text/slug.ts';
import { fold, foldAll, htmlToText } from '../../lib/text/text.ts';
import { overlayTexts, type Translation, textsOf } from '../../platform/translations/rules.ts';
import { removeTranslations, saveTranslations } from '../../platform/translations/store.ts';
import { removeFormerSlugs, saveFormerSlug } from '../posts/former-slugs.ts';
import { UNFINISHED } from '../posts/post.ts';

type Row = Pick<Selectable<LinkedPostsTable>, (typeof LINKED_POST_COLUMNS)[number]>;

/** A row of any kind, with its attributes parsed. */
export type LinkedPost = Omit<Row, 'attributes'> & {
  attributes: Readonly<Record<string, string>>;
};

/** Parses the attributes of a row, in the row itself. */
export function readLinkedPost(row: Row): LinkedPost {
  const post = row as Omit<Row, 'attributes'> as LinkedPost;
  // Written by `stored` below.
  post.attributes = JSON.parse(row.attributes);
  return post;
}

const CHOICES: ReadonlySet<string> = new Set(Object.values(LINKED_KINDS).flatMap(({ choices }) => choices));

/** Derived columns, so that they are always consistent. */
const derived = ({ title, description, attributes }: Pick<LinkedPost, 'title' | 'description' | 'attributes'>) => {
  const texts = Object.keys(attributes).flatMap((name) => (CHOICES.has(name) ? [] : (attributes[name] ?? [])));
  return { title_key: fold(title), search_text: foldAll([title, htmlToText(description), ...texts]) };
};

export type LinkedPostValues = Omit<LinkedPost, 'id' | 'kind' | 'revision'>;

function stored(values: LinkedPostValues): Omit<Insertable<LinkedPostsTable>, 'id' | 'kind'> {
  return { ...values, ...derived(values), attributes: JSON.stringify(values.attributes) };
}

interface Named {
  id: number;
  kind: LinkedKind;
}

interface LinkedPostWrite {
  values: LinkedPostValues;
  /** All translations after the write; absent if unchanged. */
  translations?: readonly Translation[];
}

export async function insertLinkedPost(
  db: Database,
  { id, kind }: Named,
  { values, translations }: LinkedPostWrite,
): Promise<void> {
  await db.query
    .insertInto('linked_posts')
    .values({ id, kind, ...stored(values) })
    .execute();
  await saveFormerSlug(db, { kind, id }, { after: values });
  await saveTexts(db, { id, kind }, { values, translations });
}

/**
 * Replaces a record. `before` is the row on which `values` are based, read in the same transaction.
 * @throws {EditConflict} if it has been edited since
 */
export async function updateLinkedPost(
  db: Database,
  before: LinkedPost,
  { values, translations }: LinkedPostWrite,
): Promise<void> {
  await updateUnlessEdited(db, 'linked_posts', before, stored(values));
  await saveFormerSlug(db, before, { before, after: values });
  await saveTexts(db, before, { values, translations });
}

/** Fallback texts are searched in every language, so a changed text of the first language affects all of them. */
async function saveTexts(db: Database, named: Named, { values, translations }: LinkedPostWrite): Promise<void> {
  if (!translations) return;
  await saveTranslations(db, named, {
    own: textsOf(named.kind, values),
    translations,
    keysOf: (texts) => {
      const { title_key, search_text } = derived(overlayTexts(values, texts));
      return { name_key: title_key, search_text };
    },
  });
}

/** Deletes a record permanently. */
export async function removeLinkedPost(db: Database, { id, kind }: Named): Promise<void> {
  await removeTranslations(db, { id, kind });
  await removeFormerSlugs(db, { id, kind });
  await db.query.deleteFrom('linked_posts').where('id', '=', id).execute();
  await db.query.deleteFrom('records').where('id', '=', id).execute();
}

export async function findLinkedPost(db: Database, kind: LinkedKind, id: number): Promise<LinkedPost | undefined> {
  const row = await db.query
    .selectFrom('linked_posts')
    .select(LINKED_POST_COLUMNS)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row && readLinkedPost(row);
}

const linkedPostsById = byIds((query, ids) =>
  query.selectFrom('linked_posts').select(LINKED_POST_COLUMNS).where('id', 'in', ids),
);

export async function findLinkedPosts(db: Database, ids: readonly number[]): Promise<Map<number, LinkedPost>> {
  return new Map((await linkedPostsById(db, ids)).map((row) => [row.id, readLinkedPost(row)]));
}

/** Ids and titles of venues or organizers. */
export const findTitles: (db: Database, ids: Iterable<number>) => Promise<Pick<LinkedPost, 'id' | 'title'>[]> = byIds(
  (query, ids) => query.selectFrom('linked_posts').select(['id', 'title']).where('id', 'in', ids),
);

/** Among several records with the same slug, the one with a URL takes precedence, otherwise the oldest draft. */
export async function findLinkedPostBySlug(
  db: Database,
  kind: LinkedKind,
  slug: string,
): Promise<LinkedPost | undefined> {
  const row = await db.query
    .selectFrom('linked_posts')
    .select(LINKED_POST_COLUMNS)
    .where('kind', '=', kind)
    .where('slug', '=', storedSlug(slug))
    .orderBy(({ case: when }) => when().when('status', 'in', UNFINISHED).then(1).else(0).end())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row && readLinkedPost(row);
}

/** Number of records read at a time. */
const NAMESAKES = 50;

/**
 * The next fifty published records of a name, ignoring case, oldest first: in the first language or the request's.
 * @param after the id of the last one before them
 */
export async function findByName(
  db: Database,
  { kind, language }: { kind: LinkedKind; language: string | undefined },
  { title, after }: { title: string; after: number },
): Promise<LinkedPost[]> {
  const key = fold(title);
  const translated = db.query
    .selectFrom('translations')
    .select('record_id')
    .where('kind', '=', kind)
    .where('language', '=', language ?? '')
    .where('name_key', '=', key);
  const rows = await db.query
    .selectFrom('linked_posts')
    .select(LINKED_POST_COLUMNS)
    .where('kind', '=', kind)
    .where('status', '=', sql.lit('publish'))
    .where('id', '>', after)
    .where((eb) =>
      language === undefined
        ? eb('title_key', '=', key)
        : eb.or([eb('title_key', '=', key), eb('id', 'in', translated)]),
    )
    .orderBy('id')
    .limit(NAMESAKES)
    .execute();
  return rows.map(readLinkedPost);
}

/**
 * Increments `ical_sequence`, so that subscribed calendars notice a changed venue, time or status of an event. No other
 * code writes it. Its statements change nothing else, so that they do not count as edits of the event.
 */

const nextSequence = (db: Database) =>
  db.query.updateTable('events').set({ ical_sequence: sql<number>`ical_sequence + 1` });

export async function incrementSequence(db: Database, eventId: number): Promise<void> {
  await nextSequence(db).where('id', '=', eventId).execute();
}

/** Increments it for all events linked to a record. */
export async function incrementSequencesOf(
  db: Database,
  { kind, id }: { kind: LinkedKind; id: number },
): Promise<void> {
  await nextSequence(db)
    .where('id', 'in', (eb) =>
      eb.selectFrom('event_links').select('event_id').where('kind', '=', kind).where('target_id', '=', id),
    )
    .execute();
}
