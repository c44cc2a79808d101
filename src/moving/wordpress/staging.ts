import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { isSerialized } from './php-value.ts';

/**
 * Records of a file, sorted for reading: files have an order of their own, and may be larger than memory. SQLite keeps
 * them in a temporary file without a name, which vanishes with the process.
 */

export interface Post {
  id: number;
  author: number;
  date: string;
  date_gmt: string;
  content: string;
  title: string;
  excerpt: string;
  status: string;
  password: string;
  name: string;
  modified: string;
  modified_gmt: string;
  parent: number;
  menu_order: number;
  type: string;
  mime: string;
}

export interface StagedTerm {
  id: number;
  name: string;
  slug: string;
  description: string;
  parent: number;
}

export interface StagedUser {
  id: number;
  login: string;
  pass: string;
  nicename: string;
  email: string;
  registered: string;
  display_name: string;
}

/** Values of a record by key, in the order of their rows. */
export type Meta = ReadonlyMap<string, readonly string[]>;

const SCHEMA = `
  PRAGMA cache_size = -8000;
  CREATE TABLE posts (id INTEGER PRIMARY KEY, author INTEGER, date TEXT, date_gmt TEXT, content TEXT, title TEXT,
    excerpt TEXT, status TEXT, password TEXT, name TEXT, modified TEXT, modified_gmt TEXT, parent INTEGER,
    menu_order INTEGER, type TEXT, mime TEXT);
  CREATE TABLE meta (kind TEXT, about INTEGER, key TEXT, value TEXT);
  CREATE TABLE terms (id INTEGER PRIMARY KEY, name TEXT, slug TEXT);
  CREATE TABLE taxonomy (tt_id INTEGER PRIMARY KEY, term_id INTEGER, taxonomy TEXT, description TEXT, parent INTEGER);
  CREATE TABLE relationships (object_id INTEGER, tt_id INTEGER);
  CREATE TABLE users (id INTEGER PRIMARY KEY, login TEXT, pass TEXT, nicename TEXT, email TEXT, registered TEXT,
    display_name TEXT);
  CREATE TABLE options (name TEXT PRIMARY KEY, value TEXT);
  CREATE TABLE dates (post_id INTEGER, start_date TEXT, end_date TEXT);
  CREATE TABLE modifiers (id INTEGER PRIMARY KEY, type TEXT, slug TEXT, status TEXT);
`;

const INDEXES = `
  CREATE INDEX posts_by_type ON posts (type, id);
  CREATE INDEX posts_by_parent ON posts (parent, type) WHERE parent > 0;
  CREATE INDEX meta_by_record ON meta (kind, about);
  CREATE INDEX meta_of_tickets ON meta (key, value)
    WHERE key IN ('_tec_tickets_commerce_event', '_tribe_rsvp_for_event');
  CREATE INDEX codes ON meta (value, about) WHERE key LIKE '%security_code';
  CREATE INDEX relationships_by_object ON relationships (object_id);
  CREATE INDEX dates_by_post ON dates (post_id);
  CREATE INDEX users_by_address ON users (lower(email), id);
`;

/** Types of posts that are not imported: content, and sales by add-ons. */
const OTHERS = ['page', 'post'];
const SALES = [
  ...['shop_coupon', 'edd_discount', 'ticket-meta-fieldset', 'tribe_wooticket', 'shop_order', 'tribe_eddticket'],
  ...['edd_payment', 'tribe_tpp_tickets', 'tribe_tpp_attendees', 'tribe_tpp_orders', 'tec_tc_pass', 'tec_tc_seat'],
];

type Value = string | number | null;

/** Removes NUL, which databases do not store in texts. Serialized PHP values keep it: it separates names there. */
const stored = (value: Value): Value =>
  typeof value === 'string' && value.includes('\0') && !isSerialized(value) ? value.replaceAll('\0', '') : value;

/** Number of records in a page. */
export const PER_PAGE = 50;

interface Pages {
  total: number;
  starts: readonly number[];
}

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

export class Staging {
  readonly #db = new DatabaseSync('');
  readonly #statements = new Map<string, StatementSync>();
  readonly #pages = new Map<string, Pages>();
  #isSealed = false;
  #written = 0;

  constructor() {
    this.#db.exec(SCHEMA);
    this.#db.exec('BEGIN');
  }

