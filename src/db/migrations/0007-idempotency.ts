import type { Migration } from '../migrate.ts';

/** Kept answers become unreadable without the key of the client. The old ones, of one day at most, are forgotten. */
export const idempotency: Migration = {
  name: '0007-idempotency',
  up: ({ keyType }) => [
    'DROP TABLE idempotency_keys',
    `CREATE TABLE idempotency_keys (
      hash ${keyType} PRIMARY KEY, fingerprint TEXT NOT NULL, owner TEXT NOT NULL, answer TEXT NOT NULL,
      expires_utc ${keyType} NOT NULL)`,
    'CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_utc)',
  ],
};
