import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import { compiledInsert } from '../../db/compiled-statement.ts';
import type { Database } from '../../db/database.ts';
import { updateUnlessEdited } from '../../db/guarded-update.ts';
import {
  BRIEF_EVENT_COLUMNS,
  EVENT_COLUMNS,
  type EventLinksTable,
  type EventsTable,
  LIST_COLUMNS,
  type LinkKind,
  type ListColumn,
} from '../../db/tables/calendar.ts';
import { storedSlug } from '../../lib/text/slug.ts';
import { fold } from '../../lib/text/text.ts';
import { type Translation, textsOf } from '../../platform/translations/rules.ts';
import { removeTranslations, saveTranslations } from '../../platform/translations/store.ts';
import { delayMerges, followMerges } from '../library/merged-records.ts';
import { linkedPostKinds } from '../linked-kinds/registry.ts';
import { incrementSequence } from '../linked-posts/store.ts';
import { removeFormerSlugs, saveFormerSlug } from '../posts/former-slugs.ts';
import { UNFINISHED } from '../posts/post.ts';
import { searchTextOf } from './event-fields.ts';

/** An event without the keys that only SQL compares. */
export type Event = Pick<Selectable<EventsTable>, (typeof EVENT_COLUMNS)[number]>;
/** An event in a month and in links to it. */
export type StoredBrief = Pick<Event, (typeof BRIEF_EVENT_COLUMNS)[number]>;
export type EventLink = Pick<EventLinksTable, 'event_id' | 'kind' | 'target_id'>;

/** Columns set by a write; triggers, `incrementSequence`, `copy.ts` and `series/` set the others. */
export type EventValues = Omit<Event, 'id' | 'revision' | 'ical_sequence' | 'copied_from' | 'series_id'>;

/** An event with its derived columns, so that they are always consistent. */
export const withDerived = (values: EventValues): Omit<Insertable<EventsTable>, 'id'> => ({
  ...values,
  title_key: fold(values.title),
  search_text: searchTextOf(values),
});

const eventsById = byIds((query, ids) => query.selectFrom('events').select(EVENT_COLUMNS).where('id', 'in', ids));

export const findEvent = async (db: Database, id: number): Promise<Event | undefined> =>
  (await eventsById(db, [id]))[0];

/** A draft may share the slug of another event, which then takes precedence; among several drafts the oldest does. */
export async function findEventBySlug(db: Database, slug: string): Promise<Event | undefined> {
  const rows = await db.query
    .selectFrom('events')
    .select(EVENT_COLUMNS)
    .where('slug', '=', storedSlug(slug))
    .orderBy(({ case: when }) => when().when('status', 'in', UNFINISHED).then(1).else(0).end())
    .orderBy('id')
    .limit(1)
    .execute();
  return rows[0];
}

/** Events by their ids, in the order of the ids. */
export const getEvents = async (db: Database, ids: readonly number[]): Promise<Event[]> =>
  inOrderOf(ids, await eventsById(db, ids));

const briefEventsById = byIds((query, ids) =>
  query.selectFrom('events').select(BRIEF_EVENT_COLUMNS).where('id', 'in', ids),
);

/** Like `getEvents`, without long texts. */
export const getBriefEvents = async (db: Database, ids: readonly number[]): Promise<StoredBrief[]> =>
  inOrderOf(ids, await briefEventsById(db, ids));

