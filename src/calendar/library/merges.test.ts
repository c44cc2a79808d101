import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Answer, type Asking, DATABASES, useTestServer } from '../../../test/server.ts';
import type { StatementHooks } from '../../../test/statements.ts';
import { findWrongCounters } from '../../jobs/recount.ts';
import { pruneMerges } from '../../jobs/remove-expired.ts';
import { lockMerges } from './merged-records.ts';

const NIGHT = { title: 'Lantern Night', start_date: '2027-03-01 09:00', end_date: '2027-03-01 11:00' };

describe.each(DATABASES)('merging records on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });
  const ask = (call: string, asking: Asking = {}) => server().ask(call, { as: 'editor', ...asking });
  const make = (call: string, body: object): Promise<Answer['body']> => server().make(`POST ${call}`, body);
  const merge = (plural: string, id: number, from: number[], more: object = {}, asking: Asking = {}) =>
    ask(`POST admin:/${plural}/${id}/merge`, { body: { from, ...more }, ...asking });
  const undo = (id: number, as: Asking['as'] = 'editor') => ask(`POST admin:/merges/${id}/undo`, { as });
  const event = (fields: object) => make('/events', { ...NIGHT, ...fields });
  const read = async (call: string) => (await ask(`GET ${call}`)).body;
  const seen = async (ids: number[]) =>
    Promise.all(
      ids.map(async (id) => {
        const { venue, organizer, categories, tags } = await read(`/events/${id}`);
        const names = [...[venue].flat(), ...organizer].map((one: Answer['body']) => one.venue ?? one.organizer);
        return [...names, ...[...categories, ...tags].map(({ name }: Answer['body']) => name)].join(' ');
      }),
    );
  const location = async (path: string) => {
    const response = await server().request(path);
    return [response.status, response.headers.get('location')?.replace('http://localhost', '')];
  };
  const three = async (plural: string, name: string) => {
    const [a, b, c] = [
      await make(plural, { [name]: 'Mill' }),
      await make(plural, { [name]: 'Mole' }),
      await make(plural, { [name]: 'Mule' }),
    ];
    return { a, b, c };
  };

  it('the survivor of venues takes events, texts that it lacks, chosen fields and addresses, and gives them back', async () => {
    const { a, b, c } = await three('/venues', 'venue');
    await ask(`PATCH /venues/${b.id}`, { query: { i18n_language: 'fr' }, body: { venue: 'Moulin' } });
    await ask(`PATCH wp:/tribe_venue/${c.id}`, { body: { slug: 'mule-2' } });
    const events = [await event({ venue: a.id }), await event({ venue: b.id }), await event({ venue: [c.id, a.id] })];
    const ids = events.map(({ id }) => id);
    const before = await read(`/events/${ids[1]}`);
    const sequences = () =>
      server().context.db.query.selectFrom('events').select('ical_sequence').orderBy('id').execute();
    const plan = { from: [b.id, c.id], fields: { city: 'Bern', venue: 'The Mill' } };
    const dry = (await merge('venues', a.id, plan.from, { ...plan, dry_run: 1 })).body;
    const counts = { kind: 'venue', survivor: a.id, events: 2 };
    expect(dry).toMatchObject({ merge: null, ...counts, undo_until_utc: null });
    expect(dry.merged.map(({ title, events: count }: Answer['body']) => `${title} ${count}`)).toEqual([
      'Mole 1',
      'Mule 1',
    ]);
    expect(await seen(ids)).toEqual(['Mill', 'Mole', 'Mule Mill']);

    const { body } = await merge('venues', a.id, plan.from, plan);
    expect(body).toMatchObject({ merge: expect.any(Number), ...counts, undo_until_utc: '2026-11-21 17:10:00' });
    expect(await seen(ids)).toEqual(['The Mill', 'The Mill', 'The Mill']);
    expect((await read(`/events/${ids[1]}`)).revision).toBe(before.revision);
    expect(await sequences()).toEqual([1, 2, 2].map((ical_sequence) => ({ ical_sequence })));
    expect(await read(`/venues/${a.id}`)).toMatchObject({ venue: 'The Mill', city: 'Bern' });
    expect((await ask(`GET /venues/${a.id}`, { query: { i18n_language: 'fr' } })).body.venue).toBe('Moulin');
    expect((await read(`/venues/${b.id}`)).status).toBe('trash');
    for (const old of ['mole', 'mule', 'mule-2'])
      expect(await location(`/venue/${old}/`)).toEqual([301, `/venue/${a.slug}/`]);

    const undone = await undo(body.merge);
    expect(undone.body).toEqual({
      kind: 'venue',
      survivor: a.id,
      is_survivor_restored: true,
      restored: [b.id, c.id],
      events: 2,
    });
    expect(await seen(ids)).toEqual(['Mill', 'Mole', 'Mule Mill']);
    expect(await read(`/venues/${a.id}`)).not.toHaveProperty('city');
    expect((await ask(`GET /venues/${a.id}`, { query: { i18n_language: 'fr' } })).body.venue).toBe('Mill');
    expect(await read(`/venues/${c.id}`)).toMatchObject({ slug: 'mule-2', status: 'publish' });
    expect(await location('/venue/mule/')).toEqual([301, '/venue/mule-2/']);
    expect((await location('/venue/mole/'))[0]).toBe(200);
    expect((await undo(body.merge)).body.code).toBe('merge-not-found');
  });

  it('the survivor of categories takes children, also from above, counts and addresses, and gives them back', async () => {
    const top = await make('/categories', { name: 'Top', description: 'Told' });
    const middle = await make('/categories', { name: 'Middle', parent: top.id });
    const low = await make('/categories', { name: 'Low', parent: middle.id });
    const side = await make('/categories', { name: 'Side', parent: top.id });
    const night = await event({ categories: [top.id, low.id] });
    const other = await event({ categories: [top.id], status: 'draft' });
    const tree = async () => {
      const { categories } = await read('/categories?hide_empty=0&per_page=50');
      const name = new Map(categories.map((one: Answer['body']) => [one.id, one.name]));
      return categories.map((one: Answer['body']) => `${name.get(one.parent) ?? ''}>${one.name} ${one.count}`).sort();
    };
    const before = await tree();
    expect(before).toEqual(['>Top 1', 'Middle>Low 1', 'Top>Middle 0', 'Top>Side 0']);
    const { body } = await merge('categories', low.id, [top.id], { fields: { name: 'Top' } });
    expect(body.merged).toEqual([{ id: top.id, title: 'Top', events: 2, children: 2 }]);
    expect(await tree()).toEqual(['>Top 1', 'Top>Middle 0', 'Top>Side 0']);
    expect(await seen([night.id, other.id])).toEqual(['Top', 'Top']);
    expect((await location('/events/category/top/'))[0]).toBe(301);
    expect((await undo(body.merge)).body).toMatchObject({ restored: [top.id], is_survivor_restored: true });
    expect(await tree()).toEqual(before);
    expect(await seen([night.id, other.id])).toEqual(['Low Top', 'Top']);
    expect(await read(`/categories/${top.id}`)).toMatchObject({ slug: 'top', description: 'Told' });
    expect(await location(`/events/category/top/`)).toEqual([200, undefined]);
    expect(side.id).toBeGreaterThan(0);
    expect(await findWrongCounters(server().context.db)).toEqual([]);
  });

  it('an undo keeps later edits, and is possible for ten minutes', async () => {
    const { a, b, c } = await three('/organizers', 'organizer');
    const night = await event({ organizer: [b.id] });
    const first = (await merge('organizers', a.id, [b.id], { fields: { phone: '1' } })).body;
    await ask(`PATCH /organizers/${a.id}`, { body: { email: 'a@b.test' } });
    await ask(`PATCH /events/${night.id}`, { body: { organizer: [c.id] } });
    expect((await undo(first.merge)).body).toMatchObject({ is_survivor_restored: false, restored: [b.id], events: 0 });
    expect(await read(`/organizers/${a.id}`)).toMatchObject({ phone: '1', email: 'a@b.test' });
    expect(await seen([night.id])).toEqual(['Mule']);
    // A chain, undone in the order in which it was made.
    const [one, two] = [(await merge('organizers', b.id, [c.id])).body, (await merge('organizers', a.id, [b.id])).body];
    expect(await seen([night.id])).toEqual(['Mill']);
    expect((await undo(two.merge)).status).toBe(200);
    expect((await undo(one.merge)).status).toBe(200);
    expect(await seen([night.id])).toEqual(['Mule']);
    const last = (await merge('organizers', a.id, [c.id])).body;
    server().clock.now = new Date('2026-11-21T17:10:01Z');
    expect((await undo(last.merge)).body.code).toBe('merge-final');
    server().clock.now = new Date('2026-11-21T17:30:01Z');
    await pruneMerges(server().context);
    expect((await undo(last.merge)).body.code).toBe('merge-not-found');
  });

  it('an undo is possible until the moment that the merge named', async () => {
    const { a, b } = await three('/organizers', 'organizer');
    const { body } = await merge('organizers', a.id, [b.id]);
    server().clock.now = new Date(`${body.undo_until_utc}Z`);
    expect((await undo(body.merge)).status).toBe(200);
    const again = await merge('organizers', a.id, [b.id]);
    server().clock.now = new Date(Date.parse(`${again.body.undo_until_utc}Z`) + 1000);
    expect((await undo(again.body.merge)).body.code).toBe('merge-final');
  });

  it('the records of a merge must exist, differ and not be in the trash', async () => {
    const { a, b } = await three('/venues', 'venue');
    await ask(`DELETE /venues/${b.id}`);
    const refused = async (from: unknown, more: object = {}) => {
      const { status, body } = await ask(`POST admin:/venues/${a.id}/merge`, { body: { from, ...more } });
      return [status, body.data.params ? Object.keys(body.data.params) : body.code];
    };
    expect(await refused([a.id])).toEqual([400, ['from']]);
    expect(await refused([987_654])).toEqual([400, ['from']]);
    expect(await refused('x')).toEqual([400, ['from']]);
    expect(await refused([b.id])).toEqual([410, 'venue-is-in-trash']);
    expect(await refused([b.id], { fields: { website: 'no', geo_lat: 4 } })).toEqual([
      400,
      ['fields[website]', 'fields[geo_lng]'],
    ]);
    expect(await refused([b.id], { fields: 'no' })).toEqual([400, ['fields']]);
    expect((await merge('venues', a.id, [b.id], {}, { headers: { 'If-Match': '"r7"' } })).status).toBe(412);
  });

  it('a merge loses nothing beside its reverse, or beside events that take the merged record', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [a, b] = [await make('/venues', { venue: `A${round}` }), await make('/venues', { venue: `B${round}` })];
      const [x, y] = [await make('/tags', { name: `X${round}` }), await make('/tags', { name: `Y${round}` })];
      const [first, second] = [await event({ venue: a.id, tags: [x.id] }), await event({ venue: b.id, tags: [y.id] })];
      const [ab, ba, tagged, ...saved] = await Promise.all([
        merge('venues', a.id, [b.id]),
        merge('venues', b.id, [a.id]),
        merge('tags', x.id, [y.id]),
        ask(`PATCH /events/${first.id}`, { body: { venue: b.id, tags: [y.id] } }),
        ask('POST /events', { body: { ...NIGHT, venue: b.id, tags: [y.id] } }),
      ]);
      expect([ab.status, ba.status].sort()).toEqual([200, 410]);
      expect(tagged.status).toBe(200);
      const survivor = ab.status === 200 ? a : b;
      for (const { status } of saved) expect([200, 201, 400]).toContain(status);
      const made = saved[1]?.status === 201 ? [saved[1].body.id] : [];
      for (const text of await seen([first.id, second.id, ...made])) expect(text).toBe(`${survivor.venue} ${x.name}`);
      expect((await read(`/tags/${x.id}`)).count).toBe(2 + made.length);
    }
  });
});

