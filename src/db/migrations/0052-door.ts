import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migration.ts';

/** Columns of attendees, and of orders, that the lists at the door show. */
const ATTENDEE = [
  ...['event_id', 'ticket_id', 'order_id', 'status', 'attendance_status', 'full_name', 'security_code', 'pass_id'],
  ...['checked_in', 'checkin_utc', 'door_note'],
];
const ORDER = ['total', 'at_door'];

const hasChanged = (columns: readonly string[], differs: string): string =>
  columns.map((column) => `old.${column} ${differs} new.${column}`).join(' OR ');

/** Only events with a gate have lists, so that sales for others cost one look-up. */
const atGate = (event: string): string => `EXISTS (SELECT 1 FROM gate_events AS g WHERE g.event_id = ${event})`;

const NOTE = 'INSERT INTO door_changes (attendee_id, event_id)';
const ofRow = (row: string): string => `${NOTE} SELECT ${row}.id, ${row}.event_id WHERE ${atGate(`${row}.event_id`)}`;
const OF_ORDER = `${NOTE} SELECT a.id, a.event_id FROM attendees AS a WHERE a.order_id = new.id AND ${atGate('a.event_id')}`;

/** Money received for an order that is paid at the door changes what it owes. */
const OF_PAYMENT = `${NOTE} SELECT a.id, a.event_id FROM orders AS o JOIN attendees AS a ON a.order_id = o.id
  WHERE o.id = new.order_id AND o.at_door = 1 AND ${atGate('a.event_id')}`;

const sqliteTriggers = [
  `CREATE TRIGGER attendees_door_insert AFTER INSERT ON attendees WHEN ${atGate('new.event_id')} BEGIN
    ${NOTE} VALUES (new.id, new.event_id); END`,
  `CREATE TRIGGER attendees_door_update AFTER UPDATE ON attendees WHEN ${hasChanged(ATTENDEE, 'IS NOT')} BEGIN
    ${ofRow('new')}; ${ofRow('old')} AND old.event_id <> new.event_id; END`,
  `CREATE TRIGGER attendees_door_delete AFTER DELETE ON attendees WHEN ${atGate('old.event_id')} BEGIN
    ${NOTE} VALUES (old.id, old.event_id); END`,
  `CREATE TRIGGER orders_door AFTER UPDATE ON orders WHEN ${hasChanged(ORDER, 'IS NOT')} BEGIN ${OF_ORDER}; END`,
  `CREATE TRIGGER payments_door_insert AFTER INSERT ON payments BEGIN ${OF_PAYMENT}; END`,
  `CREATE TRIGGER payments_door_update AFTER UPDATE ON payments BEGIN ${OF_PAYMENT}; END`,
];

const postgresTriggers = [
  `CREATE FUNCTION note_attendee_for_door() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP <> 'DELETE' THEN ${ofRow('new')}; END IF;
    IF TG_OP = 'DELETE' THEN ${ofRow('old')}; END IF;
    IF TG_OP = 'UPDATE' THEN
      IF old.event_id <> new.event_id THEN ${ofRow('old')}; END IF;
    END IF;
    RETURN NULL; END $$`,
  `CREATE FUNCTION note_order_for_door() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    ${OF_ORDER}; RETURN NULL; END $$`,
  `CREATE FUNCTION note_payment_for_door() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    ${OF_PAYMENT}; RETURN NULL; END $$`,
  `CREATE TRIGGER payments_door AFTER INSERT OR UPDATE ON payments
    FOR EACH ROW EXECUTE FUNCTION note_payment_for_door()`,
  `CREATE TRIGGER attendees_door AFTER INSERT OR DELETE ON attendees
    FOR EACH ROW EXECUTE FUNCTION note_attendee_for_door()`,
  `CREATE TRIGGER attendees_door_update AFTER UPDATE ON attendees
    FOR EACH ROW WHEN (${hasChanged(ATTENDEE, 'IS DISTINCT FROM')}) EXECUTE FUNCTION note_attendee_for_door()`,
  `CREATE TRIGGER orders_door AFTER UPDATE ON orders
    FOR EACH ROW WHEN (${hasChanged(ORDER, 'IS DISTINCT FROM')}) EXECUTE FUNCTION note_order_for_door()`,
];

/**
 * Version of a change, by which lists at the door continue. SQLite commits changes in the order of their ids. On
 * PostgreSQL it is the number of the transaction, so that a reader can tell which ones had not ended.
 */
const VERSION: Readonly<Record<Dialect['kind'], string>> = {
  sqlite: 'version INTEGER GENERATED ALWAYS AS (id) VIRTUAL',
  postgres: 'version BIGINT NOT NULL DEFAULT (pg_current_xact_id()::text::bigint)',
};

