import type { Migration } from '../migration.ts';
import { PUNCTUATION } from './0001-calendar.ts';

/** The texts of records in other languages than the site's first. tables.ts says what the columns mean. */
export const translations: Migration = {
  name: '0003-translations',
  up: ({ kind, idType, keyType }) => [
    `CREATE TABLE translations (
      id ${idType}, kind TEXT NOT NULL, record_id BIGINT NOT NULL, language TEXT NOT NULL, texts TEXT NOT NULL,
      lent TEXT NOT NULL, name_key ${keyType} NOT NULL, search_text TEXT NOT NULL)`,
    'CREATE UNIQUE INDEX translations_record ON translations (record_id, kind, language)',
    // No list is by the titles of events, and PostgreSQL's indexes have no room for long ones.
    `CREATE INDEX translations_named ON translations (kind, language, name_key, record_id)
      ${kind === 'postgres' ? `WHERE kind <> 'event'` : ''}`,
    'CREATE TABLE site (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
    ...(kind === 'sqlite' ? sqliteSearch : postgresSearch),
  ],
};

/** The words of events, as 0001-calendar has them for the texts of the first language. No row is ever updated. */
const sqliteSearch = [
  // From a hit to its event without reading the texts.
  `CREATE INDEX translations_event ON translations (id, language, record_id) WHERE kind = 'event'`,
  `CREATE VIRTUAL TABLE translation_search USING fts5 (
    search_text, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '${PUNCTUATION}'")`,
  `CREATE TRIGGER translation_search_insert AFTER INSERT ON translations WHEN new.kind = 'event' BEGIN
    INSERT INTO translation_search (rowid, search_text) VALUES (new.id, new.search_text);
    INSERT OR IGNORE INTO words (word)
      SELECT value FROM json_each('[' || replace(json_quote(new.search_text), ' ', '","') || ']'); END`,
  `CREATE TRIGGER translation_search_delete AFTER DELETE ON translations WHEN old.kind = 'event' BEGIN
    DELETE FROM translation_search WHERE rowid = old.id; END`,
];

const postgresSearch = [
  `CREATE INDEX translation_search ON translations USING gin (words_of(search_text)) WHERE kind = 'event'`,
  `CREATE TRIGGER translation_search_words AFTER INSERT ON translations
    FOR EACH ROW WHEN (NEW.kind = 'event') EXECUTE FUNCTION add_words ()`,
];
