import type { Migration } from '../migration.ts';

// From the links, which repeat the status of their event: SQLite would begin with all published events for each term.
const COUNTED = `SELECT count(*) FROM event_links AS l WHERE l.kind = terms.taxonomy AND l.target_id = terms.id
  AND l.status = 'publish' AND l.event_id NOT IN (SELECT id FROM events WHERE password <> '')`;

/** Excludes events behind a password from the counts of their terms, which revealed the terms of such an event. */
export const countsWithoutPassword: Migration = {
  name: '0008-counts-without-password',
  up: () => [
    `UPDATE terms SET count = (${COUNTED}) WHERE id IN (SELECT l.target_id FROM event_links AS l
      JOIN events AS e ON e.id = l.event_id WHERE e.password <> '' AND l.kind IN ('category', 'tag'))`,
  ],
};