/** Gates, devices, scans and clashes at the door. tables/door.ts describes the columns. */
export const door: Migration = {
  name: '0052-door',
  statements: ({ kind, idType, keyType }) => [
    `CREATE TABLE gates (
      id ${idType},
      name TEXT NOT NULL,
      modes TEXT NOT NULL,
      reentry TEXT NOT NULL,
      names TEXT NOT NULL,
      ticket_ids TEXT NOT NULL,
      may_search INTEGER NOT NULL,
      may_undo INTEGER NOT NULL,
      may_override INTEGER NOT NULL,
      may_sell INTEGER NOT NULL,
      needs_pin INTEGER NOT NULL,
      strict_minutes INTEGER,
      expires_utc TEXT,
      created_utc TEXT NOT NULL,
      events_key TEXT NOT NULL,
      settled_version BIGINT
    )`,
    `CREATE TABLE gate_events (
      gate_id BIGINT NOT NULL REFERENCES gates (id),
      event_id BIGINT NOT NULL,
      PRIMARY KEY (gate_id, event_id)
    )`,
    'CREATE INDEX gate_events_event ON gate_events (event_id)',
    `CREATE TABLE door_devices (
      id ${idType},
      gate_id BIGINT NOT NULL,
      name TEXT NOT NULL,
      pairing_hash ${keyType},
      pairing_expires_utc TEXT NOT NULL,
      token_hash ${keyType},
      created_utc TEXT NOT NULL,
      paired_utc TEXT NOT NULL DEFAULT '',
      last_seen_utc TEXT,
      revoked_utc TEXT NOT NULL DEFAULT '',
      status TEXT NOT NULL DEFAULT '{}'
    )`,
    'CREATE UNIQUE INDEX door_devices_pairing ON door_devices (pairing_hash)',
    'CREATE UNIQUE INDEX door_devices_token ON door_devices (token_hash)',
    'CREATE INDEX door_devices_gate ON door_devices (gate_id, id)',
    `CREATE TABLE door_scans (
      id ${idType},
      device_id BIGINT NOT NULL,
      scan_id ${keyType} NOT NULL,
      gate_id BIGINT NOT NULL,
      event_id BIGINT,
      attendee_id BIGINT,
      mode TEXT NOT NULL,
      undoes ${keyType} NOT NULL DEFAULT '',
      reentry TEXT NOT NULL,
      overrides INTEGER NOT NULL,
      let_in INTEGER,
      scanned_utc ${keyType} NOT NULL,
      received_utc TEXT NOT NULL,
      verdict TEXT NOT NULL,
      first_utc TEXT NOT NULL DEFAULT '',
      first_place TEXT NOT NULL DEFAULT '',
      counts INTEGER NOT NULL,
      is_undone INTEGER NOT NULL DEFAULT 0
    )`,
    'CREATE UNIQUE INDEX door_scans_key ON door_scans (device_id, scan_id)',
    'CREATE INDEX door_scans_attendee ON door_scans (attendee_id, scanned_utc)',
    'CREATE INDEX door_scans_event ON door_scans (event_id, gate_id)',
    `CREATE INDEX door_scans_undo ON door_scans (device_id, undoes) WHERE undoes <> ''`,
    `CREATE TABLE door_clashes (
      id ${idType},
      event_id BIGINT NOT NULL,
      attendee_id BIGINT NOT NULL,
      kind TEXT NOT NULL,
      reason TEXT NOT NULL,
      first_utc TEXT NOT NULL,
      first_place TEXT NOT NULL,
      first_device_id BIGINT NOT NULL DEFAULT 0,
      second_device_id BIGINT NOT NULL DEFAULT 0,
      second_key ${keyType} NOT NULL,
      second_utc TEXT NOT NULL,
      second_place TEXT NOT NULL,
      found_utc TEXT NOT NULL,
      closed_utc TEXT NOT NULL DEFAULT '',
      closed_by BIGINT NOT NULL DEFAULT 0,
      note TEXT NOT NULL DEFAULT ''
    )`,
    'CREATE UNIQUE INDEX door_clashes_key ON door_clashes (attendee_id, second_key)',
    'CREATE INDEX door_clashes_event ON door_clashes (event_id, id)',
    'CREATE INDEX door_clashes_first ON door_clashes (first_device_id, id) WHERE first_device_id > 0',
    'CREATE INDEX door_clashes_second ON door_clashes (second_device_id, id) WHERE second_device_id > 0',
    'ALTER TABLE check_ins ADD COLUMN scan_id BIGINT',
    `ALTER TABLE attendees ADD COLUMN door_note TEXT NOT NULL DEFAULT ''`,
    `CREATE TABLE door_sales (
      id ${idType},
      device_id BIGINT NOT NULL,
      sale_id ${keyType} NOT NULL,
      gate_id BIGINT NOT NULL,
      event_id BIGINT NOT NULL,
      order_id BIGINT NOT NULL,
      kind TEXT NOT NULL,
      payment TEXT NOT NULL,
      places INTEGER NOT NULL,
      amount BIGINT NOT NULL,
      currency TEXT NOT NULL,
      sold_utc TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX door_sales_key ON door_sales (device_id, sale_id)',
    'CREATE INDEX door_sales_event ON door_sales (event_id, gate_id)',
    `CREATE TABLE door_changes (
      id ${idType},
      attendee_id BIGINT NOT NULL,
      event_id BIGINT NOT NULL,
      ${VERSION[kind]}
    )`,
    // Keys are derived from the secret of the site and these numbers.
    `CREATE TABLE signing_keys (
      id ${idType},
      created_utc TEXT NOT NULL,
      retired_utc TEXT NOT NULL DEFAULT ''
    )`,
    'CREATE INDEX door_changes_event ON door_changes (event_id, version, attendee_id)',
    'CREATE INDEX door_changes_attendee ON door_changes (attendee_id, event_id, version)',
    ...(kind === 'sqlite' ? sqliteTriggers : postgresTriggers),
  ],
};
