import type { Migration } from '../migration.ts';

/** How people attend an event: on site or online, by which address, from when, and with which facilities. */
export const attendanceMode: Migration = {
  name: '0033-attendance-mode',
  statements: () => [
    `ALTER TABLE events ADD COLUMN attendance_mode TEXT NOT NULL DEFAULT 'on_site'`,
    `ALTER TABLE events ADD COLUMN online_access TEXT NOT NULL DEFAULT 'holders'`,
    `ALTER TABLE events ADD COLUMN online_url TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE events ADD COLUMN door_time TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE events ADD COLUMN accessibility TEXT NOT NULL DEFAULT ''`,
  ],
};