describe.each(DATABASES)('merges between the look-up of a record and the save of an event on %s', (kind) => {
  const hooks: StatementHooks = {};
  const server = useTestServer(kind, {}, { hooks });

  it('the event gets the survivor of the first of two chained merges once the second is undone', async () => {
    const { ask, make } = server();
    const organizer = (name: string): Promise<{ id: number }> => make('POST /organizers', { organizer: name });
    const [a, b, c] = [await organizer('Mill'), await organizer('Mole'), await organizer('Mule')];
    const merge = (id: number, from: number) => make(`POST admin:/organizers/${id}/merge`, { from: [from] });
    hooks.committed = async (statement) => {
      if (!/^select .* from "linked_posts"/.test(statement)) return;
      hooks.committed = undefined;
      await merge(b.id, c.id);
      const second = await merge(a.id, b.id);
      expect((await ask(`POST admin:/merges/${second.merge}/undo`, { as: 'editor' })).status).toBe(200);
    };
    const night = await make('POST /events', { ...NIGHT, organizer: [c.id] });
    expect(night.organizer.map(({ id }: { id: number }) => id)).toEqual([b.id]);
  });
});

/** Step by step, using the locks of PostgreSQL; SQLite has one writer. */
describe('a merge beside a write of an event', () => {
  const server = useTestServer('postgres');

  it('an event that names a record while it is merged gets the survivor', async () => {
    const { ask, make, context } = server();
    const [a, b] = [await make('POST /venues', { venue: 'Mill' }), await make('POST /venues', { venue: 'Mole' })];
    const night = await make('POST /events', NIGHT);
    const waiting = async (count: number) => {
      const query = sql<{ n: string }>`SELECT count(*) AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = 'advisory'`;
      while (Number((await query.execute(context.db.query)).rows[0]?.n) < count) await setImmediate();
    };
    const answers: Promise<Answer>[] = [];
    await context.db.transaction(async (trx) => {
      await lockMerges(trx);
      answers.push(ask(`POST admin:/venues/${a.id}/merge`, { as: 'editor', body: { from: [b.id] } }));
      await waiting(1);
      answers.push(ask(`PATCH /events/${night.id}`, { as: 'editor', body: { venue: b.id } }));
      await waiting(2);
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await ask(`GET /events/${night.id}`)).body.venue.id).toBe(a.id);
  });
});
