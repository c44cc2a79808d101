import type { Migration } from '../migration.ts';

/** Whether events take place as announced, and what images show and where to crop them. */
export const eventStatus: Migration = {
  name: '0014-event-status',
  statements: () => [
    `ALTER TABLE events ADD COLUMN event_status TEXT NOT NULL DEFAULT 'scheduled'`,
    `ALTER TABLE events ADD COLUMN event_status_reason TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE events ADD COLUMN utc_previous_start_date TEXT NOT NULL DEFAULT ''`,
    // Few events do not take place as announced.
    `CREATE INDEX events_changed ON events
      (status, hide_from_listings, utc_start_date, id, start_date, end_date, utc_end_date, event_status)
      WHERE event_status <> 'scheduled'`,
    `ALTER TABLE media ADD COLUMN alt TEXT NOT NULL DEFAULT ''`,
    'ALTER TABLE media ADD COLUMN focus_x DOUBLE PRECISION NOT NULL DEFAULT 50',
    'ALTER TABLE media ADD COLUMN focus_y DOUBLE PRECISION NOT NULL DEFAULT 50',
  ],
};
