import type { Generated } from 'kysely';
import type { Means } from '../lib/actor.ts';
import type { LinkedKind } from '../lib/linked-kinds.ts';

/**
 * The tables as Kysely sees them. Alike on both databases: times are text `YYYY-MM-DD HH:MM:SS` (so that they compare
 * and sort as text), flags are 0 or 1, lists and maps are JSON in text.
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

/** Records that count their edits. Triggers do (migration 0015), for whichever statement changes a row. */
interface RevisedColumns {
  /** From 1. Sales, holds and check-ins do not count. */
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
  /** Grows with every change of password, role and second factor. */
  credentials_version: Generated<number>;
  /** Last use of a session, to the minute. */
  last_seen_utc: string | null;
  /** Sealed secret of the second factor; empty without one. */
  totp_secret: Generated<string>;
  /** The same of one that is being set up. */
  totp_pending: Generated<string>;
  /** Time step of the last code that was used; codes of it and of earlier ones are refused. */
  totp_step: Generated<number>;
}

export interface SessionsTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256, hexadecimal. */
  hash: string;
  /** That of the account when it signed in; the session is over when the account has another one. */
  credentials_version: number;
  /** 1 if it began with a link, until a password is set. */
  may_set_password: number;
  /** Last proof of password or second factor after sign-in (`isConfirmed`). */
  confirmed_utc: string | null;
  created_utc: string;
  /** To the minute. */
  last_seen_utc: string;
  /** Network of the client. */
  address: string;
  user_agent: string;
}

/** Links that begin a session, each once. */
export interface SignInLinksTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256, hexadecimal. */
  hash: string;
  expires_utc: string;
}

/** Codes in place of those of the second factor, each for one use. */
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
  /** File name below the folder of uploads. */
  file: string;
  extension: string;
  mime_type: string;
  width: number;
  height: number;
  filesize: number;
  /** JSON: name of the rendition -> {file, width, height, mime_type, filesize}. */
  sizes: string;
  /** Where the image was fetched from, or empty. */
  source_url: string;
  date_utc: string;
  /** What organizers call it; empty: it is shown by the name of its file. */
  title: string;
  /** Folded title as it is shown. */
  title_key: string;
  /** Folded title, name of the file and alternative text. */
  search_text: string;
  /** Alternative text. */
  alt: string;
  /** The point that stays visible when the image is cropped, in per cent from the left and from the top. */
  focus_x: number;
  focus_y: number;
}

/** What events, venues, organizers and tickets have in common. */
interface TitledColumns extends RevisedColumns {
  id: number;
  author_id: number;
  status: string;
  date: string;
  /** `0000-00-00 00:00:00` for a draft that was never given a publication date. */
  date_utc: string;
  modified: string;
  modified_utc: string;
  title: string;
  /** Folded title, for sorting and for finding a name. */
  title_key: string;
  description: string;
  slug: string;
  /** Folded text of everything a search looks at. */
  search_text: string;
}

/** What events, venues and organizers have in common. */
interface PostColumns extends TitledColumns {
  image_id: number | null;
  /** The status of a trashed record before it was trashed; empty otherwise. */
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
  /** When it started before it was rescheduled; empty if that is not known. */
  utc_previous_start_date: string;
  /**
   * `SEQUENCE` of the event in iCalendar feeds, from 0: grows when its place, time or status changes, also by an edit of
   * its venue. A statement that moves it changes nothing else, since it does not count as an edit.
   */
  ical_sequence: Generated<number>;
}

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
  /** Of categories, `#rrggbb` in small letters. */
  color: string | null;
  /** Published events without a password that use the term. */
  count: number;
}

export type LinkKind = LinkedKind | TermsTable['taxonomy'];

/** Most lists of events filter and sort by these alone. */
export const LIST_COLUMNS = [
  'status',
  'hide_from_listings',
  'utc_start_date',
  'start_date',
  'utc_end_date',
  'end_date',
] as const satisfies readonly (keyof EventsTable)[];

/**
 * The columns of events that list filters may use. A search provides exactly these for the events it finds
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
 * The texts of one record in one language other than the site's first; platform/translations/rules.ts has the rules.
 * Translations of events also copy the columns that lists filter and sort by, for searches in the language.
 */
