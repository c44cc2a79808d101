import type { Migration } from '../migration.ts';

/**
 * Mails to the holders of an event's tickets: announcements with the place up to which they have been written, and of
 * each mail its attendee and event. Mails to many wait for those to one. tables/platform.ts describes the columns.
 */
export const announcements: Migration = {
  name: '0046-announcements',
  statements: ({ idType, keyType }) => [
    `CREATE TABLE announcements (
      id ${idType},
      key ${keyType} NOT NULL,
      event_id BIGINT NOT NULL,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      body TEXT NOT NULL,
      audience TEXT NOT NULL,
      ticket_ids TEXT NOT NULL,
      after_id BIGINT NOT NULL DEFAULT 0,
      until_id BIGINT NOT NULL,
      recipients BIGINT NOT NULL DEFAULT 0,
      user_id BIGINT NOT NULL DEFAULT 0,
      created_utc TEXT NOT NULL,
      done_utc TEXT NOT NULL DEFAULT ''
    )`,
    'CREATE UNIQUE INDEX announcements_key ON announcements (key)',
    'CREATE INDEX announcements_event ON announcements (event_id, id)',
    'ALTER TABLE mails ADD COLUMN event_id BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE mails ADD COLUMN attendee_id BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE mails ADD COLUMN is_bulk INTEGER NOT NULL DEFAULT 0',
    `CREATE INDEX mails_due_single ON mails (due_utc, id) WHERE status = 'queued' AND is_bulk = 0`,
    `CREATE INDEX mails_announcement ON mails (record_id, mailbox) WHERE record_kind = 'announcement'`,
    'CREATE INDEX mails_event ON mails (event_id, id) WHERE event_id > 0',
    'CREATE INDEX mails_attendee ON mails (attendee_id, id) WHERE attendee_id > 0',
    `ALTER TABLE attendees ADD COLUMN language TEXT NOT NULL DEFAULT ''`,
  ],
};
