import type { Generated } from 'kysely';
import type { AuthenticationMethod } from '../../lib/actor.ts';
import type { ANNOUNCEMENT_KINDS, MailKind, WORDED_MAIL_KINDS } from '../../lib/mail-kinds.ts';
import type { Flag, RecordKind, Taxonomy } from '../columns.ts';

/** Tables of images, the site, limits, jobs, mails and the audit log. */

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
  /** Focal point, which stays visible when the image is cropped: percent from the left and from the top. */
  focus_x: number;
  focus_y: number;
}

/** Files of replaced images; their URLs redirect to the current ones. */
export interface FormerFilesTable {
  /** File name, as in `file` of an image or of one of its renditions. */
  file: string;
  media_id: number;
  /** Name of the rendition; empty for the original. */
  size: string;
}

/** Facts about the database as a whole. */
export interface SiteTable {
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
  /** JSON list of `StoredPaymentMethod`. */
  payment_ways: string;
  /** JSON list of `PathAlias`. */
  address_words: string;
  /** JSON list of language tags; null for the default, like the three below. */
  languages: string | null;
  timezone: string | null;
  currency: string | null;
  currency_symbol: string | null;
  /** JSON list of the roles that require a second factor. */
  second_factor_roles: string;
  /** Whether public lists show each series only once. */
  collapse_series: Generated<number>;
  /** Whether holders get a reminder the day before an event. */
  sends_reminders: Generated<number>;
  /** JSON: seller on invoices. */
  seller: Generated<string>;
  /** Whether customers may donate in addition to their tickets. */
  accepts_donations: Generated<number>;
  /** JSON list of suggested donations in minor units. */
  donation_amounts: Generated<string>;
}

/** Texts of the site in one language. Unlike with texts of records, the first language is not special. */
export interface SiteTextsTable {
  language: string;
  /** JSON: setting -> text, or list of texts. */
  texts: string;
}

export interface NoncesTable {
  /** SHA-256. */
  hash: string;
  user_id: number;
  action: string;
  event_id: number | null;
  expires_utc: string;
}

