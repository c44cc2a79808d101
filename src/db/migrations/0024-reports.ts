import type { Migration } from '../migration.ts';

/** Sums up sales and check-ins without reading all attendees, and keeps when the periodic jobs ran last. */
export const reports: Migration = {
  name: '0024-reports',
  statements: () => [
    'DROP INDEX attendees_date',
    `CREATE INDEX attendees_date ON attendees
      (date_utc, id, event_id, ticket_id, order_id, status, attendance_status, price)`,
    'CREATE INDEX attendees_inside ON attendees (event_id, ticket_id, checkin_utc, status) WHERE checked_in = 1',
    'CREATE INDEX orders_currency ON orders (currency)',
    `CREATE TABLE job_runs (
      name TEXT PRIMARY KEY, run_utc TEXT NOT NULL, failed_utc TEXT)`,
  ],
};
