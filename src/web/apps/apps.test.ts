import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/server.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { readConfig } from '../../base/config.ts';
import { emptyResponse, textOf } from '../../http/core/response.ts';
import { mapAssets } from '../frame/assets.ts';
import { checkBuild, sourcesDigest } from './app-build.ts';
import { apps } from './apps.ts';

const server = useTestServer('sqlite');
const get = (path: string, headers: Record<string, string> = {}) => server().request(path, { headers });

const nonceIn = (text: string): string | undefined => /nonce="([^"]+)"/.exec(text)?.[1];

describe('the console', () => {
  it('is the same page at every path, with a nonce of its own each time', async () => {
    const answers = await Promise.all([get('/console/'), get('/console/events/12?page=2')]);
    const nonces = await Promise.all(answers.map(async (answer) => nonceIn(await answer.text())));
    expect(new Set(nonces).size).toBe(2);
    for (const [index, { status, headers }] of answers.entries()) {
      expect(status).toBe(200);
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonces[index]}'; img-src 'self' blob: data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'private, no-cache, no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      });
    }
  });

  it.each([
    ['/console/', 'fr-CA, fr;q=0.9, en;q=0.8', ['fr', 'home', 'home']],
    ['/console/', 'es, en;q=0.1, de;q=0.7', ['de', 'home', 'home']],
    ['/console/', '', ['en', 'home', 'home']],
    ['/console/events', 'es', ['en']],
  ])('preloads the files that %s needs, for %s', async (path, languages, chunks) => {
    const page = await (await get(path, { 'accept-language': languages })).text();
    const files = [...page.matchAll(/<link rel="modulepreload" href="\/console\/(assets\/([a-z]+)-[^"]+\.js)">/g)];
    expect(files.map(([, , chunk]) => chunk)).toEqual(chunks);
    for (const [, file] of files) expect((await get(`/console/${file}`)).status).toBe(200);
  });

  it('serves its files with permanent caching, in the smallest form that the browser reads', async () => {
    const page = await (await get('/console/')).text();
    const [path = ''] = /\/console\/assets\/console-[^"]+\.js/.exec(page) ?? [];
    const lengths = new Map<string | null, number>();
    for (const accepted of ['', 'gzip', 'gzip, br', 'br;q=0, gzip']) {
      const { status, headers, body } = await get(path, { 'accept-encoding': accepted });
      expect([status, headers.get('cache-control'), headers.get('content-type'), headers.get('vary')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
        'text/javascript; charset=UTF-8',
        'Accept-Encoding',
      ]);
      const length = (await new Response(body).arrayBuffer()).byteLength;
      const encoding = headers.get('content-encoding');
      expect(lengths.get(encoding) ?? length).toBe(length);
      lengths.set(encoding, length);
    }
    const [plain = 0, gzip = 0, br = 0] = [null, 'gzip', 'br'].map((encoding) => lengths.get(encoding));
    expect(plain > gzip && gzip > br && br > 0).toBe(true);
  });

  it.each([
    '/console/assets/none.js',
    '/console/assets/..%2fmanifest.json',
    '/console/assets/%2e%2e/%2e%2e/package.json',
    '/console/assets/__proto__',
  ])('has no file at %s', async (path) => {
    const { status, headers } = await get(path);
    const isPage = headers.get('content-type')?.startsWith('text/html');
    expect(isPage ? 200 : 404).toBe(status);
  });

  it.each(['/wp-admin', '/wp-admin/', '/wp-login.php?redirect_to=https://evil.example/', '/console'])(
    'is where %s leads',
    async (path) => {
      const { status, headers } = await get(path);
      expect([status, headers.get('location')]).toEqual([301, '/console/']);
    },
  );

  it('explains how to build it where it is missing, in the language of the reader', async () => {
    const { context } = server();
    const answer = apps(context, { console: '/nowhere', door: '/nowhere' });
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const url = new URL(path, 'http://a.test');
      const response = await answer({
        ...{ request: new Request(url, { headers }), url, origin: url.origin },
        ...{ client: { address: '127.0.0.1' }, summary: { id: '1' } },
        resolveContext: async () => context,
        respondNoRoute: async () => emptyResponse(404),
      });
      return response ?? emptyResponse(404);
    };
    const [english, german] = [await ask('/console/'), await ask('/console/events', { 'accept-language': 'de' })];
    expect(english.status).toBe(503);
    expect(await textOf(english)).toContain('npm run build');
    expect(english.headers.get('content-security-policy')).toContain("style-src 'self';");
    expect(german.headers.get('vary')).toBe('Accept-Language');
  });
});