export interface IdempotencyKeysTable {
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
export interface RateLimitsTable {
  /** Name of the limit, a colon, and a network, an id or a hash. */
  key: string;
  points: number;
  expires_utc: string;
}

/** Requests rejected by a limit, counted by day of the site (`YYYY-MM-DD`). */
export interface RefusalsTable {
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
  | Taxonomy
  | 'user'
  | 'app_password'
  | 'token'
  | 'check_in_key'
  | 'gate'
  | 'door_device'
  | 'door_clash'
  | 'signing_key'
  | 'tax_rate'
  | 'fee'
  | 'promotion'
  | 'invoice'
  | 'mail'
  | 'mail_text'
  | 'announcement'
  | 'import'
  | 'subscription'
  | 'site';

/** Audit log of changes to records. */
export interface AuditTable {
  id: Generated<number>;
  date_utc: string;
  /** null for a check-in key, a device at the door or a command. */
  user_id: number | null;
  /** Name at the time of the change; empty once the account is deleted. */
  user_name: string;
  means: AuthenticationMethod;
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

/** Last recorded runs of the periodic jobs; see jobs/job-runs.ts. */
export interface JobRunsTable {
  name: string;
  run_utc: string;
  /** Last failed run. */
  failed_utc: string | null;
}

/** States of a background job. A finished one is deleted. */
export const JOB_STATES = ['ready', 'running', 'dead'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Queue of background jobs; see platform/jobs/queue.ts. */
export interface JobsTable {
  id: Generated<number>;
  kind: string;
  /** Unique among the ready jobs and among the running ones. */
  key: string | null;
  /** JSON object of ids and other short values; no personal data. */
  payload: string;
  state: JobState;
  /** Time of the next attempt; for a running job, the end of its lease; for a dead one, its last attempt. */
  due_utc: string;
  /** Attempts so far, including the current one. */
  attempts: Generated<number>;
  /** Random name of the claim of a running job; otherwise empty. */
  owner: Generated<string>;
  /** Reason why the last attempt failed. */
  error: Generated<string>;
  /** Record that the job is about. */
  record_kind: string | null;
  record_id: number | null;
  created_utc: string;
}

export const MAIL_STATUSES = ['queued', 'sent', 'failed', 'held', 'bounced'] as const;

export type MailStatus = (typeof MAIL_STATUSES)[number];

/** Mails to customers and accounts. Their texts are rendered when they are sent, from the records that they are about. */
export interface MailsTable {
  id: Generated<number>;
  kind: MailKind;
  /** Reason for the mail, such as `tickets-12`; unique, so that the mail is written only once. */
  key: string;
  to_email: string;
  /** Hash of the canonical address, by which mails to a mailbox are counted. */
  mailbox: string;
  /** Empty for the first language of the site. */
  language: string;
  /** `mailbox`: about all orders of the address; its id is 0. */
  record_kind:
    | 'order'
    | 'refund'
    | 'payment'
    | 'transfer'
    | 'attendee'
    | 'announcement'
    | 'sample'
    | 'mailbox'
    | 'event'
    | 'user'
    | 'session'
    | 'sign_in_link';
  record_id: number;
  /**
   * `held`: not sent, because there is no SMTP server or because the mail has waited a week for the limit of its
   * mailbox.
   */
  status: MailStatus;
  /** Time of the next attempt; for a mail that is being sent, the end of its lease. */
  due_utc: string;
  attempts: Generated<number>;
  /** Last reply of the server, or the reason why there is none. */
  smtp_reply: Generated<string>;
  /** `Message-ID` of every attempt; empty before the first. */
  message_id: Generated<string>;
  /** Account that requested the mail; 0 for a mail that the server writes by itself. */
  user_id: Generated<number>;
  /** Account that receives it; 0 for a customer. */
  account_id: Generated<number>;
  created_utc: string;
  sent_utc: Generated<string>;
  /** Event, if the mail is about a single one; otherwise 0. */
  event_id: Generated<number>;
  /** Attendee whose holder receives it; 0 for other recipients. */
  attendee_id: Generated<number>;
  /** Whether it belongs to a bulk mailing, which waits behind single mails. */
  is_bulk: Generated<Flag>;
}

export const AUDIENCES = ['all', 'tickets', 'not_checked_in'] as const;

/** Mails to the holders of an event's tickets, written in batches by ticketing/announcements/write-mails.ts. */
export interface AnnouncementsTable {
  id: Generated<number>;
  /** Unique name: event and start for a reminder, otherwise random. */
  key: string;
  event_id: number;
  kind: (typeof ANNOUNCEMENT_KINDS)[number] | 'reminder';
  /** Empty for the default subject of its kind. */
  subject: string;
  /** Plain text; may be empty unless the kind is `announcement`. */
  body: string;
  audience: (typeof AUDIENCES)[number];
  /** JSON list of ticket ids, for the audience `tickets`. */
  ticket_ids: string;
  /** Last attendee whose mail has been written. */
  after_id: Generated<number>;
  /** Last attendee who receives it; later ones already know the news. */
  until_id: number;
  /** Number of mails written. */
  recipients: Generated<number>;
  /** 0 for the server itself. */
  user_id: Generated<number>;
  created_utc: string;
  /** Time at which the last mail was written; empty before. */
  done_utc: Generated<string>;
}

/** Texts of organizers in mails of a kind, in a language. */
export interface MailTextsTable {
  id: Generated<number>;
  kind: (typeof WORDED_MAIL_KINDS)[number];
  language: string;
  /** 0 for all events. */
  event_id: Generated<number>;
  /** Plain text with placeholders; empty for the default. */
  subject: string;
  introduction: string;
  modified_utc: string;
}

/** Addresses that unsubscribed from reminders. */
export interface MailOptoutsTable {
  /** Hash of the address as given. */
  mailbox: string;
  created_utc: string;
}

/** Events whose choice about reminders overrides the choice of the site. */
export interface EventRemindersTable {
  event_id: number;
  is_on: Flag;
}

/** Leases for work that only one process may do at a time; see jobs/leases.ts. */
export interface LeasesTable {
  name: string;
  holder: string;
  until_utc: string;
  /** Earliest time of the next run, for work that runs less often than once a minute. */
  next_utc: string;
}
