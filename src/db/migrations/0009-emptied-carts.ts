import type { Migration } from '../migration.ts';

/** Keeps carts, and so their tokens, when their visitors take everything out. */
export const emptiedCarts: Migration = {
  name: '0009-emptied-carts',
  up: () => ['ALTER TABLE carts ADD COLUMN is_emptied INTEGER NOT NULL DEFAULT 0'],
};
