import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../src/db/database.ts';
import { newRecordId } from '../src/db/record-ids.ts';
import type { EventLinksTable, EventsTable, ListColumn, MediaTable, TranslationsTable } from '../src/db/tables.ts';
import {
  addDays,
  addSeconds,
  dayStart,
  type LocalTime,
  localToUtc,
  utcToLocal,
  zoneAbbreviation,
} from '../src/lib/dates.ts';
import { slugify } from '../src/lib/slug.ts';
import { fold, htmlToText } from '../src/lib/text.ts';
import { type EventValues, listedOf, withDerived } from '../src/resources/events/store.ts';
import { insertLinkedPost } from '../src/resources/linked-posts/store.ts';
import { insertTerm, type Taxonomy } from '../src/resources/terms/store.ts';
import type { Keys, RecordName } from '../src/resources/translations/store.ts';
import { chanceOf, type RandomSource, zipf } from './random.ts';
import { description, excerpt, title } from './words.ts';

export interface Plan {
  events: number;
  /** Half of the events are before this time, in UTC, half after. */
  now: LocalTime;
  seed?: number;
}

/** What the records that events are linked to are called; of each kind the most used one comes first. */
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
const BATCH = 250;

/**
 * Fills a migrated, empty database with a calendar: the rows that the server itself would have written for it, in large
 * statements. The same plan gives the same calendar.
 */
export async function generate(db: Database, { events, now, seed = 1 }: Plan): Promise<Generated> {
  const chance = chanceOf(seed);
  const generated = await db.transaction(async (trx) => {
    const images = await insertImages(trx, now);
    const targets: Generated = {
      categories: await insertTerms(trx, chance, { taxonomy: 'category', count: CATEGORIES }),
      tags: await insertTerms(trx, chance, { taxonomy: 'tag', count: TAGS }),
      venues: await insertPosts(trx, chance, { kind: 'venue', count: VENUES, now }),
      organizers: await insertPosts(trx, chance, { kind: 'organizer', count: ORGANIZERS, now }),
    };
    for (let done = 0; done < events; done += BATCH) {
      await insertBatch(trx, chance, { count: Math.min(BATCH, events - done), now, targets, images });
    }
    // By a chance of its own, so that the calendar is the same with and without.
    await translate(trx, chanceOf(seed + 1));
    await countTerms(trx);
    return targets;
  });
  // What autovacuum would have done by now.
  if (db.dialect.kind === 'postgres') await sql`VACUUM ANALYZE`.execute(db.query);
  return generated;
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
          description: description(chance),
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

const newRecords = async (db: Database, kind: 'event' | 'media', count: number): Promise<number[]> => {
  const rows = Array.from({ length: count }, () => ({ kind }));
  const records = await db.query.insertInto('records').values(rows).returning('id').execute();
  return records.map(({ id }) => id);
};

async function insertImages(db: Database, now: LocalTime): Promise<number[]> {
  const ids = await newRecords(db, 'media', IMAGES);
  const rows: MediaTable[] = ids.map((id) => ({
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
  }));
  await db.query.insertInto('media').values(rows).execute();
  return ids;
}

interface Batch {
  count: number;
  now: LocalTime;
  targets: Generated;
  images: readonly number[];
}

async function insertBatch(db: Database, chance: RandomSource, batch: Batch): Promise<void> {
  const ids = await newRecords(db, 'event', batch.count);
  const rows = ids.map((id): Insertable<EventsTable> => ({ id, ...withDerived(eventValues(chance, id, batch)) }));
  const links = rows.flatMap((row) => linksOf(chance, row, batch.targets));
  await db.query.insertInto('events').values(rows).execute();
  for (let from = 0; from < links.length; from += 1000) {
    await db.query
      .insertInto('event_links')
      .values(links.slice(from, from + 1000))
      .execute();
  }
}

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

function eventValues(chance: RandomSource, id: number, { now, images }: Batch): EventValues {
  const flag = (probability: number) => (chance.is(probability) ? 1 : 0);
  return {
    ...postColumns(title(chance), id, now),
    ...timesOf(chance, now),
    status: statusOf(chance),
    description: description(chance),
    excerpt: excerpt(chance),
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
  };
}

const RANKS = {
  category: zipf(CATEGORIES),
  tag: zipf(TAGS),
  venue: zipf(VENUES),
  organizer: zipf(ORGANIZERS),
};

function linksOf(chance: RandomSource, event: Insertable<EventsTable>, targets: Generated): EventLinksTable[] {
  const draw = (kind: keyof typeof RANKS, ids: readonly number[], count: number): EventLinksTable[] => {
    const chosen = new Set(Array.from({ length: count }, () => ids[RANKS[kind](chance)] ?? 0));
    return [...chosen].map((target_id, position) => ({
      event_id: event.id,
      kind,
      target_id,
      position,
      ...listedOf(event),
    }));
  };
  return [
    ...draw('category', targets.categories, 1 + chance.below(3)),
    ...draw('tag', targets.tags, 1 + chance.below(3)),
    ...draw('venue', targets.venues, chance.is(0.95) ? 1 : 0),
    ...draw('organizer', targets.organizers, chance.is(0.1) ? 2 : 1),
  ];
}

/** Gives half of all records French texts, of the same words as the English ones. */
async function translate(db: Database, chance: RandomSource): Promise<void> {
  const isTranslated = () => chance.is(0.5);
  const events = await db.query.selectFrom('events').selectAll().orderBy('id').execute();
  const texts = () => ({ title: title(chance), description: description(chance) });
  const rows = events.filter(isTranslated).map((event) => {
    const french = texts();
    const { title_key, search_text } = withDerived({ ...event, ...french });
    const keys = { name_key: title_key, search_text };
    return translationOf({ kind: 'event', id: event.id }, french, { ...keys, ...listedOf(event) });
  });
  await insertTranslations(db, rows);
  const posts = await db.query.selectFrom('linked_posts').select(['id', 'kind']).orderBy('id').execute();
  const named = posts.filter(isTranslated).map((post) => {
    const french = texts();
    const keys = { name_key: fold(french.title), search_text: fold(htmlToText(french.description)) };
    return translationOf(post, french, keys);
  });
  await insertTranslations(db, named);
  const terms = await db.query.selectFrom('terms').select(['id', 'taxonomy', 'name']).orderBy('id').execute();
  const called = terms.filter(isTranslated).map(({ id, taxonomy, name }) => {
    const french = `${title(chance)} ${name}`;
    return translationOf({ kind: taxonomy, id }, { name: french }, { name_key: fold(french), search_text: '' });
  });
  await insertTranslations(db, called);
}

async function insertTranslations(db: Database, rows: readonly Insertable<TranslationsTable>[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 1000) {
    await db.query
      .insertInto('translations')
      .values(rows.slice(from, from + 1000))
      .execute();
  }
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

async function countTerms(db: Database): Promise<void> {
  await sql`UPDATE terms SET count = (SELECT count(*) FROM event_links AS l JOIN events AS e ON e.id = l.event_id
    WHERE l.kind = terms.taxonomy AND l.target_id = terms.id AND e.status = 'publish' AND e.password = '')`.execute(
    db.query,
  );
}
