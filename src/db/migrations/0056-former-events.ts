import type { Migration } from '../migration.ts';

/** Columns of attendees that the lists at the door show. */
const SHOWN = [
  ...['event_id', 'ticket_id', 'order_id', 'status', 'attendance_status', 'full_name', 'security_code', 'pass_id'],
  ...['checked_in', 'checkin_utc', 'door_note'],
];

const atGate = (event: string): string => `EXISTS (SELECT 1 FROM gate_events AS g WHERE g.event_id = ${event})`;
const NOTE = 'INSERT INTO door_changes (attendee_id, event_id)';
const ofRow = (row: string): string => `${NOTE} SELECT ${row}.id, ${row}.event_id WHERE ${atGate(`${row}.event_id`)}`;

/** A ticket that was moved stays in the lists of its former events, whose signatures its code still has. */
const OF_FORMER = `${NOTE} SELECT f.attendee_id, f.event_id FROM former_events AS f
  WHERE f.attendee_id = new.id AND f.event_id <> new.event_id AND ${atGate('f.event_id')}`;
const KEEP_FORMER = `INSERT INTO former_events (attendee_id, event_id) SELECT old.id, old.event_id
  WHERE old.event_id <> new.event_id AND NOT EXISTS
  (SELECT 1 FROM former_events AS f WHERE f.attendee_id = old.id AND f.event_id = old.event_id)`;

const sqliteTriggers = [
  'DROP TRIGGER attendees_door_update',
  `CREATE TRIGGER attendees_door_update
    AFTER UPDATE ON attendees WHEN ${SHOWN.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')} BEGIN
    ${KEEP_FORMER}; ${ofRow('new')}; ${OF_FORMER}; END`,
];

const postgresTriggers = [
  `CREATE OR REPLACE FUNCTION note_attendee_for_door() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP <> 'DELETE' THEN ${ofRow('new')}; END IF;
    IF TG_OP = 'DELETE' THEN ${ofRow('old')}; END IF;
    IF TG_OP = 'UPDATE' THEN ${KEEP_FORMER}; ${OF_FORMER}; END IF;
    RETURN NULL; END $$`,
];

/** Former events of attendees, for the lists at the door, and sales at the door by event. */
export const formerEvents: Migration = {
  name: '0056-former-events',
  statements: ({ kind }) => [
    `CREATE TABLE former_events (
      attendee_id BIGINT NOT NULL,
      event_id BIGINT NOT NULL,
      PRIMARY KEY (attendee_id, event_id)
    )`,
    'CREATE INDEX former_events_event ON former_events (event_id, attendee_id)',
    // Lists have noted moves from events with a gate. No code had a signature before the first gate.
    `INSERT INTO former_events (attendee_id, event_id) SELECT DISTINCT c.attendee_id, c.event_id
      FROM door_changes AS c JOIN attendees AS a ON a.id = c.attendee_id WHERE c.event_id <> a.event_id`,
    ...(kind === 'sqlite' ? sqliteTriggers : postgresTriggers),
    'ALTER TABLE door_sales ADD COLUMN part INTEGER NOT NULL DEFAULT 0',
    'DROP INDEX door_sales_key',
    'CREATE UNIQUE INDEX door_sales_key ON door_sales (device_id, sale_id, part)',
  ],
};
