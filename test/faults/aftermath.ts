import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { LISTED } from '../../src/db/tables.ts';
import { examine } from '../../src/resources/tickets/doctor.ts';
import type { Ledger } from './ledger.ts';
import { memoryOf, type Site } from './site.ts';

/** What must hold after every fault. */
export interface AftermathOptions {
  ledger?: Ledger;
  /** MiB before the fault, of processes that are still the same. */
  memoryBefore?: number;
}

/** MiB that a process may have more than before: what V8 has not collected yet, and buffers of many connections. */
const MORE_MEMORY = 96;
/** Milliseconds until a server has to serve again by itself. */
const RECOVERY = 15_000;

/** One sentence for everything that is wrong. */
export async function aftermath(site: Site, { ledger, memoryBefore }: AftermathOptions = {}): Promise<string[]> {
  const problems: string[] = [];
  for (const index of site.addresses.keys()) problems.push(...(await findNotServing(site, index)));
  problems.push(...(await findHalfRecords(site.db)));
  problems.push(...(await findStrayFiles(site.db, join(site.data, 'uploads'), ledger?.uploadsInDoubt)));
  for (const { counter, id, stored, counted } of await examine(site.db))
    problems.push(`doctor: ${counter} of ${id} is ${stored}, counted ${counted}`);
  if (ledger) problems.push(...(await ledger.findLost(site.db)));
  if (memoryBefore !== undefined) problems.push(...(await findGrowth(site, memoryBefore)));
  return problems;
}

/** Reads and writes at one process, again and again until both work. */
async function findNotServing(site: Site, index: number): Promise<string[]> {
  const until = performance.now() + RECOVERY;
  let last = '';
  while (performance.now() < until) {
    last = await trialOf(site, index).catch(String);
    if (last === '') return [];
    await delay(100);
  }
  return [`process ${index} does not serve again after ${RECOVERY / 1000} s: ${last}`];
}

let trials = 0;

async function trialOf({ ask }: Site, index: number): Promise<string> {
  const read = await ask('GET events:/events', { process: index });
  if (read.status !== 200) return `a read is answered ${read.status}`;
  trials += 1;
  const name = `Trial ${process.pid}-${trials}`;
  const { status, body } = await ask('POST events:/tags', { process: index, body: { name } });
  return status === 201 ? '' : `a write is answered ${status} ${JSON.stringify(body)}`;
}

/** Memory that is collected late is given some seconds. */
async function findGrowth(site: Site, before: number): Promise<string[]> {
  const limit = before + MORE_MEMORY * site.processes.length;
  for (let wait = 0; wait < 20; wait += 1) {
    if (memoryOf(site) <= limit) return [];
    await site.ask('GET events:/events');
    await delay(500);
  }
  return [`memory went from ${before.toFixed(0)} to ${memoryOf(site).toFixed(0)} MiB`];
}

