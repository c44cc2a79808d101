import type { Migration } from '../migration.ts';

/** Names of records in files and calendars, and calendars that are read again and again. */
export const subscriptions: Migration = {
  name: '0053-subscriptions',
  statements: ({ idType, keyType }) => [
    `CREATE TABLE import_keys (
      id ${idType},
      source ${keyType} NOT NULL,
      kind ${keyType} NOT NULL,
      name ${keyType} NOT NULL,
      sequence BIGINT NOT NULL DEFAULT 0
    )`,
    'CREATE UNIQUE INDEX import_keys_name ON import_keys (source, kind, name)',
    `CREATE TABLE subscriptions (
      id ${idType},
      address ${keyType} NOT NULL,
      status TEXT NOT NULL,
      categories TEXT NOT NULL DEFAULT '[]',
      hours INTEGER NOT NULL,
      created_utc TEXT NOT NULL,
      due_utc TEXT NOT NULL,
      checked_utc TEXT,
      succeeded_utc TEXT,
      failures INTEGER NOT NULL DEFAULT 0,
      problem TEXT NOT NULL DEFAULT '',
      etag TEXT NOT NULL DEFAULT '',
      counts TEXT NOT NULL DEFAULT '{}',
      import_id BIGINT
    )`,
    'CREATE UNIQUE INDEX subscriptions_address ON subscriptions (address)',
    'CREATE INDEX subscriptions_due ON subscriptions (due_utc)',
  ],
};
