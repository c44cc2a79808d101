import type { Tables } from '../../db/tables.ts';
import { LINKED_KINDS } from '../../lib/linked-kinds.ts';

/** Content of an export, table by table. A new table has to be listed here before the sources compile. */

interface Exported<Name extends keyof Tables> {
  /** Primary key: the order of the rows. */
  key: readonly (keyof Tables[Name] & string)[];
  /** Columns with JSON text, which is exported as values. */
  json?: readonly (keyof Tables[Name] & string)[];
  /** Secrets, which are never exported. */
  without?: readonly (keyof Tables[Name] & string)[];
  /** Column whose value names the file, with the file of each value. */
  files?: { column: keyof Tables[Name] & string; names: Readonly<Record<string, string>> };
  /** Rows that are exported, by the value of a column; by default all. */
  only?: { column: keyof Tables[Name] & string; values: readonly string[] };
}

/** Reason for leaving a table out. */
type Reason = 'secret' | 'passing' | 'import';

/** Columns that the server computes from others, for searching and sorting. */
export const DERIVED: readonly string[] = [
  'title_key',
  'name_key',
  'search_text',
  'email_key',
  'username_key',
  'code_key',
];

/** Members of JSON that are secrets, wherever they are. */
export const SECRET_MEMBERS: readonly string[] = ['password', 'post_password', 'security_code'];

const KINDS = Object.fromEntries(Object.entries(LINKED_KINDS).map(([kind, { plural }]) => [kind, plural]));

/**
 * - `secret`: credentials
 * - `passing`: temporary data of visits and processes, without meaning elsewhere
 * - `import`: which records came from where
 */
export const EXPORTED: { readonly [Name in keyof Tables]: Exported<Name> | Reason } = {
  users: { key: ['id'], json: ['alerts'], without: ['password_hash', 'totp_secret', 'totp_pending', 'totp_step'] },
  app_passwords: 'secret',
  tokens: 'secret',
  sessions: 'secret',
  sign_in_links: 'secret',
  account_devices: 'secret',
  recovery_codes: 'secret',
  records: { key: ['id'] },
  media: { key: ['id'], json: ['sizes'] },
  former_files: { key: ['file'] },
  events: { key: ['id'], json: ['cost'], without: ['password'] },
  series: { key: ['id'], json: ['template', 'rdates', 'exdates'] },
  occurrences: { key: ['event_id'], json: ['own_fields'] },
  linked_posts: { key: ['id'], json: ['attributes'], files: { column: 'kind', names: KINDS } },
  terms: { key: ['id'], files: { column: 'taxonomy', names: { category: 'categories', tag: 'tags' } } },
  event_links: { key: ['event_id', 'kind', 'target_id'] },
  translations: { key: ['id'], json: ['texts', 'provisional'] },
  former_slugs: { key: ['id'] },
  merges: { key: ['id'], json: ['survivor', 'merged'] },
  merged_records: { key: ['kind', 'record_id'] },
  merged_links: { key: ['merge_id', 'target_id', 'event_id'] },
  tickets: { key: ['id'] },
  event_stock: { key: ['event_id'] },
  orders: { key: ['id'], json: ['billing'], without: ['network'] },
  order_items: { key: ['order_id', 'ticket_id', 'price'] },
  order_charges: { key: ['id'] },
  order_log: { key: ['id'] },
  payments: { key: ['id'], without: ['page_url', 'return_url', 'request'] },
  payment_log: { key: ['id'] },
  refunds: { key: ['id'], json: ['attendees'], without: ['gateway_key'] },
  reconciliation_findings: { key: ['id'] },
  tax_rates: { key: ['id'] },
  fees: { key: ['id'] },
  promotions: { key: ['id'], json: ['ticket_ids'] },
  promotion_uses: { key: ['order_id'] },
  number_series: { key: ['series'] },
  invoices: { key: ['id'], json: ['body'] },
  attendees: { key: ['id'], json: ['information'], without: ['security_code'] },
  ticket_transfers: { key: ['id'], without: ['former_code'] },
  check_ins: { key: ['id'] },
  site: { key: ['name'], only: { column: 'name', values: ['language', 'calendar_id'] } },
  site_settings: {
    key: ['id'],
    json: [
      'colors',
      'contact',
      'payment_ways',
      'address_words',
      'languages',
      'second_factor_roles',
      'seller',
      'donation_amounts',
    ],
  },
  site_texts: { key: ['language'], json: ['texts'] },
  mail_texts: { key: ['id'] },
  mail_optouts: { key: ['mailbox'] },
  mails: { key: ['id'], without: ['key', 'message_id'] },
  announcements: { key: ['id'], json: ['ticket_ids'], without: ['key'] },
  event_reminders: { key: ['event_id'] },
  audit: { key: ['id'], json: ['fields', 'changes'], without: ['network', 'request_id'] },
  gates: { key: ['id'], json: ['ticket_ids'], without: ['events_key', 'settled_version'] },
  gate_events: { key: ['gate_id', 'event_id'] },
  former_events: { key: ['attendee_id', 'event_id'] },
  door_scans: { key: ['id'] },
  door_clashes: { key: ['id'] },
  door_sales: { key: ['id'] },
  door_devices: 'secret',
  signing_keys: 'secret',
  check_in_keys: 'secret',
  nonces: 'secret',
  idempotency_keys: 'secret',
  door_changes: 'passing',
  carts: 'passing',
  cart_items: 'passing',
  rate_limits: 'passing',
  free_places: 'passing',
  refusals: 'passing',
  job_runs: 'passing',
  jobs: 'passing',
  leases: 'passing',
  imports: 'import',
  import_links: 'import',
  import_findings: 'import',
  import_keys: 'import',
  import_changes: 'import',
  import_runs: 'passing',
  import_chunks: 'passing',
  import_plans: 'passing',
  subscriptions: { key: ['id'], json: ['categories', 'counts'], without: ['address'] },
};
