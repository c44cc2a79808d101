import type { Migration } from '../migration.ts';

/** Renames the column of an attendee's RSVP answer or order status. */
export const attendanceStatus: Migration = {
  name: '0010-attendance-status',
  up: () => ['ALTER TABLE attendees RENAME COLUMN standing TO attendance_status'],
};