export interface TranslationsTable extends Defaulted<ListColumn> {
  id: Generated<number>;
  kind: TranslatedKind;
  /** A term has an id of its own sequence, so that only kind and id together name a record. */
  record_id: number;
  language: string;
  /** JSON: column of the record -> text, for translated columns only. */
  texts: string;
  /** JSON list of provisional columns: the first language shows their text too, until it has its own. */
  provisional: string;
  /** Folded name in this language, or that of the first language if it has none. */
  name_key: string;
  /** Folded text of all fields searched in this language, including fallbacks to the first language. */
  search_text: string;
}

/** Kinds of records with a public address. */
export type AddressedKind = 'event' | LinkKind;

/** Slugs under which public records could be found before. */
interface FormerSlugsTable {
  id: Generated<number>;
  kind: AddressedKind;
  slug: string;
  record_id: number;
}

/** Files of images that have been replaced: their addresses lead to the present ones. */
interface FormerFilesTable {
  /** As `file` of an image or of one of its renditions. */
  file: string;
  media_id: number;
  /** Name of the rendition; empty for the original. */
  size: string;
}

/** Merges of venues, organizers, categories and tags, as long as they can be undone. */
interface MergesTable {
  id: Generated<number>;
  kind: LinkKind;
  survivor_id: number;
  user_id: number;
  made_utc: string;
  /** JSON: what the survivor was before, and its revision afterwards; `calendar/library/merge.ts` has its type. */
  survivor: string;
  /** JSON list: what the merged records were before. */
  merged: string;
}

/** Where merged records went, for writes that still name them. */
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
  /** 0: the event had a link to the survivor, too. */
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

/** What the organizers decide about the whole site: one row. `site-settings.ts` has the types of its JSON. */
export interface SiteSettingsTable {
  id: number;
  /** Grows with every change of the settings and of their texts. */
  revision: number;
  logo_id: number | null;
  /** JSON: the colours that differ from the defaults, by name. */
  colors: string;
  /** JSON: `email`, `phone` and `address`, those that there are. */
  contact: string;
  /** JSON: `rule`, and `hours_before` for the rule `until`. */
  cancellation: string;
  /** JSON list: `id` and `hold_hours` of each. */
  payment_ways: string;
  /** JSON list: `from` and `to` of each. */
  address_words: string;
  /** JSON list of language tags, as the three below null for the default. */
  languages: string | null;
  timezone: string | null;
  currency: string | null;
  currency_symbol: string | null;
  /** JSON list of the roles that need a second factor. */
  second_factor_roles: string;
}

/** The texts of the site in one language. Unlike those of records, texts in the first language are like all others. */
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
  /** RSVP: whether a form offers the answer "not going". */
  not_going: Flag;
  /** Sale window as sent, in site time: `YYYY-MM-DD` and `HH:MM:SS`, either or both may be empty. */
  start_date: string;
  start_time: string;
  end_date: string;
  end_time: string;
  /** The window in UTC; empty for an open end. */
  sale_start_utc: string;
  sale_end_utc: string;
  /** The discounted price in minor units; null without a discount. */
  sale_price: number | null;
  /** Days in site time, both included; empty for an open end. */
  sale_price_start: string;
  sale_price_end: string;
  mode: CapacityMode;
  /** Seats of `own` and `capped`; null without a limit of its own. */
  capacity: number | null;
  /** Seats of one order at most, for buyers who do not manage attendees; 0 for any number. */
  max_per_order: number;
  /** Seats taken by attendees, as seats.ts counts them. stock.ts is the only writer. */
  sold: number;
  /** Seats held by carts. */
  held: number;
  is_deleted: Flag;
}

/** The shared seats of an event, if any of its tickets share seats. */
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
  /** Payment method: `manual`, `free`, or the name of a way to pay or of a payment provider. */
  gateway: string;
  purchaser_name: string;
  purchaser_email: string;
  /** Folded name and e-mail address of the purchaser. */
  search_text: string;
  user_id: number;
  currency: string;
  /** Minor units. */
  total: number;
  date: string;
  date_utc: string;
  modified_utc: string;
  /**
   * When it expires while unpaid: null for never, empty for MARQUEE_ORDER_HOLD minutes after the last change.
   */
  expires_utc: Generated<string | null>;
  /** Of an unpaid order without an account: the network it counts for, and the purchaser's mailbox. Else empty. */
  network: Generated<string>;
  email_key: Generated<string>;
  /** Part of what the order token is made from: another number voids the earlier token. */
  access_version: Generated<number>;
  /** For staff only. */
  note: Generated<string>;
}

