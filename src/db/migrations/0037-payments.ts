import type { Migration } from '../migration.ts';

/**
 * Ledger of payments and refunds, and charges of orders besides places. tables/ticketing.ts describes the columns. Paid
 * orders get one payment received by hand.
 */
export const payments: Migration = {
  name: '0037-payments',
  statements: ({ idType, keyType }) => [
    `CREATE TABLE payments (
      id ${idType},
      order_id BIGINT NOT NULL,
      gateway ${keyType} NOT NULL,
      method TEXT NOT NULL,
      status TEXT NOT NULL,
      amount BIGINT NOT NULL,
      refunded BIGINT NOT NULL DEFAULT 0,
      fee BIGINT,
      currency TEXT NOT NULL,
      external_id ${keyType},
      page_url TEXT NOT NULL DEFAULT '',
      return_url TEXT NOT NULL DEFAULT '',
      instrument TEXT NOT NULL DEFAULT '',
      reference TEXT NOT NULL DEFAULT '',
      request TEXT NOT NULL DEFAULT '',
      checked_utc TEXT NOT NULL DEFAULT '',
      paid_utc TEXT NOT NULL DEFAULT '',
      created_utc TEXT NOT NULL,
      modified_utc TEXT NOT NULL
    )`,
    'CREATE INDEX payments_order ON payments (order_id, id)',
    'CREATE UNIQUE INDEX payments_external ON payments (gateway, external_id) WHERE external_id IS NOT NULL',
    `CREATE INDEX payments_open ON payments (checked_utc, id)
      WHERE status IN ('created', 'open', 'processing', 'action')`,
    `CREATE TABLE payment_log (
      id ${idType},
      payment_id BIGINT NOT NULL,
      from_status TEXT NOT NULL,
      to_status TEXT NOT NULL,
      source TEXT NOT NULL,
      details TEXT NOT NULL DEFAULT '{}',
      user_id BIGINT NOT NULL DEFAULT 0,
      date_utc TEXT NOT NULL
    )`,
    'CREATE INDEX payment_log_payment ON payment_log (payment_id, id)',
    `CREATE TABLE refunds (
      id ${idType},
      payment_id BIGINT NOT NULL,
      order_id BIGINT NOT NULL,
      status TEXT NOT NULL,
      amount BIGINT NOT NULL,
      reason TEXT NOT NULL DEFAULT '',
      source TEXT NOT NULL,
      attendees TEXT NOT NULL DEFAULT '[]',
      external_id TEXT,
      error TEXT NOT NULL DEFAULT '',
      user_id BIGINT NOT NULL DEFAULT 0,
      created_utc TEXT NOT NULL,
      modified_utc TEXT NOT NULL
    )`,
    'CREATE INDEX refunds_order ON refunds (order_id, id)',
    'CREATE INDEX refunds_payment ON refunds (payment_id, id)',
    `CREATE INDEX refunds_open ON refunds (id) WHERE status IN ('requested', 'pending', 'failed')`,
    `CREATE TABLE order_charges (
      id ${idType},
      order_id BIGINT NOT NULL,
      kind TEXT NOT NULL,
      title TEXT NOT NULL,
      quantity INTEGER NOT NULL DEFAULT 1,
      amount BIGINT NOT NULL,
      tax_rate INTEGER NOT NULL DEFAULT 0,
      tax BIGINT NOT NULL DEFAULT 0,
      source_id BIGINT,
      date_utc TEXT NOT NULL
    )`,
    'CREATE INDEX order_charges_order ON order_charges (order_id, id)',
    'ALTER TABLE order_items ADD COLUMN tax_rate INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE order_items ADD COLUMN tax BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE users ADD COLUMN may_refund INTEGER NOT NULL DEFAULT 0',
    `INSERT INTO payments (order_id, gateway, method, status, amount, refunded, currency, paid_utc, created_utc, modified_utc)
      SELECT id, 'manual', gateway, CASE status WHEN 'reversed' THEN 'lost' ELSE 'paid' END, total,
        CASE status WHEN 'refunded' THEN total ELSE 0 END, currency, modified_utc, date_utc, modified_utc
      FROM orders WHERE total > 0 AND status IN ('completed', 'refunded', 'reversed')`,
    `INSERT INTO payment_log (payment_id, from_status, to_status, source, date_utc)
      SELECT id, '', status, 'migration', created_utc FROM payments`,
    `INSERT INTO refunds (payment_id, order_id, status, amount, source, created_utc, modified_utc)
      SELECT id, order_id, 'done', amount, 'migration', modified_utc, modified_utc FROM payments WHERE refunded > 0`,
  ],
};
