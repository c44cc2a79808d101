import type { Migration } from '../migration.ts';
import { MAX_KEY } from '../word-search.ts';

/** Accounts, and everything the calendar namespace keeps. tables.ts says what the columns mean. */
export const calendar: Migration = {
  name: '0001-calendar',
  up: (dialect) => [
    ...accounts(dialect),
    ...posts(dialect),
    ...terms(dialect),
    ...links(dialect),
    ...search(dialect.kind),
  ],
};

type Types = { idType: string; keyType: string };

const accounts = ({ idType }: Types) => [
  `CREATE TABLE users (
    id ${idType}, username TEXT NOT NULL, username_key TEXT NOT NULL UNIQUE, email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE, password_hash TEXT NOT NULL, role TEXT NOT NULL, created_utc TEXT NOT NULL)`,
  `CREATE TABLE app_passwords (
    id ${idType}, user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE, created_utc TEXT NOT NULL, last_used_utc TEXT)`,
  'CREATE INDEX app_passwords_user ON app_passwords (user_id)',
  `CREATE TABLE tokens (
    id ${idType}, user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL, created_utc TEXT NOT NULL, expires_utc TEXT, last_used_utc TEXT)`,
  'CREATE INDEX tokens_user ON tokens (user_id)',
];

const common = ({ keyType }: Types) => `
    id BIGINT PRIMARY KEY REFERENCES records (id), author_id BIGINT NOT NULL, status ${keyType} NOT NULL,
    date TEXT NOT NULL, date_utc TEXT NOT NULL, modified TEXT NOT NULL, modified_utc TEXT NOT NULL,
    title TEXT NOT NULL, title_key ${keyType} NOT NULL, description TEXT NOT NULL,
    slug TEXT NOT NULL, image_id BIGINT REFERENCES media (id), trashed_from TEXT NOT NULL,
    search_text TEXT NOT NULL`;

/** Compared by their bytes: in PostgreSQL four times as fast as by the rules of a language. */
const times = ({ keyType }: Types) =>
  ['start_date', 'end_date', 'utc_start_date', 'utc_end_date'].map((name) => `${name} ${keyType} NOT NULL`).join(', ');

/** A draft has no address of its own yet, so its slug may be shared. */
const HAS_ADDRESS = `slug <> '' AND status NOT IN ('draft', 'pending', 'auto-draft')`;

const posts = (types: Types) => [
  `CREATE TABLE records (id ${types.idType}, kind TEXT NOT NULL)`,
  `CREATE TABLE media (
    id BIGINT PRIMARY KEY REFERENCES records (id), author_id BIGINT NOT NULL, file TEXT NOT NULL, extension TEXT NOT NULL,
    mime_type TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, filesize INTEGER NOT NULL,
    sizes TEXT NOT NULL, source_url TEXT NOT NULL, date_utc TEXT NOT NULL)`,
  `CREATE INDEX media_source ON media (source_url) WHERE source_url <> ''`,
  `CREATE TABLE events (${common(types)},
    excerpt TEXT NOT NULL, password TEXT NOT NULL, parent_id BIGINT REFERENCES events (id), all_day INTEGER NOT NULL,
    ${times(types)}, timezone TEXT NOT NULL, timezone_abbr TEXT NOT NULL,
    cost TEXT NOT NULL, currency_symbol TEXT NOT NULL, currency_position TEXT NOT NULL, currency_code TEXT NOT NULL,
    website TEXT NOT NULL, show_map INTEGER NOT NULL, show_map_link INTEGER NOT NULL,
    hide_from_listings INTEGER NOT NULL, sticky INTEGER NOT NULL, featured INTEGER NOT NULL)`,
  // These hold all that most lists filter by, so that counting one does not read the events.
  `CREATE INDEX events_listed ON events
    (status, hide_from_listings, utc_start_date, id, start_date, end_date, utc_end_date)`,
  `CREATE INDEX events_by_start ON events
    (utc_start_date, id, status, hide_from_listings, start_date, end_date, utc_end_date, author_id)`,
  'CREATE INDEX events_by_end ON events (status, hide_from_listings, utc_end_date, end_date)',
  'CREATE INDEX events_slug ON events (slug)',
  `CREATE UNIQUE INDEX events_address ON events (slug) WHERE ${HAS_ADDRESS}`,
  'CREATE INDEX events_author ON events (author_id, utc_start_date, id)',
  'CREATE INDEX events_parent ON events (parent_id) WHERE parent_id IS NOT NULL',
  'CREATE INDEX events_image ON events (image_id) WHERE image_id IS NOT NULL',
  `CREATE INDEX events_scheduled ON events (date_utc) WHERE status = 'future'`,
  `CREATE INDEX events_featured ON events
    (status, hide_from_listings, utc_start_date, id, start_date, end_date, utc_end_date) WHERE featured = 1`,
  `CREATE INDEX events_password ON events (id) WHERE password <> ''`,
  `CREATE TABLE linked_posts (${common(types)},
    kind TEXT NOT NULL, attributes TEXT NOT NULL, show_map INTEGER NOT NULL, show_map_link INTEGER NOT NULL,
    geo_lat DOUBLE PRECISION, geo_lng DOUBLE PRECISION)`,
  'CREATE INDEX linked_posts_listed ON linked_posts (kind, status, title_key, id)',
  'CREATE INDEX linked_posts_slug ON linked_posts (kind, slug)',
  `CREATE UNIQUE INDEX linked_posts_address ON linked_posts (kind, slug) WHERE ${HAS_ADDRESS}`,
  `CREATE INDEX linked_posts_scheduled ON linked_posts (date_utc) WHERE status = 'future'`,
  'CREATE INDEX linked_posts_place ON linked_posts (geo_lat, geo_lng) WHERE geo_lat IS NOT NULL',
];

