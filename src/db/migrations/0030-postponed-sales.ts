import type { Migration } from '../migration.ts';

/** Whether a postponed event keeps selling. */
export const postponedSales: Migration = {
  name: '0030-postponed-sales',
  statements: () => ['ALTER TABLE events ADD COLUMN sale_stays_open INTEGER NOT NULL DEFAULT 0'],
};
