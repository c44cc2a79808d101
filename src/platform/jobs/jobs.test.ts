import { afterEach, describe, expect, it } from 'vitest';
import { addDeadJob, addRunningJob, runJobs } from '../../../test/jobs.ts';
import { DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { pruneDeadJobs } from '../../jobs/remove-expired.ts';
import { aggregate } from '../monitoring/process-report.ts';
import { jobMetrics } from '../monitoring/queue-metrics.ts';
import { defineJob } from './job.ts';
import { enqueue } from './queue.ts';

const NOON_UTC = '2026-11-21 17:00:00';

describe.each(DATABASES)('background jobs on %s', (kind) => {
  const server = useTestServer(kind);
  afterEach(async () => {
    server().clock.now = NOON;
    await db().query.deleteFrom('jobs').execute();
  });

  const db = () => server().context.db;
  const ask = (call: string, asking = {}) => server().ask(call, { as: 'administrator', ...asking });
  const jobs = () => db().query.selectFrom('jobs').selectAll().orderBy('id').execute();
  const dead = (jobKind?: string, key?: string) => addDeadJob(server().context, jobKind, key);
  const waiting = (key?: string) =>
    enqueue(db(), { kind: 'test.wait', key, payload: {}, now: NOON, runAt: '2026-11-22 00:00:00' });
  const pass = (seconds: number) => {
    server().clock.now = new Date(server().clock.now.getTime() + seconds * 1000);
  };

  it('are listed by state and kind, the latest first, in pages', async () => {
    const ids = [await dead(), await dead('test.other'), await dead()];
    await waiting('series-1');
    const all = await ask('GET admin:/jobs', { query: { per_page: 3 } });
    expect(all.body).toMatchObject({
      total: 4,
      total_pages: 2,
      jobs: [{ kind: 'test.wait', key: 'series-1' }, {}, {}],
    });
    const some = await ask('GET admin:/jobs', { query: { state: 'dead', kind: 'test.fail' } });
    expect(some.body.jobs.map(({ id }: { id: number }) => id)).toEqual([ids[2], ids[0]]);
    expect(some.body.jobs[0]).toEqual({
      ...{ id: ids[2], kind: 'test.fail', key: null, state: 'dead', due_utc: NOON_UTC, attempts: 1 },
      ...{
        error: 'no route to host',
        payload: { event: 12 },
        record: { kind: 'event', id: 12 },
        created_utc: NOON_UTC,
      },
    });
    expect((await ask('GET admin:/jobs', { query: { state: 'done' } })).status).toBe(400);
    expect((await ask('GET admin:/jobs/counts')).body.counts).toEqual([
      { kind: 'test.fail', state: 'dead', count: 2 },
      { kind: 'test.other', state: 'dead', count: 1 },
      { kind: 'test.wait', state: 'ready', count: 1 },
    ]);
  });

  it('start afresh when they are tried again', async () => {
    const id = await dead();
    pass(60);
    expect((await ask(`POST admin:/jobs/${id}/retry`)).body).toEqual({ id, retried: true });
    expect(await jobs()).toMatchObject([{ id, state: 'ready', attempts: 0, due_utc: '2026-11-21 17:01:00' }]);
    await runJobs(server().context, [defineJob({ kind: 'test.fail', work: async () => undefined })]);
    expect(await jobs()).toEqual([]);
    expect(await ask(`POST admin:/jobs/${id}/retry`)).toMatchObject({ status: 404, body: { code: 'job-not-found' } });
  });

  it('that wait are due at once when they are tried again, and running ones are left alone', async () => {
    await waiting();
    const [job] = await jobs();
    expect((await ask(`POST admin:/jobs/${job?.id}/retry`)).status).toBe(200);
    expect(await jobs()).toMatchObject([{ state: 'ready', due_utc: NOON_UTC }]);
    const running = await addRunningJob(server().context);
    expect(await ask(`POST admin:/jobs/${running}/retry`)).toMatchObject({
      status: 409,
      body: { code: 'job-running' },
    });
  });

  it('that are dead give way to a waiting one with their key', async () => {
    const id = await dead('test.wait', 'series-1');
    await waiting('series-1');
    expect((await ask(`POST admin:/jobs/${id}/retry`)).status).toBe(200);
    expect(await jobs()).toMatchObject([{ state: 'ready', key: 'series-1', due_utc: '2026-11-22 00:00:00' }]);
  });

  it('are tried again by kind and time, each key once', async () => {
    await dead('test.fail', 'series-1');
    pass(3600);
    for (const key of ['series-1', 'series-1', undefined]) await dead('test.fail', key);
    await dead('test.other');
    const retry = async (body: object) => (await ask('POST admin:/jobs/retry', { body })).body.retried;
    expect(await retry({ kind: 'test.none' })).toBe(0);
    expect(await retry({ kind: 'test.fail', since: '2026-11-21T18:00:00Z' })).toBe(3);
    expect((await jobs()).map(({ state, key }) => [state, key])).toEqual([
      ['dead', 'series-1'],
      ['ready', 'series-1'],
      ['ready', null],
      ['dead', null],
    ]);
    expect(await retry({})).toBe(2);
    expect((await jobs()).map(({ state, key }) => [state, key])).toEqual([
      ['ready', 'series-1'],
      ['ready', null],
      ['ready', null],
    ]);
  });

  it('are tried again in batches', async () => {
    const rows = Array.from({ length: 250 }, () => ({
      ...{ kind: 'test.fail', payload: '{}', state: 'dead' as const, due_utc: NOON_UTC, created_utc: NOON_UTC },
    }));
    await db().query.insertInto('jobs').values(rows).execute();
    expect((await ask('POST admin:/jobs/retry', { body: {} })).body.retried).toBe(250);
    expect((await ask('GET admin:/jobs/counts')).body.counts).toEqual([
      { kind: 'test.fail', state: 'ready', count: 250 },
    ]);
  });

  it('are removed, and book nothing if they were running', async () => {
    await waiting();
    const [job] = await jobs();
    expect((await ask(`DELETE admin:/jobs/${job?.id}`)).body).toMatchObject({ id: job?.id, kind: 'test.wait' });
    expect((await ask(`DELETE admin:/jobs/${job?.id}`)).status).toBe(404);
    await enqueue(db(), { kind: 'test.write', payload: {}, now: NOON });
    let booked = false;
    const removed = defineJob({
      kind: 'test.write',
      async work() {
        const [running] = await jobs();
        await ask(`DELETE admin:/jobs/${running?.id}`);
        return async (trx) => {
          booked = true;
          await trx.query.insertInto('site').values({ name: 'removed', value: '' }).execute();
        };
      },
    });
    await runJobs(server().context, [removed]);
    expect(booked).toBe(true);
    expect(await db().query.selectFrom('site').selectAll().where('name', '=', 'removed').execute()).toEqual([]);
  });

  it('that failed for good are deleted after 90 days', async () => {
    await dead();
    await waiting();
    pass(90 * 86_400);
    expect(await pruneDeadJobs(server().context)).toBe(0);
    pass(1);
    expect(await pruneDeadJobs(server().context)).toBe(1);
    expect(await jobs()).toMatchObject([{ state: 'ready' }]);
  });

  it('are in the metrics', async () => {
    const lines = async () => (await (await aggregate([await jobMetrics(server().context)])).metrics()).split('\n');
    expect(await lines()).toContain('marquee_job_oldest_seconds 0');
    await dead();
    await enqueue(db(), { kind: 'test.wait', payload: {}, now: NOON });
    await waiting();
    pass(75);
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'marquee_jobs{kind="test.fail",state="dead"} 1',
        'marquee_jobs{kind="test.wait",state="ready"} 2',
        'marquee_job_oldest_seconds 75',
      ]),
    );
    const { body } = await server()
      .request('/metrics')
      .then(async (answer) => ({ body: await answer.text() }));
    expect(body).toContain('marquee_job_oldest_seconds 75');
  });
});