const terms = ({ idType, keyType }: Types) => [
  `CREATE TABLE terms (
    id ${idType}, taxonomy TEXT NOT NULL, name TEXT NOT NULL, name_key ${keyType} NOT NULL, slug ${keyType} NOT NULL,
    description ${keyType} NOT NULL, parent_id BIGINT NOT NULL, count INTEGER NOT NULL)`,
  'CREATE UNIQUE INDEX terms_slug ON terms (taxonomy, slug)',
  'CREATE INDEX terms_name ON terms (taxonomy, name_key)',
  'CREATE INDEX terms_parent ON terms (parent_id)',
];

const links = (types: Types) => [
  `CREATE TABLE event_links (
    event_id BIGINT NOT NULL REFERENCES events (id) ON DELETE CASCADE, kind TEXT NOT NULL, target_id BIGINT NOT NULL,
    position INTEGER NOT NULL, status ${types.keyType} NOT NULL, hide_from_listings INTEGER NOT NULL,
    ${times(types)}, PRIMARY KEY (event_id, kind, target_id))`,
  `CREATE INDEX event_links_listed ON event_links
    (kind, target_id, status, hide_from_listings, utc_start_date, event_id, start_date, end_date, utc_end_date)`,
];

/**
 * Search for parts of words takes two steps: `words` has every word that ever stood in an event, once, and `event_search`
 * knows the events of a word. A word is all that stands between two spaces, so the two steps find exactly what a look
 * into every text would. An index of the runs of three characters of the texts themselves would be four times as large,
 * and slow for rare words made of frequent runs. Triggers keep both.
 */
const search = (kind: 'sqlite' | 'postgres') => (kind === 'sqlite' ? sqliteSearch : postgresSearch);

/** All that the tokenizer would otherwise take for the end of a word; an apostrophe is doubled within quotes. */
export const PUNCTUATION = `!""#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~`;

const sqliteIndexing = (change: string) => `CREATE TRIGGER event_search_${change} AFTER ${change} ON events BEGIN
    DELETE FROM event_search WHERE rowid = new.id;
    INSERT INTO event_search (rowid, search_text) VALUES (new.id, new.search_text);
    INSERT OR IGNORE INTO words (word)
      SELECT value FROM json_each('[' || replace(json_quote(new.search_text), ' ', '","') || ']'); END`;

const sqliteSearch = [
  'CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE)',
  `CREATE VIRTUAL TABLE word_parts USING fts5 (
    word, content='words', content_rowid='id', tokenize='trigram case_sensitive 1')`,
  `CREATE TRIGGER words_insert AFTER INSERT ON words BEGIN
    INSERT INTO word_parts (rowid, word) VALUES (new.id, new.word); END`,
  `CREATE VIRTUAL TABLE event_search USING fts5 (
    search_text, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '${PUNCTUATION}'")`,
  sqliteIndexing('INSERT'),
  sqliteIndexing('UPDATE').replace('ON events', 'OF search_text ON events WHEN old.search_text <> new.search_text'),
  'CREATE TRIGGER event_search_delete AFTER DELETE ON events BEGIN DELETE FROM event_search WHERE rowid = old.id; END',
];

const postgresSearch = [
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  'CREATE TABLE words (word TEXT COLLATE "C" NOT NULL)',
  'CREATE UNIQUE INDEX words_word ON words (md5(word))',
  'CREATE INDEX word_parts ON words USING gin (word gin_trgm_ops)',
  // Its cost keeps the planner from calling it for every event instead of asking the index.
  `CREATE FUNCTION words_of (text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 100
    RETURN ARRAY(SELECT DISTINCT left(word, ${MAX_KEY}) FROM unnest(string_to_array($1, ' ')) AS word)`,
  'CREATE INDEX event_search ON events USING gin (words_of(search_text))',
  // In order, so that two writers that add the same words do not wait for each other.
  `CREATE FUNCTION add_words () RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO words SELECT DISTINCT word FROM unnest(string_to_array(new.search_text, ' ')) AS word ORDER BY word
    ON CONFLICT DO NOTHING; RETURN NULL; END $$`,
  `CREATE TRIGGER event_search_words AFTER INSERT OR UPDATE OF search_text ON events
    FOR EACH ROW EXECUTE FUNCTION add_words ()`,
];
