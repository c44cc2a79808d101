import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { DataVersion } from '../lib/data-version.ts';
import { LINKED_KIND_NAMES, perLinkedKind } from '../lib/linked-kinds.ts';
import type { Database } from './database.ts';
import { type AddressedKind, LIST_COLUMNS, type TranslatedKind } from './tables/calendar.ts';
import { SHARED_MODES } from './tables/ticketing.ts';
import type { Tables } from './tables.ts';

/** Incomplete records. Transactions and foreign keys prevent them; damage to the storage can cause them. */

export interface IncompleteRecords {
  what: string;
  count: number;
  /** Id of one incomplete record. */
  example: number;
}

const missing = (table: keyof Tables, condition: string): string =>
  `NOT EXISTS (SELECT 1 FROM ${table} AS p WHERE ${condition})`;

/** Tables whose rows share the sequence of ids. */
const RECORD_TABLES = {
  event: 'events',
  media: 'media',
  ticket: 'tickets',
  attendee: 'attendees',
  order: 'orders',
} as const;

const unregistered = Object.entries(RECORD_TABLES).map(([kind, table]): [string, string] => [
  `${kind} without its entry in the table of ids`,
  `SELECT id FROM ${table} AS r WHERE ${missing('records', `p.id = r.id AND p.kind = '${kind}'`)}`,
]);

const ADDRESSED: Readonly<Record<AddressedKind, string>> = {
  event: missing('events', `p.id = t.record_id`),
  ...perLinkedKind(() => missing('linked_posts', `p.id = t.record_id AND p.kind = t.kind`)),
  category: missing('terms', `p.id = t.record_id AND p.taxonomy = t.kind`),
  tag: missing('terms', `p.id = t.record_id AND p.taxonomy = t.kind`),
};

const TRANSLATED: Readonly<Record<TranslatedKind, string>> = {
  ...ADDRESSED,
  ticket: missing('tickets', `p.id = t.record_id`),
  media: missing('media', `p.id = t.record_id`),
};

const untranslated = Object.entries(TRANSLATED).map(([kind, condition]): [string, string] => [
  `translation of a missing ${kind}`,
  `SELECT id FROM translations AS t WHERE kind = '${kind}' AND ${condition}`,
]);

const unaddressed = Object.entries(ADDRESSED).map(([kind, condition]): [string, string] => [
  `former slug of a missing ${kind}`,
  `SELECT record_id AS id FROM former_slugs AS t WHERE kind = '${kind}' AND ${condition}`,
]);

const linkedPost = LINKED_KIND_NAMES.join(' or ');
const linkedKinds = LINKED_KIND_NAMES.map((kind) => `'${kind}'`).join(', ');

const differs = [
  ...LIST_COLUMNS.map((column) => `e.${column} <> l.${column}`),
  'coalesce(e.series_id, 0) <> coalesce(l.series_id, 0)',
].join(' OR ');

const sharedModes = SHARED_MODES.map((mode) => `'${mode}'`).join(', ');

