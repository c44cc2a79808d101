import type { Generated } from 'kysely';
import type { Means } from '../lib/actor.ts';
import type { LinkedKind } from '../lib/linked-kinds.ts';

/**
 * Tables of the database, as Kysely types. Both databases have the same: times are text `YYYY-MM-DD HH:MM:SS` (so that
 * they compare and sort as text), flags are 0 or 1, lists and maps are JSON in text.
 */
export interface Tables {
  users: UsersTable;
  app_passwords: AppPasswordsTable;
  tokens: TokensTable;
  sessions: SessionsTable;
  sign_in_links: SignInLinksTable;
  recovery_codes: RecoveryCodesTable;
  records: RecordsTable;
  media: MediaTable;
  events: EventsTable;
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
  order_log: OrderLogTable;
  attendees: AttendeesTable;
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
}

export type Flag = 0 | 1;

/** Revision counters, maintained by triggers (migration 0015) for every statement that changes a row. */
interface RevisedColumns {
  /** From 1. Sales, holds and check-ins do not increment it. */
  revision: Generated<number>;
}

export interface UsersTable {
  id: Generated<number>;
  username: string;
  /** Folded, unique. */
  username_key: string;
  email: string;
  email_key: string;
  password_hash: string;
  role: string;
  created_utc: string;
  /** Incremented by every change of password, role and second factor. */
  credentials_version: Generated<number>;
  /** Last use of a session, to the minute. */
  last_seen_utc: string | null;
  /** Sealed secret of the second factor; empty without one. */
  totp_secret: Generated<string>;
  /** Sealed secret of a second factor that is being set up; empty without one. */
  totp_pending: Generated<string>;
  /** Time step of the last used code; codes of this and earlier steps are rejected. */
  totp_step: Generated<number>;
}

export interface SessionsTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256, hexadecimal. */
  hash: string;
  /** Version of the account at sign-in; the session ends when the account has another one. */
  credentials_version: number;
  /** 1 after signing in with a link, until a password is set. */
  may_set_password: number;
  /** Last re-authentication after sign-in (`isConfirmed`). */
  confirmed_utc: string | null;
  created_utc: string;
  /** To the minute. */
  last_seen_utc: string;
  /** Network of the client. */
  address: string;
  user_agent: string;
}

/** One-time links that sign in. */
export interface SignInLinksTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256, hexadecimal. */
  hash: string;
  expires_utc: string;
}

/** One-time recovery codes that replace the second factor. */
interface RecoveryCodesTable {
  user_id: number;
  /** SHA-256, hexadecimal. */
  hash: string;
}

export interface AppPasswordsTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256, hexadecimal. */
  hash: string;
  created_utc: string;
  last_used_utc: string | null;
}

export interface TokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256, hexadecimal. */
  hash: string;
  /** Comma-separated. */
  scopes: string;
  created_utc: string;
  expires_utc: string | null;
  last_used_utc: string | null;
}

/** The id sequence shared by all records except terms and accounts. */
interface RecordsTable {
  id: Generated<number>;
  kind: RecordKind;
}

export type RecordKind = 'event' | LinkedKind | 'media' | 'ticket' | 'attendee' | 'order';

export interface MediaTable {
  id: number;
  /** As in `RevisedColumns`; 1 for a new image. */
  revision: number;
  author_id: number;
  /** File name in the upload folder. */
  file: string;
  extension: string;
  mime_type: string;
  width: number;
  height: number;
  filesize: number;
  /** JSON: name of the rendition -> {file, width, height, mime_type, filesize}. */
  sizes: string;
  /** Source URL of a fetched image, or empty. */
  source_url: string;
  date_utc: string;
  /** Title; if empty, the file name is shown. */
  title: string;
  /** Folded title as displayed. */
  title_key: string;
  /** Folded title, file name and alternative text. */
  search_text: string;
  /** Alternative text. */
  alt: string;
  /** Focal point, which stays visible when the image is cropped: per cent from the left and from the top. */
  focus_x: number;
  focus_y: number;
}

/** Columns common to events, venues, organizers and tickets. */
interface TitledColumns extends RevisedColumns {
  id: number;
  author_id: number;
  status: string;
  date: string;
  /** `0000-00-00 00:00:00` for a draft that never had a publication date. */
  date_utc: string;
  modified: string;
  modified_utc: string;
  title: string;
  /** Folded title, for sorting and for finding a name. */
  title_key: string;
  description: string;
  slug: string;
  /** Folded text of all searched fields. */
  search_text: string;
}

