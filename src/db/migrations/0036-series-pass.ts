import type { Migration } from '../migration.ts';

/** Tickets for all coming occurrences of a series. tables/ticketing.ts describes the columns. */
export const seriesPass: Migration = {
  name: '0036-series-pass',
  statements: () => [
    'ALTER TABLE tickets ADD COLUMN pass_id BIGINT',
    'CREATE UNIQUE INDEX tickets_pass ON tickets (pass_id, event_id) WHERE pass_id IS NOT NULL',
    'ALTER TABLE attendees ADD COLUMN pass_id BIGINT',
    'CREATE UNIQUE INDEX attendees_pass ON attendees (pass_id, event_id) WHERE pass_id IS NOT NULL',
    'ALTER TABLE cart_items ADD COLUMN pass_id BIGINT',
    'ALTER TABLE order_items ADD COLUMN pass_id BIGINT',
  ],
};
