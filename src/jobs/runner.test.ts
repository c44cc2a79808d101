import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runJobs } from '../../test/jobs.ts';
import { BOTH_DATABASES, NOON, startTestServer, useTestServer } from '../../test/server.ts';
import { unguarded, withHooks } from '../../test/statements.ts';
import type { Context } from '../base/context.ts';
import type { Database } from '../db/database.ts';
import { deferCommit } from '../db/deferred-commit.ts';
import { addSeconds, secondsBetween, toUtc } from '../lib/dates/dates.ts';
import { defineJob, GiveUp, type JobRun, NotYet } from '../platform/jobs/job.ts';
import { CLAIM_SECONDS, claimJobs, enqueue, finishJob, type NewJob } from '../platform/jobs/queue.ts';
import { startRunner } from './runner.ts';

const NOON_UTC = toUtc(NOON);

describe.each(BOTH_DATABASES)('the job queue on %s', (kind) => {
  const server = useTestServer(kind);
  // Without looks at intervals, which would take over jobs when the tests move the clock.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }));
  afterEach(async () => {
    vi.useRealTimers();
    server().clock.now = NOON;
    await db().query.deleteFrom('jobs').execute();
    await db().query.deleteFrom('site').where('name', 'like', 'effect-%').execute();
  });

  const db = () => server().context.db;
  const wait = (seconds: number) => {
    const { clock } = server();
    clock.now = new Date(clock.now.getTime() + seconds * 1000);
  };
  const add = (job: Partial<NewJob> = {}, to: Database = db()) =>
    enqueue(to, { kind: 'test.write', payload: {}, now: server().clock.now, ...job });
  const jobs = () => db().query.selectFrom('jobs').selectAll().orderBy('id').execute();
  const onlyJob = async () => {
    const found = await jobs();
    expect(found).toHaveLength(1);
    return found[0];
  };
  /** Fails if the effect was booked before. */
  const effect = async ({ query }: Database, name: number | string = '') =>
    void (await query
      .insertInto('site')
      .values({ name: `effect-${name}`, value: '' })
      .execute());
  const effects = async () => {
    const rows = await db().query.selectFrom('site').select('name').where('name', 'like', 'effect-%').execute();
    return rows.map(({ name }) => name.slice('effect-'.length)).sort();
  };
  const write = defineJob<{ name?: string }>({
    kind: 'test.write',
    work:
      async (_context, { name }) =>
      (trx) =>
        effect(trx, name),
  });
  const doing = (work: (run: JobRun, context: Context) => Promise<void> | void, attempts?: number) =>
    defineJob({
      kind: 'test.write',
      attempts,
      work: async (context, _payload, run) => void (await work(run, context)),
    });
  const failing = (error: unknown, attempts?: number) => doing(() => Promise.reject(error), attempts);
  const run = (...kinds: Parameters<typeof startRunner>[1]) => runJobs(server().context, kinds);
  const claim = () => claimJobs(db(), { owner: 'test', now: toUtc(server().clock.now), limit: 10 });

  it('runs a job, books its effect and removes it', async () => {
    await add({ payload: { name: 'one' } });
    await run(write);
    expect([await effects(), await jobs()]).toEqual([['one'], []]);
  });

  it('has no job of a transaction that fails', async () => {
    const failed = db().transaction(async (trx) => {
      await add({}, trx);
      throw new Error('fault');
    });
    await expect(failed).rejects.toThrow('fault');
    expect(await jobs()).toEqual([]);
  });

  it('runs a job at once after the commit of its reason, also a deferred one', async () => {
    let ran = Promise.withResolvers<void>();
    const runner = startRunner(server().context, [doing(() => ran.resolve())]);
    await runner.settled();
    await db().transaction((trx) => add({}, trx));
    await ran.promise;
    ran = Promise.withResolvers();
    const deferred = deferCommit(db());
    await deferred.db.transaction((trx) => add({}, trx));
    await deferred.commit(async () => undefined);
    await ran.promise;
    await runner.stop();
    expect(await jobs()).toEqual([]);
  });

  it('runs jobs when they are due', async () => {
    await add({ runAt: addSeconds(NOON_UTC, 60) });
    await run(write);
    expect(await effects()).toEqual([]);
    wait(60);
    await run(write);
    expect(await effects()).toEqual(['']);
  });

  it('adds nothing while a job with the same key is waiting', async () => {
    await add({ key: 'series-1' });
    await db().transaction((trx) => add({ key: 'series-1' }, trx));
    await add({ key: 'series-2' });
    await add();
    await add();
    expect((await jobs()).map(({ key }) => key)).toEqual(['series-1', 'series-2', null, null]);
  });

  it('lets a job with the key of a running one wait for its end', async () => {
    await add({ key: 'series-1' });
    const [first] = await claim();
    if (!first) throw new Error('nothing was claimed');
    await add({ key: 'series-1' });
    await add({ key: 'series-1' });
    expect((await jobs()).map(({ state }) => state)).toEqual(['running', 'ready']);
    expect(await claim()).toEqual([]);
    await finishJob(db(), first);
    expect(await claim()).toHaveLength(1);
  });

  it('lets a job add the next one with its own key', async () => {
    await add({ key: 'series-1', payload: { step: 1 } });
    const steps = defineJob<{ step: number }>({
      kind: 'test.write',
      work:
        async ({ now }, { step }) =>
        async (trx) => {
          await effect(trx, step);
          if (step < 5) await add({ key: 'series-1', payload: { step: step + 1 }, now: now() }, trx);
        },
    });
    await run(steps);
    expect([await effects(), await jobs()]).toEqual([['1', '2', '3', '4', '5'], []]);
  });

  it('tries a failed job again after growing pauses, then keeps it as dead', async () => {
    await add({ key: 'series-1' });
    const pauses: number[] = [];
    const job = failing(new Error('no route to host'), 4);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const now = toUtc(server().clock.now);
      await run(job);
      const row = await onlyJob();
      expect(row).toMatchObject({ attempts: attempt, error: 'no route to host', owner: '' });
      pauses.push(secondsBetween(now, row?.due_utc ?? now));
      expect(row?.state).toBe(attempt < 4 ? 'ready' : 'dead');
      wait(pauses.at(-1) ?? 0);
    }
    const [first = 0, second = 0, third = 0, last] = pauses;
    for (const [pause, base] of [
      [first, 15],
      [second, 30],
      [third, 60],
    ] as const)
      expect(Math.abs(pause - base)).toBeLessThanOrEqual(base / 5);
    expect(last).toBe(0);
    await run(job);
    expect((await onlyJob())?.attempts).toBe(4);
    // A dead job does not keep a new reason from being worked on.
    await add({ key: 'series-1' });
    await run(write);
    expect((await jobs()).map(({ state }) => state)).toEqual(['dead']);
    expect(await effects()).toEqual(['']);
  });

  it('keeps the attempts of a failed job that was added again while it ran', async () => {
    await add({ key: 'series-1' });
    await run(
      doing(async () => {
        await add({ key: 'series-1' });
        throw new Error('fault');
      }),
    );
    expect(await onlyJob()).toMatchObject({ state: 'ready', attempts: 1 });
  });

  it('makes a job dead at once when it gives up', async () => {
    await add();
    await run(failing(new GiveUp('no such\0 mailbox')));
    expect(await onlyJob()).toMatchObject({ state: 'dead', attempts: 1, error: 'no such mailbox', due_utc: NOON_UTC });
  });

  it('does not count an attempt that has to wait', async () => {
    await add();
    for (let round = 0; round < 20; round += 1) {
      await run(failing(new NotYet(90), 2));
      wait(90);
    }
    const row = await onlyJob();
    expect(row).toMatchObject({ state: 'ready', attempts: 0, error: '', due_utc: toUtc(server().clock.now) });
  });

  it('counts attempts that have to wait for more than 30 days', async () => {
    await add();
    wait(30 * 86_400 - 1);
    await run(failing(new NotYet(90), 1));
    expect(await onlyJob()).toMatchObject({ state: 'ready', attempts: 0 });
    wait(90);
    await run(failing(new NotYet(90), 1));
    expect(await onlyJob()).toMatchObject({ state: 'dead', attempts: 1, error: 'not yet, again in 90 seconds' });
  });

  it('resets the attempts of a job that waits after failures, if it is requested anew', async () => {
    await add({ key: 'series-1' });
    for (let attempt = 1; attempt < 4; attempt += 1) {
      await run(failing(new Error('fault'), 4));
      wait(3600);
    }
    server().clock.now = NOON;
    await add({ key: 'series-1' });
    expect(await onlyJob()).toMatchObject({ attempts: 3 });
    expect((await onlyJob())?.due_utc).not.toBe(NOON_UTC);
    await add({ key: 'series-1', isAnew: true });
    expect(await onlyJob()).toMatchObject({ state: 'ready', attempts: 0, due_utc: NOON_UTC });
    await add({ key: 'series-1', isAnew: true, runAt: addSeconds(NOON_UTC, 60) });
    expect(await onlyJob()).toMatchObject({ due_utc: NOON_UTC });
  });

  it('has jobs for records with any id', async () => {
    await add({ record: { kind: 'event', id: 2 ** 40 } });
    expect(await onlyJob()).toMatchObject({ record_id: 2 ** 40 });
  });

  it('runs other jobs beside jobs that always fail', async () => {
    for (let index = 0; index < 20; index += 1) await add({ kind: 'test.fail' });
    for (let index = 0; index < 5; index += 1) await add({ payload: { name: `${index}` } });
    await run(defineJob({ kind: 'test.fail', work: () => Promise.reject(new Error('fault')) }), write);
    expect(await effects()).toHaveLength(5);
    expect((await jobs()).map(({ attempts }) => attempts)).toEqual(Array(20).fill(1));
  });

  it('keeps jobs of a kind that only another version knows', async () => {
    await add({ kind: 'test.later' });
    await run(write);
    expect(await onlyJob()).toMatchObject({
      state: 'ready',
      attempts: 1,
      error: expect.stringContaining('test.later'),
    });
  });

  it('takes over a job whose lease has lapsed, and not before', async () => {
    await add({ payload: { name: 'one' } });
    await claim();
    wait(CLAIM_SECONDS - 1);
    await run(write);
    expect(await effects()).toEqual([]);
    wait(1);
    await run(write);
    expect([await effects(), await jobs()]).toEqual([['one'], []]);
  });

  it('keeps a claim by heartbeats', async () => {
    await add();
    await run(
      doing(async ({ heartbeat }) => {
        for (let minute = 0; minute < 30; minute += 1) {
          wait(60);
          await heartbeat();
          expect(await claim()).toEqual([]);
        }
      }),
    );
    expect(await jobs()).toEqual([]);
  });

  it('books nothing for a process that has lost its claim, and tells it at its next heartbeat', async () => {
    await add();
    let told: unknown;
    const slow = defineJob({
      kind: 'test.write',
      async work(_context, _payload, { heartbeat }) {
        // As another process would after the lease; this one would also take its own job over.
        await db().query.updateTable('jobs').set({ owner: 'test', attempts: 2 }).execute();
        wait(60);
        await heartbeat().catch((error: unknown) => {
          told = error;
        });
        return (trx) => effect(trx);
      },
    });
    await run(slow);
    expect(told).toMatchObject({ message: expect.stringContaining('taken over') });
    expect(await effects()).toEqual([]);
    expect(await onlyJob()).toMatchObject({ state: 'running', owner: 'test' });
  });

  it('books for a process that lost its claim without the comparison of owners', async () => {
    const weak = withHooks(db(), unguarded);
    await add();
    const [first] = await claim();
    wait(CLAIM_SECONDS);
    const [second] = await claimJobs(db(), { owner: 'other', now: toUtc(server().clock.now), limit: 1 });
    if (!first || !second) throw new Error('nothing was claimed');
    await expect(finishJob(db(), first, (trx) => effect(trx, 'guarded'))).rejects.toThrow('taken over');
    await finishJob(weak, first, (trx) => effect(trx, 'first'));
    expect(await effects()).toEqual(['first']);
  });

  it('ends a job whose process dies at each attempt', async () => {
    await add();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await claim()).toMatchObject([{ attempts: attempt }]);
      wait(CLAIM_SECONDS);
    }
    await run(doing(() => undefined, 3));
    expect(await onlyJob()).toMatchObject({ state: 'dead', error: 'the last attempt did not end' });
  });

  it('runs other jobs beside jobs that hang, once their leases have lapsed', async () => {
    for (let index = 0; index < 8; index += 1) await add({ kind: 'test.hang' });
    await add({ payload: { name: 'one' } });
    let hanging = 0;
    const hang = defineJob({
      kind: 'test.hang',
      work: () => {
        hanging += 1;
        return new Promise(() => undefined);
      },
    });
    const runner = startRunner(server().context, [hang, write], { stopTimeout: 1 });
    await vi.waitFor(() => expect(hanging).toBe(4), 30_000);
    // Lapsed jobs are due after the others: the last four follow, then the other job and four again.
    for (const count of [8, 12]) {
      wait(CLAIM_SECONDS);
      vi.advanceTimersByTime(1000);
      await vi.waitFor(() => expect(hanging).toBe(count), 30_000);
    }
    await vi.waitFor(async () => expect(await effects()).toEqual(['one']), 30_000);
    await runner.stop();
  });

  it('lets a running job end when the process stops', async () => {
    await add();
    const started = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const runner = startRunner(server().context, [
      doing(async () => {
        started.resolve();
        await end.promise;
      }),
    ]);
    await started.promise;
    const stopped = runner.stop();
    // A claim that was under way ends first; it would take the next job as well.
    await jobs();
    await add();
    end.resolve();
    await stopped;
    expect(await onlyJob()).toMatchObject({ state: 'ready', attempts: 0 });
  });

  it('returns a job to the queue at its next heartbeat when the process stops', async () => {
    await add();
    const started = Promise.withResolvers<void>();
    const next = Promise.withResolvers<void>();
    const runner = startRunner(server().context, [
      doing(async ({ heartbeat }) => {
        started.resolve();
        await next.promise;
        await heartbeat();
        throw new Error('the process is not stopping');
      }),
    ]);
    await started.promise;
    const stopped = runner.stop();
    next.resolve();
    await stopped;
    expect(await onlyJob()).toMatchObject({ state: 'ready', attempts: 0, owner: '', due_utc: NOON_UTC, error: '' });
  });

  it('returns a job that does not end to the queue when the process stops', async () => {
    await add();
    const started = Promise.withResolvers<void>();
    const runner = startRunner(
      server().context,
      [doing(() => new Promise(() => started.resolve()))],
      // Milliseconds.
      { stopTimeout: 1 },
    );
    await started.promise;
    await runner.stop();
    expect(await onlyJob()).toMatchObject({ state: 'ready', attempts: 0, owner: '' });
  });

  it('repeats a booking that lost a race', async () => {
    await add();
    let tries = 0;
    const racing = defineJob({
      kind: 'test.write',
      work: async () => async (trx) => {
        tries += 1;
        if (tries === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
        await effect(trx, 'raced');
      },
    });
    await run(racing);
    expect([tries, await effects(), await jobs()]).toEqual([2, ['raced'], []]);
  });
});

// Only PostgreSQL has several writers.
if (BOTH_DATABASES.includes('postgres'))
  it('leaves a waiting job alone until a transaction that relies on it has ended', async () => {
    const { context, close } = await startTestServer('postgres');
    const { db } = context;
    const job = { kind: 'test.write', key: 'series-1', payload: {}, now: NOON };
    const claim = () => claimJobs(db, { owner: 'test', now: NOON_UTC, limit: 10 });
    await enqueue(db, job);
    await db.transaction(async (trx) => {
      await enqueue(trx, job);
      expect(await claim()).toEqual([]);
    });
    expect(await claim()).toHaveLength(1);
    await close();
  });
