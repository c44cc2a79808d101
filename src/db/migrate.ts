import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Migration } from './migration.ts';
import { calendar } from './migrations/0001-calendar.ts';
import { ticketing } from './migrations/0002-ticketing.ts';
import { translations } from './migrations/0003-translations.ts';
import { eventsFound } from './migrations/0004-events-found.ts';
import { translationsListed } from './migrations/0005-translations-listed.ts';
import { limits } from './migrations/0006-limits.ts';
import { idempotency } from './migrations/0007-idempotency.ts';
import { countsWithoutPassword } from './migrations/0008-counts-without-password.ts';
import { emptiedCarts } from './migrations/0009-emptied-carts.ts';
import { attendanceStatus } from './migrations/0010-attendance-status.ts';
import { provisionalTexts } from './migrations/0011-provisional-texts.ts';
import { dataVersions } from './migrations/0012-data-versions.ts';
import { listsByTime } from './migrations/0013-lists-by-time.ts';
import { eventStatus } from './migrations/0014-event-status.ts';
import { revisions } from './migrations/0015-revisions.ts';
import { buyers } from './migrations/0016-buyers.ts';
import { siteSettings } from './migrations/0017-site-settings.ts';
import { seatsVersion } from './migrations/0018-seats-version.ts';
import { attendeeLists } from './migrations/0019-attendee-lists.ts';
import { sessions } from './migrations/0020-sessions.ts';
import { audit } from './migrations/0021-audit.ts';
import { ordersDesk } from './migrations/0022-orders-desk.ts';
import { library } from './migrations/0023-library.ts';
import { reports } from './migrations/0024-reports.ts';
import { siteChoices } from './migrations/0025-site-choices.ts';
import { categoryColors } from './migrations/0026-category-colors.ts';
import { attendeeSearch } from './migrations/0027-attendee-search.ts';
import { confirmedSessions } from './migrations/0028-confirmed-sessions.ts';
import { freePlaces } from './migrations/0029-free-places.ts';
import { postponedSales } from './migrations/0030-postponed-sales.ts';
import { copies } from './migrations/0031-copies.ts';
import { ticketPages } from './migrations/0032-ticket-pages.ts';
import { attendanceMode } from './migrations/0033-attendance-mode.ts';
import { jobs } from './migrations/0034-jobs.ts';
import { series } from './migrations/0035-series.ts';
import { seriesPass } from './migrations/0036-series-pass.ts';
import { payments } from './migrations/0037-payments.ts';
import { prices } from './migrations/0038-prices.ts';
import { collapseSeries } from './migrations/0039-collapse-series.ts';
import { refundLooks } from './migrations/0040-refund-looks.ts';
import { invoices } from './migrations/0041-invoices.ts';
import { reconciliation } from './migrations/0042-reconciliation.ts';
import { giving } from './migrations/0043-giving.ts';
import { hiddenAttendees } from './migrations/0044-hidden-attendees.ts';
import { mails } from './migrations/0045-mails.ts';
import { announcements } from './migrations/0046-announcements.ts';
import { mailTexts } from './migrations/0047-mail-texts.ts';

/** In the order of execution. Forward only. */
export const MIGRATIONS: readonly Migration[] = [
  calendar,
  ticketing,
  translations,
  eventsFound,
  translationsListed,
  limits,
  idempotency,
  countsWithoutPassword,
  emptiedCarts,
  attendanceStatus,
  provisionalTexts,
  dataVersions,
  listsByTime,
  eventStatus,
  revisions,
  buyers,
  siteSettings,
  seatsVersion,
  attendeeLists,
  sessions,
  audit,
  ordersDesk,
  library,
  reports,
  siteChoices,
  categoryColors,
  attendeeSearch,
  confirmedSessions,
  freePlaces,
  postponedSales,
  copies,
  ticketPages,
  attendanceMode,
  jobs,
  series,
  seriesPass,
  payments,
  prices,
  collapseSeries,
  refundLooks,
  invoices,
  reconciliation,
  giving,
  hiddenAttendees,
  mails,
  announcements,
  mailTexts,
];

/** Thrown when a newer version of Marquee has written the database. */
export class NewerDatabaseError extends Error {}

/**
 * Migrates the database to the newest schema, under a lock, so that processes that start together do it once. Returns
 * the names of the migrations that ran.
 * @throws {NewerDatabaseError} when the database has a migration this program does not know.
 */
export async function migrate(db: Database, migrations: readonly Migration[] = MIGRATIONS): Promise<string[]> {
  return db.transaction(async (trx) => {
    await trx.dialect.lock(trx, 'marquee-migrations');
    await sql`CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)`.execute(trx.query);
    const { rows } = await sql<{ name: string }>`SELECT name FROM migrations`.execute(trx.query);
    const done = new Set(rows.map(({ name }) => name));
    const unknown = [...done].find((name) => !migrations.some((migration) => migration.name === name));
    if (unknown) throw new NewerDatabaseError(`The database was written by a newer Marquee (it has "${unknown}").`);
    const due = migrations.filter(({ name }) => !done.has(name));
    for (const migration of due) await run(trx, migration);
    return due.map(({ name }) => name);
  });
}

async function run(db: Database, migration: Migration): Promise<void> {
  for (const statement of migration.statements(db.dialect)) await sql.raw(statement).execute(db.query);
  await migration.up?.(db);
  await sql`INSERT INTO migrations (name) VALUES (${migration.name})`.execute(db.query);
}

/** The name of the last migration of the database. */
export async function schemaVersion(db: Database): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`SELECT max(name) AS name FROM migrations`.execute(db.query);
  return rows[0]?.name ?? '';
}
