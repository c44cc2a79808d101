import type { Migration } from '../migration.ts';

/** Limits on places without a price: of each order, and of a network and a mailbox in a day. tables.ts describes them. */
export const freePlaces: Migration = {
  name: '0029-free-places',
  statements: ({ idType, keyType }) => [
    'ALTER TABLE tickets ADD COLUMN max_per_order INTEGER NOT NULL DEFAULT 20',
    `CREATE TABLE free_places (
      id ${idType},
      network ${keyType} NOT NULL,
      mailbox TEXT NOT NULL,
      places INTEGER NOT NULL,
      attendee_id BIGINT UNIQUE,
      expires_utc TEXT NOT NULL
    )`,
    `CREATE INDEX free_places_network ON free_places (network, expires_utc, places) WHERE network <> ''`,
    'CREATE INDEX free_places_mailbox ON free_places (mailbox, expires_utc, places)',
    'CREATE INDEX free_places_expiry ON free_places (expires_utc)',
    'CREATE TABLE refusals (kind TEXT NOT NULL, day TEXT NOT NULL, count BIGINT NOT NULL, PRIMARY KEY (kind, day))',
  ],
};