/** Queries for incomplete records. A deleted event leaves its deleted tickets, with their attendees and orders. */
const INCOMPLETE: readonly [what: string, query: string][] = [
  ...unregistered,
  [
    `${linkedPost} without its entry in the table of ids`,
    `SELECT id FROM linked_posts AS r WHERE ${missing('records', `p.id = r.id AND p.kind = r.kind`)}`,
  ],
  [
    'ticket without its event',
    `SELECT id FROM tickets AS t WHERE is_deleted = 0 AND ${missing('events', `p.id = t.event_id`)}`,
  ],
  [
    'ticket without the shared places of its event',
    `SELECT id FROM tickets AS t WHERE mode IN (${sharedModes}) AND is_deleted = 0
      AND ${missing('event_stock', `p.event_id = t.event_id`)}`,
  ],
  [
    'attendee without its ticket, or of another event',
    `SELECT id FROM attendees AS a WHERE ${missing('tickets', `p.id = a.ticket_id AND p.event_id = a.event_id`)}`,
  ],
  [
    'attendee without its order',
    `SELECT id FROM attendees AS a WHERE order_id IS NOT NULL AND ${missing('orders', `p.id = a.order_id`)}`,
  ],
  [
    'attendee whose order has another status',
    `SELECT a.id FROM attendees AS a JOIN orders AS o ON o.id = a.order_id
      WHERE a.attendance_status <> o.status AND NOT (a.attendance_status = 'voided' AND a.status = 'trash')`,
  ],
  ['order without items', `SELECT id FROM orders AS o WHERE ${missing('order_items', `p.order_id = o.id`)}`],
  [
    'order without its attendees',
    `SELECT id FROM orders AS o WHERE (SELECT count(*) FROM attendees WHERE order_id = o.id)
      <> (SELECT coalesce(sum(quantity), 0) FROM order_items WHERE order_id = o.id)`,
  ],
  [
    'order whose log does not lead to its status',
    `SELECT id FROM orders AS o WHERE coalesce(
      (SELECT to_status FROM order_log WHERE order_id = o.id ORDER BY id DESC LIMIT 1), '') <> o.status`,
  ],
  [
    'order item without its order',
    `SELECT order_id AS id FROM order_items AS i WHERE ${missing('orders', `p.id = i.order_id`)}`,
  ],
  [
    'log entry without its order',
    `SELECT order_id AS id FROM order_log AS i WHERE ${missing('orders', `p.id = i.order_id`)}`,
  ],
  [
    'check-in without its attendee',
    `SELECT attendee_id AS id FROM check_ins AS c WHERE ${missing('attendees', `p.id = c.attendee_id`)}`,
  ],
  [
    'cart item without its cart',
    `SELECT ticket_id AS id FROM cart_items AS i WHERE ${missing('carts', `p.id = i.cart_id`)}`,
  ],
  [
    'cart item without its ticket',
    `SELECT cart_id AS id FROM cart_items AS i WHERE ${missing('tickets', `p.id = i.ticket_id`)}`,
  ],
  [
    'event whose links have other dates or another status',
    `SELECT DISTINCT e.id FROM events AS e JOIN event_links AS l ON l.event_id = e.id WHERE ${differs}`,
  ],
  [
    'link without its event',
    `SELECT event_id AS id FROM event_links AS l WHERE ${missing('events', `p.id = l.event_id`)}`,
  ],
  [
    `link to a missing ${linkedPost}`,
    `SELECT event_id AS id FROM event_links AS l WHERE kind IN (${linkedKinds})
      AND ${missing('linked_posts', `p.id = l.target_id AND p.kind = l.kind`)}`,
  ],
  [
    'link to a missing term',
    `SELECT event_id AS id FROM event_links AS l WHERE kind IN ('category', 'tag')
      AND ${missing('terms', `p.id = l.target_id AND p.taxonomy = l.kind`)}`,
  ],
  ...untranslated,
  ...unaddressed,
  [
    'site without its logo',
    `SELECT id FROM site_settings AS e WHERE logo_id IS NOT NULL AND ${missing('media', `p.id = e.logo_id`)}`,
  ],
  [
    'event without its image',
    `SELECT id FROM events AS e WHERE image_id IS NOT NULL AND ${missing('media', `p.id = e.image_id`)}`,
  ],
  [
    `${linkedPost} without its image`,
    `SELECT id FROM linked_posts AS e WHERE image_id IS NOT NULL AND ${missing('media', `p.id = e.image_id`)}`,
  ],
];

/** Finds incomplete records. Read-only; the database counts, so memory use does not grow with the data. */
export async function findIncompleteRecords(db: Database): Promise<IncompleteRecords[]> {
  const found: IncompleteRecords[] = [];
  for (const [what, query] of INCOMPLETE) {
    const { rows } = await sql<{ count: number; example: number | null }>`
      SELECT count(*) AS count, min(id) AS example FROM (${sql.raw(query)}) AS found`.execute(db.query);
    const count = Number(rows[0]?.count ?? 0);
    if (count > 0) found.push({ what, count, example: Number(rows[0]?.example) });
  }
  return found;
}

/** Rows that count changes of the data (docs/caching.md). */

type Part = keyof DataVersion;
const PARTS: readonly Part[] = ['calendar', 'seats'];
/** Maximum of `randomInt`. */
const LARGEST = 2 ** 48 - 1;

/** Parts without their common row. Their data are not cached, since their versions could repeat. */
export async function findMissingCounters(db: Database): Promise<Part[]> {
  const { rows } = await sql<{ part: string }>`SELECT part FROM data_versions WHERE backend = 0`.execute(db.query);
  return PARTS.filter((part) => !rows.some((row) => row.part === part));
}

/** Adds missing rows. Each begins with a random number, so that no version repeats. */
export const restoreCounters = (db: Database): Promise<Part[]> =>
  db.transaction(async (trx) => {
    const lost = await findMissingCounters(trx);
    for (const part of lost) {
      await sql`INSERT INTO data_versions (part, backend, number) VALUES (${part}, 0, ${randomInt(LARGEST)})`.execute(
        trx.query,
      );
    }
    return lost;
  });
