import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migration.ts';

/** What sales, holds and releases change, by table; inserted and deleted tickets are counted for the calendar. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  tickets: ['UPDATE OF sold, held'],
  event_stock: ['INSERT', 'UPDATE', 'DELETE'],
  cart_items: ['INSERT', 'UPDATE', 'DELETE'],
};

const sqliteTriggers = ([table, events]: [string, readonly string[]]): string[] =>
  events.map(
    (event) => `CREATE TRIGGER ${table}_seats_${event.slice(0, 6).toLowerCase()} AFTER ${event} ON ${table} BEGIN
      UPDATE data_versions SET number = number + 1 WHERE part = 'seats' AND backend = 0;
    END`,
  );

/**
 * As the function of migration 0012, each connection counts in a row of its own, but once for each transaction: one
 * sale changes all of these tables. `xmin` is the transaction that wrote the row.
 */
const NEXT_VERSION = `CREATE FUNCTION next_seats_version() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM data_versions
        WHERE part = 'seats' AND backend = pg_backend_pid() AND xmin = pg_current_xact_id()::xid) THEN
      INSERT INTO data_versions (part, backend, number) VALUES ('seats', pg_backend_pid(), 1)
        ON CONFLICT (part, backend) DO UPDATE SET number = data_versions.number + 1;
    END IF;
    RETURN NULL;
  END
$$`;

const postgresTriggers = ([table, events]: [string, readonly string[]]): string[] => [
  `CREATE TRIGGER ${table}_seats AFTER ${events.join(' OR ')} ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION next_seats_version()`,
  `CREATE TRIGGER ${table}_seats_emptied AFTER TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION next_seats_version()`,
];

/** Counts the changes of seats too, so that answers that show them can be kept until the next one. */
export const seatsVersion: Migration = {
  name: '0018-seats-version',
  statements: ({ kind }: Dialect) => [
    `INSERT INTO data_versions (part, backend, number) VALUES ('seats', 0, 0)`,
    ...(kind === 'postgres' ? [NEXT_VERSION] : []),
    ...Object.entries(CHANGES).flatMap(kind === 'postgres' ? postgresTriggers : sqliteTriggers),
  ],
};
