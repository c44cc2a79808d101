import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { templateOf } from '../src/calendar/events/series/template.ts';
import { getEvents } from '../src/calendar/events/store.ts';
import { type Database, type DatabaseAddress, openDatabase } from '../src/db/database.ts';
import { newRecordIds } from '../src/db/record-ids.ts';
import { LIST_COLUMNS } from '../src/db/tables/calendar.ts';
import { addDays } from '../src/lib/dates/dates.ts';
import { insertRows } from './bulk.ts';
import { type Case, casesOf } from './cases.ts';
import { measure } from './client.ts';
import { loadOf, type Subject, warmUp } from './figures.ts';
import { AUTHORIZATION, type Original, type Site, startSite, WITHOUT_MEMORY } from './sites.ts';
import { median } from './statistics.ts';

/**
 * Series: their lists beside those of single events, and how long others wait while one is made and changed, and while
 * documents are made.
 */

/** Events of a series. */
const DATES = 50;
/** Lists that are measured. */
const LISTS = /^list: (?!last page|as an editor|featured)/;

export interface SeriesOptions {
  events: number;
  only: RegExp;
  seconds: number;
  turns: number;
  serverCore?: number;
}

export async function printSeries(original: Original, options: SeriesOptions) {
  const { serverCore: core, events: count, only, seconds, turns } = options;
  const file = join(tmpdir(), `marquee-loop-delay-${process.pid}.json`);
  const single = await startSite(original, {
    core,
    prepare: (address) => change(address, tagAll),
    settings: WITHOUT_MEMORY,
  });
  const grouped = await startSite(original, {
    ...{
      core,
      prepare: (address) => change(address, tagAll, groupEvents),
      nodeArgs: ['--import', join(import.meta.dirname, 'loop-delay.ts')],
    },
    settings: { ...WITHOUT_MEMORY, LOOP_DELAY_FILE: file },
  });
  try {
    console.log(`\n${original.kind}, ${count} events alone and in series of ${DATES}, p50 in ms after a change each\n`);
    console.log(`${' '.repeat(36)}   single   series    ratio collapsed    ratio`);
    const { generated, events } = original;
    const lists = casesOf({ ...generated, events, count }, new Date()).filter(({ name }) => LISTS.test(name));
    const rows = [];
    const tagged = { name: 'list: tag of all events', paths: [`/events?per_page=10&tags=${TAG}`] };
    for (const one of [...lists, tagged].filter(({ name }) => only.test(name)))
      rows.push(await measureList(one, { single, grouped }, seconds / turns, turns));
    return { database: original.kind, rows, waits: await measureWaits(grouped, file) };
  } finally {
    await single.stop();
    await grouped.stop();
  }
}

/** Slug of a tag of all events. */
const TAG = 'bench-everything';

async function tagAll(db: Database): Promise<void> {
  await sql`INSERT INTO terms (taxonomy, name, name_key, slug, description, parent_id, count)
    VALUES ('tag', ${TAG}, ${TAG}, ${TAG}, '', 0, 0)`.execute(db.query);
  const columns = sql.join(LIST_COLUMNS.map((name) => sql.ref(name)));
  await sql`INSERT INTO event_links (event_id, kind, target_id, position, ${columns})
    SELECT id, 'tag', (SELECT id FROM terms WHERE slug = ${TAG}), 99, ${columns} FROM events`.execute(db.query);
}

async function change(address: DatabaseAddress, ...steps: ((db: Database) => Promise<void>)[]): Promise<void> {
  const db = openDatabase(address);
  for (const step of steps) await step(db);
  await db.close();
}

