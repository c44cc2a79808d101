import type { Migration } from '../migration.ts';

/** Orders to be paid at the door, and transfers of tickets. tables/ticketing.ts describes the columns. */
export const ticketPages: Migration = {
  name: '0032-ticket-pages',
  statements: ({ idType }) => [
    'ALTER TABLE orders ADD COLUMN at_door INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE orders ADD COLUMN hold_until INTEGER',
    `UPDATE orders SET at_door = 1 WHERE gateway = 'door' AND status IN ('pending', 'action-req', 'approved')`,
    `UPDATE orders SET hold_until = -1 WHERE gateway = 'door' AND status = 'pending' AND expires_utc =
      (SELECT max(e.utc_end_date) FROM order_items AS i JOIN events AS e ON e.id = i.event_id WHERE i.order_id = orders.id)`,
    `CREATE INDEX orders_hold ON orders (id) WHERE hold_until IS NOT NULL AND status = 'pending'`,
    `CREATE TABLE ticket_transfers (
      id ${idType},
      attendee_id BIGINT NOT NULL REFERENCES attendees (id),
      former_code TEXT NOT NULL,
      full_name TEXT NOT NULL,
      date_utc TEXT NOT NULL
    )`,
    'CREATE INDEX ticket_transfers_attendee ON ticket_transfers (attendee_id, id)',
  ],
};