/** Columns common to events, venues and organizers. */
interface PostColumns extends TitledColumns {
  image_id: number | null;
  /** Status of a trashed record before it was trashed; empty otherwise. */
  trashed_from: string;
}

const POST_COLUMNS = [
  'id',
  'author_id',
  'status',
  'date',
  'date_utc',
  'modified',
  'modified_utc',
  'title',
  'description',
  'slug',
  'image_id',
  'trashed_from',
  'revision',
] as const satisfies readonly (keyof PostColumns)[];

/** Whether an event takes place as announced. */
export type EventStatus = 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'moved_online';

export interface EventsTable extends PostColumns {
  excerpt: string;
  password: string;
  parent_id: number | null;
  all_day: Flag;
  start_date: string;
  end_date: string;
  utc_start_date: string;
  utc_end_date: string;
  timezone: string;
  timezone_abbr: string;
  /** JSON list of the costs as sent. */
  cost: string;
  currency_symbol: string;
  currency_position: string;
  currency_code: string;
  website: string;
  show_map: Flag;
  show_map_link: Flag;
  hide_from_listings: Flag;
  sticky: Flag;
  featured: Flag;
  event_status: EventStatus;
  event_status_reason: string;
  /** Original start of a rescheduled event; empty if unknown. */
  utc_previous_start_date: string;
  /**
   * `SEQUENCE` of the event in iCalendar feeds, from 0: grows when its venue, time or status changes, also by an edit
   * of the venue. A statement that increments it changes nothing else, since it does not count as an edit.
   */
  ical_sequence: Generated<number>;
}

/** Columns of texts that exist in several languages; the name comes first. */
export const EVENT_TEXTS = [
  'title',
  'description',
  'excerpt',
  'event_status_reason',
] as const satisfies readonly (keyof EventsTable)[];

/** Columns of an event without the long search and sort keys, which only SQL compares. */
export const EVENT_COLUMNS = [
  ...POST_COLUMNS,
  'excerpt',
  'password',
  'parent_id',
  'all_day',
  'start_date',
  'end_date',
  'utc_start_date',
  'utc_end_date',
  'timezone',
  'timezone_abbr',
  'cost',
  'currency_symbol',
  'currency_position',
  'currency_code',
  'website',
  'show_map',
  'show_map_link',
  'hide_from_listings',
  'sticky',
  'featured',
  'event_status',
  'event_status_reason',
  'utc_previous_start_date',
  'ical_sequence',
] as const satisfies readonly (keyof EventsTable)[];

export interface LinkedPostsTable extends PostColumns {
  kind: LinkedKind;
  /** JSON: attribute -> text. The kind defines the attributes. */
  attributes: string;
  show_map: Flag;
  show_map_link: Flag;
  /** Degrees. */
  geo_lat: number | null;
  geo_lng: number | null;
}

/** Columns of a venue or an organizer; see `EVENT_COLUMNS`. */
export const LINKED_POST_COLUMNS = [
  ...POST_COLUMNS,
  'kind',
  'attributes',
  'show_map',
  'show_map_link',
  'geo_lat',
  'geo_lng',
] as const satisfies readonly (keyof LinkedPostsTable)[];

export interface TermsTable extends RevisedColumns {
  id: Generated<number>;
  taxonomy: 'category' | 'tag';
  name: string;
  name_key: string;
  slug: string;
  description: string;
  /** 0 at the top. */
  parent_id: number;
  /** `#rrggbb` in lower case; categories only. */
  color: string | null;
  /** Number of published events without a password that use the term. */
  count: number;
}

export type LinkKind = LinkedKind | TermsTable['taxonomy'];

/** Columns that suffice to filter and sort most lists of events. */
export const LIST_COLUMNS = [
  'status',
  'hide_from_listings',
  'utc_start_date',
  'start_date',
  'utc_end_date',
  'end_date',
] as const satisfies readonly (keyof EventsTable)[];

/**
 * Columns of events that list filters may use. A search provides exactly these columns of the matching events
 * (`db/word-search.ts`).
 */
