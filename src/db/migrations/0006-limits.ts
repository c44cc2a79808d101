import type { Migration } from '../migration.ts';

/** Attempt counters, and the columns that limits on places sum up. tables.ts describes them. */
export const limits: Migration = {
  name: '0006-limits',
  up: ({ keyType }) => [
    'CREATE TABLE rate_limits (key TEXT PRIMARY KEY, points BIGINT NOT NULL, expires_utc TEXT NOT NULL)',
    'CREATE INDEX rate_limits_expiry ON rate_limits (expires_utc)',
    `ALTER TABLE carts ADD COLUMN network ${keyType} NOT NULL DEFAULT ''`,
    `CREATE INDEX carts_network ON carts (network) WHERE network <> ''`,
    `ALTER TABLE cart_items ADD COLUMN network ${keyType} NOT NULL DEFAULT ''`,
    `CREATE INDEX cart_items_network ON cart_items (network, expires_utc, cart_id, quantity) WHERE network <> ''`,
    `ALTER TABLE orders ADD COLUMN expires_utc TEXT DEFAULT ''`,
    `ALTER TABLE orders ADD COLUMN network ${keyType} NOT NULL DEFAULT ''`,
    `ALTER TABLE orders ADD COLUMN email_key ${keyType} NOT NULL DEFAULT ''`,
    `CREATE INDEX orders_network ON orders (network) WHERE network <> ''`,
    `CREATE INDEX orders_email_key ON orders (email_key) WHERE email_key <> ''`,
    `CREATE INDEX orders_pending ON orders (expires_utc) WHERE status = 'pending'`,
  ],
};
