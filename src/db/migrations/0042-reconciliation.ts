import type { Migration } from '../migration.ts';

/** Differences between the ledger and payment services, and refunds that staff paid out another way. */
export const reconciliation: Migration = {
  name: '0042-reconciliation',
  statements: ({ idType, keyType }) => [
    `CREATE TABLE reconciliation_findings (
      id ${idType},
      gateway ${keyType} NOT NULL,
      subject ${keyType} NOT NULL,
      kind TEXT NOT NULL,
      order_id BIGINT,
      payment_id BIGINT NOT NULL,
      refund_id BIGINT,
      external_id TEXT,
      booked BIGINT,
      booked_currency TEXT NOT NULL DEFAULT '',
      settled BIGINT,
      settled_currency TEXT NOT NULL DEFAULT '',
      date_utc TEXT NOT NULL,
      status TEXT NOT NULL DEFAULT 'open',
      note TEXT NOT NULL DEFAULT '',
      user_id BIGINT NOT NULL DEFAULT 0,
      created_utc TEXT NOT NULL,
      modified_utc TEXT NOT NULL,
      UNIQUE (gateway, subject)
    )`,
    `CREATE INDEX reconciliation_findings_open ON reconciliation_findings (id) WHERE status = 'open'`,
    'ALTER TABLE refunds ADD COLUMN offline INTEGER NOT NULL DEFAULT 0',
    `CREATE INDEX payments_paid ON payments (paid_utc, id) WHERE paid_utc <> ''`,
    `CREATE INDEX payments_disputed ON payments (order_id) WHERE status = 'disputed'`,
    `CREATE INDEX refunds_failed ON refunds (order_id) WHERE status = 'failed'`,
    'CREATE INDEX refunds_created ON refunds (created_utc, id)',
    'CREATE INDEX refunds_modified ON refunds (modified_utc, id)',
  ],
};
