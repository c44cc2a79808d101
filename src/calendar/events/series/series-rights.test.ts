import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from '../../../../test/attendees.ts';
import { DATABASES, NOON, useTestServer } from '../../../../test/server.ts';
import { removeAllCounts } from '../../../platform/limits/database-limiter.ts';

const MONDAY = { title: 'Pottery', start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' };
const weekly = (count: number) => ({ rrule: `FREQ=WEEKLY;COUNT=${count}` });

type Role = 'editor' | 'contributor' | 'author';

describe.each(DATABASES)('rights in series on %s', (kind) => {
  const server = useTestServer(kind);
  const begin = (count: number, event: object = {}, as: Role = 'editor') =>
    server().make('POST /series', { event: { ...MONDAY, ...event }, recurrence: weekly(count) }, as);
  const occurrences = async (id: number, as: Role | undefined = 'editor') => {
    const { body } = await server().ask(`GET /series/${id}/occurrences`, { as, query: { per_page: 100 } });
    return body.occurrences as { id: number; title: string; recurrence_id: string; status: string }[];
  };
  const days = async (id: number) => (await occurrences(id)).map(({ recurrence_id }) => recurrence_id);
  const read = async (id: number, as?: Role) => (await server().ask(`GET /series/${id}`, { as })).body;

  /** A published series of a contributor, whose coming events are theirs and drafts. */
  const publishedOfContributor = async () => {
    const { make, userId } = server();
    const series = await begin(3, { author: userId('contributor') });
    for (const { id } of await occurrences(series.id)) await make(`PATCH /events/${id}`, { status: 'draft' });
    return series.id as number;
  };

  it('belong to editors of the series, not only of its coming events', async () => {
    const { ask } = server();
    const id = await publishedOfContributor();
    const [first, second] = await occurrences(id);
    const change = await ask(`PATCH /events/${first?.id}`, {
      ...{ as: 'contributor', body: { description: 'Mine', scope: 'all' } },
    });
    expect([change.status, change.body.code]).toEqual([403, 'rest_forbidden']);
    const following = await ask(`DELETE /events/${second?.id}`, { as: 'contributor', query: { scope: 'following' } });
    expect([following.status, following.body.code]).toEqual([403, 'rest_forbidden']);
    expect(await read(id, 'editor')).toMatchObject({ status: 'publish', revision: 1, total: 3 });
  });

  it('do not let contributors publish again what an editor has moved to the trash', async () => {
    const { ask, make } = server();
    const series = await begin(3, {}, 'contributor');
    const [, second] = await occurrences(series.id);
    await make(`PATCH /events/${second?.id}`, { status: 'publish' });
    await ask(`DELETE /events/${second?.id}`, { as: 'editor' });
    const give = { as: 'contributor', body: { recurrence: { exdates: [] } } } as const;
    const preview = await ask(`PATCH /series/${series.id}`, { ...give, body: { ...give.body, dry_run: true } });
    expect(preview.status).toBe(403);
    expect((await ask(`PATCH /series/${series.id}`, give)).status).toBe(403);
    expect(await days(series.id)).toEqual(['2027-03-01', '2027-03-15']);
  });

  it('do not show how many tickets events of others have', async () => {
    const { ask, make } = server();
    const series = await begin(3, {}, 'contributor');
    const [, second] = await occurrences(series.id);
    await make(`PATCH /events/${second?.id}`, { status: 'publish' });
    await makeAttendee(server(), await makeSeat(server(), second?.id ?? 0));
    const { status, body } = await ask(`PATCH /series/${series.id}`, {
      ...{ as: 'contributor', body: { recurrence: { exdates: ['2027-03-08'] }, dry_run: true } },
    });
    expect([status, body.holders]).toEqual([403, undefined]);
  });

  it('hide the day of an event that the user may not edit', async () => {
    const event = await server().make('POST /events', { ...MONDAY, status: 'private' });
    const { status, text } = await server().ask('POST /series', {
      as: 'contributor',
      body: { event_id: event.id, recurrence: { rrule: 'FREQ=WEEKLY;BYDAY=TU', rdates: ['2027-03-03T10:00:00'] } },
    });
    expect(status).toBe(403);
    expect(text).not.toContain('2027-03');
  });

  describe('to see clashes', () => {
    let venue = 0;
    const clashes = async (as: Role) => {
      const { body } = await server().ask('POST /series', {
        ...{ as, body: { event: { ...MONDAY, venue }, recurrence: weekly(1), dry_run: true } },
      });
      return body.clashes.map(({ event }: { event: { title: string } }) => event.title);
    };
    beforeAll(async () => {
      const { make } = server();
      venue = (await make('POST /venues', { venue: 'Kiln' })).id;
      const add = (title: string, fields: object) => make('POST /events', { ...MONDAY, title, venue, ...fields });
      await add('Open', {});
      await add('Private', { status: 'private' });
      await add('Locked', { post_password: 'clay' });
      await add('Hidden', { hide_from_listings: true });
    });

    it('are those to see the events', async () => {
      expect(await clashes('contributor')).toEqual(['Open']);
      expect(await clashes('editor')).toEqual(['Open', 'Private', 'Locked', 'Hidden']);
    });
  });

  it('to see events hidden from listings are those of lists, and no event renames the series', async () => {
    const { ask, make, request } = server();
    const series = await begin(3);
    const [first, second] = await occurrences(series.id);
    await make(`PATCH /events/${first?.id}`, { title: 'Secret', hide_from_listings: true });
    await make(`PATCH /events/${second?.id}`, { status: 'draft' });
    expect(await read(series.id)).toMatchObject({
      ...{ title: 'Pottery', total: 1, upcoming: 1, next: { start_date: '2027-03-15 19:00:00' } },
    });
    expect(await read(series.id, 'editor')).toMatchObject({ title: 'Pottery', total: 3, next: { id: first?.id } });
    const shown = await occurrences(series.id, 'contributor');
    expect(shown.map(({ recurrence_id }) => recurrence_id)).toEqual(['2027-03-15']);
    const third = await ask(`GET /events/${shown[0]?.id}`, {});
    expect(third.body.series.position).toBe(1);
    const day = await request(`/event/${series.slug}/2027-03-01/`, { redirect: 'manual' });
    expect(day.headers.get('location')).not.toContain('2027-03-01');
  });

  it('to read a hidden series', async () => {
    const { ask, request } = server();
    const series = await begin(2, { title: 'Members only', hide_from_listings: true });
    const [first] = await occurrences(series.id);
    expect((await ask(`GET /series/${series.id}`)).status).toBe(404);
    expect((await ask(`GET /series/${series.id}/occurrences`)).status).toBe(404);
    expect((await ask('GET /series', { query: { per_page: 100 } })).text).not.toContain('Members only');
    const event = await ask(`GET /events/${first?.id}`);
    expect([event.status, event.body.series]).toEqual([200, undefined]);
    expect((await request(new URL(event.body.url).pathname)).status).toBe(200);
  });

  it('to make events end with 12 in 24 hours, except for editors of all events', async () => {
    const { ask, restart, clock, context } = server();
    const begun = (count: number, as: Role = 'contributor') =>
      ask('POST /series', { as, body: { event: MONDAY, recurrence: weekly(count) } });
    restart({ seriesEvents: 12 });
    const { body: series } = await begun(10);
    const again = { event_id: (await occurrences(series.id))[0]?.id, recurrence: weekly(3) };
    expect((await ask('POST /series', { as: 'contributor', body: again })).body.code).toBe('event-in-series');
    const refused = await begun(5);
    expect([refused.status, refused.body.code, refused.body.data.available]).toEqual([
      429,
      'too-many-series-events',
      3,
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBe(86_400);
    expect((await begun(4)).status).toBe(201);
    const longer = { as: 'contributor', body: { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=11' } } } as const;
    expect((await ask(`PATCH /series/${series.id}`, longer)).status).toBe(429);
    expect((await read(series.id, 'contributor')).total).toBe(10);
    expect((await begun(20, 'editor')).status).toBe(201);
    clock.now = new Date(NOON.getTime() + 86_401_000);
    expect((await ask(`PATCH /series/${series.id}`, longer)).status).toBe(200);
    clock.now = NOON;
    restart({});
    await removeAllCounts(context.db);
  });

  it('leave the days without an event to its editors', async () => {
    const { ask } = server();
    const series = await begin(3);
    const [, second] = await occurrences(series.id);
    await ask(`DELETE /events/${second?.id}`, { as: 'editor' });
    expect((await read(series.id)).recurrence.exdates).toEqual([]);
    expect((await read(series.id, 'editor')).recurrence.exdates).toEqual(['2027-03-08']);
  });

  /** Resolves when so many transactions wait for a lock; on SQLite all statements wait for the open transaction, in turn. */
  const untilWaiting = async (number: number): Promise<void> => {
    const { db } = server().context;
    if (kind === 'sqlite') return;
    const { rows } = await sql<{ number: number }>`SELECT count(*) AS number FROM pg_locks
      WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db.query);
    if (Number(rows[0]?.number) < number) await untilWaiting(number);
  };

  /** Starts requests one after the other that all wait for the lock of a series, then lets them run. */
  const whileLocked = async <T>(series: number, starts: readonly (() => Promise<T>)[]): Promise<T[]> => {
    const { db } = server().context;
    const { promise, resolve } = Promise.withResolvers<void>();
    const blocked = Promise.withResolvers<void>();
    const blocker = db.transaction(async (trx) => {
      await trx.dialect.lock(trx, `series-${series}`);
      blocked.resolve();
      await promise;
    });
    await blocked.promise;
    const answers: Promise<T>[] = [];
    for (const start of starts) {
      answers.push(start());
      await untilWaiting(answers.length);
    }
    resolve();
    await blocker;
    return Promise.all(answers);
  };

  it('to change dates do not undo a deletion that was made meanwhile', async () => {
    const { ask } = server();
    const series = await begin(4);
    const [, second] = await occurrences(series.id);
    const [gone, changed] = await whileLocked(series.id, [
      () => ask(`DELETE /events/${second?.id}`, { as: 'editor' }),
      () => ask(`PATCH /series/${series.id}`, { as: 'editor', body: { recurrence: { rdates: ['2027-03-03'] } } }),
    ]);
    expect([gone?.status, changed?.status]).toEqual([200, 200]);
    expect(await days(series.id)).toEqual(['2027-03-01', '2027-03-03', '2027-03-15', '2027-03-22']);
  });

  it('to end a series count for the part that an event belongs to now', async () => {
    const { ask } = server();
    const series = await begin(5);
    const [, , third, fourth] = await occurrences(series.id);
    const [split, ended] = await whileLocked(series.id, [
      () => ask(`PATCH /events/${third?.id}`, { as: 'editor', body: { title: 'Advanced', scope: 'following' } }),
      () => ask(`DELETE /events/${fourth?.id}`, { as: 'editor', query: { scope: 'following' } }),
    ]);
    expect([split?.status, ended?.status]).toEqual([200, 200]);
    const { body } = await ask(`GET /events/${third?.id}`, { as: 'editor' });
    expect((await occurrences(body.series.id)).map(({ id }) => id)).toEqual([third?.id]);
    expect(await days(series.id)).toEqual(['2027-03-01', '2027-03-08']);
    expect((await read(series.id, 'editor')).recurrence.rrule).toContain('UNTIL=20270314');
  });
});
