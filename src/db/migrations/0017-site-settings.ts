import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migration.ts';

const TABLES = ['site_settings', 'site_texts'];

/** As in 0012: public answers and pages show the settings of the site. */
const sqliteTriggers = (table: string): string[] =>
  ['INSERT', 'UPDATE', 'DELETE'].map(
    (event) => `CREATE TRIGGER ${table}_calendar_${event.toLowerCase()} AFTER ${event} ON ${table} BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0;
      END`,
  );

const postgresTriggers = (table: string): string[] => [
  `CREATE TRIGGER ${table}_calendar AFTER INSERT OR UPDATE OR DELETE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION next_data_version('calendar')`,
  `CREATE TRIGGER ${table}_calendar_emptied AFTER TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION next_data_version('calendar')`,
];

/** What the organizers decide about the whole site. tables.ts says what the columns mean. */
export const siteSettings: Migration = {
  name: '0017-site-settings',
  statements: ({ kind }: Dialect) => [
    `CREATE TABLE site_settings (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      revision INTEGER NOT NULL,
      logo_id BIGINT REFERENCES media (id),
      colors TEXT NOT NULL,
      contact TEXT NOT NULL,
      cancellation TEXT NOT NULL,
      payment_ways TEXT NOT NULL,
      address_words TEXT NOT NULL
    )`,
    `INSERT INTO site_settings (id, revision, colors, contact, cancellation, payment_ways, address_words)
      VALUES (1, 1, '{}', '{}', '{"rule":"free"}', '[{"id":"door","hold_hours":null}]', '[]')`,
    'CREATE TABLE site_texts (language TEXT PRIMARY KEY, texts TEXT NOT NULL)',
    ...TABLES.flatMap(kind === 'postgres' ? postgresTriggers : sqliteTriggers),
  ],
};
