import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { loadDatabase } from '../src/moving/wordpress/load-database.ts';
import { importCommands } from '../src/server/cli/import.ts';
import { runCommand } from './commands.ts';
import { lackOfMariadb, type Mariadb, startMariadb } from './mariadb.ts';
import { DATABASES, useTestServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { dumpOf, serialized, type WordpressPost, type WordpressSite } from './wordpress-files.ts';

/** Imports from the database of a WordPress site. */

const lack = await lackOfMariadb();
if (lack !== '') console.warn(`${lack}: imports from MariaDB are not tested.`);

const PASSWORD = 'lantern % quay @';
const BCRYPT = '$wp$2y$04$YLF4nWhzCZUDwN6Sq48o6Oab3.DtUq7R600cez1bpdm1bEsVRfGCK';

type Meta = NonNullable<WordpressPost['meta']>;

const event = (id: number, title: string, meta: Meta = []): WordpressPost => ({
  ...{ id, type: 'tribe_events', title, slug: `event-${id}`, content: `<p>${title} at O'Hara\\Quay\n🎻</p>` },
  meta: [
    ['_EventStartDate', '2027-02-03 19:00:00'],
    ['_EventEndDate', '2027-02-03 21:00:00'],
    ['_EventTimezone', 'Europe/Berlin'],
    ...meta,
  ],
});

const SITE: WordpressSite = {
  home: 'https://lantern.example',
  options: { timezone_string: 'Europe/Berlin' },
  users: [
    {
      ...{ id: 1, login: 'anna', pass: BCRYPT, email: 'anna@post.example' },
      meta: [['kq_capabilities', serialized({ editor: true })]],
    },
  ],
  terms: [{ id: 5, taxonomy: 'tribe_events_cat', name: 'Frühling', slug: 'fruehling' }],
  dates: [[100, '2027-02-03 19:00:00', '2027-02-03 21:00:00']],
  posts: [
    { id: 60, type: 'tribe_venue', title: 'Größe Mühle', slug: 'muehle', meta: [['_VenueCity', 'Łódź']] },
    {
      ...event(100, 'Frühlingsfest', [
        ['_EventVenueID', '60'],
        ['_EventOrganizerID', '71'],
        ['_EventOrganizerID', '70'],
      ]),
      terms: [5],
    },
    { id: 70, type: 'tribe_organizer', title: 'Anna', slug: 'anna' },
    { id: 71, type: 'tribe_organizer', title: 'Zoë', slug: 'zoe' },
    event(101, 'Broken', [['_EventRecurrence', 'a:1:{s:5:"rules";a:1:{']]),
    { ...event(102, 'No start'), meta: [] },
    {
      ...{ id: 200, type: 'tec_tc_ticket', title: 'Seat' },
      meta: [
        ['_tec_tickets_commerce_event', '100'],
        ['_price', '12.50'],
        ['_tribe_ticket_capacity', '40'],
      ],
    },
    {
      ...{ id: 300, type: 'tec_tc_order', status: 'tec-tc-completed' },
      meta: [
        ['_tec_tc_order_total_value', '12.50'],
        ['_tec_tc_order_currency', 'EUR'],
        ['_tec_tc_order_purchaser_full_name', 'Ada Lindqvist'],
      ],
    },
    {
      ...{ id: 301, type: 'tec_tc_attendee', parent: 300 },
      meta: [
        ['_tec_tickets_commerce_ticket', '200'],
        ['_tec_tickets_commerce_event', '100'],
        ['_tec_tickets_commerce_full_name', 'Ada Lindqvist'],
        ['_tec_tickets_commerce_security_code', 'ab872590bb'],
        ['_tec_tickets_commerce_price_paid', '12.50'],
        ['_tribe_tickets_meta', serialized({ '\0soup': 'Beetroot' })],
      ],
    },
    ...Array.from({ length: 300 }, (_, at) => event(1000 + at, `Evening ${at}`)),
  ],
};

const TABLES = ['events', 'linked_posts', 'terms', 'tickets', 'orders', 'attendees', 'import_links'] as const;
/** Columns that differ between two imports of the same. */
const RANDOM =
  /^(?:etag|version|.*token.*|number|security_code_hash|created_utc|updated_utc|modified_.*|.*_at|uid|access_version)$/;

async function contentOf({ query }: Database): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const table of TABLES) {
    const rows: Record<string, unknown>[] = await query.selectFrom(table).selectAll().execute();
    content[table] = rows
      .map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => !RANDOM.test(name)))))
      .toSorted();
  }
  content.users = await query.selectFrom('users').select(['username', 'role', 'email']).orderBy('username').execute();
  return content;
}

