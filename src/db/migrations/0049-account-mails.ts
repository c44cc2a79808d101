import type { Migration } from '../migration.ts';

/** Mails to accounts, their links, and the devices that accounts sign in with. tables/platform.ts describes the columns. */
export const accountMails: Migration = {
  name: '0049-account-mails',
  statements: ({ keyType }) => [
    'ALTER TABLE mails ADD COLUMN account_id BIGINT NOT NULL DEFAULT 0',
    'CREATE INDEX mails_account ON mails (account_id) WHERE account_id > 0',
    `ALTER TABLE sign_in_links ADD COLUMN salt TEXT NOT NULL DEFAULT ''`,
    'ALTER TABLE sign_in_links ADD COLUMN may_set_password INTEGER NOT NULL DEFAULT 1',
    `ALTER TABLE users ADD COLUMN language TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE users ADD COLUMN alerts TEXT NOT NULL DEFAULT '[]'`,
    `CREATE TABLE account_devices (
      user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      hash ${keyType} NOT NULL,
      seen_utc TEXT NOT NULL,
      PRIMARY KEY (user_id, hash)
    )`,
    'CREATE INDEX account_devices_seen ON account_devices (seen_utc)',
  ],
};
