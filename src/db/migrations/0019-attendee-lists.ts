import type { Migration } from '../migration.ts';

/** Lists attendees by date and by slug without sorting all, and counts them without reading them. */
export const attendeeLists: Migration = {
  name: '0019-attendee-lists',
  statements: () => [
    'CREATE INDEX attendees_date ON attendees (date_utc, id)',
    'CREATE INDEX attendees_slug ON attendees (slug, id)',
    'DROP INDEX attendees_event',
    'CREATE INDEX attendees_event ON attendees (event_id, id, status, attendance_status, optout, provider)',
  ],
};
