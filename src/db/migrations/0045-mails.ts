import type { Migration } from '../migration.ts';

/** Mails to customers, written with their reason and sent later. tables/platform.ts describes the columns. */
export const mails: Migration = {
  name: '0045-mails',
  statements: ({ idType, keyType }) => [
    `CREATE TABLE mails (
      id ${idType},
      kind TEXT NOT NULL,
      key ${keyType} NOT NULL,
      to_email TEXT NOT NULL,
      mailbox ${keyType} NOT NULL,
      language TEXT NOT NULL,
      record_kind TEXT NOT NULL,
      record_id BIGINT NOT NULL,
      status TEXT NOT NULL,
      due_utc TEXT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      smtp_reply TEXT NOT NULL DEFAULT '',
      message_id TEXT NOT NULL DEFAULT '',
      user_id BIGINT NOT NULL DEFAULT 0,
      created_utc TEXT NOT NULL,
      sent_utc TEXT NOT NULL DEFAULT ''
    )`,
    'CREATE UNIQUE INDEX mails_key ON mails (key)',
    `CREATE INDEX mails_due ON mails (due_utc, id) WHERE status = 'queued'`,
    'CREATE INDEX mails_record ON mails (record_kind, record_id)',
    'CREATE INDEX mails_mailbox ON mails (mailbox, sent_utc)',
    'CREATE INDEX mails_status ON mails (status, id)',
    'CREATE INDEX mails_created ON mails (created_utc)',
    'ALTER TABLE orders ADD COLUMN is_mailed INTEGER NOT NULL DEFAULT 0',
  ],
};
