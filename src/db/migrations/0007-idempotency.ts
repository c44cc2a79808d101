import type { Migration } from '../migration.ts';

/** Encrypts kept answers with the key of the client. Existing ones, a day old at most, are dropped. */
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