/** Makes a series of every fifty events, in a calendar whose lists have the same content as before. */
async function groupEvents(db: Database): Promise<void> {
  const events = await db.query.selectFrom('events').select('id').orderBy('id').execute();
  const [first] = await getEvents(
    db,
    events.slice(0, 1).map(({ id }) => id),
  );
  if (!first) throw new Error('the calendar is empty');
  const others = Array.from({ length: Math.ceil(events.length / DATES) - 1 }, () => 'series' as const);
  const ids = await newRecordIds(db, ['series', ...others]);
  const { author_id, modified, modified_utc } = first;
  const template = JSON.stringify(templateOf(first, {}, []));
  const common = { author_id, status: 'publish' as const, template, start_day: '2020-01-01', rrule: 'FREQ=WEEKLY' };
  const lists = { rdates: '[]', exdates: '[]', made_until: '9999-12-31', follows_series_id: null };
  await db.transaction(async (trx) => {
    await insertRows(
      trx,
      'series',
      ids.map((id) => ({ ...common, ...lists, id, slug: `series-${id}`, modified, modified_utc })),
    );
    const rows = events.map(({ id: event_id }, index) => ({
      ...{ event_id, series_id: ids[Math.floor(index / DATES)] ?? 0, version: 1 },
      recurrence_id: addDays('2020-01-01 00:00:00', index % DATES).slice(0, 10),
    }));
    await insertRows(trx, 'occurrences', rows);
    await sql`UPDATE events SET series_id = (SELECT series_id FROM occurrences WHERE event_id = events.id)`.execute(
      trx.query,
    );
  });
}

async function measureList(
  one: Case,
  { single, grouped }: { single: Site; grouped: Site },
  seconds: number,
  turns: number,
) {
  const collapsed = one.paths.map((path) => `${path}${path.includes('?') ? '&' : '?'}collapse=series`);
  const subjects: Subject[] = [
    { one, server: single },
    { one, server: grouped },
    { one: { ...one, paths: collapsed }, server: grouped },
  ];
  const times: number[][] = [[], [], []];
  for (const subject of subjects) await warmUp(subject);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, subject] of subjects.entries())
      times[index]?.push((await measure({ ...loadOf(subject, { changed: true }), seconds, atLeast: 5 })).p50);
  }
  const [alone = 0, series = 0, collapse = 0] = times.map((all) => median(all));
  const figures = [alone, series, series / alone, collapse, collapse / series];
  console.log(one.name.padEnd(36), figures.map((value) => value.toFixed(2).padStart(8)).join(' '));
  return { name: one.name, single: alone, series, collapsed: collapse };
}

const BODY = `<p>${'Bring an apron, a towel and old shoes. '.repeat(100)}</p>`;

/** Makes and changes a series of 500 events with texts in two languages and two tickets. */
async function measureWaits(site: Site, file: string) {
  const ask = asker(site);
  const start = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const event = { title: 'Pottery', description: BODY, start_date: `${start} 19:00`, end_date: `${start} 21:00` };
  const { id } = await ask('POST', 'events/v1/events', event);
  await ask('PATCH', `events/v1/events/${id}?i18n_language=fr`, { title: 'Poterie', description: BODY });
  const add = async (name: string, more: object = {}) => {
    const { nonce } = await ask('POST', 'tickets/v1/nonces', { action: 'add_ticket_nonce', post_id: id });
    const ticket = { mode: 'own', capacity: 10 };
    await ask('POST', 'tickets/v1/tickets', {
      ...{ post_id: id, provider: 'tc', name, price: '5', ticket, add_ticket_nonce: nonce, ...more },
    });
  };
  await add('Seat');
  await add('Child');
  let series = 0;
  const steps: Record<string, () => Promise<unknown>> = {
    'create 500 events': async () => {
      series = (await ask('POST', 'events/v1/series', { event_id: id, recurrence: { rrule: 'FREQ=DAILY;COUNT=500' } }))
        .id;
    },
    'change texts of 500': () =>
      ask('PATCH', `events/v1/events/${id}`, { title: 'Glazing', description: `${BODY}!`, scope: 'all' }),
    'add a ticket to 500': () => add('Guest', { scope: 'all' }),
    'move 500 to the trash': () => ask('DELETE', `events/v1/series/${series}`),
    'restore 500': () => ask('PATCH', `events/v1/series/${series}`, { status: 'publish' }),
    [DOCUMENTS]: () => makeDocuments(site, ask, id),
  };
  console.log('\nwaits of other requests, ms; in brackets those without the work, for as long just after it');
  console.log(''.padEnd(24), 'seconds      p50      p99      max   blocked (CPU)    (wall)');
  const isIdle = async () => {
    const { counts } = await ask('GET', 'admin/v1/jobs/counts');
    const waiting = (counts as { state: string }[]).filter(({ state }) => state !== 'dead').length;
    return waiting === 0 && (series === 0 || (await ask('GET', `events/v1/series/${series}`)).pending === 0);
  };
  const waits = [];
  for (const [name, act] of Object.entries(steps)) {
    const path = name === DOCUMENTS ? 'events?per_page=10' : `events/${id}`;
    const began = performance.now();
    const during = await waitsDuring({ site, file, path }, async () => {
      await act();
      while (!(await isIdle())) await delay(200);
    });
    const seconds = (performance.now() - began) / 1000;
    const without = await waitsDuring({ site, file, path }, async () => {
      for (const end = performance.now() + 1000 * seconds; performance.now() < end; await delay(200)) await isIdle();
    });
    const pairs = during.map((value, index) => `${value.toFixed(0)} (${without[index]?.toFixed(0)})`.padStart(9));
    console.log(name.padEnd(24), seconds.toFixed(1).padStart(7), pairs.join(' '));
    waits.push({ name, seconds, during, without });
  }
  return waits;
}

