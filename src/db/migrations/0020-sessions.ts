import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migration.ts';

/** Sessions, links that begin one, and second factors. tables.ts says what the columns mean. */
export const sessions: Migration = {
  name: '0020-sessions',
  statements: ({ idType }: Dialect) => [
    'ALTER TABLE users ADD COLUMN credentials_version INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE users ADD COLUMN last_seen_utc TEXT',
    `ALTER TABLE users ADD COLUMN totp_secret TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE users ADD COLUMN totp_pending TEXT NOT NULL DEFAULT ''`,
    'ALTER TABLE users ADD COLUMN totp_step BIGINT NOT NULL DEFAULT 0',
    `ALTER TABLE site_settings ADD COLUMN second_factor_roles TEXT NOT NULL DEFAULT '[]'`,
    `CREATE TABLE sessions (
      id ${idType}, user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, hash TEXT NOT NULL UNIQUE,
      credentials_version INTEGER NOT NULL, may_set_password INTEGER NOT NULL, created_utc TEXT NOT NULL,
      last_seen_utc TEXT NOT NULL, address TEXT NOT NULL, user_agent TEXT NOT NULL)`,
    'CREATE INDEX sessions_user ON sessions (user_id, id)',
    'CREATE INDEX sessions_last_seen ON sessions (last_seen_utc)',
    `CREATE TABLE sign_in_links (
      id ${idType}, user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, hash TEXT NOT NULL UNIQUE,
      expires_utc TEXT NOT NULL)`,
    'CREATE INDEX sign_in_links_user ON sign_in_links (user_id)',
    'CREATE INDEX sign_in_links_expired ON sign_in_links (expires_utc)',
    `CREATE TABLE recovery_codes (
      user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, hash TEXT NOT NULL, PRIMARY KEY (user_id, hash))`,
  ],
};
