import type { Migration } from '../migration.ts';

/** Lets links to orders be revoked, and keeps the places of one reply together. */
export const buyers: Migration = {
  name: '0016-buyers',
  statements: () => [
    'ALTER TABLE orders ADD COLUMN access_version INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE attendees ADD COLUMN reply_id INTEGER',
    'CREATE INDEX attendees_reply ON attendees (reply_id) WHERE reply_id IS NOT NULL',
  ],
};
