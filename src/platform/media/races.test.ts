import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { png, upload } from '../../../test/fixtures.ts';
import { type Asking, DATABASES, type TestServer, useTestServer } from '../../../test/server.ts';
import type { Database } from '../../db/database.ts';

const BASE = { title: 'Lantern Night', start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };
const UNKNOWN = { code: 'rest_invalid_param', data: { params: { image: expect.any(String) } } };

const using = (server: () => TestServer) => {
  const ask = (call: string, asking: Asking = {}) => server().ask(call, { as: 'editor', ...asking });
  return {
    ask,
    newImage: async (): Promise<number> =>
      (await ask('POST admin:/media', { form: upload(await png(20, 20), 'a.png') })).body.id,
    remove: (id: number, force: boolean) => ask(`DELETE admin:/media/${id}`, { query: { force } }),
    change: (path: string, body: object) => ask(`PATCH ${path}`, { body }),
    newEvent: async (fields = {}): Promise<number> => (await server().make('POST /events', { ...BASE, ...fields })).id,
  };
};

describe.each(DATABASES)('an image removed while records take it on %s', (kind) => {
  const server = useTestServer(kind);
  const { newImage, remove, change } = using(server);

  it.each([
    ['an event', '/events', BASE],
    ['a venue', '/venues', { venue: 'Mill' }],
    ['an organizer', '/organizers', { organizer: 'Club' }],
    ['the venue of an event', '/events', BASE],
  ])('never gives %s a fault', async (what, path, fields) => {
    const { id } = await server().make(`POST ${path}`, fields);
    for (let round = 0; round < 5; round += 1) {
      const image = await newImage();
      const body = what.startsWith('the venue') ? { venue: { venue: `Mill ${round}`, image } } : { image };
      const writes = [change(`${path}/${id}`, body), change(`${path}/${id}`, { status: 'publish' })];
      const [removed, ...written] = await Promise.all([remove(image, round % 2 === 0), ...writes]);
      expect([200, 409]).toContain(removed.status);
      for (const { status } of written) expect([200, 400]).toContain(status);
    }
  });
});

/** Step by step, using row locks, which only PostgreSQL has. */
describe('an image removed while records take it', () => {
  const server = useTestServer('postgres');
  const { ask, newImage, remove, change, newEvent } = using(server);

  /** Runs an action that has to wait for a transaction, which ends once it waits. */
  async function behind<T>(hold: (db: Database) => Promise<unknown>, blocked: () => Promise<T>): Promise<T> {
    const { db } = server().context;
    const answers: Promise<T>[] = [];
    await db.transaction(async (trx) => {
      await hold(trx);
      answers.push(blocked());
      while (!(await isSomebodyWaiting(db))) await setImmediate();
    });
    return (await Promise.all(answers))[0] as T;
  }

  /** Queried outside the transaction, whose snapshot would not change. */
  async function isSomebodyWaiting({ query }: Database): Promise<boolean> {
    const { rows } = await sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(query);
    return rows.length > 0;
  }

  it.each(['/events', '/venues'])('a write to %s whose image is gone is refused', async (path) => {
    const { id } = await server().make(`POST ${path}`, path === '/events' ? BASE : { venue: 'Mill' });
    const image = await newImage();
    const answer = await behind(
      async (trx) => {
        await trx.dialect.lock(trx, `post-${id}`);
        await trx.query.deleteFrom('media').where('id', '=', image).execute();
      },
      () => change(`${path}/${id}`, { image }),
    );
    expect(answer).toMatchObject({ status: 400, body: UNKNOWN });
  });

  it('a new event whose image is being removed is refused', async () => {
    const image = await newImage();
    const answer = await behind(
      ({ query }) => query.deleteFrom('media').where('id', '=', image).execute(),
      () => ask('POST /events', { body: { ...BASE, image } }),
    );
    expect(answer).toMatchObject({ status: 400, body: UNKNOWN });
  });

  it('a write that keeps an image which is being removed loses it', async () => {
    const image = await newImage();
    const id = await newEvent({ image });
    const answer = await behind(
      async ({ query }) => {
        await query.updateTable('events').set({ image_id: null }).where('id', '=', id).execute();
        await query.deleteFrom('media').where('id', '=', image).execute();
      },
      () => change(`/events/${id}`, { title: 'Changed' }),
    );
    expect(answer).toMatchObject({ status: 200, body: { title: 'Changed', image: false } });
  });

  it.each([
    [false, 409, true],
    [true, 200, false],
  ])('removing (force %s) an image that is being taken responds with %s', async (force, status, isKept) => {
    const image = await newImage();
    const id = await newEvent();
    const answer = await behind(
      ({ query }) => query.updateTable('events').set({ image_id: image }).where('id', '=', id).execute(),
      () => remove(image, force),
    );
    expect(answer.status).toBe(status);
    const shown = (await ask(`GET /events/${id}`)).body.image;
    expect(shown).toEqual(isKept ? expect.objectContaining({ id: image }) : false);
  });
});