export const FILTER_COLUMNS = [
  'id',
  ...LIST_COLUMNS,
  'author_id',
  'featured',
  'event_status',
  'parent_id',
  'slug',
  'cost',
  'search_text',
] as const satisfies readonly (keyof EventsTable)[];

export type FilterColumn = (typeof FILTER_COLUMNS)[number];

/** Columns copied from the event, so that a list is read from one index; `events/store.ts` keeps them in sync. */
export type ListColumn = Pick<EventsTable, (typeof LIST_COLUMNS)[number]>;

/** Links of events to terms, venues and organizers. */
export interface EventLinksTable extends ListColumn {
  event_id: number;
  kind: LinkKind;
  target_id: number;
  position: number;
}

type Defaulted<T> = { [K in keyof T]: Generated<T[K]> };

/** Kinds of records with translated texts. */
export type TranslatedKind = 'event' | LinkKind | 'ticket' | 'media';

/**
 * Texts of one record in a language other than the first one; platform/translations/rules.ts has the rules.
 * Translations of events also copy the columns that lists filter and sort by, for searches in the language.
 */
export interface TranslationsTable extends Defaulted<ListColumn> {
  id: Generated<number>;
  kind: TranslatedKind;
  /** Terms have an id sequence of their own, so only kind and id together identify a record. */
  record_id: number;
  language: string;
  /** JSON: column of the record -> text, for translated columns only. */
  texts: string;
  /** JSON list of provisional columns: the first language shows their text too, until it has its own. */
  provisional: string;
  /** Folded name in this language, or in the first language if it has none. */
  name_key: string;
  /** Folded text of all fields searched in this language, including fallbacks to the first language. */
  search_text: string;
}

/** Kinds of records with a public URL. */
export type AddressedKind = 'event' | LinkKind;

/** Earlier slugs of public records. */
interface FormerSlugsTable {
  id: Generated<number>;
  kind: AddressedKind;
  slug: string;
  record_id: number;
}

/** Files of replaced images; their URLs redirect to the current ones. */
interface FormerFilesTable {
  /** Like `file` of an image or one of its renditions. */
  file: string;
  media_id: number;
  /** Name of the rendition; empty for the original. */
  size: string;
}

/** Merges of venues, organizers, categories and tags that can still be undone. */
interface MergesTable {
  id: Generated<number>;
  kind: LinkKind;
  survivor_id: number;
  user_id: number;
  made_utc: string;
  /** JSON: the survivor before the merge, and its revision afterwards; `calendar/library/merge.ts` has its type. */
  survivor: string;
  /** JSON list: the merged records before the merge. */
  merged: string;
}

/** Redirects of merged records, for writes that still refer to them. */
interface MergedRecordsTable {
  kind: LinkKind;
  record_id: number;
  survivor_id: number;
  merge_id: number;
}

/** Links of events to merged records. */
interface MergedLinksTable {
  merge_id: number;
  target_id: number;
  event_id: number;
  position: number;
  /** 0: the event already had a link to the survivor. */
  is_moved: Flag;
}

/** Facts about the database as a whole. */
interface SiteTable {
  /**
   * `language`: the language of the records' own texts. `calendar_id`: random, for the UIDs of events in feeds.
   * `secret`, `secret_fingerprint`: see site-secret.ts.
   */
  name: string;
  value: string;
}

/** Settings of the whole site: one row. `site-settings.ts` has the types of its JSON. */
export interface SiteSettingsTable {
  id: number;
  /** Incremented by every change of the settings and their texts. */
  revision: number;
  logo_id: number | null;
  /** JSON: colours that differ from the defaults, by name. */
  colors: string;
  /** JSON: `email`, `phone` and `address`, each optional. */
  contact: string;
  /** JSON: `rule`, and `hours_before` for the rule `until`. */
  cancellation: string;
  /** JSON list: `id` and `hold_hours` of each. */
  payment_ways: string;
  /** JSON list: `from` and `to` of each. */
  address_words: string;
  /** JSON list of language tags; null for the default, like the three below. */
  languages: string | null;
  timezone: string | null;
  currency: string | null;
  currency_symbol: string | null;
  /** JSON list of the roles that require a second factor. */
  second_factor_roles: string;
}

/** Texts of the site in one language. Unlike texts of records, those in the first language are not special. */
interface SiteTextsTable {
  language: string;
  /** JSON: setting -> text, or list of texts. */
  texts: string;
}

