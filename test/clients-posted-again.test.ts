import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Role } from '../src/http/core/auth.ts';
import { png, upload } from './fixtures.ts';
import { ADMIN_HEADER, type Asking, DATABASES, useTestServer } from './server.ts';
import { EVENING } from './tickets.ts';
import { type Servers, startServers } from './two-servers.ts';

/** Programs that synchronise calendars post the same venues and organizers on every run. */
const PREFIX = '/wp-json/tribe';

type Fields = Record<string, unknown>;

const HALL = {
  venue: 'Harbour Hall',
  description: 'By the quay.\n\nAll welcome.',
  address: '12 Quay St',
  city: 'Boston',
  country: 'United States',
  state: 'MA',
  zip: '02110',
  phone: '+1 617',
  website: 'https://harbour.example',
  geo_lat: '42.36',
  geo_lng: -71.05,
  show_map: true,
  show_map_link: 'false',
};

describe.each(DATABASES)('venues and organizers posted again on %s', (kind) => {
  const server = useTestServer(kind);
  let names = 0;
  const fresh = (word: string) => {
    names += 1;
    return `${word} ${names}`;
  };
  const send = (call: string, asking: Asking) => server().ask(call, { as: 'administrator', prefix: PREFIX, ...asking });
  const post = async (body: Fields, as: Role = 'administrator', query: Asking['query'] = {}) => {
    const answer = await send(`POST /${'venue' in body ? 'venues' : 'organizers'}`, { as, body, query });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body;
  };
  const count = async (plural: string) =>
    (await server().ask(`GET /${plural}`, { as: 'administrator', query: { per_page: 1 } })).body.total;

  it('a synchronisation run gets the records of the first one, and changes nothing', async () => {
    const first = await post(HALL);
    const before = await count('venues');
    server().clock.now = new Date(server().clock.now.getTime() + 60_000);
    expect(await post(HALL)).toEqual(first);
    const form = new URLSearchParams(Object.entries(HALL).map(([name, value]) => [name, String(value)]));
    expect(await send('POST /venues', { form })).toMatchObject({ status: 201, body: first });
    expect(await send('POST /venues', { query: { venue: 'Harbour Hall' } })).toMatchObject({
      status: 201,
      body: first,
    });
    expect(await post({ venue: HALL.venue, status: 'publish', author: server().userId('administrator') })).toEqual(
      first,
    );
    // As sent back by a program that has read it.
    const { body } = await send(`GET /venues/${first.id}`, {});
    const { image: _image, json_ld: _ld, ...shown } = body;
    expect(await post(shown)).toEqual(first);
    expect(await count('venues')).toBe(before);
  });

  it.each<[string, (name: string) => unknown]>([
    ['the same', (name) => name],
    ['another letter case', (name) => name.toUpperCase()],
    ['space around it', (name) => `  ${name}\n`],
    ['more space in it', (name) => name.replace(' ', '  ')],
    ['a space that does not break', (name) => name.replace(' ', '\u00a0')],
    ['tags', (name) => `<b>${name}</b>`],
  ])('a name is the same as %s', async (_what, change) => {
    for (const [field, plural] of [
      ['venue', 'venues'],
      ['organizer', 'organizers'],
    ] as const) {
      const name = fresh('Éclair');
      const first = await post({ [field]: name });
      const before = await count(plural);
      expect(await post({ [field]: change(name) })).toEqual(first);
      expect(await count(plural)).toBe(before);
      expect((await post({ [field]: `${name} Two` })).id).not.toBe(first.id);
      expect((await post({ [field]: name.replace('É', 'E') })).id).not.toBe(first.id);
    }
  });

  it('a numeric name is the same as its text', async () => {
    const { id } = await post({ venue: 1922 });
    expect((await post({ venue: '1922' })).id).toBe(id);
  });

  describe('a field', () => {
    const STORED = { ...HALL, description: '<p>By the <em>quay</em>.</p>' };
    const cases: [what: string, sent: Fields, isSame: boolean][] = [
      ['none', {}, true],
      ['empty', { city: '', phone: null, website: '', description: '', geo_lat: '', geo_lng: null }, true],
      ['empty without its tags', { city: '<b></b>', phone: '  ', description: '<script>x</script>' }, true],
      ['not known', { capacity: 900 }, true],
      ['letter case', { city: 'BOSTON', address: '12 quay st' }, true],
      ['spaces', { city: ' Boston ', address: '12  Quay\u00a0St' }, true],
      ['another city', { city: 'Salem' }, false],
      ['another of several', { city: 'Boston', phone: '+1 618' }, false],
      ['a number as text', { geo_lat: 42.36, geo_lng: '-71.050' }, true],
      ['another number', { geo_lat: 42.37, geo_lng: -71.05 }, false],
      ['a postal code without its nought', { zip: 2110 }, false],
      ['a flag in another spelling', { show_map: 'yes', show_map_link: 0 }, true],
      ['another flag', { show_map: false }, false],
      ['a country by its code', { country: 'us' }, true],
      ['a country by its old code', { country: 'USA' }, true],
      ['another country', { country: 'GB' }, false],
      ['another country by its name', { country: 'Canada' }, false],
      ['the region that follows', { stateprovince: 'ma' }, true],
      ['another region', { stateprovince: 'NH' }, false],
      ['a state', { state: 'NH' }, false],
      ['an address with a slash', { website: 'https://HARBOUR.example/' }, true],
      ['another address', { website: 'https://harbour.example/hall' }, false],
      ['the same description', { description: STORED.description }, true],
      ['another description', { description: '<p>By the quay.</p>' }, false],
      ['the status', { status: 'publish' }, true],
      ['another status', { status: 'draft' }, false],
      ['another day of publication', { date: '2020-01-01 00:00:00' }, false],
      ['a day of publication to come', { date: '2030-01-01 00:00:00' }, false],
    ];
    it.each(cases)('%s: %j means the same venue: %s', async (_what, sent, isSame) => {
      const venue = fresh('Field');
      const first = await post({ ...STORED, venue });
      const before = await count('venues');
      const again = await post({ venue, ...sent });
      expect(again.id === first.id).toBe(isSame);
      if (isSame) expect([again, await count('venues')]).toEqual([first, before]);
      expect((await server().ask(`GET /venues/${first.id}`)).body).toMatchObject(first);
      // Whatever its status, the next run finds it, unless it is in the trash.
      if (sent.status !== 'draft' && sent.date !== '2030-01-01 00:00:00')
        expect((await post({ venue, ...sent })).id).toBe(again.id);
    });

    it('the author: an own record is the same, one of another author is not', async () => {
      const [own, other] = [server().userId('administrator'), server().userId('editor')];
      const venue = fresh('Author');
      const { id } = await post({ venue, author: own });
      expect((await post({ venue, author: String(own) })).id).toBe(id);
      const theirs = await post({ venue, author: other });
      expect(theirs).toMatchObject({ author: String(other) });
      expect(theirs.id).not.toBe(id);
      expect((await send('POST /venues', { as: 'author', body: { venue, author: other } })).status).toBe(403);
    });

    it('the image: the same one means the same record, and a missing one any', async () => {
      const imageOf = async (size: number) =>
        (await server().ask('POST admin:/media', { as: 'editor', form: upload(await png(size, size)) })).body.id;
      const [one, two] = [await imageOf(20), await imageOf(30)];
      const organizer = fresh('Image');
      const first = await post({ organizer });
      expect(await post({ organizer, image: one })).toMatchObject({ id: first.id, image: { id: one } });
      expect((await post({ organizer, image: String(one) })).id).toBe(first.id);
      expect(await post({ organizer, image: null })).toMatchObject({ id: first.id, image: { id: one } });
      expect((await post({ organizer, image: two })).id).not.toBe(first.id);
      // Fetched twice from the same URL, as by two concurrent requests.
      const { db } = server().context;
      const fetched = db.query.updateTable('media').set({ source_url: 'https://images.example/choir.png' });
      const three = await imageOf(40);
      await fetched.where('id', 'in', [one, three]).execute();
      expect((await post({ organizer, image: three })).id).toBe(first.id);
      const { body } = await send('POST /organizers', { body: { organizer, image: 999_999 } });
      expect(Object.keys(body.data.params)).toEqual(['image']);
    });
  });

  it('missing fields are added, and existing ones stay', async () => {
    const venue = fresh('Filled');
    const first = await post({ venue, city: 'Boston' });
    const sent = { venue: venue.toUpperCase(), city: 'boston', phone: '1', description: 'New', geo_lat: 1, geo_lng: 2 };
    expect(await post(sent)).toMatchObject({ ...sent, id: first.id, venue, city: 'Boston', slug: first.slug });
    expect((await post({ venue, phone: '2' })).id).not.toBe(first.id);
    expect((await post({ venue, city: 'Boston', phone: '1' })).id).toBe(first.id);
  });

  it('viewers without edit rights get the record, but add nothing', async () => {
    const organizer = fresh('Theirs');
    const first = await post({ organizer, phone: '1' }, 'editor');
    for (const as of ['author', 'contributor'] as const)
      expect(await post({ organizer, email: 'a@band.example' }, as)).toEqual(first);
    expect((await post({ organizer, phone: '2' }, 'author')).id).not.toBe(first.id);
    const own = fresh('Own');
    const mine = await post({ organizer: own }, 'author');
    expect(await post({ organizer: own, phone: '3' }, 'author')).toMatchObject({ id: mine.id, phone: '3' });
    const body = { organizer };
    expect((await send('POST /organizers', { as: 'subscriber', body })).status).toBe(403);
    expect((await send('POST /organizers', { as: undefined, body })).status).toBe(401);
  });

  it.each(['draft', 'pending', 'private', 'future', 'trash'])('a record that is %s is never reused', async (status) => {
    const organizer = fresh(status);
    const date = status === 'future' ? { date: '2030-01-01 00:00:00' } : {};
    const hidden = await post({ organizer, status, ...date });
    const open = await post({ organizer });
    expect(open.id).not.toBe(hidden.id);
    expect(open.status).toBe('publish');
    expect((await post({ organizer })).id).toBe(open.id);
    await server().ask(`DELETE /organizers/${open.id}`, { as: 'editor' });
    expect([hidden.id, open.id]).not.toContain((await post({ organizer })).id);
  });

  it('the oldest of several matches is used, however many have the name', async () => {
    const venue = fresh('Community Centre');
    const made = [];
    for (let n = 0; n < 60; n++) made.push(await post({ venue, city: `City ${n}` }));
    for (const n of [0, 31, 59]) expect((await post({ venue, city: `City ${n}` })).id).toBe(made[n]?.id);
    expect((await post({ venue })).id).toBe(made[0]?.id);
  });

  it.each(['/calendar', '/wp-json/calendar'])('under %s a new record is created each time', async (prefix) => {
    const organizer = fresh('Always');
    const make = async () =>
      (await server().ask('POST /organizers', { as: 'editor', prefix, body: { organizer } })).body;
    expect((await make()).id).not.toBe((await make()).id);
  });

  it('a request repeated with its key is not executed again', async () => {
    const sent = { as: 'editor', body: { venue: fresh('Keyed') }, headers: { 'Idempotency-Key': 'venue-1' } } as const;
    const first = await send('POST /venues', sent);
    expect((await send('POST /venues', sent)).body).toEqual(first.body);
    const other = await send('POST /venues', { ...sent, headers: { 'Idempotency-Key': 'venue-2' } });
    expect(other.body).toEqual(first.body);
  });

  it('a request in another language matches the name in that language, and adds texts in it', async () => {
    const [venue, salle] = [fresh('Hall'), fresh('Salle')];
    const french = { i18n_language: 'fr' };
    const { id } = await post({ venue, description: 'Large' });
    await send(`PATCH /venues/${id}`, { body: { venue: salle, ...french } });
    expect((await post({ venue: salle, ...french })).id).toBe(id);
    expect((await post({ venue, ...french })).id).toBe(id);
    expect(await post({ venue: salle, description: 'Grande', ...french })).toMatchObject({ id, description: 'Grande' });
    expect(await post({ venue })).toMatchObject({ id, venue, description: 'Large' });
    expect((await post({ venue: salle, description: 'Petite', ...french })).id).not.toBe(id);
    expect((await post({ venue: salle })).id).not.toBe(id);
  });

  it('inline in an event no field is lost: viewers without edit rights create another record', async () => {
    const venue = fresh('Inline');
    const first = await post({ venue, city: 'Boston' });
    const inline = async (fields: Fields, as: Role = 'author') => {
      const body = { ...EVENING, title: venue, venue: { venue, ...fields } };
      return (await send('POST /events', { as, body })).body.venue;
    };
    expect((await inline({ city: 'boston', country: '' })).id).toBe(first.id);
    expect((await inline({ phone: '1' })).id).not.toBe(first.id);
    expect((await inline({ date: '2030-01-01' }, 'administrator')).id).not.toBe(first.id);
    expect((await server().ask(`GET /venues/${first.id}`)).body.status).toBe('publish');
    expect(await inline({ zip: '1' }, 'administrator')).toMatchObject({ id: first.id, zip: '1' });
  });

  it('concurrent requests create one record', async () => {
    const venue = fresh('Race');
    const inline = () => send('POST /events', { body: { ...EVENING, title: venue, venue: { venue } } });
    const made = await Promise.all([
      post({ venue }),
      inline(),
      post({ venue, city: 'Boston' }),
      inline(),
      post({ venue }),
    ]);
    const { body } = await server().ask('GET /venues', { query: { search: venue } });
    expect([made.length, body.total, body.venues[0]?.city]).toEqual([5, 1, 'Boston']);
  });
});

