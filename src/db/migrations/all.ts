import type { Migration } from '../migration.ts';
import { calendar } from './0001-calendar.ts';
import { ticketing } from './0002-ticketing.ts';
import { translations } from './0003-translations.ts';
import { eventsFound } from './0004-events-found.ts';
import { translationsListed } from './0005-translations-listed.ts';
import { limits } from './0006-limits.ts';
import { idempotency } from './0007-idempotency.ts';
import { countsWithoutPassword } from './0008-counts-without-password.ts';
import { emptiedCarts } from './0009-emptied-carts.ts';
import { attendanceStatus } from './0010-attendance-status.ts';
import { provisionalTexts } from './0011-provisional-texts.ts';
import { dataVersions } from './0012-data-versions.ts';
import { listsByTime } from './0013-lists-by-time.ts';
import { eventStatus } from './0014-event-status.ts';
import { revisions } from './0015-revisions.ts';
import { buyers } from './0016-buyers.ts';
import { siteSettings } from './0017-site-settings.ts';
import { seatsVersion } from './0018-seats-version.ts';
import { attendeeLists } from './0019-attendee-lists.ts';
import { sessions } from './0020-sessions.ts';
import { audit } from './0021-audit.ts';
import { ordersDesk } from './0022-orders-desk.ts';
import { library } from './0023-library.ts';
import { reports } from './0024-reports.ts';
import { siteChoices } from './0025-site-choices.ts';
import { categoryColors } from './0026-category-colors.ts';
import { attendeeSearch } from './0027-attendee-search.ts';
import { confirmedSessions } from './0028-confirmed-sessions.ts';
import { freePlaces } from './0029-free-places.ts';
import { postponedSales } from './0030-postponed-sales.ts';
import { copies } from './0031-copies.ts';
import { ticketPages } from './0032-ticket-pages.ts';
import { attendanceMode } from './0033-attendance-mode.ts';
import { jobs } from './0034-jobs.ts';
import { series } from './0035-series.ts';
import { seriesPass } from './0036-series-pass.ts';
import { payments } from './0037-payments.ts';
import { prices } from './0038-prices.ts';
import { collapseSeries } from './0039-collapse-series.ts';
import { refundLooks } from './0040-refund-looks.ts';
import { invoices } from './0041-invoices.ts';
import { reconciliation } from './0042-reconciliation.ts';
import { giving } from './0043-giving.ts';
import { hiddenAttendees } from './0044-hidden-attendees.ts';
import { mails } from './0045-mails.ts';
import { announcements } from './0046-announcements.ts';
import { mailTexts } from './0047-mail-texts.ts';
import { bounces } from './0048-bounces.ts';
import { accountMails } from './0049-account-mails.ts';
import { myTickets } from './0050-my-tickets.ts';
import { imports } from './0051-imports.ts';
import { door } from './0052-door.ts';
import { subscriptions } from './0053-subscriptions.ts';
import { importChanges } from './0054-import-changes.ts';
import { importRuns } from './0055-import-runs.ts';
import { formerEvents } from './0056-former-events.ts';

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
  bounces,
  accountMails,
  myTickets,
  imports,
  door,
  subscriptions,
  importChanges,
  importRuns,
  formerEvents,
];
