import type { Migration } from '../migration.ts';

/** Events that last from one month to another. All others that are running have started this month. */
const IS_LONG = 'substr(utc_end_date, 1, 7) > substr(utc_start_date, 1, 7)';

/** Lets lists of what is not over yet leave out the past, searches other years, and lists of categories a search for empty ones. */
export const listsByTime: Migration = {
  name: '0013-lists-by-time',
  statements: ({ kind }) => [
    `CREATE INDEX events_long ON events
      (status, hide_from_listings, utc_start_date, id, start_date, end_date, utc_end_date) WHERE ${IS_LONG}`,
    `CREATE INDEX event_links_long ON event_links
      (kind, target_id, status, hide_from_listings, utc_start_date, event_id, start_date, end_date, utc_end_date)
      WHERE ${IS_LONG}`,
    'CREATE INDEX terms_empty ON terms (taxonomy) WHERE count = 0',
    ...(kind === 'postgres' ? postgresSearch : sqliteSearch),
  ],
};

/** Indexes have each word with the year before it, so that hits in other years are not even read from the index. */
const postgresSearch = [
  `CREATE FUNCTION words_in_year (text, text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 100
    RETURN ARRAY(SELECT DISTINCT "left"($2, 4) || "left"(word, 500) FROM unnest(string_to_array($1, ' ')) AS word)`,
  'DROP INDEX event_search',
  'CREATE INDEX event_search ON events USING gin (words_in_year(search_text, utc_start_date))',
  'DROP INDEX translation_search',
  `CREATE INDEX translation_search ON translations USING gin (words_in_year(search_text, utc_start_date))
    WHERE kind = 'event'`,
];

/** All that the tokenizer would otherwise take for the end of a word; an apostrophe is doubled within quotes. */
const PUNCTUATION = `!""#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~`;

const emptyIndex = (name: string) => `CREATE VIRTUAL TABLE ${name} USING fts5 (
  search_text, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '${PUNCTUATION}'")`;

const yearOf = (row: string) => `substr(${row}.utc_start_date, 1, 4)`;
const inYear = (row: string) => `${yearOf(row)} || replace(${row}.search_text, ' ', ' ' || ${yearOf(row)})`;

const ADD_WORDS = `INSERT OR IGNORE INTO words (word)
  SELECT value FROM json_each('[' || replace(json_quote(new.search_text), ' ', '","') || ']')`;

const sqliteSearch = [
  'DROP TRIGGER event_search_INSERT',
  'DROP TRIGGER event_search_UPDATE',
  'DROP TABLE event_search',
  emptyIndex('event_search'),
  `INSERT INTO event_search (rowid, search_text) SELECT e.id, ${inYear('e')} FROM events AS e`,
  `CREATE TRIGGER event_search_insert AFTER INSERT ON events BEGIN
    INSERT INTO event_search (rowid, search_text) VALUES (new.id, ${inYear('new')});
    ${ADD_WORDS}; END`,
  `CREATE TRIGGER event_search_update AFTER UPDATE OF search_text, utc_start_date ON events
    WHEN old.search_text <> new.search_text OR ${yearOf('old')} <> ${yearOf('new')} BEGIN
    DELETE FROM event_search WHERE rowid = new.id;
    INSERT INTO event_search (rowid, search_text) VALUES (new.id, ${inYear('new')});
    ${ADD_WORDS}; END`,
  'DROP TRIGGER translation_search_insert',
  'DROP TABLE translation_search',
  emptyIndex('translation_search'),
  `INSERT INTO translation_search (rowid, search_text)
    SELECT t.id, ${inYear('t')} FROM translations AS t WHERE t.kind = 'event'`,
  `CREATE TRIGGER translation_search_insert AFTER INSERT ON translations WHEN new.kind = 'event' BEGIN
    INSERT INTO translation_search (rowid, search_text) VALUES (new.id, ${inYear('new')});
    ${ADD_WORDS}; END`,
  `CREATE TRIGGER translation_search_update AFTER UPDATE OF search_text, utc_start_date ON translations
    WHEN new.kind = 'event' AND (old.search_text <> new.search_text OR ${yearOf('old')} <> ${yearOf('new')}) BEGIN
    DELETE FROM translation_search WHERE rowid = new.id;
    INSERT INTO translation_search (rowid, search_text) VALUES (new.id, ${inYear('new')});
    ${ADD_WORDS}; END`,
];