export type Provider = 'rsvp' | 'tc';

/** `own`: its own seats. `global`: the event's shared ones. `capped`: shared ones up to a limit. Empty: no limit. */
export type CapacityMode = 'own' | 'global' | 'capped' | '';

/** Modes of tickets that draw on the shared seats of their event. */
export const SHARED_MODES: readonly CapacityMode[] = ['global', 'capped'];

export interface TicketsTable extends TitledColumns {
  event_id: number;
  provider: Provider;
  /** Minor units of the site's currency. */
  price: number;
  sku: string;
  iac: string;
  show_description: Flag;
  menu_order: number;
  /** RSVP: whether the form offers "not going". */
  not_going: Flag;
  /** Sale window as sent, in site time: `YYYY-MM-DD` and `HH:MM:SS`; either or both may be empty. */
  start_date: string;
  start_time: string;
  end_date: string;
  end_time: string;
  /** Sale window in UTC; empty for an open end. */
  sale_start_utc: string;
  sale_end_utc: string;
  /** The discounted price in minor units; null without a discount. */
  sale_price: number | null;
  /** First and last day in site time; empty for an open end. */
  sale_price_start: string;
  sale_price_end: string;
  mode: CapacityMode;
  /** Seats of `own` and `capped`; null without a limit of its own. */
  capacity: number | null;
  /** Maximum seats per order for customers, staff excepted; 0 for any number. */
  max_per_order: number;
  /** Seats taken by attendees, as seats.ts counts them. Written by stock.ts only. */
  sold: number;
  /** Seats held by carts. */
  held: number;
  is_deleted: Flag;
}

/** Shared seats of an event, if any of its tickets share seats. */
export interface EventStockTable {
  event_id: number;
  /** null: no limit. */
  capacity: number | null;
  sold: number;
  held: number;
}

export interface OrdersTable extends RevisedColumns {
  id: number;
  status: string;
  /** Payment method: `manual`, `free`, or the id of a method of the site or of a payment provider. */
  gateway: string;
  purchaser_name: string;
  purchaser_email: string;
  /** Folded name and e-mail address of the customer. */
  search_text: string;
  user_id: number;
  currency: string;
  /** Minor units. */
  total: number;
  date: string;
  date_utc: string;
  modified_utc: string;
  /** Expiry of an unpaid order: null for never, empty for MARQUEE_ORDER_HOLD minutes after the last change. */
  expires_utc: Generated<string | null>;
  /** Network and customer's mailbox under which an unpaid order without an account counts. Otherwise empty. */
  network: Generated<string>;
  email_key: Generated<string>;
  /** Part of the order token: changing the number revokes the earlier token. */
  access_version: Generated<number>;
  /** Visible to staff only. */
  note: Generated<string>;
}

/** Seats of an order, by ticket and price. */
export interface OrderItemsTable {
  order_id: number;
  ticket_id: number;
  event_id: number;
  /** Including seats cancelled later. */
  quantity: number;
  /** Minor units per seat. */
  price: number;
  /** Number of these seats that were cancelled individually rather than with the whole order. */
  cancelled: Generated<number>;
}

export interface OrderLogTable {
  id: Generated<number>;
  order_id: number;
  from_status: string;
  to_status: string;
  /** Action taken; `status` for a plain change of status. For other actions both statuses may be the same. */
  action: Generated<string>;
  /** JSON: details of the action, without personal data. */
  details: Generated<string>;
  /** 0 without an account. */
  user_id: number;
  date_utc: string;
}

export interface AttendeesTable extends RevisedColumns {
  id: number;
  event_id: number;
  ticket_id: number;
  /** null for RSVP. */
  order_id: number | null;
  /** First attendee of the same RSVP, which may be this one; null for paid seats and for RSVPs entered by staff. */
  reply_id: Generated<number | null>;
  provider: Provider;
  author_id: number;
  user_id: number;
  /** `publish`, or `trash` once archived. */
  status: string;
  /** RSVP: `yes` or `no`. Paid: the status of the order, copied for lists. */
  attendance_status: string;
  date: string;
  date_utc: string;
  modified: string;
  modified_utc: string;
  full_name: string;
  name_key: string;
  email: string;
  email_key: string;
  slug: string;
  optout: Flag;
  /** Minor units paid for the seat. */
  price: number;
  /** Copied, so that attendees keep the title of a deleted ticket. */
  ticket_title: string;
  /** JSON: answers to the registration questions. */
  information: string;
  security_code: string;
  checked_in: Flag;
  checkin_utc: string;
  /** `site` or `app`. */
  checkin_source: string;
  checkin_author: number;
  checkin_device: string;
}

