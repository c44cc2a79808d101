import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, type TestServer, useTestServer } from '../../../test/server.ts';

const BASE = { title: 'Lantern Night', start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };

let images: Server;
let origin: string;
let served: string[] = [];
/** With the port of that server, once it is known. */
const imageHosts: string[] = [];

beforeAll(async () => {
  const picture = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  images = createServer((request, response) => {
    served.push(request.url ?? '');
    const isPicture = request.url?.endsWith('.png');
    response.writeHead(isPicture ? 200 : 404, { 'content-type': 'image/png' }).end(isPicture ? picture : '');
  });
  await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
  const { port } = images.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  imageHosts.push(`127.0.0.1:${port}`);
});

afterAll(() => {
  images.closeAllConnections();
  images.close();
});

async function filesOf({ context }: TestServer): Promise<string[]> {
  const entries = await readdir(join(context.config.data, 'uploads'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const TABLES = ['records', 'media', 'events', 'linked_posts', 'terms', 'event_links'] as const;

/** All rows that a write of an event could touch, and all files. */
async function everything(server: TestServer): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown> = { files: (await filesOf(server)).sort() };
  for (const table of TABLES) {
    const found = await server.context.db.query.selectFrom(table).selectAll().execute();
    rows[table] = found.map((row) => JSON.stringify(row)).sort();
  }
  return rows;
}

/** Makes a kind of statement on a table fail, as a full disk or a bug would; returns a function that restores it. */
async function breakStatement({ context }: TestServer, statement: string): Promise<() => Promise<void>> {
  const { query, dialect } = context.db;
  const [, table = ''] = / ON (\w+)/.exec(statement) ?? [];
  const run = (text: string) => sql.raw(text).execute(query);
  if (dialect.kind === 'sqlite') {
    await run(`CREATE TRIGGER broken BEFORE ${statement} BEGIN SELECT RAISE(ABORT, 'broken'); END`);
    return async () => void (await run('DROP TRIGGER broken'));
  }
  await run(
    `CREATE OR REPLACE FUNCTION broken() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$ LANGUAGE plpgsql`,
  );
  await run(`CREATE TRIGGER broken BEFORE ${statement} FOR EACH ROW EXECUTE FUNCTION broken()`);
  return async () => void (await run(`DROP TRIGGER broken ON ${table}`));
}

describe.each(DATABASES)('images of events on %s', (kind) => {
  const server = useTestServer(kind, { imageHosts });

  it('are fetched once from an address, and may be named by id, by that address or by the new one', async () => {
    const { make, ask } = server();
    served = [];
    const made = await make('POST /events', { ...BASE, image: `${origin}/quay%20walk.png` });
    expect(made.image).toMatchObject({ id: expect.any(Number), extension: 'png', width: 400, height: 200 });
    expect(made.image.url).toMatch(/^http:\/\/localhost\/uploads\/2026\/11\/quay-?(20)?walk-[0-9a-f]+\.png$/);
    expect(made.image.sizes.medium).toMatchObject({ width: 300, height: 150, 'mime-type': 'image/png' });
    for (const image of [made.image.id, String(made.image.id), made.image.url, `${origin}/quay%20walk.png`])
      expect((await make('POST /events', { ...BASE, image })).image).toEqual(made.image);
    expect(served).toEqual(['/quay%20walk.png']);
    const { body } = await ask(`GET /events/${made.id}`);
    expect(body.json_ld.image).toBe(made.image.url);
    expect((await make(`PATCH /events/${made.id}`, { title: 'x' })).image).toEqual(made.image);
    for (const nothing of ['', null]) {
      await make(`PATCH /events/${made.id}`, { image: made.image.id });
      expect((await make(`PATCH /events/${made.id}`, { image: nothing })).image).toBe(false);
    }
  });

  it('are one image for all records of a write that name the same address', async () => {
    const { make, context } = server();
    served = [];
    const image = `${origin}/shared.png`;
    const before = await context.db.query.selectFrom('media').selectAll().execute();
    const files = (await filesOf(server())).length;
    const made = await make('POST /events', {
      ...BASE,
      image,
      venue: { venue: 'Pictured', image },
      organizer: [
        { organizer: 'One', image },
        { organizer: 'Two', image },
      ],
    });
    for (const record of [made.venue, ...made.organizer]) expect(record.image).toEqual(made.image);
    expect(served).toEqual(['/shared.png']);
    expect(await context.db.query.selectFrom('media').selectAll().execute()).toHaveLength(before.length + 1);
    expect(await filesOf(server())).toHaveLength(files + 1 + Object.keys(made.image.sizes).length);
  });

  it('are refused from URLs by contributors, and by id from no user', async () => {
    const { make, ask } = server();
    const image = `${origin}/contributed.png`;
    for (const body of [
      { ...BASE, image },
      { ...BASE, venue: { venue: 'V', image } },
    ]) {
      const answer = await ask('POST /events', { as: 'contributor', body });
      expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    }
    const { image: known } = await make('POST /events', { ...BASE, image });
    expect((await make('POST /events', { ...BASE, image: known.id }, 'contributor')).image).toEqual(known);
  });
});

const FAULTS: [what: string, statement: string][] = [
  ['links', 'INSERT ON event_links'],
  ['counts', 'UPDATE ON terms'],
];

describe.each(DATABASES)('a write of an event that fails on %s', (kind) => {
  const server = useTestServer(kind, { imageHosts });
  const whole = () => ({
    ...BASE,
    image: `${origin}/own.png`,
    venue: { venue: 'Inline Hall', image: `${origin}/hall.png` },
    organizer: [{ organizer: 'Inline Choir' }, { organizer: 'Known', website: 'https://added.example/' }],
    categories: ['New category'],
    tags: ['new tag'],
  });
  let repair: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    await server().make('POST /organizers', { organizer: 'Known' });
  });
  afterEach(async () => {
    await repair?.();
    repair = undefined;
  });

  it.each(FAULTS)('at its %s leaves nothing of what it created', async (_what, statement) => {
    const before = await everything(server());
    repair = await breakStatement(server(), statement);
    const answer = await server().ask('POST /events', { as: 'administrator', body: whole() });
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal', data: { status: 500 } } });
    expect(answer.text).not.toContain('broken');
    expect(await everything(server())).toEqual(before);
  });

  it.each(FAULTS)('at its %s leaves what it changed as it was', async (_what, statement) => {
    const { make, ask } = server();
    const { id } = await make('POST /events', { ...BASE, tags: ['kept tag'], venue: { venue: 'Kept Hall' } });
    const before = await everything(server());
    repair = await breakStatement(server(), statement);
    const answer = await ask(`PATCH /events/${id}`, { as: 'administrator', body: { ...whole(), title: 'Changed' } });
    expect(answer.status).toBe(500);
    expect(await everything(server())).toEqual(before);
  });

  it.each([
    ['DELETE', {}],
    ['DELETE', { force: true }],
  ])('%s %j leaves the event as it was', async (method, query) => {
    const { make, ask } = server();
    const { id } = await make('POST /events', { ...BASE, tags: ['kept tag'] });
    const before = await everything(server());
    repair = await breakStatement(server(), 'UPDATE ON terms');
    expect((await ask(`${method} /events/${id}`, { as: 'administrator', query })).status).toBe(500);
    expect(await everything(server())).toEqual(before);
  });

  it.each([
    ['its own image', () => ({ image: `${origin}/missing` }), 'image'],
    ['an image of an organizer', () => ({ organizer: { organizer: 'O', image: `${origin}/missing` } }), 'organizer'],
  ])('because %s cannot be fetched keeps no other image either', async (_what, fields, name) => {
    const before = await everything(server());
    const answer = await server().ask('POST /events', { as: 'administrator', body: { ...whole(), ...fields() } });
    expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, [name]]);
    expect(await everything(server())).toEqual(before);
  });

  it('because the viewer lacks the right for one part keeps no other part', async () => {
    const { ask, userId } = server();
    const before = await everything(server());
    const body = { ...BASE, venue: { venue: 'Mine' }, organizer: { organizer: 'Not mine', author: userId('editor') } };
    expect((await ask('POST /events', { as: 'contributor', body })).status).toBe(403);
    expect(await everything(server())).toEqual(before);
  });

  it('succeeds when it is sent again', async () => {
    repair = await breakStatement(server(), 'UPDATE ON terms');
    expect((await server().ask('POST /events', { as: 'administrator', body: whole() })).status).toBe(500);
    await repair();
    repair = undefined;
    const made = await server().make('POST /events', whole());
    expect(made).toMatchObject({
      slug: expect.stringContaining('lantern-night'),
      image: { width: 400 },
      venue: { venue: 'Inline Hall', image: { width: 400 } },
      organizer: [{ organizer: 'Inline Choir' }, { organizer: 'Known', website: 'https://added.example/' }],
      categories: [{ name: 'New category', count: 1 }],
      tags: [{ name: 'new tag', count: 1 }],
    });
  });
});
