import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migration.ts';

/** Columns that the background work sets, and the revision: their change is no edit of a series. */
const UNEDITED = ['revision', 'pending', 'made_until'];
/** Condition of a trigger: a series was edited. */
const IS_SERIES_EDIT = UNEDITED.map((column) => `new.${column} = old.${column}`).join(' AND ');

/** Columns of a series that public responses depend on. */
const PUBLIC_COLUMNS = [
  ...['author_id', 'status', 'slug', 'template', 'start_day', 'rrule', 'rdates', 'exdates'],
  ...['version', 'follows_series_id', 'modified', 'modified_utc'],
];

/** Changes of a table that public responses depend on. */
const changesOf = (table: string): string[] => [
  'INSERT',
  table === 'series' ? `UPDATE OF ${PUBLIC_COLUMNS.join(', ')}` : 'UPDATE',
  'DELETE',
];
/** Verb of a change, for the name of its trigger. */
const verbOf = (change: string): string => change.replace(/ .*/, '').toLowerCase();

/** Condition of a trigger: an event was edited, and did not only become part of another series. */
const isEventEdit = (isSame: string): string =>
  `new.revision = old.revision AND new.ical_sequence = old.ical_sequence AND new.series_id ${isSame} old.series_id`;
/** Tables that public responses show. */
const PUBLIC_TABLES = ['series', 'occurrences'];

const sqliteTriggers = [
  'DROP TRIGGER events_revision',
  `CREATE TRIGGER events_revision AFTER UPDATE ON events WHEN ${isEventEdit('IS')} BEGIN
    UPDATE events SET revision = old.revision + 1 WHERE id = new.id; END`,
  `CREATE TRIGGER series_revision AFTER UPDATE ON series WHEN ${IS_SERIES_EDIT} BEGIN
    UPDATE series SET revision = old.revision + 1 WHERE id = new.id; END`,
  ...PUBLIC_TABLES.flatMap((table) =>
    changesOf(table).map(
      (change) => `CREATE TRIGGER ${table}_calendar_${verbOf(change)} AFTER ${change} ON ${table} BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END`,
    ),
  ),
];

const postgresTriggers = [
  'DROP TRIGGER events_revision ON events',
  `CREATE TRIGGER events_revision BEFORE UPDATE ON events
    FOR EACH ROW WHEN (${isEventEdit('IS NOT DISTINCT FROM')}) EXECUTE FUNCTION next_revision()`,
  `CREATE TRIGGER series_revision BEFORE UPDATE ON series
    FOR EACH ROW WHEN (${IS_SERIES_EDIT}) EXECUTE FUNCTION next_revision()`,
  ...PUBLIC_TABLES.flatMap((table) => [
    `CREATE TRIGGER ${table}_calendar AFTER ${changesOf(table).join(' OR ')} ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION next_data_version('calendar')`,
    `CREATE TRIGGER ${table}_calendar_emptied AFTER TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION next_data_version('calendar')`,
  ]),
];

const LISTED = 'status, hide_from_listings, utc_start_date, id, start_date, end_date, utc_end_date';

/** Series of events, and the occurrences that they made. tables/series.ts describes the columns. */
export const series: Migration = {
  name: '0035-series',
  statements: ({ kind, keyType }: Dialect) => [
    'ALTER TABLE events ADD COLUMN series_id BIGINT',
    `CREATE INDEX events_series ON events (series_id, ${LISTED}) WHERE series_id IS NOT NULL`,
    `CREATE INDEX events_single ON events (${LISTED}) WHERE series_id IS NULL`,
    `CREATE TABLE series (
      id BIGINT PRIMARY KEY,
      author_id BIGINT NOT NULL,
      status TEXT NOT NULL,
      slug ${keyType} NOT NULL UNIQUE,
      template TEXT NOT NULL,
      start_day TEXT NOT NULL,
      rrule TEXT NOT NULL,
      rdates TEXT NOT NULL,
      exdates TEXT NOT NULL,
      made_until TEXT NOT NULL DEFAULT '',
      version INTEGER NOT NULL DEFAULT 1,
      pending INTEGER NOT NULL DEFAULT 0,
      may_remove_sold INTEGER NOT NULL DEFAULT 0,
      follows_series_id BIGINT,
      modified TEXT NOT NULL,
      modified_utc TEXT NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1
    )`,
    'CREATE INDEX series_following ON series (follows_series_id) WHERE follows_series_id IS NOT NULL',
    `CREATE TABLE occurrences (
      event_id BIGINT PRIMARY KEY,
      series_id BIGINT NOT NULL,
      recurrence_id ${keyType} NOT NULL,
      own_fields TEXT NOT NULL DEFAULT '[]',
      version INTEGER NOT NULL,
      UNIQUE (series_id, recurrence_id)
    )`,
    ...(kind === 'postgres' ? postgresTriggers : sqliteTriggers),
  ],
};
