import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../packages/client/src/client.ts';
import { createApp } from '../src/app.ts';
import { hashPassword } from '../src/platform/users/passwords.ts';
import { insertUser } from '../src/platform/users/store.ts';
import { sharedBrowser } from './browser.ts';
import { CLIENT, type PackedClient, packClient } from './client-package.ts';
import { useTestServer } from './server.ts';

const run = promisify(execFile);
const ROOT = join(CLIENT, '../..');

/** The output that the examples of the README claim. */
const SITE = 'https://events.example.org';
const ANNA = { username: 'anna', password: 'PUZm XmBc Liez HxBt ezrf HGXU' };
const CHECK_IN_KEY = '9cf415f0201f3340db63c219b929def7';

const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/^### (\d+\. .+)$[\s\S]*?^```ts\n([\s\S]*?)^```$/gm)].map(
  ([, title = '', code = ''], index) => ({ title, code, file: `example-${index + 1}.ts` }),
);

const server = useTestServer('sqlite', { qrApiKey: CHECK_IN_KEY, cartRate: { writes: 60, checkouts: 20 } });
let listening: Server;
let origin: string;
let packed: PackedClient;

beforeAll(async () => {
  const { context } = server();
  listening = createServer(createApp(context).receive);
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  origin = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const password_hash = await hashPassword(ANNA.password, context);
  const account = { username: 'anna', email: 'anna@example.test', role: 'administrator' } as const;
  await insertUser(context.db, { ...account, password_hash, created_utc: '2026-11-21 17:00:00' });
  packed = await packClient();
  await writeFile(join(packed.project, 'package.json'), '{ "type": "module" }');
  for (const { file, code } of examples) await writeFile(join(packed.project, file), code.replaceAll(SITE, origin));
});

afterAll(async () => {
  listening?.close();
  await packed?.remove();
});

describe('the package of the client', () => {
  it('has the modules with their types, and nothing else', () => {
    const modules = globSync('src/*.ts', { cwd: CLIENT })
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => file.replace(/^src(.*)\.ts$/, 'dist$1'));
    const expected = modules.flatMap((module) => [`${module}.js`, `${module}.d.ts`]);
    expect(packed.files.toSorted()).toEqual([...expected, 'LICENSE', 'README.md', 'package.json'].toSorted());
  });

  it('has no dependencies, and adds none to the server', async () => {
    const own = JSON.parse(await readFile(join(packed.folder, 'package.json'), 'utf8'));
    expect(Object.keys(own).filter((name) => /dependencies/i.test(name))).toEqual([]);
    const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages).filter((path) => !/^$|^node_modules/.test(path))).toEqual([]);
  });

  it('has less than 6 KB, minified and compressed', async () => {
    const bundle = await rolldown({ input: join(packed.folder, 'dist/marquee-client.js') });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    expect(output).toHaveLength(1);
    expect(gzipSync(output[0].code).length).toBeLessThan(6 * 1024);
  });
});

describe('the examples of the README', () => {
  beforeAll(async () => {
    const marquee = createClient({ url: origin, credentials: ANNA });
    const dates = { start_date: '2027-03-06 18:30', end_date: '2027-03-06 21:00' };
    await marquee.events.create({ ...dates, title: 'Lantern Night', venue: { venue: 'Harbour Hall', city: 'Boston' } });
    await marquee.events.create({ ...dates, title: 'Open Stage', venue: { venue: 'The Pier', city: 'Portland' } });
  });

  it('are ten', () => {
    expect(examples).toHaveLength(10);
  });

  it.each(examples)('print the documented output: $title', async ({ file, code }) => {
    const said = [...code.matchAll(/\/\/=> (.+)$/gm)].map(([, line]) => line);
    expect(said).not.toEqual([]);
    const { stdout } = await run(process.execPath, [file], { cwd: packed.project });
    expect(stdout.trimEnd().split('\n')).toEqual(said);
  });
});

/** Compiles a program that uses the package, and returns the errors by file. */
async function errorsOf(files: string[], options: object): Promise<string[]> {
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', ...options };
  await writeFile(join(packed.project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['--pretty', 'false'], {
    cwd: packed.project,
  }).catch((error: { stdout: string }) => error);
  return stdout.split('\n').filter((line) => /^\S/.test(line));
}

const PLATFORMS = [
  ['a browser', { lib: ['es2022', 'dom'], types: [] }],
  ['Node', { lib: ['es2022'], types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] }],
] as const;

