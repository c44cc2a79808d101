import type { Migration } from '../migrate.ts';

/** Accounts, and everything the calendar namespace keeps. tables.ts says what the columns mean. */
export const calendar: Migration = {
  name: '0001-calendar',
  up: (dialect) => [...accounts(dialect), ...posts(dialect), ...terms(dialect), ...links(), ...search(dialect.kind)],
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
    id BIGINT PRIMARY KEY REFERENCES records (id), author_id BIGINT NOT NULL, status TEXT NOT NULL,
    date TEXT NOT NULL, date_utc TEXT NOT NULL, modified TEXT NOT NULL, modified_utc TEXT NOT NULL,
    title TEXT NOT NULL, title_key ${keyType} NOT NULL, description TEXT NOT NULL,
    slug TEXT NOT NULL, image_id BIGINT REFERENCES media (id), trashed_from TEXT NOT NULL,
    search_text TEXT NOT NULL`;

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
    excerpt TEXT NOT NULL, password TEXT NOT NULL, parent_id BIGINT REFERENCES events (id), all_day INTEGER NOT NULL, start_date TEXT NOT NULL, end_date TEXT NOT NULL,
    utc_start_date TEXT NOT NULL, utc_end_date TEXT NOT NULL, timezone TEXT NOT NULL, timezone_abbr TEXT NOT NULL,
    cost TEXT NOT NULL, currency_symbol TEXT NOT NULL, currency_position TEXT NOT NULL, currency_code TEXT NOT NULL,
    website TEXT NOT NULL, show_map INTEGER NOT NULL, show_map_link INTEGER NOT NULL,
    hide_from_listings INTEGER NOT NULL, sticky INTEGER NOT NULL, featured INTEGER NOT NULL)`,
  'CREATE INDEX events_listed ON events (status, hide_from_listings, utc_start_date, id, start_date, end_date)',
  'CREATE INDEX events_by_start ON events (utc_start_date, id, status, hide_from_listings, start_date, end_date)',
  'CREATE INDEX events_by_end ON events (status, hide_from_listings, utc_end_date, end_date)',
  'CREATE INDEX events_slug ON events (slug)',
  `CREATE UNIQUE INDEX events_address ON events (slug) WHERE ${HAS_ADDRESS}`,
  'CREATE INDEX events_author ON events (author_id, utc_start_date, id)',
  'CREATE INDEX events_parent ON events (parent_id) WHERE parent_id IS NOT NULL',
  'CREATE INDEX events_image ON events (image_id) WHERE image_id IS NOT NULL',
  `CREATE INDEX events_scheduled ON events (date_utc) WHERE status = 'future'`,
  'CREATE INDEX events_featured ON events (utc_start_date, id) WHERE featured = 1',
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
    id ${idType}, taxonomy TEXT NOT NULL, name TEXT NOT NULL, name_key ${keyType} NOT NULL, slug TEXT NOT NULL,
    description TEXT NOT NULL, parent_id BIGINT NOT NULL, count INTEGER NOT NULL)`,
  'CREATE UNIQUE INDEX terms_slug ON terms (taxonomy, slug)',
  'CREATE INDEX terms_name ON terms (taxonomy, name_key)',
  'CREATE INDEX terms_parent ON terms (parent_id)',
];

const links = () => [
  `CREATE TABLE event_links (
    event_id BIGINT NOT NULL REFERENCES events (id) ON DELETE CASCADE, kind TEXT NOT NULL, target_id BIGINT NOT NULL,
    position INTEGER NOT NULL, status TEXT NOT NULL, hide_from_listings INTEGER NOT NULL, start_date TEXT NOT NULL,
    end_date TEXT NOT NULL, utc_start_date TEXT NOT NULL, utc_end_date TEXT NOT NULL, PRIMARY KEY (event_id, kind, target_id))`,
  `CREATE INDEX event_links_listed ON event_links
    (kind, target_id, status, hide_from_listings, utc_start_date, event_id, start_date, end_date)`,
];

/** Substring search: an index of the runs of three characters, which both databases bring along. */
const search = (kind: 'sqlite' | 'postgres') => (kind === 'sqlite' ? sqliteSearch : postgresSearch);

const sqliteSearch = [
  `CREATE VIRTUAL TABLE event_search USING fts5 (
    search_text, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`,
  `CREATE TRIGGER event_search_insert AFTER INSERT ON events BEGIN
    INSERT INTO event_search (rowid, search_text) VALUES (new.id, new.search_text); END`,
  `CREATE TRIGGER event_search_update AFTER UPDATE OF search_text ON events WHEN old.search_text <> new.search_text BEGIN
    DELETE FROM event_search WHERE rowid = old.id;
    INSERT INTO event_search (rowid, search_text) VALUES (new.id, new.search_text); END`,
  'CREATE TRIGGER event_search_delete AFTER DELETE ON events BEGIN DELETE FROM event_search WHERE rowid = old.id; END',
];

const postgresSearch = [
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  'CREATE INDEX event_search ON events USING gin (search_text gin_trgm_ops)',
];
