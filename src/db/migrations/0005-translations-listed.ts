import type { Migration } from '../migration.ts';

const COLUMNS = 'status, hide_from_listings, utc_start_date, start_date, utc_end_date, end_date';

/** Lets a search find out whether a hit is in a list without reading the event: in a translation, and by the year. */
export const translationsListed: Migration = {
  name: '0005-translations-listed',
  up: ({ kind, keyType }) => [
    ...COLUMNS.split(', ').map((name) =>
      name === 'hide_from_listings'
        ? `ALTER TABLE translations ADD COLUMN ${name} INTEGER NOT NULL DEFAULT 0`
        : `ALTER TABLE translations ADD COLUMN ${name} ${keyType} NOT NULL DEFAULT ''`,
    ),
    `UPDATE translations SET (${COLUMNS}) = (SELECT ${COLUMNS} FROM events WHERE id = record_id)
      WHERE kind = 'event' AND record_id IN (SELECT id FROM events)`,
    ...(kind === 'sqlite' ? sqliteIndexes : postgresIndexes),
    // Whose texts a search may look into is found out without reading the events.
    'DROP INDEX events_password',
    `CREATE INDEX events_password ON events (id, password, author_id) WHERE password <> ''`,
  ],
};

const sqliteIndexes = [
  'DROP INDEX translations_event',
  `CREATE INDEX translations_event ON translations (id, language, record_id, ${COLUMNS}) WHERE kind = 'event'`,
];

/** With the year, so that hits which are not in a list need not be read to find out. */
const BY_WORD = `gin (words_of(search_text), (ARRAY["left"(utc_start_date, 4)]))`;

const postgresIndexes = [
  'DROP INDEX event_search',
  `CREATE INDEX event_search ON events USING ${BY_WORD}`,
  'DROP INDEX translation_search',
  `CREATE INDEX translation_search ON translations USING ${BY_WORD} WHERE kind = 'event'`,
  `CREATE INDEX translations_listed ON translations (language, ${COLUMNS}, record_id) WHERE kind = 'event'`,
];
