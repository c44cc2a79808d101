import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { endpointOf } from '../src/app.ts';
import type { Context } from '../src/base/context.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { findIncompleteRecords } from '../src/db/integrity.ts';
import { findWrongCounters } from '../src/jobs/recount.ts';
import { importSite } from '../src/moving/import-site.ts';
import { openSource, SourceError } from '../src/moving/source.ts';
import { administratorContext } from '../src/platform/users/in-process-context.ts';
import { demoCommand } from '../src/server/cli/demo.ts';
import { importCommands } from '../src/server/cli/import.ts';
import { findBookErrors } from '../src/ticketing/books/check-books.ts';
import { runCommand } from './commands.ts';
import { listen, type TestListener } from './listen.ts';
import { commandProcess } from './marquee-process.ts';
import { type OldSite, proxyOf, type Spoil } from './old-sites.ts';
import { createDatabase } from './postgres.ts';
import { BOTH_DATABASES, type DatabaseKind, startTestServer, type TestServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { effort, usualOf } from './thoroughness.ts';

const commandNamed = (name: string) => importCommands.find((one) => one.name === name);
const CREDENTIALS = { user: 'administrator', password: 'administrator-password' };

let old: TestServer;
let listener: TestListener;
let passwordFile: string;

beforeAll(async () => {
  old = await startTestServer('sqlite', {
    timezone: 'Europe/Paris',
    currency: 'EUR',
    currencySymbol: '€',
    languages: ['en'],
  });
  // Orders that are paid, open and given back; with the other events, more than one page of each list that has pages.
  await runCommand(demoCommand, old.context, ['--events=24']);
  for (let day = 1; day <= 28; day++) {
    const date = `2027-02-${String(day).padStart(2, '0')}`;
    await old.make('POST /events', { title: `Evening ${day}`, start_date: `${date} 20:00`, end_date: `${date} 22:00` });
  }
  await old.make('POST /events', {
    title: 'Hidden',
    start_date: '2027-01-04 20:00',
    end_date: '2027-01-04 22:00',
    hide_from_listings: true,
  });
  const secret = {
    title: 'Behind a password',
    start_date: '2027-01-05 20:00',
    end_date: '2027-01-05 22:00',
    post_password: 'lantern',
  };
  await old.make('POST /events', secret);
  await old.make('POST /events', { ...secret, title: 'Hidden behind a password', hide_from_listings: true });
  const trashed = await old.make('POST /events', {
    title: 'Given up',
    start_date: '2027-01-06 20:00',
    end_date: '2027-01-06 22:00',
  });
  await old.ask(`DELETE /events/${trashed.id}`, { as: 'administrator' });
  listener = await listen(old.context);
  passwordFile = join(await temporaryFolder('moving'), 'password');
  await writeFile(passwordFile, `${CREDENTIALS.password}\n`);
});

afterAll(async () => {
  await listener.close();
  await old.close();
});

const account = () => ['--user', CREDENTIALS.user, '--password-file', passwordFile];

const TABLES = [
  ...['events', 'linked_posts', 'terms', 'event_links', 'translations', 'tickets', 'event_stock', 'orders'],
  ...['order_items', 'payments', 'attendees', 'check_ins', 'media', 'import_links', 'records', 'former_slugs'],
];
/** Random, or times of the import itself. */
const VOLATILE = new Set([
  ...[
    'security_code',
    'access_version',
    'file',
    'sizes',
    'title_key',
    'search_text',
    'description',
    'import_id',
    'hash',
    'fields',
    'seen_utc',
  ],
  ...[
    'source',
    'source_url',
    'created_utc',
    'modified',
    'modified_utc',
    'date',
    'date_utc',
    'checkin_utc',
    'id_of_row',
  ],
]);

/** Everything that an import writes, without random values. */
async function contentOf(db: Database): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {};
  for (const table of TABLES) {
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)}`.execute(db.query);
    const ownId = ['payments', 'check_ins', 'former_slugs', 'translations'].includes(table);
    const kept = rows.map((row) =>
      JSON.stringify(Object.entries(row).filter(([name]) => !VOLATILE.has(name) && !(ownId && name === 'id'))),
    );
    content[table] = kept.toSorted();
  }
  return content;
}

async function countsOf(db: Database): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of [...TABLES, 'imports', 'import_findings', 'audit']) {
    const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)}`.execute(db.query);
    found[table] = Number(rows[0]?.count);
  }
  return found;
}