describe('the app at the door', () => {
  const policy = (scripts: string) =>
    `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

  it('is a page with the camera, which the browser asks for each time', async () => {
    const { status, headers } = await get('/door/');
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-cache',
      'content-security-policy': policy("'self'"),
      'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
      'content-type': 'text/html; charset=UTF-8',
    });
    expect((await get('/door')).headers.get('location')).toBe('/door/');
  });

  it.each([
    ['service-worker.js', 'text/javascript; charset=UTF-8'],
    ['app.webmanifest', 'application/manifest+json'],
    ['icon.png', 'image/png'],
  ])('has %s beside it', async (name, type) => {
    const { status, headers } = await get(`/door/${name}`);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, 'no-cache']);
  });

  it('compiles wasm only in the thread that reads codes', async () => {
    const files: string[] = JSON.parse(
      /JSON\.parse\((['"`])(.*?)\1\)/
        .exec(await (await get('/door/service-worker.js')).text())?.[2]
        ?.replaceAll('\\"', '"') ?? '[]',
    );
    expect(files.length).toBeGreaterThan(10);
    for (const name of files) {
      const { status, headers } = await get(`/door/${name}`);
      const scripts = name.includes('/decoder-') ? "'self' 'wasm-unsafe-eval'" : "'self'";
      expect([name, status, headers.get('content-security-policy')]).toEqual([name, 200, policy(scripts)]);
    }
    expect((await get(`/door/${files.find((name) => name.endsWith('.wasm'))}`)).headers.get('content-type')).toBe(
      'application/wasm',
    );
  });

  it.each(['/door/none', '/door/manifest.json', '/door/assets/none.js', '/door/assets/..%2fmanifest.json'])(
    'has no file at %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe('the check at the start', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await temporaryFolder('build');
    await mkdir(folder, { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const warnings = async (sources?: string, env: NodeJS.ProcessEnv = {}) => {
    const manifest = join(folder, 'manifest.json');
    if (sources === undefined) await rm(manifest, { force: true });
    else await writeFile(manifest, JSON.stringify({ sources, files: {} }));
    const said: string[] = [];
    // Only `warn` is called.
    const log = { warn: (text: string) => said.push(text) } as never;
    await checkBuild({ log, config: readConfig(env) }, { folders: [folder], hasMaps: false });
    return said;
  };

  it('warns of a build that is missing or of other sources, and of nothing else', async () => {
    expect(await warnings()).toEqual([expect.stringContaining('not built')]);
    expect(await warnings('other')).toEqual([expect.stringContaining('other sources')]);
    expect(await warnings(await sourcesDigest())).toEqual([]);
  });

  it('warns of maps without the library that draws them', async () => {
    const env = { MARQUEE_MAP_TILES: 'https://tile.example.org/{z}/{x}/{y}.png', MARQUEE_MAP_ATTRIBUTION: 'Surveyors' };
    expect(await warnings(await sourcesDigest(), env)).toEqual([expect.stringContaining('no maps')]);
  });
});

describe('the files that draw maps', () => {
  it.each([
    ['the build has copied Leaflet', undefined, ['leaflet.js', 'map.css', 'map.js']],
    ['there is no Leaflet', join(import.meta.dirname, 'nowhere'), []],
  ])('if %s', (_case, folder, names) => {
    expect(Object.keys(mapAssets(folder))).toEqual(names);
  });
});