export interface CheckInsTable {
  id: Generated<number>;
  attendee_id: number;
  /** `in` or `out`. */
  action: string;
  date_utc: string;
  source: string;
  user_id: number;
  key_id: number | null;
  device: string;
}

interface CartsTable {
  id: Generated<number>;
  /** SHA-256 of the visitor's token. */
  token_hash: string;
  /** JSON: registration answers for the attendees of each ticket. */
  meta: string;
  expires_utc: string;
  /** Network under which the cart counts; empty for carts of accounts. */
  network: Generated<string>;
  /** Whether the visitor has emptied the cart. */
  is_emptied: Generated<Flag>;
}

export interface CartItemsTable {
  cart_id: number;
  ticket_id: number;
  event_id: number;
  quantity: number;
  optout: Flag;
  position: number;
  /** When the hold of its seats expires. */
  expires_utc: string;
  /** Copied from the cart, so that sums read a single index. */
  network: Generated<string>;
}

interface NoncesTable {
  /** SHA-256. */
  hash: string;
  user_id: number;
  action: string;
  event_id: number | null;
  expires_utc: string;
}

export interface CheckInKeysTable {
  id: Generated<number>;
  name: string;
  /** SHA-256. */
  hash: string;
  /** Limits the key to one event. */
  event_id: number | null;
  created_utc: string;
  last_used_utc: string | null;
}

interface IdempotencyKeysTable {
  /** Irreversible hash of the key and its scope. */
  hash: string;
  /** HMAC of the request; detects a key reused for another request. */
  fingerprint: string;
  /** Id of the request that claimed the key. */
  owner: string;
  /** Encrypted with a key that only the client can derive; empty while the request is in progress. */
  answer: string;
  /** Expiry of the claim of a request in progress, unless renewed. */
  expires_utc: string;
}

/** Counters of the limits in platform/limits/limits.ts. */
interface RateLimitsTable {
  /** Name of the limit, a colon, and a network, an id or a hash. */
  key: string;
  points: number;
  expires_utc: string;
}

/** Free seats taken, for the daily limits; seats given back still count. */
interface FreePlacesTable {
  id: Generated<number>;
  /** Empty behind an undeclared proxy. */
  network: string;
  /** Hash of the customer's mailbox. */
  mailbox: string;
  places: number;
  /** Attendee of an RSVP, who may give the seat back and take it again; null for an order. */
  attendee_id: number | null;
  /** Time from which these seats no longer count. */
  expires_utc: string;
}

/** Requests rejected by a limit, counted by day of the site (`YYYY-MM-DD`). */
interface RefusalsTable {
  kind: string;
  day: string;
  count: number;
}

/** Actions in the audit log. */
export const AUDIT_ACTIONS = ['created', 'changed', 'published', 'trashed', 'restored', 'deleted'] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Kinds of records covered by the audit log. */
export type AuditKind =
  | RecordKind
  | TermsTable['taxonomy']
  | 'user'
  | 'app_password'
  | 'token'
  | 'check_in_key'
  | 'site';

/** Audit log of changes to records. */
export interface AuditTable {
  id: Generated<number>;
  date_utc: string;
  /** null for a check-in key or a command. */
  user_id: number | null;
  /** Name at the time of the change; empty once the account is deleted. */
  user_name: string;
  means: Means;
  credential_id: number | null;
  credential_name: string;
  network: string;
  request_id: string;
  action: AuditAction;
  kind: AuditKind;
  /** 1 for the site. */
  record_id: number;
  title: string;
  /** Revision after the change. */
  revision: number | null;
  /** JSON list of the names of the changed fields. */
  fields: string;
  /** JSON list, created by `changes.ts` of the resource. */
  changes: string;
}

/** Last noted runs of the periodic jobs: see jobs/job-runs.ts. */
interface JobRunsTable {
  name: string;
  run_utc: string;
  /** Last failed run. */
  failed_utc: string | null;
}
