import type { Generated } from 'kysely';
import type { RecordKind } from './columns.ts';
import type {
  AccountDevicesTable,
  AppPasswordsTable,
  RecoveryCodesTable,
  SessionsTable,
  SignInLinksTable,
  TokensTable,
  UsersTable,
} from './tables/accounts.ts';
import type { ReconciliationFindingsTable } from './tables/book.ts';
import type {
  EventLinksTable,
  EventsTable,
  FormerSlugsTable,
  LinkedPostsTable,
  MergedLinksTable,
  MergedRecordsTable,
  MergesTable,
  TermsTable,
  TranslationsTable,
} from './tables/calendar.ts';
import type {
  DoorChangesTable,
  DoorClashesTable,
  DoorDevicesTable,
  DoorSalesTable,
  DoorScansTable,
  FormerEventsTable,
  GateEventsTable,
  GatesTable,
  SigningKeysTable,
} from './tables/door.ts';
import type {
  ImportChangesTable,
  ImportChunksTable,
  ImportFindingsTable,
  ImportKeysTable,
  ImportLinksTable,
  ImportPlansTable,
  ImportRunsTable,
  ImportsTable,
  SubscriptionsTable,
} from './tables/import.ts';
import type {
  AnnouncementsTable,
  AuditTable,
  EventRemindersTable,
  FormerFilesTable,
  IdempotencyKeysTable,
  JobRunsTable,
  JobsTable,
  LeasesTable,
  MailOptoutsTable,
  MailsTable,
  MailTextsTable,
  MediaTable,
  NoncesTable,
  RateLimitsTable,
  RefusalsTable,
  SiteSettingsTable,
  SiteTable,
  SiteTextsTable,
} from './tables/platform.ts';
import type {
  FeesTable,
  InvoicesTable,
  NumberSeriesTable,
  PromotionsTable,
  PromotionUsesTable,
  TaxRatesTable,
} from './tables/price.ts';
import type { OccurrencesTable, SeriesTable } from './tables/series.ts';
import type {
  AttendeesTable,
  CartItemsTable,
  CartsTable,
  CheckInKeysTable,
  CheckInsTable,
  EventStockTable,
  FreePlacesTable,
  OrderChargesTable,
  OrderItemsTable,
  OrderLogTable,
  OrdersTable,
  PaymentLogTable,
  PaymentsTable,
  RefundsTable,
  TicketsTable,
  TicketTransfersTable,
} from './tables/ticketing.ts';

/**
 * Tables of the database, as Kysely types. Both databases have the same tables: times are text `YYYY-MM-DD HH:MM:SS`
 * (so that they compare and sort as text), flags are 0 or 1, lists and maps are JSON in text.
 */
export interface Tables {
  users: UsersTable;
  app_passwords: AppPasswordsTable;
  tokens: TokensTable;
  sessions: SessionsTable;
  sign_in_links: SignInLinksTable;
  account_devices: AccountDevicesTable;
  recovery_codes: RecoveryCodesTable;
  records: RecordsTable;
  media: MediaTable;
  events: EventsTable;
  series: SeriesTable;
  occurrences: OccurrencesTable;
  linked_posts: LinkedPostsTable;
  terms: TermsTable;
  event_links: EventLinksTable;
  translations: TranslationsTable;
  site: SiteTable;
  site_settings: SiteSettingsTable;
  site_texts: SiteTextsTable;
  tickets: TicketsTable;
  event_stock: EventStockTable;
  orders: OrdersTable;
  order_items: OrderItemsTable;
  order_charges: OrderChargesTable;
  payments: PaymentsTable;
  payment_log: PaymentLogTable;
  refunds: RefundsTable;
  reconciliation_findings: ReconciliationFindingsTable;
  tax_rates: TaxRatesTable;
  fees: FeesTable;
  promotions: PromotionsTable;
  promotion_uses: PromotionUsesTable;
  number_series: NumberSeriesTable;
  invoices: InvoicesTable;
  order_log: OrderLogTable;
  attendees: AttendeesTable;
  ticket_transfers: TicketTransfersTable;
  gates: GatesTable;
  gate_events: GateEventsTable;
  door_devices: DoorDevicesTable;
  door_scans: DoorScansTable;
  door_sales: DoorSalesTable;
  door_clashes: DoorClashesTable;
  door_changes: DoorChangesTable;
  former_events: FormerEventsTable;
  signing_keys: SigningKeysTable;
  check_ins: CheckInsTable;
  carts: CartsTable;
  cart_items: CartItemsTable;
  nonces: NoncesTable;
  check_in_keys: CheckInKeysTable;
  idempotency_keys: IdempotencyKeysTable;
  rate_limits: RateLimitsTable;
  free_places: FreePlacesTable;
  refusals: RefusalsTable;
  former_slugs: FormerSlugsTable;
  audit: AuditTable;
  former_files: FormerFilesTable;
  merges: MergesTable;
  merged_records: MergedRecordsTable;
  merged_links: MergedLinksTable;
  job_runs: JobRunsTable;
  jobs: JobsTable;
  leases: LeasesTable;
  mails: MailsTable;
  announcements: AnnouncementsTable;
  mail_texts: MailTextsTable;
  mail_optouts: MailOptoutsTable;
  event_reminders: EventRemindersTable;
  imports: ImportsTable;
  import_links: ImportLinksTable;
  import_findings: ImportFindingsTable;
  import_keys: ImportKeysTable;
  import_changes: ImportChangesTable;
  subscriptions: SubscriptionsTable;
  import_runs: ImportRunsTable;
  import_chunks: ImportChunksTable;
  import_plans: ImportPlansTable;
}

/** The id sequence shared by all records except terms and accounts. */
interface RecordsTable {
  id: Generated<number>;
  kind: RecordKind;
}
