import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { differenceAt, readAddress } from '../src/moving/addresses/check-addresses.ts';
import { caddyRules, nginxRules } from '../src/moving/addresses/proxy-rules.ts';
import { importCommands } from '../src/server/cli/import.ts';
import { addressCommands } from '../src/server/cli/import-addresses.ts';
import { runCommand } from './commands.ts';
import { DATABASES, useTestServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { dumpOf, serialized, type WordpressPost, type WordpressSite } from './wordpress-files.ts';

/** Addresses of imported sites: rules for proxies, and the report of those that respond otherwise. */

const event = (id: number, title: string, slug: string): WordpressPost => ({
  ...{ id, type: 'tribe_events', title, slug },
  meta: [
    ['_EventStartDate', '2027-02-03 19:00:00'],
    ['_EventEndDate', '2027-02-03 21:00:00'],
  ],
});

const RULES = {
  '(?:veranstaltungen)/(?:monat)/?$': 'index.php?post_type=tribe_events&eventDisplay=month',
  '(?:veranstaltungen)/(?:kategorie|category)/(?:[^/]+/)*([^/]+)/?$':
    'index.php?post_type=tribe_events&tribe_events_cat=$matches[1]&eventDisplay=default',
  '(?:veranstaltungen)/(?:kategorie)/(?:[^/]+/)*([^/]+)/(?:monat)/?$':
    'index.php?post_type=tribe_events&tribe_events_cat=$matches[1]&eventDisplay=month',
  'veranstaltung/([^/]+)(?:/([0-9]+))?/?$': 'index.php?tribe_events=$matches[1]&page=$matches[2]',
  'spielstätte/([^/]+)(?:/([0-9]+))?/?$': 'index.php?tribe_venue=$matches[1]&page=$matches[2]',
  'organizer/(.+?)(?:/([0-9]+))?/?$': 'index.php?tribe_organizer=$matches[1]&page=$matches[2]',
  '[a-z]{1,999}"; return 200; #/([^/]+)/?$': 'index.php?tribe_venue=$matches[1]',
};

const SITE: WordpressSite = {
  home: 'https://lantern.example',
  options: {
    timezone_string: 'Europe/Berlin',
    permalink_structure: '/journal/%year%/%postname%/',
    tribe_events_calendar_options: serialized({ eventsSlug: 'veranstaltungen', singleEventSlug: 'veranstaltung' }),
    rewrite_rules: serialized(RULES),
  },
  users: [],
  terms: [{ id: 5, taxonomy: 'tribe_events_cat', name: 'Music', slug: 'music' }],
  posts: [
    { ...event(100, 'Concert', 'concert'), terms: [5] },
    event(101, 'Loft', 'loft-%e2%84%961'),
    event(103, 'Twins', 'twins'),
    event(104, 'Twins again', 'twins'),
    {
      ...{ id: 40, type: 'attachment', title: 'Mill', slug: 'the-mill', mime: 'image/png' },
      meta: [['_wp_attached_file', '2026/09/mill.png']],
    },
    {
      ...{ id: 41, type: 'attachment', title: 'Plan', slug: 'plan', mime: 'application/pdf' },
      meta: [['_wp_attached_file', '2026/09/plan "A".pdf']],
    },
    { ...event(102, 'Pictured', 'pictured'), meta: [...(event(102, '', '').meta ?? []), ['_thumbnail_id', '40']] },
    { id: 380, type: 'page', title: 'About', slug: 'über-uns' },
    { id: 381, type: 'page', title: 'Team', slug: 'team', parent: 380 },
    { id: 382, type: 'page', title: 'Checkout', slug: 'tickets-checkout' },
    { id: 383, type: 'page', title: 'Draft', slug: 'draft', status: 'draft' },
    { id: 390, type: 'post', title: 'Soup', slug: 'soup', date: '2025-06-07 10:00:00' },
  ],
};

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const commandOf = (name: string) => [...importCommands, ...addressCommands].find((one) => one.name === name);

describe.each(DATABASES)('old addresses on %s', (kind) => {
  const server = useTestServer(kind, { timezone: 'Europe/Berlin' }, { isFreshEachTime: true });
  const run = async (name: string, ...args: string[]) => {
    const { status, out, errors } = await runCommand(commandOf(name), server().context, args);
    return { status, out, errors };
  };
  const saved = async (text: string) => {
    const file = join(await temporaryFolder('addresses'), 'urls.txt');
    await writeFile(file, text);
    return file;
  };

  const importSite = async () => {
    const folder = await temporaryFolder('wordpress');
    await mkdir(join(folder, 'uploads/2026/09'), { recursive: true });
    await writeFile(join(folder, 'uploads/2026/09/mill.png'), PIXEL);
    await writeFile(join(folder, 'site.sql'), dumpOf(SITE, 'wp_'));
    return run('import wordpress', '--sql', join(folder, 'site.sql'), '--uploads', join(folder, 'uploads'));
  };

  it('are printed for proxies, without those that this site has itself', async () => {
    const imported = await importSite();
    expect(imported).toMatchObject({ status: 0, errors: [] });
    expect(imported.out.filter((line) => line.includes('ddresses') && !line.includes('page 1'))).toEqual([
      '  Addresses began with other words, for which "import redirects" prints rules: veranstaltungen, veranstaltung, veranstaltungen/monat, veranstaltungen/kategorie, veranstaltungen/category, spielstätte',
    ]);
    const { status, out } = await run(
      'import redirects',
      '--nginx',
      '--pages',
      'https://archive.example/',
      '--folder',
      '/srv/old site',
    );
    expect(status).toBe(0);
    const image = String(out.find((line) => line.includes('mill.png'))).replace(/.*"(\/uploads\/[^"$]+).*/, '$1');
    expect(out.slice(1)).toEqual([
      'location = "/veranstaltungen" { return 301 "/events/$is_args$args"; }',
      'location ^~ "/veranstaltungen/" { rewrite "^/veranstaltungen/(.*)$" "/events/$1" permanent; }',
      'location = "/veranstaltung" { return 301 "/event/$is_args$args"; }',
      'location ^~ "/veranstaltung/" { rewrite "^/veranstaltung/(.*)$" "/event/$1" permanent; }',
      'location = "/veranstaltungen/monat" { return 301 "/events/month/$is_args$args"; }',
      'location ^~ "/veranstaltungen/monat/" { rewrite "^/veranstaltungen/monat/(.*)$" "/events/month/$1" permanent; }',
      'location = "/veranstaltungen/kategorie" { return 301 "/events/category/$is_args$args"; }',
      'location ^~ "/veranstaltungen/kategorie/" { rewrite "^/veranstaltungen/kategorie/(.*)$" "/events/category/$1" permanent; }',
      'location = "/veranstaltungen/category" { return 301 "/events/category/$is_args$args"; }',
      'location ^~ "/veranstaltungen/category/" { rewrite "^/veranstaltungen/category/(.*)$" "/events/category/$1" permanent; }',
      'location = "/spielstätte" { return 301 "/venue/$is_args$args"; }',
      'location ^~ "/spielstätte/" { rewrite "^/spielstätte/(.*)$" "/venue/$1" permanent; }',
      'location = "/journal/tag" { return 301 "/tag/$is_args$args"; }',
      'location ^~ "/journal/tag/" { rewrite "^/journal/tag/(.*)$" "/tag/$1" permanent; }',
      'location = "/event/loft-№1/" { return 301 "/event/loft-no1/$is_args$args"; }',
      `location = "/wp-content/uploads/2026/09/mill.png" { return 301 "${image}$is_args$args"; }`,
      `location = "/the-mill/" { return 301 "${image}$is_args$args"; }`,
      'location = "/über-uns/" { return 301 "https://archive.example/%C3%BCber-uns/$is_args$args"; }',
      'location = "/über-uns" { return 301 "https://archive.example/%C3%BCber-uns/$is_args$args"; }',
      'location = "/über-uns/team/" { return 301 "https://archive.example/%C3%BCber-uns/team/$is_args$args"; }',
      'location = "/über-uns/team" { return 301 "https://archive.example/%C3%BCber-uns/team/$is_args$args"; }',
      'location = "/journal/2025/soup/" { return 301 "https://archive.example/journal/2025/soup/$is_args$args"; }',
      'location = "/journal/2025/soup" { return 301 "https://archive.example/journal/2025/soup/$is_args$args"; }',
      'location = "/wp-content/uploads/2026/09/plan \\"A\\".pdf" { root "/srv/old site"; }',
    ]);
    const caddy = (await run('import redirects', '--caddy')).out;
    expect(caddy.join('\n')).toContain(
      [
        'redir "/spielstätte" "/venue/" 301',
        'handle "/spielstätte/*" {',
        '\troute {',
        '\t\turi strip_prefix "/spielst%C3%A4tte"',
        '\t\tredir * "/venue{uri}" 301',
      ].join('\n'),
    );
    expect(caddy).toContain('redir "/event/loft-№1/" "/event/loft-no1/" 301');
    expect(caddy).toContain('#   /journal/2025/soup/');
    expect(caddy.join('\n')).not.toMatch(/checkout|draft|plan|archive/);
    // The targets of the rules exist.
    const asked = await run(
      'import addresses',
      await saved('/events/month/ 200\n/events/category/music/ 200\n/event/loft-no1/ 200\n'),
    );
    expect(asked).toEqual({ status: 0, errors: [], out: ['Addresses requested: 3.', 'All respond as before.'] });
  });

  it('are printed until the import is undone, however many words there are', async () => {
    const words = Array.from({ length: 4000 }, (_none, at) => [
      `w${at}/(?:category|kategorie)/([^/]+)/?$`,
      'index.php?post_type=tribe_events&tribe_events_cat=$matches[1]',
    ]);
    const folder = await temporaryFolder('wordpress');
    const options = { ...SITE.options, rewrite_rules: serialized(Object.fromEntries(words)) };
    await writeFile(join(folder, 'site.sql'), dumpOf({ ...SITE, options }, 'wp_'));
    expect(await run('import wordpress', '--sql', join(folder, 'site.sql'))).toMatchObject({ status: 0, errors: [] });
    const rules = async () => (await run('import redirects', '--nginx')).out.slice(1);
    expect(await rules()).toContain('location = "/w3999/kategorie" { return 301 "/events/category/$is_args$args"; }');
    const keptBy = async () => {
      const codes = ['address-word', 'address-page', 'address-file'];
      const { query } = server().context.db;
      const rows = await query.selectFrom('import_findings').select('import_id').where('code', 'in', codes).execute();
      return new Set(rows.map(({ import_id }) => import_id));
    };
    expect(await run('import wordpress', '--sql', join(folder, 'site.sql'))).toMatchObject({ status: 0, errors: [] });
    expect(await keptBy()).toEqual(new Set([1]));
    expect(await run('import undo', '1')).toMatchObject({ status: 0 });
    expect(await rules()).toEqual([]);
    expect(await run('import wordpress', '--sql', join(folder, 'site.sql'))).toMatchObject({ status: 0, errors: [] });
    expect(await keptBy()).toEqual(new Set([1, 3]));
    expect(await rules()).toContain('location = "/w3999/kategorie" { return 301 "/events/category/$is_args$args"; }');
  });

  it('that respond otherwise are named', async () => {
    await importSite();
    const file = await saved(
      [
        '# path\tstatus\tredirect to\ttitle',
        '/\t200\t\tLantern: concerts and more',
        'https://lantern.example/event/concert/ 200',
        '/event/loft-%e2%84%961/ 301',
        '/wp-content/uploads/2026/09/mill-300x200.png',
        '/event/none/ 404',
        '/event/never/ 410',
        '/event/lost/ 200',
        '/event/concert/ 404',
        '/veranstaltung/concert/\t200',
        '',
        'nothing',
      ].join('\r\n'),
    );
    expect(await run('import addresses', file)).toEqual({
      status: 1,
      out: [
        '/event/lost/: before 200, here 404',
        '/event/concert/: before 404, here 200',
        '/veranstaltung/concert/: before 200, here 404',
        'Addresses requested: 9.',
      ],
      errors: ['Addresses that respond differently: 3.'],
    });
    // The site redirects those words itself, if it is told to.
    await server().make('PATCH admin:/site', { address_words: [{ from: 'veranstaltung', to: 'event' }] });
    expect((await run('import addresses', await saved('/veranstaltung/concert/ 200'))).status).toBe(0);
  });

  it('are asked for at a running site, through its proxy', async () => {
    const targets: Record<string, string> = { '/a/': '/b/', '/c/': '/a/', '/d/': 'https://elsewhere.example/' };
    const proxy = createServer((request, response) => {
      const location = targets[request.url ?? ''];
      response.writeHead(location === undefined ? 200 : 301, location === undefined ? {} : { location }).end('x');
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    Object.assign(targets, { '/e/': `${address}/b/`, '/f/': `${address}0/b/` });
    const file = await saved('/a/ 200\n/b/ 200\n/c/ 200\n/d/ 200\n/d/ 404\n/e/ 404\n/f/ 404\n');
    const { status, out } = await run('import addresses', file, '--at', address);
    expect({ status, out }).toEqual({
      status: 1,
      out: [
        '/c/: before 200, here 301 to /a/, which responds with 301',
        '/d/: before 404, here 301 to https://elsewhere.example/',
        '/e/: before 404, here 301 to /b/, which responds with 200',
        `/f/: before 404, here 301 to ${address}0/b/`,
        'Addresses requested: 7.',
      ],
    });
    proxy.closeAllConnections();
    await new Promise((resolve) => void proxy.close(resolve));
    expect((await run('import addresses', file, '--at', address)).errors[0]).toMatch(/does not respond/);
  });

  it('need a file with addresses, and one proxy', async () => {
    const first = async (name: string, ...args: string[]) => {
      const { status, errors } = await run(name, ...args);
      return [status, errors[0]];
    };
    expect(await first('import addresses', '/none')).toEqual([1, 'The file "/none" cannot be read.']);
    expect(await first('import addresses', await saved('# none\n'))).toEqual([
      1,
      expect.stringContaining('has no addresses'),
    ]);
    expect(await first('import addresses', await saved('/'), '--at', 'ftp://x')).toEqual([
      1,
      expect.stringContaining('no'),
    ]);
    expect(await first('import redirects')).toEqual([1, 'Name one of --nginx and --caddy.']);
    expect(await first('import redirects', '--nginx', '--caddy')).toEqual([1, 'Name one of --nginx and --caddy.']);
    expect(await first('import redirects', '--nginx', '--pages', 'x')).toEqual([
      1,
      expect.stringContaining('--pages takes'),
    ]);
    expect(await first('import redirects', '--nginx', '--folder', '/a"; }')).toEqual([
      1,
      expect.stringContaining('--folder takes'),
    ]);
  });
});

it.each([
  ['/a b', { path: '/a', status: 200 }],
  ['  /a?x=1#y 404 ', { path: '/a?x=1', status: 404 }],
  ['https://user@old.example/a//../b', { path: '/a//../b', status: 200 }],
  ['https://old.example', { path: '/', status: 200 }],
  ['/a 000', { path: '/a', status: 200 }],
  ['https://old.example?p=1 301', { path: '/?p=1', status: 301 }],
  ['# /a 200', undefined],
  ['javascript:alert(1) 200', undefined],
])('reads %s of a list of addresses', (line, address) => {
  expect(readAddress(line)).toEqual(address);
});

it('follows one redirect, and none that leads nowhere', async () => {
  const to = (location: string | null) =>
    differenceAt({ path: '/a/', status: 200 }, async (path) =>
      path === '/a/' ? { status: 302, location } : { status: path === '/b/?x=1' ? 200 : 404, location: null },
    );
  expect(await to('../b/?x=1')).toBeUndefined();
  expect(await to('/c/')).toBe('before 200, here 302 to /c/, which responds with 404');
  expect(await to(null)).toBe('before 200, here 302 to null');
});

it('lets no path become a directive of a proxy', () => {
  const hostile = '/a"; } location / { return 200 "$host\\';
  const redirects = {
    words: [
      { from: 'a.b(c)', to: 'events' },
      { from: '{env.SECRET}', to: '' },
    ],
    moved: [
      { from: hostile, to: '/x$host/' },
      { from: hostile, to: '/again/' },
    ],
    ...{ pages: ['/p$a b/', '/p$a b'], files: ['/b"; } {'] },
  };
  expect(nginxRules(redirects, { pages: 'https://o.example', folder: '/srv' }).slice(1)).toEqual([
    'location = "/a.b(c)" { return 301 "/events/$is_args$args"; }',
    'location ^~ "/a.b(c)/" { rewrite "^/a\\\\.b\\\\(c\\\\)/(.*)$" "/events/$1" permanent; }',
    'location = "/{env.SECRET}" { return 301 "/$is_args$args"; }',
    'location ^~ "/{env.SECRET}/" { rewrite "^/\\\\{env\\\\.SECRET\\\\}/[/\\\\\\\\[:cntrl:]]*(.*)$" "/$1" permanent; }',
    'location = "/a\\"; } location / { return 200 \\"$host\\\\" { return 301 "/x%24host/$is_args$args"; }',
    'location = "/p$a b/" { return 301 "https://o.example/p%24a%20b/$is_args$args"; }',
    'location = "/p$a b" { return 301 "https://o.example/p%24a%20b/$is_args$args"; }',
    'location = "/b\\"; } {" { root "/srv"; }',
  ]);
  const caddy = caddyRules(redirects, { pages: 'https://o.example', folder: '/srv' });
  expect(caddy.filter((line) => /return|env/.test(line))).toEqual([]);
  expect(caddy).toContain('redir "/p$a b/" "https://o.example/p%24a%20b/" 301');
});