  /** Adds a row, unless there is one with its id. */
  add(table: string, row: Readonly<Record<string, Value>>): void {
    const names = Object.keys(row);
    const sql = `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${marks(names)})`;
    this.#prepared(sql).run(...Object.values(row).map(stored));
    this.#written += 1;
    if (this.#written % 50_000 === 0) this.#db.exec('COMMIT; BEGIN');
  }

  /** Ends the writing, and creates the indexes. */
  seal(): void {
    if (this.#isSealed) return;
    this.#isSealed = true;
    this.#db.exec('COMMIT');
    this.#db.exec(INDEXES);
  }

  close(): void {
    this.#db.close();
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = this.#db.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  /** Rows of a query. Its columns are those of the type, since only this file writes queries. */
  #all<T>(sql: string, ...values: Value[]): T[] {
    return this.#prepared(sql).all(...values) as T[];
  }

  /** A page of posts of some types, by id. A late page takes no longer than the first. */
  posts(types: readonly string[], page: number): Post[] {
    const { starts } = this.#pagesOf(types);
    const [first, next = Number.MAX_SAFE_INTEGER] = [starts[page - 1], starts[page]];
    if (first === undefined) return [];
    const sql = `SELECT * FROM posts WHERE type IN (${marks(types)}) AND id >= ? AND id < ? ORDER BY id`;
    return this.#all<Post>(sql, ...types, first, next);
  }

  count(types: readonly string[]): number {
    return this.#pagesOf(types).total;
  }

  /** Number of posts of some types, and the first id of each page. */
  #pagesOf(types: readonly string[]): Pages {
    const known = this.#pages.get(types.join());
    if (known) return known;
    const rows = this.#all<{ id: number; number: number }>(
      `SELECT id, number FROM (SELECT id, row_number() OVER (ORDER BY id) AS number, count(*) OVER () AS total
         FROM posts WHERE type IN (${marks(types)}))
       WHERE number % ? = 1 OR number = total ORDER BY id`,
      ...types,
      PER_PAGE,
    );
    const starts = rows.filter(({ number }) => number % PER_PAGE === 1).map(({ id }) => id);
    const pages = { total: rows.at(-1)?.number ?? 0, starts };
    this.#pages.set(types.join(), pages);
    return pages;
  }

  post(id: number): Post | undefined {
    return this.#all<Post>('SELECT * FROM posts WHERE id = ?', id)[0];
  }

