import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import { ON_SITE } from '../src/calendar/events/attendance.ts';
import { NO_TEXTS } from '../src/calendar/events/event-fields.ts';
import { listColumnsOf } from '../src/calendar/events/store.ts';
import { insertLinkedPost } from '../src/calendar/linked-posts/store.ts';
import { insertTerm, type Taxonomy } from '../src/calendar/terms/store.ts';
import type { Database } from '../src/db/database.ts';
import { newRecordId } from '../src/db/record-ids.ts';
import type { EventLinksTable, EventsTable, ListColumn, TranslationsTable } from '../src/db/tables/calendar.ts';
import type { MediaTable } from '../src/db/tables/platform.ts';
import type { TicketsTable } from '../src/db/tables/ticketing.ts';
import {
  addDays,
  addSeconds,
  dayStart,
  type LocalTime,
  localToUtc,
  utcToLocal,
  zoneAbbreviation,
} from '../src/lib/dates/dates.ts';
import { slugify } from '../src/lib/text/slug.ts';
import { fold, foldAll } from '../src/lib/text/text.ts';
import { withImageKeys } from '../src/platform/media/image-names.ts';
import type { Keys, RecordName } from '../src/platform/translations/store.ts';
import { ticketKeys } from '../src/ticketing/tickets/store.ts';
import { fillWithoutIndexes, insertRows } from './bulk.ts';
import { chanceOf, type RandomSource, zipf } from './random.ts';
import { description, excerpt, title } from './words.ts';

export interface Plan {
  events: number;
  /** Half of the events are before this time, in UTC, half after. */
  now: LocalTime;
  seed?: number;
}

/** Names of linked records; of each kind the most used one comes first. */
export interface Generated {
  /** A top one, `topCategories` of them first, then those below. */
  categories: readonly number[];
  tags: readonly number[];
  venues: readonly number[];
  organizers: readonly number[];
}

const TOP_CATEGORIES = 10;
const CATEGORIES = 50;
const TAGS = 200;
const VENUES = 500;
const ORGANIZERS = 300;
const IMAGES = 200;
/** Days before and after `now`. */
const SPREAD = 5 * 365;
const AUTHOR = 1;
/** Every fiftieth event has a ticket. */
const TICKETED = 50;
/** Events of one transaction, so that memory does not grow with the calendar. */
const BATCH = 1000;

/**
 * Fills a migrated, empty database with a calendar: the rows that the server itself would have written for it, in large
 * statements. The same plan gives the same calendar.
 */
export async function generate(db: Database, { events, now, seed = 1 }: Plan): Promise<Generated> {
  const chance = chanceOf(seed);
  // By a chance of its own, so that the calendar is the same with and without.
  const french = chanceOf(seed + 1);
  await db.dialect.prepareBulkWrite(db);
  const { images, ...targets } = await db.transaction(async (trx) => ({
    images: await insertImages(trx, now),
    categories: await insertTerms(trx, chance, { taxonomy: 'category', count: CATEGORIES }),
    tags: await insertTerms(trx, chance, { taxonomy: 'tag', count: TAGS }),
    venues: await insertPosts(trx, chance, { kind: 'venue', count: VENUES, now }),
    organizers: await insertPosts(trx, chance, { kind: 'organizer', count: ORGANIZERS, now }),
  }));
  await fillWithoutIndexes(db, ['events', 'event_links', 'translations', 'tickets'], async () => {
    for (let done = 0; done < events; done += BATCH) {
      const count = Math.min(BATCH, events - done);
      await db.transaction((trx) => insertBatch(trx, { chance, french, count, now, targets, images }));
    }
  });
  await db.transaction(async (trx) => {
    await translateTargets(trx, french);
    await countTerms(trx);
  });
  // Do the work that autovacuum would have done by now. Nothing gathers statistics of a site on SQLite.
  if (db.dialect.kind === 'postgres') await sql`VACUUM ANALYZE`.execute(db.query);
  return targets;
}

async function insertTerms(
  db: Database,
  chance: RandomSource,
  { taxonomy, count }: { taxonomy: Taxonomy; count: number },
): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = `${title(chance)} ${index + 1}`;
    const isBelow = taxonomy === 'category' && index >= TOP_CATEGORIES;
    const parent_id = isBelow ? (ids[index % TOP_CATEGORIES] ?? 0) : 0;
    const term = await insertTerm(db, { taxonomy, name, slug: slugify(name), description: '', parent_id });
    ids.push(term.id);
  }
  return ids;
}

async function insertPosts(
  db: Database,
  chance: RandomSource,
  { kind, count, now }: { kind: 'venue' | 'organizer'; count: number; now: LocalTime },
): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = await newRecordId(db, kind);
    const isPlaced = kind === 'venue' && chance.is(0.8);
    await insertLinkedPost(
      db,
      { id, kind },
      {
        values: {
          ...postColumns(`${title(chance)} ${index + 1}`, id, now),
          description: description(chance).html,
          attributes:
            kind === 'venue'
              ? { address: `${index} Main Street`, city: 'Springfield', country: 'United States', zip: '12345' }
              : { phone: `555-${index}`, email: `person${index}@example.org`, website: 'https://example.org' },
          image_id: null,
          show_map: 1,
          show_map_link: 1,
          geo_lat: isPlaced ? 40 + chance.next() * 2 : null,
          geo_lng: isPlaced ? -75 + chance.next() * 2 : null,
        },
      },
    );
    ids.push(id);
  }
  return ids;
}

