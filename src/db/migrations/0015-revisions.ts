import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migration.ts';

interface Revised {
  table: string;
  /** Columns that sales, holds, check-ins and edits of other records move: an update that moves one is no edit. */
  moved: readonly string[];
}

const REVISED: readonly Revised[] = [
  { table: 'events', moved: ['ical_sequence'] },
  { table: 'linked_posts', moved: [] },
  { table: 'terms', moved: ['count'] },
  { table: 'tickets', moved: ['sold', 'held'] },
  { table: 'attendees', moved: ['checked_in', 'status', 'attendance_status'] },
  { table: 'orders', moved: [] },
  { table: 'media', moved: [] },
];

const isEdit = ({ moved }: Revised): string =>
  ['revision', ...moved].map((column) => `new.${column} = old.${column}`).join(' AND ');

const sqliteTrigger = (revised: Revised): string =>
  `CREATE TRIGGER ${revised.table}_revision AFTER UPDATE ON ${revised.table} WHEN ${isEdit(revised)} BEGIN
    UPDATE ${revised.table} SET revision = old.revision + 1 WHERE id = new.id; END`;

const postgresTrigger = (revised: Revised): string =>
  `CREATE TRIGGER ${revised.table}_revision BEFORE UPDATE ON ${revised.table}
    FOR EACH ROW WHEN (${isEdit(revised)}) EXECUTE FUNCTION next_revision()`;

const NEXT_REVISION = `CREATE FUNCTION next_revision() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN new.revision := old.revision + 1; RETURN new; END $$`;

const CHANGES = ['INSERT', 'UPDATE', 'DELETE'];

/** Redirects from former slugs are public answers. */
const sqliteVersions = CHANGES.map(
  (change) => `CREATE TRIGGER former_slugs_calendar_${change.toLowerCase()} AFTER ${change} ON former_slugs BEGIN
    UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END`,
);

const postgresVersions = [
  `CREATE TRIGGER former_slugs_calendar AFTER ${CHANGES.join(' OR ')} ON former_slugs
    FOR EACH STATEMENT EXECUTE FUNCTION next_data_version('calendar')`,
  `CREATE TRIGGER former_slugs_calendar_emptied AFTER TRUNCATE ON former_slugs
    FOR EACH STATEMENT EXECUTE FUNCTION next_data_version('calendar')`,
];

/** Counts the edits of each record, and the changes of events that calendars follow; keeps the former slugs of records. */
export const revisions: Migration = {
  name: '0015-revisions',
  statements: ({ kind, idType, keyType }: Dialect) => [
    'ALTER TABLE events ADD COLUMN ical_sequence INTEGER NOT NULL DEFAULT 0',
    ...REVISED.map(({ table }) => `ALTER TABLE ${table} ADD COLUMN revision INTEGER NOT NULL DEFAULT 1`),
    ...(kind === 'postgres' ? [NEXT_REVISION] : []),
    ...REVISED.map(kind === 'postgres' ? postgresTrigger : sqliteTrigger),
    `CREATE TABLE former_slugs (
      id ${idType}, kind ${keyType} NOT NULL, slug ${keyType} NOT NULL, record_id BIGINT NOT NULL, UNIQUE (kind, slug))`,
    'CREATE INDEX former_slugs_record ON former_slugs (record_id, kind, id)',
    ...(kind === 'postgres' ? postgresVersions : sqliteVersions),
    `INSERT INTO site (name, value) VALUES ('calendar_id', ${kind === 'postgres' ? `replace(gen_random_uuid()::text, '-', '')` : 'lower(hex(randomblob(16)))'})`,
  ],
};
