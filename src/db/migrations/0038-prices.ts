import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migration.ts';

/** Tables whose edits count as revisions, with the columns that sales change. */
const REVISED: Readonly<Record<string, readonly string[]>> = { tax_rates: [], fees: [], promotions: ['used'] };
/** Tables that the prices of carts depend on. */
const PRICED = ['tax_rates', 'fees'];
const CHANGES = ['INSERT', 'UPDATE', 'DELETE'];

const isEdit = (moved: readonly string[]): string =>
  ['revision', ...moved].map((column) => `new.${column} = old.${column}`).join(' AND ');

const sqliteTriggers = [
  ...Object.entries(REVISED).map(
    ([table, moved]) => `CREATE TRIGGER ${table}_revision AFTER UPDATE ON ${table} WHEN ${isEdit(moved)} BEGIN
      UPDATE ${table} SET revision = old.revision + 1 WHERE id = new.id; END`,
  ),
  ...PRICED.flatMap((table) =>
    CHANGES.map(
      (change) => `CREATE TRIGGER ${table}_calendar_${change.toLowerCase()} AFTER ${change} ON ${table} BEGIN
        UPDATE data_versions SET number = number + 1 WHERE part = 'calendar' AND backend = 0; END`,
    ),
  ),
];

const postgresTriggers = [
  ...Object.entries(REVISED).map(
    ([table, moved]) => `CREATE TRIGGER ${table}_revision BEFORE UPDATE ON ${table}
      FOR EACH ROW WHEN (${isEdit(moved)}) EXECUTE FUNCTION next_revision()`,
  ),
  ...PRICED.flatMap((table) => [
    `CREATE TRIGGER ${table}_calendar AFTER ${CHANGES.join(' OR ')} ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION next_data_version('calendar')`,
    `CREATE TRIGGER ${table}_calendar_emptied AFTER TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION next_data_version('calendar')`,
  ]),
];

/** Tax rates, fees and promotion codes, with the columns of tickets, carts and orders that depend on them. */
export const prices: Migration = {
  name: '0038-prices',
  statements: ({ kind, idType, keyType }: Dialect) => [
    `CREATE TABLE tax_rates (
      id ${idType},
      name TEXT NOT NULL,
      rate INTEGER NOT NULL,
      included INTEGER NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1
    )`,
    `CREATE TABLE fees (
      id ${idType},
      name TEXT NOT NULL,
      fixed BIGINT NOT NULL,
      rate INTEGER NOT NULL,
      per TEXT NOT NULL,
      event_id BIGINT,
      tax_rate_id BIGINT REFERENCES tax_rates (id),
      revision INTEGER NOT NULL DEFAULT 1
    )`,
    `CREATE TABLE promotions (
      id ${idType},
      code TEXT NOT NULL,
      code_key ${keyType} NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      value BIGINT NOT NULL,
      ticket_ids TEXT NOT NULL,
      event_id BIGINT,
      from_utc TEXT NOT NULL,
      until_utc TEXT NOT NULL,
      max_uses INTEGER,
      used INTEGER NOT NULL DEFAULT 0,
      max_per_buyer INTEGER,
      minimum BIGINT NOT NULL DEFAULT 0,
      created_utc TEXT NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1
    )`,
    `CREATE TABLE promotion_uses (
      order_id BIGINT PRIMARY KEY,
      promotion_id BIGINT NOT NULL,
      buyer ${keyType} NOT NULL
    )`,
    'CREATE INDEX promotion_uses_buyer ON promotion_uses (promotion_id, buyer)',
    'ALTER TABLE tickets ADD COLUMN tax_rate_id BIGINT REFERENCES tax_rates (id)',
    'CREATE INDEX tickets_tax_rate ON tickets (tax_rate_id) WHERE tax_rate_id IS NOT NULL',
    'ALTER TABLE tickets ADD COLUMN min_per_order INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE carts ADD COLUMN promotion_id BIGINT',
    'ALTER TABLE orders ADD COLUMN discount BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE orders ADD COLUMN promotion_id BIGINT',
    ...(kind === 'postgres' ? postgresTriggers : sqliteTriggers),
  ],
};
