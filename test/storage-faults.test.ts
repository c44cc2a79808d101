import { constants, openSync, truncateSync } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { startWithFileLimit } from './faults/file-limit.ts';
import { type ListeningProcess, startListening } from './faults/listening-process.ts';
import { commandProcess, type MarqueeProcess, serveProcess } from './marquee-process.ts';
import { createDatabase } from './postgres.ts';
import { ADMIN, ADMIN_HEADER, DATABASES, databaseOfProcesses } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Full disks, and locked, damaged or publicly readable files, with real processes on real files. */

let root: string;
const running: MarqueeProcess[] = [];
beforeAll(async () => {
  root = await temporaryFolder('storage');
});
afterEach(async () => {
  const left = running.splice(0);
  for (const one of left) one.signal('SIGKILL');
  await Promise.all(left.map(({ ended }) => ended));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const keep = <T extends MarqueeProcess>(started: T): T => {
  running.push(started);
  return started;
};
const settingsIn = (name: string): Record<string, string> & { MARQUEE_DATA: string } => ({
  MARQUEE_DATA: join(root, name),
  MARQUEE_ADMIN: ADMIN,
});
/** As `settingsIn`, with accounts in the database. */
async function preparedIn(name: string) {
  const settings = settingsIn(name);
  await databaseOfProcesses('sqlite', settings.MARQUEE_DATA);
  return settings;
}

const at = (origin: string) => ({
  post: (path: string, body: object) =>
    fetch(`${origin}/calendar${path}`, {
      method: 'POST',
      headers: { authorization: ADMIN_HEADER, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  upload: (image: Buffer) => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(image)], 'poster.png'));
    const headers = { authorization: ADMIN_HEADER };
    return fetch(`${origin}/calendar/admin/v1/media`, { method: 'POST', headers, body: form });
  },
  read: async () => {
    const answer = await fetch(`${origin}/calendar/events/v1/venues?per_page=1`);
    const body = (await answer.json()) as { total: number };
    return { status: answer.status, total: body.total };
  },
});

let venues = 0;
/** A body of `POST /events/v1/venues` that takes at least this many bytes on the disk. */
const venue = (bytes = 1000) => ({ venue: `Hall ${venues++}`, description: 'word '.repeat(bytes / 5) });
const VENUES = '/events/v1/venues';

async function expectUnavailable(answer: Response): Promise<void> {
  expect({ status: answer.status, retry: answer.headers.get('retry-after'), body: await answer.json() }).toMatchObject({
    status: 503,
    retry: '5',
    body: { code: 'storage_unavailable' },
  });
}

async function stopped(server: MarqueeProcess) {
  server.signal('SIGTERM');
  return server.ended;
}

const filesBelow = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

describe('a full disk', () => {
  const LIMIT = 3 * 1024 * 1024;

  it('causes 503 for writes only, and everything works again once there is space', async () => {
    const settings = await preparedIn('full');
    const server = keep(await startWithFileLimit(settings, { bytes: LIMIT }));
    const { post, read } = at(server.origin);
    let written = 0;
    for (;;) {
      const answers = await Promise.all([1, 2, 3].map(() => post(VENUES, venue(45_000))));
      const refused = answers.filter(({ status }) => status !== 201);
      written += answers.length - refused.length;
      for (const answer of refused) await expectUnavailable(answer);
      if (refused.length > 0) break;
    }
    // A single write may fit where three did not.
    for (;;) {
      const answer = await post(VENUES, venue(45_000));
      if (answer.status === 201) written += 1;
      else {
        await expectUnavailable(answer);
        break;
      }
    }
    expect(await read()).toEqual({ status: 200, total: written });
    // Another process, without the limit, checkpoints the write-ahead log, which frees space.
    const other = new DatabaseSync(join(settings.MARQUEE_DATA, 'marquee.db'));
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    for (let write = 0; write < 5; write += 1) expect((await post(VENUES, venue())).status).toBe(201);
    expect(await read()).toEqual({ status: 200, total: written + 5 });
    expect(other.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    other.close();
    expect(await stopped(server)).toMatchObject({ code: 0, signal: null, err: [] });
  });

  it('causes 503 for an upload, of which nothing is kept', async () => {
    const settings = await preparedIn('full-uploads');
    const server = keep(await startWithFileLimit(settings, { bytes: LIMIT }));
    const { upload } = at(server.origin);
    const noise = { create: { width: 1400, height: 1000, channels: 3, background: 'red' } } as const;
    const large = await sharp({
      ...noise,
      create: { ...noise.create, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
    })
      .png()
      .toBuffer();
    expect(large.byteLength).toBeGreaterThan(LIMIT);
    await expectUnavailable(await upload(large));
    expect(await filesBelow(join(settings.MARQUEE_DATA, 'uploads'))).toEqual([]);
    const small = await sharp(noise).png().toBuffer();
    expect((await upload(small)).status).toBe(201);
    const list = await fetch(`${server.origin}/calendar/admin/v1/media`, { headers: { authorization: ADMIN_HEADER } });
    expect(await list.json()).toMatchObject({ total: 1 });
    expect(await stopped(server)).toMatchObject({ code: 0, err: [] });
  });

  it('under the log affects no requests, and the log continues once there is space', async () => {
    const settings = { ...(await preparedIn('full-log')), MARQUEE_LOG_LEVEL: 'info' };
    const log = join(root, 'full.log');
    await writeFile(log, '');
    await truncate(log, LIMIT);
    const stdout = openSync(log, constants.O_WRONLY | constants.O_APPEND);
    const server = keep(await startWithFileLimit(settings, { bytes: LIMIT, stdout }));
    const { post, read } = at(server.origin);
    const guess = async () => {
      const headers = { authorization: 'Bearer wrong' };
      return (await fetch(`${server.origin}/calendar/events/v1/tags`, { headers })).status;
    };
    for (let round = 0; round < 20; round += 1) expect([401, 429]).toContain(await guess());
    expect((await post(VENUES, venue())).status).toBe(201);
    expect(await read()).toEqual({ status: 200, total: 1 });
    expect((await stat(log)).size).toBe(LIMIT);
    truncateSync(log, 0);
    while (!(await readFile(log, 'utf8')).includes('credentials refused')) await delay(20);
    truncateSync(log, LIMIT);
    await guess();
    // The process exits without waiting for the disk.
    expect(await stopped(server)).toMatchObject({ code: 0, signal: null, err: [] });
  });
});

describe('a log that is not read', () => {
  it.each([
    ['is not read', (server: MarqueeProcess) => server.stopReading()],
    ['is closed', (server: MarqueeProcess) => server.closeOutput()],
  ])('affects no requests when its pipe %s', async (what, fail) => {
    const settings = { ...(await preparedIn(`pipe-${what}`)), MARQUEE_LOG_LEVEL: 'info' };
    const server = keep(await startListening(settings));
    fail(server);
    const headers = { authorization: 'Bearer wrong' };
    const guess = () => fetch(`${server.origin}/calendar/events/v1/tags`, { headers });
    // More than the buffers of the pipe and its reader.
    for (let round = 0; round < 30; round += 1) await Promise.all(Array.from({ length: 30 }, guess));
    expect((await at(server.origin).post(VENUES, venue())).status).toBe(201);
    server.signal('SIGTERM');
    if (what === 'is not read') await untilRefused(server);
    else expect(await server.ended).toMatchObject({ code: 0, signal: null, err: [] });
  });

  /** Waits until nothing listens: the unread pipe hides the exit of the process. */
  async function untilRefused({ origin }: ListeningProcess): Promise<void> {
    while (
      await fetch(`${origin}/healthz`).then(
        () => true,
        () => false,
      )
    )
      await delay(20);
  }
});

describe('a lock that another process holds on the file', () => {
  it('does not block reads, and makes writes fail after a while', async () => {
    const settings = await preparedIn('locked');
    const server = keep(await startListening(settings));
    const { post, read } = at(server.origin);
    // The server may be writing right after its start.
    const other = new DatabaseSync(join(settings.MARQUEE_DATA, 'marquee.db'), { timeout: 5000 });
    other.exec('BEGIN IMMEDIATE');
    let isAnswered = false;
    const write = post(VENUES, venue()).finally(() => {
      isAnswered = true;
    });
    const single = post('/admin/v1/check-in-keys', { name: 'Door' }).finally(() => {
      isAnswered = true;
    });
    for (let round = 0; round < 100; round += 1) expect(await read()).toEqual({ status: 200, total: 0 });
    expect(isAnswered).toBe(false);
    other.exec('COMMIT');
    expect((await Promise.all([write, single])).map(({ status }) => status)).toEqual([201, 201]);
    other.exec('BEGIN IMMEDIATE');
    const command = keep(commandProcess(['user', 'list'], settings));
    const late = Promise.all([post(VENUES, venue()), post('/admin/v1/check-in-keys', { name: 'Door' })]);
    for (const answer of await late) await expectUnavailable(answer);
    other.exec('COMMIT');
    other.close();
    expect(await command.ended).toMatchObject({ code: 0, err: [] });
    expect((await post(VENUES, venue())).status).toBe(201);
  });
});

describe('data files', () => {
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);

  async function modesIn(folder: string): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const modes = entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const wanted = entry.isDirectory() ? '700' : '600';
      const mode = await modeOf(path);
      return mode === wanted ? '' : `${path} ${mode}`;
    });
    return (await Promise.all(modes)).filter((line) => line !== '');
  }

  it.each(['000', '077'])('are private under a umask of %s', async (umask) => {
    const settings = settingsIn(`umask-${umask}`);
    const server = keep(await startListening(settings, { shell: `umask ${umask}` }));
    const image = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    expect((await at(server.origin).upload(image)).status).toBe(201);
    const names = await readdir(settings.MARQUEE_DATA);
    expect(names.sort()).toEqual(['marquee.db', 'marquee.db-shm', 'marquee.db-wal', 'uploads']);
    expect(await modeOf(settings.MARQUEE_DATA)).toBe('700');
    expect(await modesIn(settings.MARQUEE_DATA)).toEqual([]);
  });

  it('become private if they were accessible to others', async () => {
    const settings = settingsIn('wide');
    const month = join(settings.MARQUEE_DATA, 'uploads', '2026', '11');
    await stopped(keep(await startListening(settings)));
    await mkdir(month, { recursive: true });
    await writeFile(join(month, 'poster.png'), 'x');
    const paths = [settings.MARQUEE_DATA, ...(await readdir(settings.MARQUEE_DATA, { recursive: true }))];
    for (const path of paths) await chmod(join(settings.MARQUEE_DATA, path === paths[0] ? '' : path), 0o755);
    keep(await startListening(settings));
    expect(await modeOf(settings.MARQUEE_DATA)).toBe('700');
    expect(await modesIn(settings.MARQUEE_DATA)).toEqual([]);
  });

  it('outside the data folder are not changed, except the database', async () => {
    const elsewhere = join(root, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'letter'), '');
    for (const path of [elsewhere, join(elsewhere, 'letter')]) await chmod(path, 0o755);
    const file = join(elsewhere, 'marquee.db');
    keep(await startListening({ ...settingsIn('inside'), MARQUEE_DATABASE_URL: `sqlite:${file}` }));
    const modes = [elsewhere, join(elsewhere, 'letter'), file, `${file}-wal`].map(modeOf);
    expect(await Promise.all(modes)).toEqual(['755', '755', '600', '600']);
  });
});

