import type { Migration } from '../migration.ts';

/**
 * Invoices and credit notes with their numbers, and the data of orders and of the site that they state. tables/price.ts
 * describes the columns.
 */
export const invoices: Migration = {
  name: '0041-invoices',
  statements: ({ idType, keyType }) => [
    `CREATE TABLE number_series (
      series ${keyType} PRIMARY KEY,
      last BIGINT NOT NULL
    )`,
    `CREATE TABLE invoices (
      id ${idType},
      series ${keyType} NOT NULL,
      number BIGINT NOT NULL,
      kind TEXT NOT NULL,
      order_id BIGINT NOT NULL,
      position INTEGER NOT NULL,
      issued_utc TEXT NOT NULL,
      currency TEXT NOT NULL,
      total BIGINT NOT NULL,
      body TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX invoices_number ON invoices (series, number)',
    'CREATE UNIQUE INDEX invoices_order ON invoices (order_id, position)',
    'CREATE INDEX invoices_issued ON invoices (issued_utc, id)',
    `ALTER TABLE orders ADD COLUMN billing TEXT NOT NULL DEFAULT '{}'`,
    `ALTER TABLE orders ADD COLUMN language TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE site_settings ADD COLUMN seller TEXT NOT NULL DEFAULT '{}'`,
  ],
};