describe('the types of the client', () => {
  it.each(PLATFORMS)('accept the examples, in %s', async (_platform, options) => {
    const files = examples.map(({ file }) => file);
    expect(await errorsOf(files, options)).toEqual([]);
  });

  it('reject unknown members of the interface', async () => {
    const right = 'marquee.events.list({ per_page: 3 });';
    const lines = [
      right,
      "createClient({ uri: 'https://events.example.org' });",
      'marquee.events.list({ pre_page: 3 });',
      'marquee.events.all({ venue: { city: 1 } });',
      "marquee.events.create({ start_date: '2027-05-14', end_date: '2027-05-15' });",
      "marquee.events.create({ titel: 'Brass', title: '', start_date: '', end_date: '' });",
      'marquee.events.update(1, { featured: 7 });',
      'marquee.venues.read(1, { pasword: "x" });',
      'marquee.venues.read("harbour-hall");',
      'marquee.tickets.create({ post_id: 1, nmae: "Adults" });',
      'marquee.attendees.create({ ticket_id: 1 });',
      'marquee.cart().save({ tickets: [{ ticket_id: 1 }] });',
      'marquee.qr.checkIn({ ticket_id: 1 });',
      "marquee.call('GET /events/v1/evnts');",
      "marquee.call('GET /events/v1/events/{id}');",
      "marquee.call('GET /admin/v1/me', { id: 1 });",
      "marquee.all('GET /admin/v1/me');",
      'void (await marquee.events.read(1)).titel;',
      'for await (const venue of marquee.venues.all()) void venue.title;',
      'marquee.events.list({}, { timeuot: 1 });',
    ];
    await mkdir(join(packed.project, 'wrong'), { recursive: true });
    const files = lines.map((_line, index) => `wrong/${index}.ts`);
    for (const [index, line] of lines.entries()) {
      const head = "import { createClient, type Marquee } from 'marquee-client';\nexport { createClient };\n";
      const text = `${head}declare const marquee: Marquee;\nexport { marquee };\n${line}\n`;
      await writeFile(join(packed.project, files[index]!), text);
    }
    const errors = await errorsOf(files, PLATFORMS[0][1]);
    const wrong = new Set(errors.map((error) => error.split('(')[0]));
    expect(lines.filter((_line, index) => !wrong.has(files[index]))).toEqual([right]);
  });
});

describe('the client in a browser', () => {
  let shop: Server;
  beforeAll(async () => {
    shop = createServer(async ({ url = '/' }, response) => {
      const isModule = /^\/[\w-]+\.js$/.test(url);
      response.setHeader('Content-Type', isModule ? 'text/javascript' : 'text/html');
      response.end(isModule ? await readFile(join(packed.folder, 'dist', url)) : '<!doctype html><title>Shop</title>');
    });
    shop.listen(0, '127.0.0.1');
    await once(shop, 'listening');
  });
  afterAll(() => void shop?.close());

  it('reads and writes from a page of another origin', async () => {
    const page = await (await sharedBrowser()).newPage();
    try {
      await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
      expect(await page.evaluate(`(${inPage})(${JSON.stringify({ url: origin, credentials: ANNA })})`)).toEqual({
        venue: 'Lock House',
        listed: ['Shadow Play'],
        refused: ['NotFoundError', 'rest-event-not-found', true],
        places: [2],
        exposed: ['content-language', 'x-request-id', 'ratelimit-remaining'],
      });
    } finally {
      await page.close();
    }
  });
});

/** Runs in the page. */
const inPage = `async ({ url, credentials }) => {
  const { createClient } = await import('/marquee-client.js');
  const editor = createClient({ url, credentials, idempotencyKey: () => String(Math.random()) });
  const { id, venue } = await editor.events.create({
    title: 'Shadow Play', start_date: '2027-06-01 20:00', end_date: '2027-06-01 22:00', venue: { venue: 'Lock House' },
  });
  await editor.events.update(id, { featured: true }, { headers: { 'If-Match': '*', 'X-Order-Token': 'none' } });
  const ticket = await editor.tickets.create({ post_id: id, provider: 'tc', name: 'Adults', price: '12', ticket: { mode: '' } });
  const headers = {};
  const onResponse = (response) => { for (const [name, value] of response.headers) headers[name] = value; };
  const stranger = createClient({ url, onResponse });
  const listed = [];
  for await (const event of stranger.events.all({ search: 'shadow', per_page: 1 })) listed.push(event.title);
  const refused = await stranger.events.read(4711).catch((error) => [error.name, error.code, Boolean(error.requestId)]);
  const cart = stranger.cart();
  await cart.save({ tickets: [{ ticket_id: ticket.id, quantity: 2 }] });
  const { tickets } = await stranger.cart(cart.token).read();
  return {
    venue: venue.venue,
    listed,
    refused,
    places: tickets.map(({ quantity }) => quantity),
    exposed: ['content-language', 'x-request-id', 'ratelimit-remaining'].filter((name) => name in headers),
  };
}`;