describe('a damaged database file', () => {
  const PAGE = 4096;
  let sound: Buffer;
  beforeAll(async () => {
    const settings = await preparedIn('sound');
    const server = await startListening(settings);
    for (let write = 0; write < 40; write += 1) await at(server.origin).post(VENUES, venue(4000));
    await stopped(server);
    sound = await readFile(join(settings.MARQUEE_DATA, 'marquee.db'));
  });

  const garbage = (from: number, to: number): Buffer => {
    const damaged = Buffer.from(sound);
    for (let index = from; index < Math.min(to, damaged.length); index += 1) damaged[index] = (index * 7919) % 251;
    return damaged;
  };
  const broken = async (name: string, content: Buffer | 'folder') => {
    const settings = settingsIn(`damaged-${name}`);
    await mkdir(settings.MARQUEE_DATA);
    const file = join(settings.MARQUEE_DATA, 'marquee.db');
    if (content === 'folder') await mkdir(file);
    else await writeFile(file, content);
    return settings;
  };

  it.each([
    ['garbage in its header', 'header', () => garbage(0, 100)],
    ['garbage in its first pages', 'pages', () => garbage(100, 12 * PAGE)],
    ['its end cut off', 'cut', () => sound.subarray(0, 3 * PAGE)],
    ['a folder in its place', 'folder', () => 'folder' as const],
  ])(
    'with %s is reported in one sentence by the server and by commands',

    async (_what, name, content) => {
      const settings = await broken(name, content());
      const advice = name === 'folder' ? '' : '.*restore the backup.*\\.recover';
      const sentence = new RegExp(`^The database file .*marquee\\.db cannot be used \\(.*\\); check ${advice}.*\\.$`);
      // Commands open it like the server.
      const commands = name === 'header' ? [commandProcess(['user', 'list'], settings)] : [];
      const starts = [serveProcess(settings), ...commands].map(keep);
      for (const { ended } of starts) {
        const { code, out, err } = await ended;
        expect({ code, out, err }).toEqual({ code: 1, out: [], err: [expect.stringMatching(sentence)] });
      }
    },
  );

  it('with garbage in the middle causes 503 for the damaged part, and one log line', async () => {
    const settings = { ...(await broken('midst', sound)), MARQUEE_LOG_LEVEL: 'info' };
    const file = join(settings.MARQUEE_DATA, 'marquee.db');
    const database = new DatabaseSync(file);
    const tables = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name IN ('linked_posts', 'terms')").all();
    database.close();
    const handle = await open(file, 'r+');
    for (const { rootpage } of tables) {
      await handle.write(Buffer.alloc(PAGE, 0x5a), 0, PAGE, (Number(rootpage) - 1) * PAGE);
    }
    await handle.close();
    const server = keep(serveProcess(settings));
    const origin = await server.address;
    for (let round = 0; round < 3; round += 1)
      await expectUnavailable(await fetch(`${origin}/calendar/events/v1/venues`));
    await expectUnavailable(await at(origin).post(VENUES, venue()));
    expect((await fetch(`${origin}/calendar/events/v1/events`)).status).toBe(200);
    const { code, out } = await stopped(server);
    expect(code).toBe(0);
    expect(out.filter((line) => line.includes('the database is damaged'))).toHaveLength(1);
    const command = keep(commandProcess(['doctor'], settings));
    expect(await command.ended).toMatchObject({
      code: 1,
      err: [expect.stringMatching(/^The database file .* cannot be used \(.*malformed\).*\.recover\.$/)],
    });
  });

  it('that is empty is treated as a new one', async () => {
    const server = keep(await startListening(await broken('empty', Buffer.alloc(0))));
    expect((await at(server.origin).post(VENUES, venue())).status).toBe(201);
  });
});

describe.each(DATABASES)('processes that start together on an empty database on %s', (kind) => {
  it('all serve, and one of them creates the administrator', async () => {
    const database = kind === 'postgres' ? await createDatabase(inject('postgresUrl')) : undefined;
    const settings = {
      MARQUEE_DATA: join(root, `together-${kind}`),
      ...(database && { MARQUEE_DATABASE_URL: database.url }),
    };
    const servers = [1, 2, 3].map(() => keep(serveProcess(settings)));
    const answers = await Promise.all(
      servers.map(async ({ address }) => (await fetch(`${await address}/readyz`)).status),
    );
    expect(answers).toEqual([200, 200, 200]);
    const ends = await Promise.all(servers.map(stopped));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(ends.flatMap(({ out }) => out.filter((line) => line.includes('administrator')))).toHaveLength(1);
    await database?.drop();
  });
});
