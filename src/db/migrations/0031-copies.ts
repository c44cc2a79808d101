import type { Migration } from '../migration.ts';

/** The event of which another one is a copy. */
export const copies: Migration = {
  name: '0031-copies',
  statements: () => ['ALTER TABLE events ADD COLUMN copied_from BIGINT'],
};
