import type { Migration } from '../migration.ts';

/** Tickets that a promotion code opens, prices that customers choose, and donations. */
export const giving: Migration = {
  name: '0043-giving',
  statements: () => [
    'ALTER TABLE tickets ADD COLUMN requires_code INTEGER NOT NULL DEFAULT 0',
    'CREATE INDEX tickets_requires_code ON tickets (id) WHERE requires_code = 1',
    'ALTER TABLE tickets ADD COLUMN min_price BIGINT',
    'ALTER TABLE cart_items ADD COLUMN chosen_price BIGINT',
    'ALTER TABLE carts ADD COLUMN donation BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE site_settings ADD COLUMN accepts_donations INTEGER NOT NULL DEFAULT 0',
    `ALTER TABLE site_settings ADD COLUMN donation_amounts TEXT NOT NULL DEFAULT '[]'`,
  ],
};
