import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migration.ts';

/** Tables that public answers of the calendar are made from. */
const CALENDAR = ['events', 'linked_posts', 'terms', 'event_links', 'translations', 'media', 'site'];

/** Columns of tickets, without the counters that sales move. */
const TICKET_COLUMNS = [
  ...['id', 'event_id', 'provider', 'author_id', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'title'],
  ...['title_key', 'description', 'slug', 'search_text', 'price', 'sku', 'iac', 'show_description', 'menu_order'],
  ...['not_going', 'start_date', 'start_time', 'end_date', 'end_time', 'sale_start_utc', 'sale_end_utc', 'sale_price'],
  ...['sale_price_start', 'sale_price_end', 'mode', 'capacity', 'is_deleted'],
];

/** A change of a table that moves a part of the data to its next version. */
interface Change {
  table: string;
  part: 'calendar';
  /** Those whose update counts; all unless given. */
  columns?: readonly string[];
}

const CHANGES: readonly Change[] = [
  ...CALENDAR.map((table): Change => ({ table, part: 'calendar' })),
  { table: 'tickets', part: 'calendar', columns: TICKET_COLUMNS },
];

const eventsOf = ({ columns }: Change): string[] => [
  'INSERT',
  columns ? `UPDATE OF ${columns.join(', ')}` : 'UPDATE',
  'DELETE',
];

const sqliteTriggers = (change: Change): string[] =>
  eventsOf(change).map(
    (event) => `CREATE TRIGGER ${change.table}_${change.part}_${event.slice(0, 6).toLowerCase()}
      AFTER ${event} ON ${change.table} BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = '${change.part}' AND backend = 0;
      END`,
  );

const postgresTriggers = (change: Change): string[] => [
  `CREATE TRIGGER ${change.table}_${change.part} AFTER ${eventsOf(change).join(' OR ')} ON ${change.table}
    FOR EACH STATEMENT EXECUTE FUNCTION next_data_version('${change.part}')`,
  `CREATE TRIGGER ${change.table}_${change.part}_emptied AFTER TRUNCATE ON ${change.table}
    FOR EACH STATEMENT EXECUTE FUNCTION next_data_version('${change.part}')`,
];

/**
 * Each connection of PostgreSQL counts in a row of its own, so that writers neither wait for each other nor deadlock.
 * The version is the sum, which a commit raises at the moment at which its rows can be seen.
 */
const NEXT_VERSION = `CREATE FUNCTION next_data_version() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    INSERT INTO data_versions (part, backend, number) VALUES (TG_ARGV[0], pg_backend_pid(), 1)
      ON CONFLICT (part, backend) DO UPDATE SET number = data_versions.number + 1;
    RETURN NULL;
  END
$$`;

/** Counts the changes of what public answers are made from, so that those can be kept until the next one. */
export const dataVersions: Migration = {
  name: '0012-data-versions',
  statements: ({ kind }: Dialect) => [
    `CREATE TABLE data_versions (
      part TEXT NOT NULL,
      backend INTEGER NOT NULL,
      number BIGINT NOT NULL,
      PRIMARY KEY (part, backend)
    )`,
    `INSERT INTO data_versions (part, backend, number) VALUES ('calendar', 0, 0)`,
    ...(kind === 'postgres' ? [NEXT_VERSION] : []),
    ...CHANGES.flatMap(kind === 'postgres' ? postgresTriggers : sqliteTriggers),
  ],
};
