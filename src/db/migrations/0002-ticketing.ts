import type { Migration } from '../migration.ts';

/** Everything the ticketing namespace keeps. tables.ts says what the columns mean. */
export const ticketing: Migration = {
  name: '0002-ticketing',
  up: (dialect) => [
    ...tickets(dialect),
    ...orders(dialect),
    ...attendees(dialect),
    ...carts(dialect),
    ...keys(dialect),
  ],
};

type Types = { idType: string; keyType: string };

const tickets = ({ keyType }: Types) => [
  `CREATE TABLE tickets (
    id BIGINT PRIMARY KEY REFERENCES records (id), event_id BIGINT NOT NULL, provider TEXT NOT NULL,
    author_id BIGINT NOT NULL, status TEXT NOT NULL, date TEXT NOT NULL, date_utc TEXT NOT NULL,
    modified TEXT NOT NULL, modified_utc TEXT NOT NULL, title TEXT NOT NULL, title_key ${keyType} NOT NULL,
    description TEXT NOT NULL, slug ${keyType} NOT NULL, search_text TEXT NOT NULL, price BIGINT NOT NULL, sku TEXT NOT NULL,
    iac TEXT NOT NULL, show_description INTEGER NOT NULL, menu_order INTEGER NOT NULL, not_going INTEGER NOT NULL,
    start_date TEXT NOT NULL, start_time TEXT NOT NULL, end_date TEXT NOT NULL, end_time TEXT NOT NULL,
    sale_start_utc TEXT NOT NULL, sale_end_utc TEXT NOT NULL,
    sale_price BIGINT, sale_price_start TEXT NOT NULL, sale_price_end TEXT NOT NULL,
    mode TEXT NOT NULL, capacity BIGINT, sold BIGINT NOT NULL, held BIGINT NOT NULL, is_deleted INTEGER NOT NULL,
    CHECK (sold >= 0 AND held >= 0))`,
  'CREATE INDEX tickets_event ON tickets (event_id, is_deleted, menu_order, id)',
  'CREATE INDEX tickets_title ON tickets (is_deleted, title_key, id)',
  `CREATE TABLE event_stock (
    event_id BIGINT PRIMARY KEY, capacity BIGINT, sold BIGINT NOT NULL, held BIGINT NOT NULL,
    CHECK (sold >= 0 AND held >= 0))`,
];

const orders = ({ idType }: Types) => [
  `CREATE TABLE orders (
    id BIGINT PRIMARY KEY REFERENCES records (id), status TEXT NOT NULL, gateway TEXT NOT NULL,
    purchaser_name TEXT NOT NULL, purchaser_email TEXT NOT NULL, search_text TEXT NOT NULL, user_id BIGINT NOT NULL,
    currency TEXT NOT NULL, total BIGINT NOT NULL, date TEXT NOT NULL, date_utc TEXT NOT NULL, modified_utc TEXT NOT NULL)`,
  'CREATE INDEX orders_status ON orders (status, id)',
  'CREATE INDEX orders_email ON orders (purchaser_email)',
  `CREATE TABLE order_items (
    order_id BIGINT NOT NULL REFERENCES orders (id), ticket_id BIGINT NOT NULL REFERENCES tickets (id),
    event_id BIGINT NOT NULL, quantity INTEGER NOT NULL, price BIGINT NOT NULL, PRIMARY KEY (order_id, ticket_id))`,
  'CREATE INDEX order_items_event ON order_items (event_id, order_id)',
  `CREATE TABLE order_log (
    id ${idType}, order_id BIGINT NOT NULL REFERENCES orders (id), from_status TEXT NOT NULL, to_status TEXT NOT NULL,
    user_id BIGINT NOT NULL, date_utc TEXT NOT NULL)`,
  'CREATE INDEX order_log_order ON order_log (order_id, id)',
];

const attendees = ({ idType, keyType }: Types) => [
  `CREATE TABLE attendees (
    id BIGINT PRIMARY KEY REFERENCES records (id), event_id BIGINT NOT NULL,
    ticket_id BIGINT NOT NULL REFERENCES tickets (id), order_id BIGINT REFERENCES orders (id), provider TEXT NOT NULL,
    author_id BIGINT NOT NULL, user_id BIGINT NOT NULL, status TEXT NOT NULL, standing TEXT NOT NULL,
    date TEXT NOT NULL, date_utc TEXT NOT NULL, modified TEXT NOT NULL, modified_utc TEXT NOT NULL,
    full_name TEXT NOT NULL, name_key ${keyType} NOT NULL, email TEXT NOT NULL, email_key ${keyType} NOT NULL,
    slug TEXT NOT NULL, optout INTEGER NOT NULL, price BIGINT NOT NULL, ticket_title TEXT NOT NULL,
    information TEXT NOT NULL, security_code TEXT NOT NULL, checked_in INTEGER NOT NULL, checkin_utc TEXT NOT NULL,
    checkin_source TEXT NOT NULL, checkin_author BIGINT NOT NULL, checkin_device TEXT NOT NULL)`,
  'CREATE INDEX attendees_event ON attendees (event_id, id)',
  'CREATE INDEX attendees_ticket ON attendees (ticket_id, id)',
  'CREATE INDEX attendees_order ON attendees (order_id)',
  'CREATE INDEX attendees_name ON attendees (name_key, id)',
  `CREATE TABLE check_ins (
    id ${idType}, attendee_id BIGINT NOT NULL, action TEXT NOT NULL, date_utc TEXT NOT NULL, source TEXT NOT NULL,
    user_id BIGINT NOT NULL, key_id BIGINT, device TEXT NOT NULL)`,
  'CREATE INDEX check_ins_attendee ON check_ins (attendee_id, id)',
];

const carts = ({ idType }: Types) => [
  `CREATE TABLE carts (
    id ${idType}, token_hash TEXT NOT NULL UNIQUE, meta TEXT NOT NULL, expires_utc TEXT NOT NULL)`,
  'CREATE INDEX carts_expiry ON carts (expires_utc)',
  `CREATE TABLE cart_items (
    cart_id BIGINT NOT NULL REFERENCES carts (id), ticket_id BIGINT NOT NULL REFERENCES tickets (id),
    event_id BIGINT NOT NULL, quantity INTEGER NOT NULL, optout INTEGER NOT NULL, position INTEGER NOT NULL,
    expires_utc TEXT NOT NULL, PRIMARY KEY (cart_id, ticket_id))`,
  'CREATE INDEX cart_items_expiry ON cart_items (expires_utc)',
  'CREATE INDEX cart_items_ticket ON cart_items (ticket_id, expires_utc)',
  'CREATE INDEX cart_items_event ON cart_items (event_id, expires_utc)',
];

const keys = ({ idType }: Types) => [
  `CREATE TABLE nonces (
    hash TEXT PRIMARY KEY, user_id BIGINT NOT NULL, action TEXT NOT NULL, event_id BIGINT, expires_utc TEXT NOT NULL)`,
  'CREATE INDEX nonces_expiry ON nonces (expires_utc)',
  `CREATE TABLE check_in_keys (
    id ${idType}, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, event_id BIGINT, created_utc TEXT NOT NULL,
    last_used_utc TEXT)`,
  `CREATE TABLE idempotency_keys (
    hash TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
    expires_utc TEXT NOT NULL)`,
  'CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_utc)',
];
