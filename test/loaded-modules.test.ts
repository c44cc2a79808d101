import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MarqueeProcess, nodeProcess, serveProcess } from './marquee-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const RECORDER = fileURLToPath(new URL('./module-recorder.mjs', import.meta.url));
const CLI = join(import.meta.dirname, '../src/cli.ts');
/** Every start waits for this code, which is not reviewed here. */
const MAX_PACKAGES = 15;

const admin = 'admin:correct-horse';
let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder('modules');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function stop(server: MarqueeProcess): Promise<void> {
  server.signal('SIGTERM');
  await server.ended;
}

/** Writes an event as the console does: reads need no parser for paragraphs with simple markup. */
async function makeEvent(settings: Record<string, string>): Promise<void> {
  const server = serveProcess(settings);
  const body = {
    ...{ title: 'Lantern Night', description: '<p>Music and <b>light</b></p>' },
    ...{ start_date: 'tomorrow 18:00', end_date: 'tomorrow 20:00', venue: { venue: 'Harbour Hall' } },
  };
  const made = await fetch(`${await server.address}/calendar/events/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(admin)}` },
    body: JSON.stringify(body),
  });
  expect(made.status).toBe(201);
  await stop(server);
}

const settings = () => ({
  ...{ MARQUEE_DATA: folder, MARQUEE_ADMIN: admin },
  // Loaded by the first payment.
  ...{ MARQUEE_STRIPE_KEY: 'sk_test_51abcDEF', MARQUEE_STRIPE_WEBHOOK_SECRET: 'whsec_51abcDEF' },
  // Loaded by the first mail.
  ...{ MARQUEE_SMTP_URL: 'smtp://127.0.0.1:9', MARQUEE_URL: 'http://127.0.0.1' },
});

/** Packages, modules and formats of `Intl` of a server that has responded at the addresses. */
async function loadedFor(...paths: string[]): Promise<string[]> {
  const list = join(folder, 'modules.txt');
  const server = nodeProcess(['--import', RECORDER, CLI, 'serve'], { ...settings(), LOADED_MODULES: list });
  const address = await server.address;
  for (const path of paths)
    expect({ path, status: (await fetch(address + path)).status }).toEqual({ path, status: 200 });
  await stop(server);
  return (await readFile(list, 'utf8')).split('\n');
}

const API = '/calendar/events/v1/events?per_page=5';

it(`a plain site is read with at most ${MAX_PACKAGES} packages`, async () => {
  await makeEvent(settings());
  const modules = await loadedFor('/', '/events/', '/event/lantern-night/', API, '/console/');
  const packages = modules.filter((name) => !/^(src\/|Intl\.)/.test(name));
  expect(packages).toContain('kysely');
  for (const late of [
    'rrule-temporal',
    'stripe',
    'nodemailer',
    'uqr',
    'pdfkit',
    'passkit-generator',
    'mysql2',
    'yauzl',
    'undici',
  ])
    expect(packages).not.toContain(late);
  expect(packages.length, packages.join(', ')).toBeLessThanOrEqual(MAX_PACKAGES);
});

/** Modules of the pages, of migrations, of imports and of commands. */
const LATE =
  /^src\/(web\/(site|event|calendar|shop|cards\/event|mails|docs)|db\/migrations|moving\/(keyed\/write|ical\/import|wordpress)|demo\/fill|server\/cli\/(demo|doctor))/;

it('a start loads neither pages nor migrations nor imports nor other commands until they are needed', async () => {
  const started = await loadedFor('/healthz', API);
  expect(started).toContain('src/app.ts');
  expect(started.filter((name) => LATE.test(name))).toEqual([]);
  // Their data takes 6 MiB, and a list of free events does not need them.
  expect(started.filter((name) => name.startsWith('Intl.'))).toEqual([]);
  const shown = await loadedFor('/events/');
  expect(shown).toEqual(expect.arrayContaining(['src/web/site/routes.ts', 'Intl.DateTimeFormat']));
});

it('commands that do not serve load no endpoints', async () => {
  const list = join(folder, 'modules.txt');
  const command = nodeProcess(['--import', RECORDER, CLI, 'user', 'list'], { ...settings(), LOADED_MODULES: list });
  const { code, out } = await command.ended;
  expect({ code, out }).toEqual({ code: 0, out: expect.arrayContaining([expect.stringContaining('admin')]) });
  const modules = (await readFile(list, 'utf8')).split('\n');
  expect(modules).toContain('src/server/cli/accounts.ts');
  expect(modules.filter((name) => /^src\/(app\.ts|(calendar|ticketing|wp|web)\/)/.test(name))).toEqual([]);
});