/** Lists are read meanwhile. */
const DOCUMENTS = 'make 50 PDFs (a list)';

/** Makes the tickets of an order of ten places as PDF fifty times at once. */
async function makeDocuments({ address }: Site, ask: ReturnType<typeof asker>, event: number): Promise<void> {
  const { tickets } = await ask('GET', `tickets/v1/tickets?include_post=${event}`);
  const purchaser = { name: 'Łukasz Park', email: 'lukasz@example.test' };
  const sale = { items: [{ ticket_id: tickets[0].id, quantity: 10 }], payment: 'cash', purchaser };
  const { id } = await ask('POST', 'admin/v1/orders', sale);
  const url = `${address}/calendar/tickets/v1/orders/${id}/tickets.pdf`;
  const made = Array.from({ length: 50 }, async () => {
    const response = await fetch(url, { headers: { Authorization: AUTHORIZATION } });
    if (!response.ok) throw new Error(`a document got ${response.status}`);
    return response.arrayBuffer();
  });
  await Promise.all(made);
}

/** Waits of a reader during some work: median, 99th percentile and maximum, and the longest block of the event loop. */
async function waitsDuring(
  { site, file, path }: { site: Site; file: string; path: string },
  work: () => Promise<void>,
) {
  await blockedOf(site, file);
  const { times, stop } = probe(site, path);
  await work();
  await stop();
  const blocked = await blockedOf(site, file);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return [at(0.5), at(0.99), at(1), blocked.cpu, blocked.wall];
}

const asker = ({ address }: Site) => {
  // biome-ignore lint/suspicious/noExplicitAny: looked into as clients do
  return async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(`${address}/calendar/${path}`, {
      method,
      headers: { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path} got ${response.status} ${await response.text()}`);
    return response.json();
  };
};

/** Reads an event or a list over and over, and notes how long each read takes. */
function probe({ address }: Site, path: string) {
  const times: number[] = [];
  let isStopped = false;
  const run = async () => {
    while (!isStopped) {
      const began = performance.now();
      await (await fetch(`${address}/calendar/events/v1/${path}`)).arrayBuffer();
      times.push(performance.now() - began);
      await delay(10);
    }
  };
  const running = run();
  const stop = async () => {
    isStopped = true;
    await running;
  };
  return { times, stop };
}

/** The longest time for which the event loop was blocked since the last call. */
async function blockedOf({ pid }: Site, file: string): Promise<{ cpu: number; wall: number }> {
  process.kill(pid, 'SIGUSR2');
  await delay(100);
  return JSON.parse(await readFile(file, 'utf8'));
}