/** What every query below finds is a record that lacks a part of itself. */
const HALVES: Readonly<Record<string, RawBuilder<{ id: number }>>> = {
  'order without items': sql`SELECT id FROM orders AS o WHERE NOT EXISTS (SELECT 1 FROM order_items WHERE order_id = o.id)`,
  'order without its attendees': sql`SELECT id FROM orders AS o
    WHERE (SELECT count(*) FROM attendees WHERE order_id = o.id)
      <> (SELECT coalesce(sum(quantity), 0) FROM order_items WHERE order_id = o.id)`,
  'order whose log does not lead to its status': sql`SELECT id FROM orders AS o WHERE coalesce(
    (SELECT to_status FROM order_log WHERE order_id = o.id ORDER BY id DESC LIMIT 1), '') <> o.status`,
  'attendee whose order has another status': sql`SELECT a.id FROM attendees AS a JOIN orders AS o ON o.id = a.order_id
    WHERE a.standing <> o.status`,
  'attendee without event': sql`SELECT id FROM attendees AS a WHERE NOT EXISTS (SELECT 1 FROM tickets WHERE id = a.ticket_id AND event_id = a.event_id)`,
  'event whose links say other dates or status': sql`SELECT e.id FROM events AS e JOIN event_links AS l ON l.event_id = e.id
    WHERE ${sql.join(
      LISTED.map((column) => sql`${sql.ref(`e.${column}`)} <> ${sql.ref(`l.${column}`)}`),
      sql` OR `,
    )}`,
  'link of no event': sql`SELECT event_id AS id FROM event_links AS l WHERE NOT EXISTS (SELECT 1 FROM events WHERE id = l.event_id)`,
  'link to no venue or organizer': sql`SELECT event_id AS id FROM event_links AS l WHERE kind IN ('venue', 'organizer')
    AND NOT EXISTS (SELECT 1 FROM linked_posts WHERE id = l.target_id AND kind = l.kind)`,
  'link to no term': sql`SELECT event_id AS id FROM event_links AS l WHERE kind IN ('category', 'tag')
    AND NOT EXISTS (SELECT 1 FROM terms WHERE id = l.target_id AND taxonomy = l.kind)`,
  'translation of no event': sql`SELECT id FROM translations AS t WHERE kind = 'event' AND NOT EXISTS (SELECT 1 FROM events WHERE id = t.record_id)`,
  'translation of no venue or organizer': sql`SELECT id FROM translations AS t WHERE kind IN ('venue', 'organizer')
    AND NOT EXISTS (SELECT 1 FROM linked_posts WHERE id = t.record_id AND kind = t.kind)`,
  'translation of no term': sql`SELECT id FROM translations AS t WHERE kind IN ('category', 'tag')
    AND NOT EXISTS (SELECT 1 FROM terms WHERE id = t.record_id AND taxonomy = t.kind)`,
  'translation of no ticket': sql`SELECT id FROM translations AS t WHERE kind = 'ticket' AND NOT EXISTS (SELECT 1 FROM tickets WHERE id = t.record_id)`,
  'item of no cart': sql`SELECT ticket_id AS id FROM cart_items AS i WHERE NOT EXISTS (SELECT 1 FROM carts WHERE id = i.cart_id)`,
  'item of no ticket': sql`SELECT cart_id AS id FROM cart_items AS i WHERE NOT EXISTS (SELECT 1 FROM tickets WHERE id = i.ticket_id)`,
  'shared places that are not there': sql`SELECT id FROM tickets AS t WHERE mode IN ('global', 'capped') AND is_deleted = 0
    AND NOT EXISTS (SELECT 1 FROM event_stock WHERE event_id = t.event_id)`,
  'ticket of which more is given away than there is': sql`SELECT id FROM tickets WHERE sold + held > capacity`,
  'image that is not there': sql`SELECT id FROM events AS e WHERE image_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM media WHERE id = e.image_id)`,
};

/** What is in the database by halves. */
export async function findHalfRecords(db: Database): Promise<string[]> {
  const problems: string[] = [];
  for (const [what, query] of Object.entries(HALVES)) {
    const { rows } = await query.execute(db.query);
    if (rows.length > 0) problems.push(`${rows.length} × ${what}, such as ${rows[0]?.id}`);
  }
  return problems;
}

/**
 * Images without their files, and files that no image knows. Files are written before their record, so an upload that was
 * cut off may leave its own: so many are allowed.
 */
export async function findStrayFiles(db: Database, folder: string, inDoubt = 0): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const there = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)),
  );
  const rows = await db.query.selectFrom('media').select(['file', 'sizes']).execute();
  const known = rows.flatMap(({ file, sizes }) => [
    file,
    ...Object.values(JSON.parse(sizes) as Record<string, { file: string }>).map((size) => size.file),
  ]);
  const missing = known.filter((file) => !there.has(file));
  const stray = [...there].filter((file) => !new Set(known).has(file));
  return [
    ...(missing.length > 0 ? [`${missing.length} × image without its file, such as ${missing[0]}`] : []),
    ...(stray.length > inDoubt ? [`${stray.length} × file of no image, such as ${stray[0]}`] : []),
  ];
}