const postColumns = (name: string, id: number, now: LocalTime) => ({
  title: name,
  slug: `${slugify(name)}-${id}`,
  status: 'publish',
  author_id: AUTHOR,
  date: now,
  date_utc: now,
  modified: now,
  modified_utc: now,
  trashed_from: '',
});

const newRecords = async (db: Database, kind: 'event' | 'media' | 'ticket', count: number): Promise<number[]> => {
  const rows = Array.from({ length: count }, () => ({ kind }));
  const records = await db.query.insertInto('records').values(rows).returning('id').execute();
  return records.map(({ id }) => id);
};

async function insertImages(db: Database, now: LocalTime): Promise<number[]> {
  const ids = await newRecords(db, 'media', IMAGES);
  const rows: MediaTable[] = ids.map((id) =>
    withImageKeys({
      id,
      author_id: AUTHOR,
      file: `2026/image-${id}.jpg`,
      extension: 'jpg',
      mime_type: 'image/jpeg',
      width: 1600,
      height: 900,
      filesize: 250_000,
      sizes: JSON.stringify(
        Object.fromEntries(
          [300, 768, 1024].map((width) => [
            `w${width}`,
            { file: `2026/image-${id}-${width}.jpg`, width, height: 200, mime_type: 'image/jpeg', filesize: 9000 },
          ]),
        ),
      ),
      source_url: '',
      date_utc: now,
      ...{ title: '', alt: '', focus_x: 50, focus_y: 50 },
      revision: 1,
    }),
  );
  await db.query.insertInto('media').values(rows).execute();
  return ids;
}

interface Batch {
  chance: RandomSource;
  french: RandomSource;
  count: number;
  now: LocalTime;
  targets: Generated;
  images: readonly number[];
}

async function insertBatch(db: Database, batch: Batch): Promise<void> {
  const { chance, french, count, targets, now } = batch;
  const ids = await newRecords(db, 'event', count);
  const rows = ids.map((id) => newEvent(id, batch));
  const ticketed = rows.filter(({ id, status }) => status === 'publish' && id % TICKETED === 0);
  await insertRows(db, 'events', rows);
  await insertRows(
    db,
    'event_links',
    rows.flatMap((row) => linksOf(chance, row, targets)),
  );
  await insertRows(
    db,
    'translations',
    rows.filter(() => isTranslated(french)).map((row) => translatedEvent(french, row)),
  );
  const ticketIds = ticketed.length === 0 ? [] : await newRecords(db, 'ticket', ticketed.length);
  const tickets = ticketed.map(({ id }, index) => newTicket(ticketIds[index] ?? 0, id, now));
  await insertRows(db, 'tickets', tickets);
}

/** Keys by which an event of plain titles and excerpts is found, without parsing its description again. */
const keysOf = (name: string, description: string, excerpt: string) => ({
  title_key: fold(name),
  search_text: foldAll([name, description, excerpt]),
});

const ZONES = ['America/New_York', 'America/New_York', 'America/New_York', 'Europe/Paris', 'UTC'];

/** Mostly published, in about the shares that calendars have. */
function statusOf(chance: RandomSource): string {
  const share = chance.next();
  const shares: readonly (readonly [number, string])[] = [
    [0.94, 'publish'],
    [0.97, 'draft'],
    [0.98, 'pending'],
    [0.99, 'private'],
  ];
  return shares.find(([limit]) => share < limit)?.[1] ?? 'trash';
}

function timesOf(chance: RandomSource, now: LocalTime) {
  const timezone = chance.pick(ZONES);
  const day = dayStart(addDays(now, chance.below(2 * SPREAD) - SPREAD));
  const start = localToUtc(addSeconds(day, (8 + chance.below(13)) * 3600), timezone);
  const end = addSeconds(start.utc, (1 + chance.below(chance.is(0.05) ? 72 : 4)) * 3600);
  return {
    all_day: 0 as const,
    timezone,
    timezone_abbr: zoneAbbreviation(start.utc, timezone),
    start_date: start.local,
    end_date: utcToLocal(end, timezone),
    utc_start_date: start.utc,
    utc_end_date: end,
  };
}

