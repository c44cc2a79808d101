import type { Migration } from '../migration.ts';

/** Public lists leave out the attendees of hidden tickets, and are counted from the index alone. */
export const hiddenAttendees: Migration = {
  name: '0044-hidden-attendees',
  statements: () => [
    'DROP INDEX attendees_event',
    'CREATE INDEX attendees_event ON attendees (event_id, id, status, attendance_status, optout, provider, ticket_id)',
  ],
};