const wordpress = importCommands.find(({ name }) => name === 'import wordpress');

type Pass = (socket: Socket, bytes: Buffer, total: number) => void | Promise<void>;

/** A server before MariaDB, which sends its responses by a function. */
async function proxyTo(port: number, pass: Pass): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, server].map((one) => one.destroy()));
    }
    client.pipe(server);
    let total = 0;
    void (async () => {
      for await (const bytes of server.iterator({ destroyOnReturn: false })) {
        total += bytes.length;
        await pass(client, bytes, total);
      }
    })().catch(() => client.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

describe.skipIf(lack !== '')('a database of WordPress', () => {
  let mariadb: Mariadb;
  const addressOf = (
    database: string,
    { user = 'reader', password = '', host = '127.0.0.1', port = mariadb.port } = {},
  ) => `mysql://${user}${password === '' ? '' : `:${encodeURIComponent(password)}`}@${host}:${port}/${database}`;
  const withPassword = (database: string, port?: number) => addressOf(database, { password: PASSWORD, port });

  beforeAll(async () => {
    mariadb = await startMariadb();
    const fill = (database: string, charset: string, dump: string) =>
      mariadb.query(`CREATE DATABASE ${database} DEFAULT CHARSET ${charset}; USE ${database};\n${dump}`);
    await fill('modern', 'utf8mb4', dumpOf(SITE, 'kq_'));
    // An old site: its tables are in latin1, and it wrote UTF-8 into them.
    await fill(
      'old',
      'latin1',
      dumpOf({ ...SITE, posts: [] }, 'wp_').replaceAll('SET NAMES utf8mb4', 'SET NAMES latin1'),
    );
    await mariadb.query(
      `INSERT INTO old.wp_posts (ID, post_type, post_title, post_name) VALUES
        (1, 'tribe_events', CAST(0x${Buffer.from('Frühling 🎻').toString('hex')} AS BINARY), 'a'),
        (2, 'tribe_events', CAST(0x${Buffer.from('Frühling – 5 €', 'latin1').toString('hex')} AS BINARY), 'b'),
        (3, 'tribe_events', CAST(0x4b6174680e9 AS BINARY), 'c'), (4, 'tribe_events', CAST(0x80 AS BINARY), 'd');`.replace(
        '0x4b6174680e9',
        '0x4b61746865e9',
      ),
    );
    await fill('two', 'utf8mb4', `${dumpOf(SITE, 'a_')}${dumpOf(SITE, 'b_')}`);
    await mariadb.query(`
      CREATE DATABASE empty; CREATE DATABASE hidden;
      CREATE USER reader@'%' IDENTIFIED BY '${PASSWORD}'; CREATE USER half@'%' IDENTIFIED BY '${PASSWORD}';
      CREATE USER most@'%' IDENTIFIED BY '${PASSWORD}';
      GRANT SELECT ON modern.* TO reader@'%'; GRANT SELECT ON old.* TO reader@'%'; GRANT SELECT ON two.* TO reader@'%';
      GRANT SELECT ON empty.* TO reader@'%';
      ${['posts', 'postmeta', 'options', 'terms', 'term_taxonomy', 'term_relationships', 'users', 'usermeta']
        .map((table) => `GRANT SELECT ON modern.kq_${table} TO most@'%';`)
        .join(' ')}
      ${['posts', 'postmeta', 'options', 'terms', 'term_taxonomy', 'term_relationships', 'usermeta']
        .map((table) => `GRANT SELECT ON modern.kq_${table} TO half@'%';`)
        .join(' ')}`);
  }, 300_000);
  afterAll(() => mariadb?.stop());

  describe.each(DATABASES)('on %s', (kind) => {
    const server = useTestServer(kind, { timezone: 'Europe/Berlin', currency: 'EUR' }, { isFreshEachTime: true });
    const run = (...args: string[]) => runCommand(wordpress, server().context, args);
    /** Result and content of an import. */
    const outcome: { out: string[]; content: unknown }[] = [];

    it.each(['--sql', '--mysql'])('has the same outcome from %s', async (source) => {
      const folder = await temporaryFolder('mysql');
      const [dump, password] = [join(folder, 'site.sql'), join(folder, 'password')];
      await writeFile(dump, Buffer.from(await mariadb.dump('modern'), 'latin1'));
      await writeFile(password, `${PASSWORD}\n`);
      const args = source === '--sql' ? [dump] : [addressOf('modern'), '--password-file', password];
      const { status, out, errors } = await run(source, ...args);
      expect({ status, errors }).toEqual({ status: 0, errors: [] });
      outcome.push({
        out: out.filter((line) => !line.includes('administrator')),
        content: await contentOf(server().context.db),
      });
      const { body } = await server().ask('GET /events/100', { as: 'administrator' });
      expect(body).toMatchObject({
        ...{ title: 'Frühlingsfest', venue: { id: 60, venue: 'Größe Mühle', city: 'Łódź' } },
        ...{ organizer: [{ id: 71, organizer: 'Zoë' }, { id: 70 }], categories: [{ id: 5, name: 'Frühling' }] },
      });
      expect(body.description).toContain("O'Hara\\Quay");
      expect(body.description).toContain('🎻');
      expect(out.find((line) => line.startsWith('created:'))).toContain('302 event');
      if (outcome.length === 2) expect(outcome[1]).toEqual(outcome[0]);
    });

    it('plans without writing, and names no password anywhere', async () => {
      const plan = await run('--mysql', withPassword('modern'), '--dry-run');
      expect(plan.status).toBe(0);
      expect(plan.out.at(-1)).toBe('Nothing was written.');
      expect(JSON.stringify(plan)).not.toContain('lantern');
    });

    it.each([
      ['a wrong password', () => addressOf('modern', { password: 'lantern wrong' }), 'refuses the account'],
      ['no password', () => addressOf('modern'), 'refuses the account'],
      [
        'an unknown account',
        () => addressOf('modern', { user: 'stranger', password: PASSWORD }),
        'refuses the account',
      ],
      ['an unknown database', () => withPassword('nowhere'), 'may not read this database'],
      ['a database that it may not read', () => withPassword('hidden'), 'may not read this database'],
      ['a database without a site', () => withPassword('empty'), 'sees no tables of a WordPress site'],
      ['two sites', () => withPassword('two'), 'Choose one with --prefix: a_, b_'],
      [
        'a hidden table',
        () => addressOf('modern', { user: 'half', password: PASSWORD }),
        'may not read the table "kq_users"',
      ],
      ['a closed port', () => withPassword('modern', 1), 'No database server responds'],
      ['no database', () => withPassword(''), 'Name the account and the database'],
      ['another scheme', () => withPassword('modern').replace('mysql:', 'ftp:'), 'is not of the form'],
      ['a stray percent sign', () => withPassword('modern').replace('%25', '%'), 'write it as %25'],
      ['an option of the driver', () => `${withPassword('modern')}?debug=true`, 'nothing else'],
      ['a missing authority', () => `${withPassword('modern')}?ssl-mode=VERIFY_CA&ssl-ca=/none`, 'cannot be read'],
      ['an unknown mode', () => `${withPassword('modern')}?ssl-mode=maybe`, 'ssl-mode takes one of'],
      ['an untrusted certificate', () => `${withPassword('modern')}?ssl-mode=VERIFY_CA`, 'cannot be trusted'],
      [
        'an address that certificates do not name',
        () => `${withPassword('modern')}?ssl-mode=VERIFY_IDENTITY&ssl-ca=${mariadb.certificate}`,
        'needs the name of the host',
      ],
    ])('names %s', async (_what, address, message) => {
      const { status, out, errors } = await run('--mysql', address());
      expect(status).toBe(1);
      expect(errors.join('\n')).toContain(message);
      expect([...out, ...errors].join('\n')).not.toMatch(/lantern|@127/);
      expect(await server().context.db.query.selectFrom('imports').select('id').execute()).toEqual([]);
    });

    it.each([
      [['--mysql', 'mysql://a@b/c', '--sql', 'x.sql'], 'name one of them'],
      [['--sql', 'x.sql', '--password-file', 'x'], '--password-file belongs to'],
      [['--mysql', 'mysql://a:b@c/d', '--password-file', import.meta.filename], 'leave one of them out'],
    ])('refuses options that contradict each other', async (args, message) => {
      const { status, errors } = await run(...args);
      expect({ status, errors: errors.join('\n') }).toEqual({ status: 1, errors: expect.stringContaining(message) });
    });
  });

  const titles = (staging: Awaited<ReturnType<typeof loadDatabase>>['staging']) =>
    staging.posts(['tribe_events'], 1).map(({ title }) => title);

  it('reads UTF-8 and Windows-1252 out of tables in latin1', async () => {
    const { staging, notes } = await loadDatabase(withPassword('old'));
    expect(titles(staging)).toEqual(['Frühling 🎻', 'Frühling \u0013 5 ¬', 'Katheé', '€']);
    expect(staging.terms('tribe_events_cat')[0]?.name).toBe('Frühling');
    expect(notes).toEqual([{ code: 'utf8-in-latin1', detail: expect.stringContaining('wp_posts') }]);
    staging.close();
  });

  it('names tables that it may not read, if they may be there', async () => {
    const { staging, notes } = await loadDatabase(addressOf('modern', { user: 'most', password: PASSWORD }));
    staging.close();
    expect(notes).toEqual([{ code: 'no-table', detail: 'kq_termmeta, kq_tec_events, kq_tec_order_modifiers' }]);
  });

  it('reads one site of two, through TLS and through a socket', async () => {
    const named = addressOf('two', { password: PASSWORD, host: 'localhost' });
    for (const address of [
      `${withPassword('two')}?ssl-mode=required`,
      `${named}?ssl-mode=VERIFY_IDENTITY&ssl-ca=${mariadb.certificate}`,
      `${named}?socket=${mariadb.socket}`,
    ]) {
      const { staging } = await loadDatabase(address, { prefix: 'b_' });
      expect(staging.option('home')).toBe('https://lantern.example');
      staging.close();
    }
  });

  it('names a server without TLS', async () => {
    const proxy = await proxyTo(mariadb.port, (client, bytes, total) => {
      // The flag of TLS in the greeting: behind the version, the number of the connection and the first eight bytes of
      // the seed.
      const flags = bytes.indexOf(0, 5) + 1 + 4 + 8 + 1;
      if (total === bytes.length) bytes.writeUInt8(bytes.readUInt8(flags + 1) & ~0x08, flags + 1);
      client.write(bytes);
    });
    await expect(loadDatabase(`${withPassword('modern', proxy.port)}?ssl-mode=REQUIRED`)).rejects.toThrow(
      'offers no TLS',
    );
    proxy.close();
  });

  it.each([
    ['does not greet its clients', 0, 'hang', /does not respond/],
    ['stops responding', 20_000, 'hang', /too long to respond/],
    ['is cut off', 20_000, 'cut', /has ended the connection/],
    ['is something else', 0, 'noise', /cannot be read|has ended|does not respond/],
    ['sends something else', 20_000, 'noise', /cannot be read|has ended|too long/],
  ] as const)('names a server that %s', async (_what, limit, fault, message) => {
    const proxy = await proxyTo(mariadb.port, (client, bytes, total) => {
      if (total <= limit) client.write(bytes);
      else if (fault === 'cut') client.destroy();
      else if (fault === 'noise') client.end(Buffer.alloc(5000, 'HTTP/1.1 400 Bad Request '));
    });
    await expect(loadDatabase(withPassword('modern', proxy.port), { patience: 700 })).rejects.toThrow(message);
    proxy.close();
  });

  it('reads the site as it was when it began', async () => {
    let changing: Promise<void> | undefined;
    const proxy = await proxyTo(mariadb.port, async (client, bytes, total) => {
      // The first posts are on their way; accounts are read last.
      if (total > 20_000) {
        changing ??= mariadb.query(`
          UPDATE modern.kq_users SET display_name = 'Later'; DELETE FROM modern.kq_postmeta WHERE post_id = 100;`);
        await changing;
      }
      client.write(bytes);
    });
    const { staging } = await loadDatabase(withPassword('modern', proxy.port));
    proxy.close();
    expect(changing).toBeDefined();
    expect(staging.user(1)?.display_name).toBe('anna');
    expect(staging.meta('post', 100).get('_EventVenueID')).toEqual(['60']);
    staging.close();
    const later = await loadDatabase(withPassword('modern'));
    expect(later.staging.user(1)?.display_name).toBe('Later');
    later.staging.close();
  });
});