/** Seats of an order, by ticket and price. */
export interface OrderItemsTable {
  order_id: number;
  ticket_id: number;
  event_id: number;
  /** Including those cancelled since. */
  quantity: number;
  /** Minor units, each. */
  price: number;
  /** Of the quantity: seats that were cancelled one by one, not with the whole order. */
  cancelled: Generated<number>;
}

export interface OrderLogTable {
  id: Generated<number>;
  order_id: number;
  from_status: string;
  to_status: string;
  /** What was done; `status` for a change of the status alone, else both statuses may be the same. */
  action: Generated<string>;
  /** JSON: what the step was about, without personal data. */
  details: Generated<string>;
  /** 0 for no account. */
  user_id: number;
  date_utc: string;
}

export interface AttendeesTable extends RevisedColumns {
  id: number;
  event_id: number;
  ticket_id: number;
  /** null for RSVP. */
  order_id: number | null;
  /** The first attendee of the same reply, which may be itself; null for others, and for replies that staff entered. */
  reply_id: Generated<number | null>;
  provider: Provider;
  author_id: number;
  user_id: number;
  /** `publish`, or `trash` once archived. */
  status: string;
  /** RSVP: `yes` or `no`. Paid: the status of the order, repeated here for lists. */
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
  /** Copied, so that attendees of deleted tickets still name their ticket. */
  ticket_title: string;
  /** JSON: answers to the questions of the registration. */
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
  /** The network for which it counts; empty for carts of accounts. */
  network: Generated<string>;
  /** Whether the visitor has emptied it. */
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
  /** Derived from the key and its scope, irreversibly. */
  hash: string;
  /** HMAC of the request, which detects a key reused for another request. */
  fingerprint: string;
  /** The request that claimed the key. */
  owner: string;
  /** Encrypted with a key that only the client can derive; empty while the request is in progress. */
  answer: string;
  /** When the claim of a request in progress lapses unless it is renewed. */
  expires_utc: string;
}

/** Counters of the limits in platform/limits/limits.ts. */
interface RateLimitsTable {
  /** Name of the limit, a colon, and a network, an id or a hash. */
  key: string;
  points: number;
  expires_utc: string;
}

/** Places without a price that were taken, for the limits of a day; those given back since count too. */
interface FreePlacesTable {
  id: Generated<number>;
  /** Empty behind an undeclared proxy. */
  network: string;
  /** Hash of the buyer's mailbox. */
  mailbox: string;
  places: number;
  /** Of a reply: the attendee, who may give the place back and take it again; null for an order. */
  attendee_id: number | null;
  /** When they no longer count. */
  expires_utc: string;
}

/** Requests that a limit refused, counted by day of the site (`YYYY-MM-DD`). */
interface RefusalsTable {
  kind: string;
  day: string;
  count: number;
}

/** What happened to a record, as the audit log says it. */
export const AUDIT_ACTIONS = ['created', 'changed', 'published', 'trashed', 'restored', 'deleted'] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Kinds of records whose changes are in the audit log. */
export type AuditKind =
  | RecordKind
  | TermsTable['taxonomy']
  | 'user'
  | 'app_password'
  | 'token'
  | 'check_in_key'
  | 'site';

/** The audit log: who changed which record. */
export interface AuditTable {
  id: Generated<number>;
  date_utc: string;
  /** null for a check-in key or a command. */
  user_id: number | null;
  /** As it was; empty once the account is deleted. */
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
  /** The revision that the change made. */
  revision: number | null;
  /** JSON list of the names of the changed fields. */
  fields: string;
  /** JSON list, as `changes.ts` of the resource makes it. */
  changes: string;
}

/** When the periodic jobs ran last, as far as they were noted: see jobs/job-runs.ts. */
interface JobRunsTable {
  name: string;
  run_utc: string;
  /** The last run that failed. */
  failed_utc: string | null;
}