  children(parent: number, type: string): Post[] {
    return this.#all<Post>(
      'SELECT * FROM posts WHERE parent = ? AND parent > 0 AND type = ? ORDER BY id',
      parent,
      type,
    );
  }

  meta(kind: 'post' | 'term' | 'user', id: number): Meta {
    const rows = this.#all<{ key: string; value: string }>(
      'SELECT key, value FROM meta WHERE kind = ? AND about = ? ORDER BY rowid',
      kind,
      id,
    );
    const found = new Map<string, string[]>();
    for (const { key, value } of rows) {
      const values = found.get(key);
      if (values) values.push(value);
      else found.set(key, [value]);
    }
    return found;
  }

  terms(taxonomy: string): StagedTerm[] {
    return this.#all<StagedTerm>(
      `SELECT t.id, t.name, t.slug, x.description, x.parent FROM taxonomy x JOIN terms t ON t.id = x.term_id
       WHERE x.taxonomy = ? ORDER BY t.id`,
      taxonomy,
    );
  }

  /** Terms of a post; those that do not exist have no id. */
  termsOf(postId: number): { tt_id: number; id: number | null; taxonomy: string | null }[] {
    return this.#all(
      `SELECT r.tt_id, x.term_id AS id, x.taxonomy FROM relationships r LEFT JOIN taxonomy x ON x.tt_id = r.tt_id
       LEFT JOIN terms t ON t.id = x.term_id WHERE r.object_id = ? ORDER BY t.name, t.id`,
      postId,
    );
  }

  users(page: number): StagedUser[] {
    return this.#all<StagedUser>('SELECT * FROM users ORDER BY id LIMIT ? OFFSET ?', PER_PAGE, (page - 1) * PER_PAGE);
  }

  user(id: number): StagedUser | undefined {
    return this.#all<StagedUser>('SELECT * FROM users WHERE id = ?', id)[0];
  }

  /** Whether an account with a lower id has the same address. */
  hasEarlierAddress({ id, email }: StagedUser): boolean {
    return this.#all('SELECT 1 FROM users WHERE id < ? AND lower(email) = lower(?) LIMIT 1', id, email).length > 0;
  }

  option(name: string): string {
    return this.#all<{ value: string }>('SELECT value FROM options WHERE name = ?', name)[0]?.value ?? '';
  }

  /** Dates of an event in the table from which the original makes its lists. */
  dates(postId: number): { start_date: string; end_date: string | null } | undefined {
    return this.#all<{ start_date: string; end_date: string | null }>(
      'SELECT start_date, end_date FROM dates WHERE post_id = ?',
      postId,
    )[0];
  }

  /** Ids of the tickets of an event that are for sale, or for RSVPs. */
  ticketsOf(eventId: number): { id: number; type: string }[] {
    return this.#all(
      `SELECT p.id, p.type FROM meta m JOIN posts p ON p.id = m.about
       WHERE m.key IN ('_tec_tickets_commerce_event', '_tribe_rsvp_for_event') AND m.value = ?
         AND p.type IN ('tec_tc_ticket', 'tribe_rsvp_tickets') AND p.status <> 'trash' ORDER BY p.id`,
      String(eventId),
    );
  }

  /** Whether an attendee with a lower id has the same security code. */
  hasEarlierCode(id: number, code: string): boolean {
    const sql = `SELECT 1 FROM meta WHERE key LIKE '%security_code' AND value = ? AND about < ? LIMIT 1`;
    return code !== '' && this.#all(sql, code, id).length > 0;
  }

  /** Number of rows about posts that do not exist, which an import ignores. */
  orphans(): number {
    const sql = `SELECT (SELECT count(*) FROM dates WHERE post_id NOT IN (SELECT id FROM posts))
      + (SELECT count(*) FROM (SELECT DISTINCT about FROM meta WHERE kind = 'post' AND about NOT IN (SELECT id FROM posts)))
      AS count`;
    return this.#all<{ count: number }>(sql)[0]?.count ?? 0;
  }

  /** Number of pages and articles, which are not imported. */
  others(): { type: string; count: number }[] {
    return this.#all(
      `SELECT type, count(*) AS count FROM posts WHERE type IN (${marks(OTHERS)})
       AND status IN ('publish', 'draft', 'private', 'pending', 'future') GROUP BY type`,
      ...OTHERS,
    );
  }

  /** Number of coupons, places and orders of add-ons, which are not imported. */
  sales(): { type: string; count: number }[] {
    return this.#all(
      `SELECT type, count(*) AS count FROM posts WHERE type IN (${marks(SALES)})
       AND status NOT IN ('auto-draft', 'trash') GROUP BY type ORDER BY type`,
      ...SALES,
    );
  }

  /** Coupons and fees of the original's own sale, by type. */
  modifiers(type: 'coupon' | 'fee'): { slug: string; status: string }[] {
    return this.#all('SELECT slug, status FROM modifiers WHERE type = ? ORDER BY id LIMIT 1000', type);
  }
}

/** Types of posts whose content is imported. */
export const CONTENT_TYPES: ReadonlySet<string> = new Set([
  ...['tribe_events', 'tribe_venue', 'tribe_organizer', 'attachment', 'wp_block'],
  ...['tec_tc_ticket', 'tec_tc_attendee', 'tec_tc_order', 'tribe_rsvp_tickets', 'tribe_rsvp_attendees'],
]);

/** Keys of values that are read; a site has millions of others. */
const KEYS =
  /^(?:_Event\w+|_Venue\w+|_Organizer(?:Phone|Website|Email)|_thumbnail_id|_tribe_(?:featured|events_|rsvp_|ticket_|tickets_meta|tickets_attendee|deleted_product)\w*|_tec_tickets_commerce_\w+|_tec_tc_order_(?!fa_marker|status_log|hash)\w+|_ecp_custom_\w{1,20}|_wp_attached_file|_wp_attachment_(?:image_alt|metadata)|_wp_trash_meta_status|_(?:price|sku|stock|sale_price\w*|global_stock_mode|manage_stock)|_ticket_(?:start|end)_(?:date|time)|total_sales|_paid_price|_application_passwords|\w{0,60}capabilities|tec-events-cat-colors-\w+|locale)$/;

export const isReadKey = (key: string): boolean => key.length <= 120 && KEYS.test(key);

/** Options of the site that are read. */
export const OPTIONS: ReadonlySet<string> = new Set([
  ...['home', 'siteurl', 'blogname', 'timezone_string', 'gmt_offset', 'permalink_structure'],
  ...['tribe_events_calendar_options', 'template', 'sticky_posts', 'rewrite_rules', 'tag_base'],
]);
