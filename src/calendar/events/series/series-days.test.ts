import { afterEach, describe, expect, it } from 'vitest';
import { makeSeat } from '../../../../test/attendees.ts';
import { runJobs } from '../../../../test/jobs.ts';
import { DATABASES, NOON, useTestServer } from '../../../../test/server.ts';
import { usualOf } from '../../../../test/thoroughness.ts';
import { limitedDays } from './plan.ts';

const MONDAY = { title: 'Pottery', start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' };

interface Listed {
  id: number;
  title: string;
  recurrence_id: string;
  start_date: string;
}

describe.each(DATABASES)('days of a series on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  // The jobs of other tests are not run again by each one.
  const server = useTestServer(kind, {}, { isFreshEachTime: true });
  afterEach(() => {
    server().clock.now = NOON;
  });
  const begin = (recurrence: object, event: object = {}) =>
    server().make('POST /series', { event: { ...MONDAY, ...event }, recurrence });
  const list = async (series: number, query = {}): Promise<Listed[]> => {
    const { body } = await server().ask(`GET /series/${series}/occurrences`, {
      as: 'editor',
      query: { per_page: 100, ...query },
    });
    return body.occurrences;
  };
  const daysOf = async (series: number, query = {}) =>
    (await list(series, query)).map(({ recurrence_id }) => recurrence_id);
  const patch = (id: number | undefined, body: object) => server().ask(`PATCH /events/${id}`, { as: 'editor', body });

  it('include those of events that were moved to come later', async () => {
    const { ask } = server();
    const series = await begin({ rrule: 'FREQ=WEEKLY;COUNT=4' });
    const [first, , third] = await list(series.id);
    await patch(first?.id, { start_date: '2027-03-20 19:00', end_date: '2027-03-20 21:00' });
    server().clock.now = new Date('2027-03-10T12:00:00Z');
    await patch(third?.id, { title: 'Clay', scope: 'all' });
    expect((await list(series.id)).map(({ title }) => title)).toEqual(['Pottery', 'Clay', 'Clay', 'Clay']);
    const tuesdays = { recurrence: { rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=3' } };
    await ask(`PATCH /series/${series.id}`, { as: 'editor', body: tuesdays });
    const gone = await ask(`GET /events/${first?.id}`, { as: 'editor' });
    expect(gone.body.code).toBe('event-no-longer-available');
    await patch(first?.id, { status: 'publish' });
    await runJobs(server().context);
    expect(await daysOf(series.id)).toEqual(['2027-03-08', '2027-03-16', '2027-03-01']);
    await ask(`DELETE /series/${series.id}`, { as: 'editor' });
    expect(await daysOf(series.id)).toEqual(['2027-03-08']);
  });

  it('include existing ones beyond the limit', async () => {
    const { ask, context } = server();
    const series = await begin({ rrule: 'FREQ=WEEKLY;INTERVAL=20' });
    const before = await list(series.id);
    const last = before.at(-1);
    // Its 500 coming days end before the last event.
    const daily = context.db.query.updateTable('series').set({ rrule: 'FREQ=DAILY' });
    await daily.where('id', '=', series.id).execute();
    await patch(before[0]?.id, { title: 'Clay', scope: 'all' });
    expect((await ask(`GET /events/${last?.id}`)).body.title).toBe('Clay');
    await ask(`DELETE /series/${series.id}`, { as: 'editor' });
    await runJobs(context);
    expect(await daysOf(series.id)).toEqual([]);
  });

  usually('are limited by the coming ones, however many are past', async () => {
    const { ask } = server();
    const event = { start_date: '2025-01-01 19:00:00', end_date: '2025-01-01 21:00:00' };
    const body = { event: { ...MONDAY, ...event }, recurrence: { rrule: 'FREQ=DAILY' }, dry_run: true };
    const today = NOON.toISOString().slice(0, 10);
    const { dates } = (await ask('POST /series', { as: 'editor', body })).body;
    expect(dates.filter((day: string) => day >= today)).toHaveLength(500);
    expect(dates.filter((day: string) => day < today)).toHaveLength(500);
    const series = await begin({ rrule: 'FREQ=DAILY' }, event);
    // The first event is older than these.
    expect(series.total + series.pending).toBe(1001);
  });

  usually('are kept for the first event of a series that begins far ahead', async () => {
    const series = await begin(
      { rrule: 'FREQ=WEEKLY' },
      { start_date: '2040-01-02 19:00:00', end_date: '2040-01-02 21:00:00' },
    );
    await runJobs(server().context);
    expect(await daysOf(series.id)).toEqual(['2040-01-02']);
  });

  it('are given back by restoring an event alone', async () => {
    const { ask } = server();
    const series = await begin({ rrule: 'FREQ=WEEKLY;COUNT=3' });
    const [first, second] = await list(series.id);
    await ask(`DELETE /events/${second?.id}`, { as: 'editor' });
    const refused = await patch(second?.id, { status: 'publish', scope: 'all' });
    expect([refused.status, refused.body.code]).toEqual([410, 'event-is-in-trash']);
    expect((await ask(`GET /series/${series.id}`)).body.total).toBe(2);
    await ask(`DELETE /series/${series.id}`, { as: 'editor' });
    server().clock.now = new Date('2027-03-01T12:00:00Z');
    const late = await patch(first?.id, { status: 'publish', scope: 'following' });
    expect([late.status, late.body.code]).toEqual([410, 'series-is-in-trash']);
  });

  usually('never begin before the first event', async () => {
    const body = { event: MONDAY, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3', rdates: ['1990-01-01'] } };
    const { status, body: answer } = await server().ask('POST /series', { as: 'editor', body });
    expect([status, answer.data.params.recurrence]).toEqual([400, expect.stringContaining('1990-01-01')]);
  });

  it('are not made in the past by a change before the first ones are complete', async () => {
    const series = await begin({ rrule: 'FREQ=DAILY;COUNT=120' });
    await server().make(`PATCH /series/${series.id}`, { recurrence: { rdates: ['1990-01-01'] } });
    await runJobs(server().context);
    expect((await daysOf(series.id))[0]).toBe('2027-03-01');
    expect((await server().ask(`GET /series/${series.id}`, { as: 'editor' })).body).toMatchObject({
      ...{ total: 120, pending: 0 },
    });
  });

  it('can be sent back after any number of deletions', async () => {
    const { ask } = server();
    const series = await begin({ rrule: 'FREQ=WEEKLY;COUNT=3' });
    const { query } = server().context.db;
    const past = Array.from({ length: 500 }, (_, index) => new Date(Date.UTC(2020, 0, 1 + index)));
    const exdates = JSON.stringify(past.map((day) => day.toISOString().slice(0, 10)));
    await query.updateTable('series').set({ exdates }).where('id', '=', series.id).execute();
    const [, second] = await list(series.id);
    await ask(`DELETE /events/${second?.id}`, { as: 'editor' });
    const { recurrence } = (await ask(`GET /series/${series.id}`, { as: 'editor' })).body;
    expect([recurrence.exdates.length, recurrence.exdates.at(-1)]).toEqual([500, '2027-03-08']);
    const { rrule, rdates } = recurrence;
    const sent = await ask(`PATCH /series/${series.id}`, {
      ...{ as: 'editor', body: { recurrence: { rrule, rdates, exdates: recurrence.exdates } } },
    });
    expect(sent.status).toBe(200);
  });

  it('are found in every part of a series that was split twice', async () => {
    const series = await begin({ rrule: 'FREQ=MONTHLY;COUNT=5' });
    const events = await list(series.id);
    await patch(events[4]?.id, { title: 'Late', scope: 'following' });
    await patch(events[1]?.id, { title: 'Early', scope: 'following' });
    const { request } = server();
    for (const { id, recurrence_id } of events) {
      const answer = await request(`/event/${series.slug}/${recurrence_id}/`, { redirect: 'manual' });
      const { url } = (await server().ask(`GET /events/${id}`)).body;
      expect([answer.status, answer.headers.get('location')]).toEqual([301, new URL(url).pathname]);
    }
  });

  usually('go on after a split at a single day, however far apart they are', async () => {
    const series = await begin({ rrule: 'FREQ=YEARLY;INTERVAL=7;COUNT=3', rdates: ['2027-04-01'] });
    const second = (await list(series.id))[1];
    expect((await patch(second?.id, { title: 'Clay', scope: 'following' })).status).toBe(200);
    const { series: later } = (await server().ask(`GET /events/${second?.id}`)).body;
    const { body } = await server().ask(`GET /series/${later.id}`, { as: 'editor' });
    expect(body).toMatchObject({
      ...{ start_date: '2034-03-01 19:00:00', recurrence: { rrule: 'FREQ=YEARLY;INTERVAL=7;COUNT=2' } },
    });
  });

  it.each(['split', 'ended'])('stay within COUNT after the series was %s at a later single day', async (how) => {
    const series = await begin({ rrule: 'FREQ=WEEKLY;COUNT=2', rdates: ['2027-04-01'] });
    const last = (await list(series.id))[2];
    const query = { scope: 'following' };
    if (how === 'split') expect((await patch(last?.id, { title: 'Clay', ...query })).status).toBe(200);
    else expect((await server().ask(`DELETE /events/${last?.id}`, { as: 'editor', query })).status).toBe(200);
    await runJobs(server().context);
    await server().make(`PATCH /series/${series.id}`, { recurrence: { exdates: [] } });
    const { body } = await server().ask(`GET /series/${series.id}`, { as: 'editor' });
    expect(body.recurrence).toMatchObject({ rrule: 'FREQ=WEEKLY;COUNT=2', rdates: [] });
    expect(await daysOf(series.id)).toEqual(['2027-03-01', '2027-03-08']);
  });

  it('that are added get the tickets of the last event', async () => {
    const { make, ask } = server();
    const series = await begin({ rrule: 'FREQ=MONTHLY' });
    const before = await list(series.id);
    const [first, last, trashed] = [before[0], before.at(-2), before.at(-1)];
    await makeSeat(server(), first?.id ?? 0, 5);
    await makeSeat(server(), last?.id ?? 0, 8);
    await ask(`DELETE /events/${trashed?.id}`, { as: 'editor' });
    const recurrence = { rdates: ['2027-03-03'] };
    await make(`PATCH /series/${series.id}`, { recurrence });
    const added = (await list(series.id))[1];
    expect(added?.recurrence_id).toBe('2027-03-03');
    const { body } = await ask('GET tickets:/tickets', { as: 'editor', query: { include_post: added?.id ?? 0 } });
    expect(body.tickets.map(({ capacity }: { capacity: number }) => capacity)).toEqual([8]);
  });

  usually('are split without an edit of events that stay as they are', async () => {
    const { ask } = server();
    const series = await begin({ rrule: 'FREQ=WEEKLY;COUNT=3' });
    const [, second, third] = await list(series.id);
    await patch(third?.id, { title: 'Glazing' });
    const revision = async () => (await ask(`GET /events/${third?.id}`)).body.revision;
    const before = await revision();
    expect((await patch(second?.id, { title: 'Clay', scope: 'following' })).status).toBe(200);
    expect((await ask(`GET /events/${third?.id}`)).body.series.id).not.toBe(series.id);
    expect(await revision()).toBe(before);
  });
});

describe('days within the limit', () => {
  it('are not the end of a series that has more', () => {
    const daysOf = (count: number) =>
      Array.from({ length: count }, (_, index) => new Date(Date.UTC(2027, 0, 1 + index)).toISOString().slice(0, 10));
    const limited = (count: number) =>
      limitedDays({ days: daysOf(count), skipped: [], hasEnded: true }, { today: '2027-01-01', until: '2029-01-01' });
    expect(limited(500)).toMatchObject({ isCut: false, hasEnded: true });
    expect(limited(501)).toMatchObject({ isCut: true, hasEnded: false, days: { length: 500 } });
  });
});
