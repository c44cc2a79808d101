import type { Migration } from '../migration.ts';

/**
 * Lets SQLite search and count the attendees of all events in an index a tenth the size of their table, which does not
 * grow with the answers they gave. PostgreSQL reads the table as fast, by several processes, and would refuse long names
 * together with long addresses: rows of its indexes have 2,700 bytes at most.
 */
export const attendeeSearch: Migration = {
  name: '0027-attendee-search',
  statements: ({ kind }) =>
    kind === 'postgres'
      ? []
      : [
          'DROP INDEX attendees_name',
          `CREATE INDEX attendees_name ON attendees
            (name_key, id, email_key, security_code, order_id, event_id, ticket_id, status, attendance_status,
             checked_in, checkin_utc)`,
        ],
};
