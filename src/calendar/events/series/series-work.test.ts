import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from '../../../../test/attendees.ts';
import { runJobs } from '../../../../test/jobs.ts';
import { DATABASES, NOON, useTestServer } from '../../../../test/server.ts';
import { usualOf } from '../../../../test/thoroughness.ts';
import { eventTickets } from '../../../ticketing/tickets/event-tickets.ts';
import { extendSeries, seriesJob } from './series-job.ts';
import { findSeries, noteProgress, SERIES_JOB, updateSeries } from './series-store.ts';

const MONDAY = { title: 'Pottery', start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' };

interface Listed {
  id: number;
  status: string;
  recurrence_id: string;
}

describe.each(DATABASES)('the work on series on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind);
  afterEach(() => {
    server().clock.now = NOON;
  });
  const db = () => server().context.db;
  const begin = (rrule: string, event: object = {}) =>
    server().make('POST /series', { event: { ...MONDAY, ...event }, recurrence: { rrule } });
  const occurrences = async (id: number): Promise<Listed[]> => {
    const { body } = await server().ask(`GET /series/${id}/occurrences`, { as: 'editor', query: { per_page: 100 } });
    return body.occurrences;
  };
  const stored = async (id: number) => {
    const series = await findSeries(db(), id);
    if (!series) throw new Error(`no series ${id}`);
    return series;
  };

  it('goes on daily without series that have ended, and without those whose job has failed for good', async () => {
    const ended = await begin('FREQ=WEEKLY;COUNT=3');
    const [broken, open] = [await begin('FREQ=MONTHLY'), await begin('FREQ=MONTHLY')];
    await runJobs(server().context);
    expect((await stored(ended.id)).made_until).toBe('9999-12-31');
    const dead = { kind: SERIES_JOB, payload: '{}', state: 'dead' as const, due_utc: '', created_utc: '' };
    await db()
      .query.insertInto('jobs')
      .values({ ...dead, record_kind: 'series', record_id: broken.id })
      .execute();
    server().clock.now = new Date(NOON.getTime() + 70 * 86_400_000);
    await extendSeries(server().context);
    const own = [ended.id, broken.id, open.id];
    const jobs = await db()
      .query.selectFrom('jobs')
      .select('record_id')
      .where('state', '=', 'ready')
      .where('record_id', 'in', own)
      .execute();
    expect(jobs).toEqual([{ record_id: open.id }]);
    await runJobs(server().context);
    const longer = { recurrence: { rrule: 'FREQ=WEEKLY' } };
    await server().make(`PATCH /series/${ended.id}`, longer);
    await runJobs(server().context);
    expect((await stored(ended.id)).made_until).toBe('2029-01-30');
  });

  it('leaves public responses in caches while only its progress changes', async () => {
    const series = await stored((await begin('FREQ=WEEKLY;COUNT=2')).id);
    const version = async () => {
      const { rows } = await sql<{ number: number }>`SELECT sum(number) AS number FROM data_versions
        WHERE part = 'calendar'`.execute(db().query);
      return Number(rows[0]?.number);
    };
    const before = await version();
    await noteProgress(db(), { id: series.id, pending: 3, made_until: '2027-03-01' });
    expect(await version()).toBe(before);
    await updateSeries(db(), series, { slug: 'clay' });
    expect(await version()).toBeGreaterThan(before);
  });

  it('does not count as an edit of events that only become part of another series', async () => {
    const series = await begin('FREQ=WEEKLY;COUNT=4');
    const [, second, , fourth] = await occurrences(series.id);
    await server().ask(`DELETE /events/${fourth?.id}`, { as: 'editor' });
    const row = () =>
      db()
        .query.selectFrom('events')
        .select(['series_id', 'revision'])
        .where('id', '=', fourth?.id ?? 0)
        .executeTakeFirstOrThrow();
    const before = await row();
    await server().make(`PATCH /events/${second?.id}`, { title: 'Glazing', scope: 'following' });
    const after = await row();
    expect(after.series_id).not.toBe(before.series_id);
    expect(after.revision).toBe(before.revision);
    await server().make(`PATCH /events/${second?.id}`, { title: 'Raku' });
    const { body } = await server().ask(`GET /events/${second?.id}`, { as: 'editor' });
    expect(body.revision).toBe(3);
  });

  usually('goes on past an occurrence that fails, and tries it again', async () => {
    const { context } = server();
    const series = await begin('FREQ=DAILY;COUNT=75');
    const tickets: typeof eventTickets = {
      ...eventTickets,
      async copy(trx, copied) {
        if (copied.to.start_date.startsWith('2027-05-01')) throw new Error('fault');
        return eventTickets.copy(trx, copied);
      },
    };
    const run = { id: 0, heartbeat: async () => undefined };
    await expect(seriesJob(tickets).work(context, { series: series.id }, run)).rejects.toThrow('fault');
    const read = async () => (await server().ask(`GET /series/${series.id}`, { as: 'editor' })).body;
    expect(await read()).toMatchObject({ total: 74, pending: 1 });
    await runJobs(context);
    expect(await read()).toMatchObject({ total: 75, pending: 0 });
  });

  usually('ends an attempt after 21 occurrences that fail', async () => {
    const { context, ask } = server();
    const series = await begin('FREQ=DAILY;COUNT=120');
    let copies = 0;
    const tickets: typeof eventTickets = {
      ...eventTickets,
      async copy() {
        copies += 1;
        throw new Error('fault');
      },
    };
    const run = { id: 0, heartbeat: async () => undefined };
    await expect(seriesJob(tickets).work(context, { series: series.id }, run)).rejects.toThrow('fault');
    // One with others in its step, then one by one.
    expect(copies).toBe(22);
    expect((await ask(`GET /series/${series.id}`, { as: 'editor' })).body).toMatchObject({ total: 51, pending: 69 });
    await runJobs(context);
  });

  it('is left to its job if the request has one deferred commit', async () => {
    const body = { event: MONDAY, recurrence: { rrule: 'FREQ=DAILY;COUNT=30' } };
    const { body: series } = await server().ask('POST /series', {
      ...{ as: 'editor', body, headers: { 'Idempotency-Key': 'pottery-of-a-month' } },
    });
    expect(series).toMatchObject({ total: 6, pending: 24 });
    await runJobs(server().context);
    expect((await server().ask(`GET /series/${series.id}`, { as: 'editor' })).body).toMatchObject({
      total: 30,
      pending: 0,
    });
  });

  describe('after places were sold that the request did not count', () => {
    /** Ends a series, as a whole or after five days, and sells a place of its last event before the job comes. */
    const sellLast = async (end: (id: number) => Promise<{ status: number }>) => {
      const { context } = server();
      const series = await begin('FREQ=DAILY;COUNT=75');
      await runJobs(context);
      const [last] = (await occurrences(series.id)).toReversed();
      const seat = await makeSeat(server(), last?.id ?? 0);
      expect((await end(series.id)).status).toBe(200);
      await makeAttendee(server(), seat);
      await runJobs(context);
      const event = await server().ask(`GET /events/${last?.id}`, { as: 'editor' });
      const { body } = await server().ask(`GET /series/${series.id}`, { as: 'editor' });
      return { event, series: body };
    };
    const shorten = (body: object) => (id: number) =>
      server().ask(`PATCH /series/${id}`, {
        ...{ as: 'editor', body: { recurrence: { rrule: 'FREQ=DAILY;COUNT=5' }, ...body } },
      });

    usually('keeps the event as a further day of the series', async () => {
      const { event, series } = await sellLast(shorten({}));
      expect(event.body).toMatchObject({ status: 'publish', series: { id: series.id } });
      expect(series).toMatchObject({ total: 6, pending: 0, recurrence: { rdates: ['2027-05-14'] } });
    });

    it('keeps the event as a single one after the series', async () => {
      const { event, series } = await sellLast((id) => server().ask(`DELETE /series/${id}`, { as: 'editor' }));
      expect([event.body.status, event.body.series]).toEqual(['publish', undefined]);
      expect(series).toMatchObject({ status: 'trash', total: 0, pending: 0 });
    });

    it('keeps no more days than a request may send', async () => {
      const past = Array.from({ length: 500 }, (_, index) => new Date(Date.UTC(2020, 0, 1 + index)));
      const rdates = JSON.stringify(past.map((day) => day.toISOString().slice(0, 10)));
      const { series } = await sellLast(async (id) => {
        await db().query.updateTable('series').set({ rdates }).where('id', '=', id).execute();
        return shorten({})(id);
      });
      expect([series.recurrence.rdates.length, series.recurrence.rdates.at(-1)]).toEqual([500, '2027-05-14']);
    });

    usually('removes the event if the request has confirmed that', async () => {
      const { event, series } = await sellLast(shorten({ confirm_holders: true }));
      expect(event.body.code).toBe('event-no-longer-available');
      expect(series).toMatchObject({ total: 5, pending: 0 });
    });
  });

  it('asks again after a split', async () => {
    const series = await begin('FREQ=WEEKLY;COUNT=3');
    await server().make(`PATCH /series/${series.id}`, {
      ...{ recurrence: { exdates: ['2027-03-02'] }, confirm_holders: true },
    });
    const [, second] = await occurrences(series.id);
    await server().make(`PATCH /events/${second?.id}`, { title: 'Glazing', scope: 'following' });
    const { body } = await server().ask(`GET /events/${second?.id}`, {});
    expect((await stored(series.id)).may_remove_sold).toBe(1);
    expect((await stored(body.series.id)).may_remove_sold).toBe(0);
  });

  it('begins with an event as it was read', async () => {
    const { ask, make } = server();
    const event = await make('POST /events', MONDAY);
    const body = { event_id: event.id, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } };
    const outdated = await ask('POST /series', { as: 'editor', body, headers: { 'If-Match': '"r99"' } });
    expect(outdated.status).toBe(412);
    expect((await ask('POST /series', { as: 'editor', body, headers: { 'If-Match': '"r1"' } })).status).toBe(201);
  });

  it('is logged with the fields of its events', async () => {
    const series = await begin('FREQ=WEEKLY;COUNT=2');
    const [first] = await occurrences(series.id);
    await server().make(`PATCH /events/${first?.id}`, {
      ...{ description: '<p>Bring clay</p>', venue: { venue: 'Kiln' }, cost: '7', post_password: 'clay', scope: 'all' },
    });
    const { ask } = server();
    const list = await ask('GET admin:/audit', { as: 'administrator', query: { kind: 'series', id: series.id } });
    const { body: entry } = await ask(`GET admin:/audit/${list.body.audit[0].id}`, { as: 'administrator' });
    const fields = entry.changes.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(expect.arrayContaining(['description', 'venue', 'cost', 'post_password']));
    expect(JSON.stringify(entry)).not.toContain('"clay"');
  });

  it('finds 100 clashes at most', async () => {
    const { ask, make } = server();
    const { id: venue } = await make('POST /venues', { venue: 'Square' });
    await make('POST /events', { title: 'Market', venue, start_date: '2027-03-01', end_date: '2027-09-01' });
    const body = { event: { ...MONDAY, venue }, recurrence: { rrule: 'FREQ=DAILY;COUNT=120' }, dry_run: true };
    const { clashes } = (await ask('POST /series', { as: 'editor', body })).body;
    expect([clashes.length, clashes[0].date, clashes.at(-1).date]).toEqual([100, '2027-03-01', '2027-06-08']);
  });

  it('finds clashes once for each day, by start', async () => {
    const { ask, make } = server();
    const { id: venue } = await make('POST /venues', { venue: 'Hall' });
    const at = (title: string, start: string, end: string) =>
      make('POST /events', { title, venue, start_date: `2027-03-${start}`, end_date: `2027-03-${end}` });
    await at('Late', '08 20:00', '08 22:00');
    await at('Fair', '01 09:00', '09 18:00');
    await at('Early', '01 18:00', '01 19:00');
    await at('Touching', '08 21:00', '08 23:00');
    const { body } = await ask('POST /series', {
      ...{
        as: 'editor',
        body: { event: { ...MONDAY, venue }, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' }, dry_run: true },
      },
    });
    const found = body.clashes.map(({ date, event }: { date: string; event: { title: string } }) => [
      date,
      event.title,
    ]);
    expect(found).toEqual([
      ['2027-03-01', 'Fair'],
      ['2027-03-08', 'Fair'],
      ['2027-03-08', 'Late'],
    ]);
  });
});