describe.each(DATABASES)('venues posted again at two processes on %s', (kind) => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers(kind, { postgresUrl: inject('postgresUrl') });
  });
  afterAll(() => servers.close());

  const post = async (venue: string, process: number) => {
    const answer = await fetch(`${servers.address(process)}${PREFIX}/events/v1/venues`, {
      method: 'POST',
      headers: { authorization: ADMIN_HEADER, 'content-type': 'application/json' },
      body: JSON.stringify({ venue, city: 'Boston' }),
    });
    return { status: answer.status, id: ((await answer.json()) as { id: number }).id };
  };

  it('are created once', async () => {
    for (let round = 0; round < 10; round++) {
      const made = await Promise.all([0, 1, 0, 1].map((process) => post(`Hall ${round}`, process)));
      expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    }
  });
});

// SQLite serializes writes.
describe('venues of an event on postgres', () => {
  const server = useTestServer('postgres');

  it('are locked in one order, so that two events never wait for each other', async () => {
    const { db } = server().context;
    const isSomebodyWaiting = async () =>
      (await sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`.execute(db.query)).rows.length > 0;
    const isFree = async (name: string) => {
      const free = sql<{ free: boolean }>`SELECT pg_try_advisory_xact_lock(hashtext(${name})) AS free`;
      return (await free.execute(db.query)).rows[0]?.free;
    };
    let made: Promise<Fields> | undefined;
    await db.transaction(async (held) => {
      await held.dialect.lock(held, 'venue-named-attic');
      const venue = [{ venue: 'Barn' }, { venue: 'Attic' }];
      made = server().make('POST /events', { ...EVENING, venue });
      while (!(await isSomebodyWaiting())) await setImmediate();
      expect(await isFree('venue-named-barn')).toBe(true);
    });
    expect(await made).toMatchObject({ venue: [{ venue: 'Barn' }, { venue: 'Attic' }] });
  });
});