function inOrderOf<T extends { id: number }>(ids: readonly number[], rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const byPublication = byIds((query, ids) =>
  query.selectFrom('events').select('id').where('id', 'in', ids).orderBy('date_utc', 'desc').orderBy('id', 'desc'),
);

/** The most recently published of the given events, latest first; at most 10,000 ids. */
export const findLatest = async (db: Database, ids: readonly number[], limit: number): Promise<number[]> =>
  (await byPublication(db, ids)).slice(0, limit).map(({ id }) => id);

/** Local start times of events. */
export const findStarts: (db: Database, ids: readonly number[]) => Promise<Pick<Event, 'id' | 'start_date'>[]> = byIds(
  (query, ids) => query.selectFrom('events').select(['id', 'start_date']).where('id', 'in', ids),
);

const linksByEvent = byIds((query, ids) =>
  query.selectFrom('event_links').select(['event_id', 'kind', 'target_id', 'position']).where('event_id', 'in', ids),
);

/** Links of events, in order of linking. Sorted here: SQLite builds a temporary index for it. */
export const findLinks = async (db: Database, eventIds: readonly number[]): Promise<EventLink[]> =>
  (await linksByEvent(db, eventIds)).sort((a, b) => a.event_id - b.event_id || a.position - b.position);

/** Links of an event by kind. */
export async function linksOf(db: Database, eventId: number): Promise<Links> {
  const byKind = Map.groupBy(await findLinks(db, [eventId]), ({ kind }) => kind);
  return Object.fromEntries([...byKind].map(([kind, links]) => [kind, links.map(({ target_id }) => target_id)]));
}

/** Links of events to venues and categories, in order of linking. */
export const findVenuesAndCategories: (db: Database, eventIds: readonly number[]) => Promise<EventLink[]> = byIds(
  (query, ids) =>
    query
      .selectFrom('event_links')
      .select(['event_id', 'kind', 'target_id'])
      .where('event_id', 'in', ids)
      .where('kind', 'in', ['venue', 'category'])
      .orderBy('event_id')
      .orderBy('position'),
);

/** Targets by kind; absent kinds stay unchanged. */
export type Links = Partial<Record<LinkKind, readonly number[]>>;

interface Written {
  values: EventValues;
  links: Links;
  /** All translations after the write; absent if unchanged. */
  translations?: readonly Translation[];
}

/** Where a new event comes from. */
interface Origin {
  copiedFrom?: number;
  seriesId?: number;
}

const insertRows = compiledInsert('events');
const insertLinkRows = compiledInsert('event_links');

export async function insertEvent(db: Database, id: number, written: Written & Origin): Promise<void> {
  const { values, copiedFrom: copied_from, seriesId: series_id } = written;
  const links = await currentLinks(db, written.links);
  await insertRows(db, [{ id, ...withDerived(values), copied_from, series_id }]);
  await saveFormerSlug(db, { kind: 'event', id }, { after: values });
  await insertLinks(db, { ...values, id }, links);
  await saveTexts(db, id, written);
}

/** The links to write, with merged records replaced; no merge can change them until the transaction ends. */
async function currentLinks(db: Database, links: Links): Promise<Links> {
  await delayMerges(db);
  return followMerges(db, links);
}

/** Columns of an event that a write may keep. */
export function valuesOf(event: Event): EventValues {
  const { id: _id, revision: _revision, ical_sequence: _sequence, ...others } = event;
  const { copied_from: _original, series_id: _series, ...values } = others;
  return values;
}

/** Columns whose changes subscribed calendars must notice. */
const SCHEDULE = [
  ...(['status', 'event_status', 'all_day', 'start_date', 'end_date', 'timezone'] as const),
  ...(['attendance_mode', 'online_access', 'online_url'] as const),
] as const;

/**
 * Replaces an event. `before` is the row on which `values` are based, read in the same transaction.
 * @throws {EditConflict} if it has been edited since
 */
export async function updateEvent(db: Database, before: Event, written: Written): Promise<void> {
  const { values } = written;
  const links = await changedLinks(db, before.id, await currentLinks(db, written.links));
  const counted = await countedTerms(db, before);
  const isElsewhere = PLACES.some((kind) => links[kind] !== undefined);
  const isMoved = isElsewhere || SCHEDULE.some((name) => values[name] !== before[name]);
  const change: Updateable<EventsTable> = withDerived(values);
  await updateUnlessEdited(db, 'events', before, change);
  if (isMoved) await incrementSequence(db, before.id);
  await saveFormerSlug(db, { kind: 'event', id: before.id }, { before, after: values });
  await saveLinks(db, { ...values, id: before.id }, { links, counted });
  if (LIST_COLUMNS.some((name) => values[name] !== before[name])) await repeatListed(db, { ...values, id: before.id });
  await saveTexts(db, before.id, written);
}

/** The kinds whose links a write changes. Terms have no order of their own. */
export async function changedLinks(db: Database, id: number, links: Links): Promise<Links> {
  const sent = Object.entries(links) as [LinkKind, readonly number[]][];
  if (sent.length === 0) return links;
  const known = Map.groupBy(await findLinks(db, [id]), ({ kind }) => kind);
  const isSame = ([kind, targets]: [LinkKind, readonly number[]]): boolean => {
    const [before, after] = [(known.get(kind) ?? []).map(({ target_id }) => target_id), [...new Set(targets)]];
    if (kind !== 'category' && kind !== 'tag') return String(before) === String(after);
    return before.length === after.length && before.every((target) => after.includes(target));
  };
  return Object.fromEntries(sent.filter((entry) => !isSame(entry)));
}

const PLACES = Object.values(linkedPostKinds).flatMap(({ name, placeOf }) => (placeOf ? [name] : []));

/** Fallback texts are searched in every language, so a changed text of the first language affects all of them. */
async function saveTexts(db: Database, id: number, { values, translations }: Written): Promise<void> {
  if (!translations) return;
  await saveTranslations(
    db,
    { kind: 'event', id },
    {
      own: textsOf('event', values),
      translations,
      listed: listColumnsOf(values),
      keysOf: (texts) => {
        const shown = { ...values, ...texts };
        return { name_key: fold(shown.title), search_text: searchTextOf(shown) };
      },
    },
  );
}

/** Deletes an event permanently. Its children lose their parent. */
export async function removeEvent(db: Database, event: Event): Promise<void> {
  await delayMerges(db);
  await moveCounts(db, await countedTerms(db, event), []);
  await db.query.updateTable('events').set({ parent_id: null }).where('parent_id', '=', event.id).execute();
  await db.query.deleteFrom('event_links').where('event_id', '=', event.id).execute();
  await removeTranslations(db, { kind: 'event', id: event.id });
  await removeFormerSlugs(db, { kind: 'event', id: event.id });
  await db.query.deleteFrom('events').where('id', '=', event.id).execute();
  await db.query.deleteFrom('records').where('id', '=', event.id).execute();
}

type ListedEvent = Pick<Event, 'id' | 'password' | keyof ListColumn>;

/** Columns of an event copied by links and translations. */
export const listColumnsOf = (event: ListColumn): ListColumn =>
  Object.fromEntries(LIST_COLUMNS.map((name) => [name, event[name]])) as ListColumn;

/** Updates the copied columns in the existing links and translations of an event. */
async function repeatListed(db: Database, event: ListedEvent): Promise<void> {
  const listed = listColumnsOf(event);
  await db.query.updateTable('event_links').set(listed).where('event_id', '=', event.id).execute();
  await db.query
    .updateTable('translations')
    .set(listed)
    .where('record_id', '=', event.id)
    .where('kind', '=', 'event')
    .execute();
}

/** The rows of an event's links. */
const linkRows = (event: ListedEvent, links: Links) =>
  (Object.entries(links) as [LinkKind, readonly number[]][]).flatMap(([kind, targets]) =>
    [...new Set(targets)].map((target_id, position) => ({
      event_id: event.id,
      kind,
      target_id,
      position,
      ...listColumnsOf(event),
    })),
  );

/** Links a new event. */
async function insertLinks(db: Database, event: ListedEvent, links: Links): Promise<void> {
  await insertLinkRows(db, linkRows(event, links));
  if (countsTerms(event)) await moveCounts(db, [], [...new Set([...(links.category ?? []), ...(links.tag ?? [])])]);
}

async function saveLinks(
  db: Database,
  event: ListedEvent,
  { links, counted = [] }: { links: Links; counted?: readonly number[] },
): Promise<void> {
  for (const kind of Object.keys(links) as LinkKind[])
    await db.query.deleteFrom('event_links').where('event_id', '=', event.id).where('kind', '=', kind).execute();
  await insertLinkRows(db, linkRows(event, links));
  await moveCounts(db, counted, await countedTerms(db, event));
}

/** Whether the counts of terms include an event: it is published and has no password, which would hide its terms. */
const countsTerms = ({ status, password }: Pick<Event, 'status' | 'password'>): boolean =>
  status === 'publish' && password === '';

/** Terms whose counts include an event. */
async function countedTerms(
  db: Database,
  { id, status, password }: Pick<Event, 'id' | 'status' | 'password'>,
): Promise<number[]> {
  if (!countsTerms({ status, password })) return [];
  const rows = await db.query
    .selectFrom('event_links')
    .select('target_id')
    .where('event_id', '=', id)
    .where('kind', 'in', ['category', 'tag'])
    .execute();
  return rows.map(({ target_id }) => target_id);
}

async function moveCounts(db: Database, before: readonly number[], after: readonly number[]): Promise<void> {
  const add = async (ids: readonly number[], by: number) => {
    if (ids.length === 0) return;
    await db.query
      .updateTable('terms')
      .set((eb) => ({ count: eb('count', '+', by) }))
      .where('id', 'in', [...ids])
      .execute();
  };
  await add(
    after.filter((id) => !before.includes(id)),
    1,
  );
  await add(
    before.filter((id) => !after.includes(id)),
    -1,
  );
}

/** Whether a published event has this password. */
export async function isPasswordOfAny(db: Database, password: string): Promise<boolean> {
  // Uses the index of passwords; otherwise SQLite scans all published events.
  const withPassword = db.query
    .selectFrom('events')
    .select('id')
    .where('password', '<>', sql.lit(''))
    .where('password', '=', password);
  const event = await db.query
    .selectFrom('events')
    .select('id')
    .where('id', 'in', withPassword)
    .where('status', '=', sql.lit('publish'))
    .limit(1)
    .executeTakeFirst();
  return event !== undefined;
}