function newEvent(id: number, { chance, now, images }: Batch): Insertable<EventsTable> {
  const flag = (probability: number) => (chance.is(probability) ? 1 : 0);
  const name = title(chance);
  const times = timesOf(chance, now);
  const status = statusOf(chance);
  const { html, text } = description(chance);
  const summary = excerpt(chance);
  return {
    ...NO_TEXTS,
    ...ON_SITE,
    ...postColumns(name, id, now),
    ...times,
    ...keysOf(name, text, summary),
    id,
    status,
    description: html,
    excerpt: summary,
    image_id: chance.is(0.4) ? chance.pick(images) : null,
    password: chance.is(0.002) ? 'secret' : '',
    parent_id: null,
    cost: chance.is(0.5) ? '["10","20"]' : '[]',
    currency_symbol: '$',
    currency_position: 'prefix',
    currency_code: '',
    website: chance.is(0.3) ? `https://example.org/${id}` : '',
    show_map: 1,
    show_map_link: 1,
    hide_from_listings: flag(0.01),
    sticky: flag(0.01),
    featured: flag(0.02),
    sale_stays_open: 0 as const,
    event_status: chance.is(0.01) ? 'cancelled' : 'scheduled',
    utc_previous_start_date: '',
  };
}

/** A ticket of a hundred seats, none of them sold. */
function newTicket(id: number, event_id: number, now: LocalTime): Insertable<TicketsTable> {
  const { trashed_from: _, ...common } = postColumns('Seat', id, now);
  return {
    ...common,
    ...ticketKeys({ title: 'Seat', description: '' }),
    ...{ id, event_id, provider: 'tc', description: '', price: 1500, sku: '', iac: '', show_description: 1 },
    ...{ menu_order: 0, max_per_order: 20, not_going: 0, start_date: '', start_time: '', end_date: '', end_time: '' },
    ...{ sale_start_utc: '', sale_end_utc: '', sale_price: null, sale_price_start: '', sale_price_end: '' },
    ...{ mode: 'own', capacity: 100, sold: 0, held: 0, is_deleted: 0 },
  };
}

const RANKS = {
  category: zipf(CATEGORIES),
  tag: zipf(TAGS),
  venue: zipf(VENUES),
  organizer: zipf(ORGANIZERS),
};

function linksOf(
  chance: RandomSource,
  event: Insertable<EventsTable>,
  targets: Generated,
): Insertable<EventLinksTable>[] {
  const draw = (kind: keyof typeof RANKS, ids: readonly number[], count: number): Insertable<EventLinksTable>[] => {
    const chosen = new Set(Array.from({ length: count }, () => ids[RANKS[kind](chance)] ?? 0));
    return [...chosen].map((target_id, position) => ({
      event_id: event.id,
      kind,
      target_id,
      position,
      ...listColumnsOf(event),
    }));
  };
  return [
    ...draw('category', targets.categories, 1 + chance.below(3)),
    ...draw('tag', targets.tags, 1 + chance.below(3)),
    ...draw('venue', targets.venues, chance.is(0.95) ? 1 : 0),
    ...draw('organizer', targets.organizers, chance.is(0.1) ? 2 : 1),
  ];
}

/** Half of all records have French texts, of the same words as the English ones. */
const isTranslated = (chance: RandomSource): boolean => chance.is(0.5);

function translatedEvent(chance: RandomSource, event: Insertable<EventsTable>): Insertable<TranslationsTable> {
  const name = title(chance);
  const { html, text } = description(chance);
  const { title_key, search_text } = keysOf(name, text, event.excerpt);
  const keys = { name_key: title_key, search_text, ...listColumnsOf(event) };
  return translationOf({ kind: 'event', id: event.id }, { title: name, description: html }, keys);
}

async function translateTargets(db: Database, chance: RandomSource): Promise<void> {
  const posts = await db.query.selectFrom('linked_posts').select(['id', 'kind']).orderBy('id').execute();
  const named = posts
    .filter(() => isTranslated(chance))
    .map((post) => {
      const name = title(chance);
      const { html, text } = description(chance);
      const keys = { name_key: fold(name), search_text: fold(text) };
      return translationOf(post, { title: name, description: html }, keys);
    });
  await insertRows(db, 'translations', named);
  const terms = await db.query.selectFrom('terms').select(['id', 'taxonomy', 'name']).orderBy('id').execute();
  const called = terms
    .filter(() => isTranslated(chance))
    .map(({ id, taxonomy, name }) => {
      const french = `${title(chance)} ${name}`;
      return translationOf({ kind: taxonomy, id }, { name: french }, { name_key: fold(french), search_text: '' });
    });
  await insertRows(db, 'translations', called);
}

const translationOf = (
  { kind, id }: RecordName,
  texts: Readonly<Record<string, string>>,
  columns: Keys & Partial<ListColumn>,
): Insertable<TranslationsTable> => ({
  kind,
  record_id: id,
  language: 'fr',
  texts: JSON.stringify(texts),
  provisional: '[]',
  ...columns,
});

/** Of published events without a password, which would hide their terms. */
async function countTerms({ query }: Database): Promise<void> {
  await sql`UPDATE terms SET count = (SELECT count(*) FROM event_links AS l
    WHERE l.kind = terms.taxonomy AND l.target_id = terms.id AND l.status = 'publish'
      AND NOT EXISTS (SELECT 1 FROM events AS e WHERE e.id = l.event_id AND e.password <> ''))`.execute(query);
}
