import type { Migration } from '../migration.ts';

/**
 * Words of organizers in mails, mailboxes that want no reminders, and events with a choice of their own about reminders.
 * tables/platform.ts describes the columns.
 */
export const mailTexts: Migration = {
  name: '0047-mail-texts',
  statements: ({ idType, keyType }) => [
    `CREATE TABLE mail_texts (
      id ${idType},
      kind ${keyType} NOT NULL,
      language ${keyType} NOT NULL,
      event_id BIGINT NOT NULL DEFAULT 0,
      subject TEXT NOT NULL,
      introduction TEXT NOT NULL,
      modified_utc TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX mail_texts_key ON mail_texts (event_id, kind, language)',
    `CREATE TABLE mail_optouts (
      mailbox ${keyType} NOT NULL PRIMARY KEY,
      created_utc TEXT NOT NULL
    )`,
    `CREATE TABLE event_reminders (
      event_id BIGINT NOT NULL PRIMARY KEY,
      is_on INTEGER NOT NULL
    )`,
    'ALTER TABLE site_settings ADD COLUMN sends_reminders INTEGER NOT NULL DEFAULT 0',
  ],
};