/** Findings of `marquee doctor`. */
const damageOf = async (db: Database) => [
  ...(await findWrongCounters(db)),
  ...(await findIncompleteRecords(db)),
  ...(await findBookErrors(db)),
];

const SETTINGS = { timezone: 'Europe/Paris', currency: 'EUR', currencySymbol: '€', languages: ['en'] };

async function importInto(
  context: Context,
  address: string,
  options: { isResumed?: boolean; isTheirs?: boolean } = {},
) {
  const source = openSource({ address, credentials: CREDENTIALS, pause: async () => undefined });
  return importSite({ source, ctx: await administratorContext(context, endpointOf), ...options });
}

describe.each(BOTH_DATABASES)('an import from a running site into %s', (kind) => {
  /** How a source is read hardly depends on the database. */
  const reading = usualOf(kind);
  let target: TestServer;
  const opened: (TestServer | OldSite)[] = [];
  const start = async (): Promise<TestServer> => {
    const server = await startTestServer(kind, SETTINGS);
    opened.push(server);
    return server;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  let soundImport: ReturnType<typeof importSoundly> | undefined;
  /** Content after an import that nothing disturbs, and the number of requests that it takes. */
  const importSoundly = async () => {
    const sound = await startTestServer(kind, SETTINGS);
    const proxy = await proxyOf(listener.address, () => false);
    await importInto(sound.context, proxy.address);
    const content = await contentOf(sound.context.db);
    await Promise.all([sound.close(), proxy.close()]);
    return { content, requests: proxy.requests.length };
  };
  const importedSoundly = () => {
    soundImport ??= importSoundly();
    return soundImport;
  };
  const run = (name: string, ...args: string[]) =>
    runCommand(commandNamed(name), target.context, [listener.address, ...account(), ...args]);

  it('keeps ids and addresses, agrees with the source, and changes nothing the second time', async () => {
    target = await start();
    const planned = await run('import wordpress', '--dry-run');
    const before = await countsOf(target.context.db);
    expect(planned.status).toBe(0);
    expect(await countsOf(target.context.db)).toEqual(before);
    expect(before).toMatchObject({ events: 0, terms: 0, imports: 0, import_findings: 0 });

    const first = await run('import wordpress');
    expect({ status: first.status, errors: first.errors }).toEqual({ status: 0, errors: [] });
    const counted = (lines: string[]) => lines.find((line) => line.startsWith('created:')) ?? '';
    // A plan knows of images only when it fetches them.
    expect(counted(first.out).replace(/, \d+ media/, '')).toBe(counted(planned.out));
    expect(await damageOf(target.context.db)).toEqual([]);
    const ids = (server: TestServer) =>
      server.context.db.query.selectFrom('events').select(['id', 'slug']).orderBy('id').execute();
    expect(await ids(target)).toEqual(await ids(old));
    const hidden = (server: TestServer) =>
      server.context.db.query
        .selectFrom('events')
        .select(['id', 'status', 'password'])
        .where('title', 'in', ['Behind a password', 'Hidden behind a password'])
        .orderBy('id')
        .execute();
    expect(await hidden(target)).toEqual(
      (await hidden(old)).map(({ id }) => ({ id, status: 'private', password: '' })),
    );

    const diff = await run('import diff');
    expect({ status: diff.status, errors: diff.errors, last: diff.out.at(-1) }).toEqual({
      status: 0,
      errors: [],
      last: 'The sites agree.',
    });

    const content = await contentOf(target.context.db);
    const second = await run('import wordpress');
    expect(second.out.filter((line) => /^(created|changed|conflict|cannot):/.test(line))).toEqual([]);
    expect(await contentOf(target.context.db)).toEqual(content);

    // A difference is found.
    await target.context.db.query
      .updateTable('linked_posts')
      .set({ title: 'Another' })
      .where('kind', '=', 'venue')
      .where('id', '=', 60)
      .execute();
    const { id } = await target.context.db.query
      .selectFrom('events')
      .select('id')
      .where('status', '=', 'publish')
      .limit(1)
      .executeTakeFirstOrThrow();
    await target.make(`PATCH /events/${id}`, { title: 'Renamed here' });
    const differing = await run('import diff');
    expect(differing.status).toBe(1);
    expect(differing.out.join('\n')).toContain(`event ${id}, title: there`);
  });

  it('follows changes at the source, but keeps those that were made here', async () => {
    target = await start();
    const source = await startTestServer('sqlite', SETTINGS);
    opened.push(source);
    const day = { start_date: '2027-02-01 20:00', end_date: '2027-02-01 22:00' };
    const one = await source.make('POST /events', { title: 'One', ...day, website: 'https://one.example/' });
    const other = await source.make('POST /events', { title: 'Other', ...day });
    const gone = await source.make('POST /events', { title: 'Deleted here', ...day });
    const site = await listen(source.context);
    const { db } = target.context;
    const titles = async () =>
      (
        await db.query
          .selectFrom('events')
          .select(['title', 'website', 'excerpt'])
          .where('status', '<>', 'trash')
          .orderBy('id')
          .execute()
      ).map((row) => Object.values(row).join('|'));
    await importInto(target.context, site.address);

    await source.make(`PATCH /events/${one.id}`, { title: 'One there', website: '', excerpt: 'New' });
    await source.make(`PATCH /events/${other.id}`, { title: 'Other there' });
    await source.make(`PATCH /events/${gone.id}`, { title: 'Still there' });
    await target.make(`PATCH /events/${one.id}`, { title: 'One here' });
    await target.ask(`DELETE /events/${gone.id}`, { as: 'administrator', query: { force: true } });
    const { counts } = await importInto(target.context, site.address);
    expect(counts.changed).toEqual({ event: 2 + ((counts.changed?.event ?? 0) - 2) });
    expect((await titles()).slice(0, 2)).toEqual(['One here||New', 'Other there||']);
    // It is still known to differ.
    await importInto(target.context, site.address);
    expect((await titles())[0]).toBe('One here||New');
    await importInto(target.context, site.address, { isTheirs: true });
    expect((await titles())[0]).toBe('One there||New');
    expect(await damageOf(db)).toEqual([]);
    await site.close();
  });

  it('gives records another id and address where those are taken', async () => {
    target = await start();
    const { db } = target.context;
    // Takes ids of the source for other kinds of records, and the address of one event.
    const taken = await old.context.db.query
      .selectFrom('events')
      .select(['id', 'slug'])
      .where('status', '=', 'publish')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    await target.make('POST /events', {
      title: 'Here before',
      slug: taken.slug,
      start_date: '2027-03-01 20:00',
      end_date: '2027-03-01 22:00',
    });
    for (let made = 0; made < 5; made++) await target.make('POST /venues', { venue: `House ${made}` });
    await importInto(target.context, listener.address);
    const links = await db.query
      .selectFrom('import_links')
      .select(['kind', 'foreign_id', 'record_id'])
      .where('kind', '<>', 'media')
      .execute();
    expect(links.filter(({ record_id }) => record_id === null)).toEqual([]);
    expect(links.some(({ foreign_id, record_id }) => foreign_id !== record_id)).toBe(true);
    const notes = await db.query
      .selectFrom('import_findings')
      .select(['code', 'foreign_id'])
      .where('code', '=', 'slug-changed')
      .execute();
    expect(notes).toEqual([{ code: 'slug-changed', foreign_id: taken.id }]);
    expect(await damageOf(db)).toEqual([]);
    // New records do not collide with imported ids.
    await target.make('POST /venues', { venue: 'After all' });
    await target.make('POST /tags', { name: 'After all' });
    expect((await run('import diff')).out.filter((line) => !line.startsWith('known: '))).toEqual([
      expect.stringMatching(/^Records compared/),
      'The sites agree.',
    ]);
  });

  /** Each page is spoiled once, in one of these ways, before it is sent intact. */
  const spoilOnce = (): Spoil => {
    const spoiled = new Map<string, number>();
    let turn = 0;
    return ({ url }, passed, response) => {
      const times = spoiled.get(url) ?? 0;
      if (!url.startsWith('/wp-json/') || times >= 1) return false;
      spoiled.set(url, times + 1);
      turn += 1;
      const json = { 'content-type': 'application/json' };
      const ways = [
        () => response.writeHead(500, json).end('{"code":"internal"}'),
        () => response.writeHead(429, { ...json, 'retry-after': '1' }).end('{}'),
        () => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Down for maintenance</h1>'),
        () =>
          response
            .writeHead(200, { ...json, 'content-length': passed.body.length })
            .end(passed.body.subarray(0, passed.body.length / 2)),
        () => response.writeHead(200, json).end(passed.body.subarray(0, passed.body.length / 2)),
        () => response.writeHead(200, json).end(halfOf(passed.body)),
      ];
      ways[turn % ways.length]?.();
      return true;
    };
  };

  it.each(reading)('loses nothing to a source that fails now and then, and ends as from a sound one', async () => {
    const { content, requests } = await importedSoundly();
    target = await start();
    const faulty = await proxyOf(listener.address, spoilOnce());
    opened.push(faulty);
    await importInto(target.context, faulty.address);
    expect(faulty.requests.length).toBeGreaterThan(1.5 * requests);
    expect(await contentOf(target.context.db)).toEqual(content);
    expect(await damageOf(target.context.db)).toEqual([]);
  });

  it('imports each record once although two processes do it at the same time', async () => {
    target = await start();
    await Promise.all([importInto(target.context, listener.address), importInto(target.context, listener.address)]);
    expect(await contentOf(target.context.db)).toEqual((await importedSoundly()).content);
    expect(await damageOf(target.context.db)).toEqual([]);
  });

  it.each(reading)('finds records on a page that the source sent in place of another', async () => {
    target = await start();
    let repeated = 0;
    let firstPage: Buffer | undefined;
    const proxy = await proxyOf(listener.address, ({ url }, { body }, response) => {
      if (!url.includes('/events?') || !url.includes('publish%2C')) return false;
      if (url.includes('&page=1&')) firstPage = body;
      if (!url.includes('&page=2&') || !firstPage || repeated >= 2) return false;
      repeated += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end(firstPage);
      return true;
    });
    opened.push(proxy);
    await importInto(target.context, proxy.address);
    expect(repeated).toBe(2);
    const count = async (server: TestServer) =>
      (await server.context.db.query.selectFrom('events').select('id').execute()).length;
    expect(await count(target)).toBe(await count(old));
  });

  it.each(reading)('stops at a source that stays broken, and takes nothing away', async () => {
    target = await start();
    let spoil: Spoil = () => false;
    const proxy = await proxyOf(listener.address, (...args) => spoil(...args));
    opened.push(proxy);
    await importInto(target.context, proxy.address);
    const content = await contentOf(target.context.db);
    const json = { 'content-type': 'application/json' };
    const broken: Spoil[] = [
      (_request, _passed, response) => Boolean(response.writeHead(500).end()),
      (_request, _passed, response) => Boolean(response.writeHead(200).end('<html>')),
      ({ url }, { body }, response) =>
        url.includes('/events?') && Boolean(response.writeHead(200, json).end(body.subarray(0, 100))),
      // No list at all, and one that goes on elsewhere.
      ({ url }, _passed, response) => url.includes('/venues?') && Boolean(response.writeHead(200, json).end('[{}]')),
      ({ url }, _passed, response) =>
        url.includes('/venues?') && Boolean(response.writeHead(302, { location: 'http://169.254.169.254/' }).end()),
    ];
    for (spoil of broken) await expect(importInto(target.context, proxy.address)).rejects.toThrow(SourceError);
    // Lists that have become empty are no reason to remove anything either.
    spoil = ({ url }, _passed, response) => {
      const [, key] = /v1\/(\w+)\?/.exec(url) ?? [];
      if (url.includes('/wp/v2/')) return Boolean(response.writeHead(404, json).end('{}'));
      if (!key) return false;
      response.writeHead(200, json).end(JSON.stringify({ [key]: [], total: 0, total_pages: 0 }));
      return true;
    };
    const { gone, counts } = await importInto(target.context, proxy.address);
    expect({ counts, event: gone.get('event') }).toEqual({ counts: {}, event: content.events?.length });
    expect(await contentOf(target.context.db)).toEqual(content);
  });

  /** PostgreSQL outlives the process and rolls back what it left, so fewer moments are enough there. */
  const kills = effort(10, kind === 'sqlite' ? 4 : 2);

  it(`ends the same after kill -9 at ${kills} moments and --resume`, async () => {
    const { content } = await importedSoundly();
    const { settings, open, drop } = await emptySite(kind);
    let kill: (() => void) | undefined;
    let left = 0;
    const killing = await proxyOf(listener.address, () => {
      left -= 1;
      if (left === 0) kill?.();
      return false;
    });
    opened.push(killing);
    let killed = 0;
    for (let attempt = 0; attempt < 40; attempt++) {
      const args = ['import', 'wordpress', killing.address, ...account(), ...(attempt > 0 ? ['--resume'] : [])];
      // From some requests after the start to far behind the last one.
      left = killed < kills ? 3 + ((attempt * 7) % 11) : Number.POSITIVE_INFINITY;
      const running = commandProcess(args, settings);
      kill = () => void delay((attempt * 13) % 40).then(() => running.signal('SIGKILL'));
      const { signal, code, err } = await running.ended;
      if (signal === 'SIGKILL') killed += 1;
      else {
        expect({ code, err }).toEqual({ code: 0, err: [] });
        break;
      }
    }
    expect(killed).toBe(kills);
    const db = open();
    expect(await damageOf(db)).toEqual([]);
    expect(await contentOf(db)).toEqual(content);
    await db.close();
    await drop();
  });
});

/** The response with only half of its records. */
function halfOf(body: Buffer): string {
  const parsed: Record<string, unknown> = JSON.parse(body.toString());
  const halved = Object.entries(parsed).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, value.length >> 1) : value,
  ]);
  return JSON.stringify(Object.fromEntries(halved));
}

/** Settings of a new site, and its database. */
async function emptySite(kind: DatabaseKind) {
  const data = await temporaryFolder('moving');
  const created = kind === 'postgres' ? await createDatabase(inject('postgresUrl')) : undefined;
  const settings: Record<string, string> = {
    ...{ MARQUEE_DATA: data, MARQUEE_ADMIN: 'admin:correct-horse' },
    ...{ MARQUEE_TIMEZONE: 'Europe/Paris', MARQUEE_CURRENCY: 'EUR', MARQUEE_LANGUAGES: 'en' },
    ...(created && { MARQUEE_DATABASE_URL: created.url }),
  };
  const open = () =>
    openDatabase(
      created ? { kind: 'postgres', url: created.url, pool: 2 } : { kind: 'sqlite', file: join(data, 'marquee.db') },
    );
  return { settings, open, drop: async () => created?.drop() };
}
