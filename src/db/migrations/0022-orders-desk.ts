import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migration.ts';

const ITEMS = `order_id BIGINT NOT NULL REFERENCES orders (id), ticket_id BIGINT NOT NULL REFERENCES tickets (id),
  event_id BIGINT NOT NULL, quantity INTEGER NOT NULL, price BIGINT NOT NULL, cancelled INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (order_id, ticket_id, price)`;

/** Seats of one ticket may have different prices once an attendee moves to it. */
const sqliteItems = [
  `CREATE TABLE new_order_items (${ITEMS})`,
  `INSERT INTO new_order_items (order_id, ticket_id, event_id, quantity, price)
    SELECT order_id, ticket_id, event_id, quantity, price FROM order_items`,
  'DROP TABLE order_items',
  'ALTER TABLE new_order_items RENAME TO order_items',
  'CREATE INDEX order_items_event ON order_items (event_id, order_id)',
];

const postgresItems = [
  'ALTER TABLE order_items ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE order_items DROP CONSTRAINT order_items_pkey, ADD PRIMARY KEY (order_id, ticket_id, price)',
];

/** What staff do with orders: notes, places that were cancelled or moved, steps of the log besides statuses. */
export const ordersDesk: Migration = {
  name: '0022-orders-desk',
  statements: ({ kind }: Dialect) => [
    ...(kind === 'postgres' ? postgresItems : sqliteItems),
    `ALTER TABLE orders ADD COLUMN note TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE order_log ADD COLUMN action TEXT NOT NULL DEFAULT 'status'`,
    `ALTER TABLE order_log ADD COLUMN details TEXT NOT NULL DEFAULT '{}'`,
    'CREATE INDEX orders_date ON orders (date_utc, id)',
  ],
};
