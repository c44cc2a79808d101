import type { Migration } from '../migration.ts';

/** Leads from the hits of a search to whether each is in a list, without reading the texts. */
export const eventsFound: Migration = {
  name: '0004-events-found',
  up: () => [
    `CREATE INDEX events_found ON events
      (id, status, hide_from_listings, utc_start_date, start_date, utc_end_date, end_date)`,
  ],
};
