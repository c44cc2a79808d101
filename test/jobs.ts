import type { Insertable } from 'kysely';
import type { Context } from '../src/base/context.ts';
import type { JobsTable } from '../src/db/tables/platform.ts';
import { JOB_KINDS } from '../src/jobs/kinds.ts';
import { startRunner } from '../src/jobs/runner.ts';
import { addSeconds, toUtc } from '../src/lib/dates/dates.ts';
import { CLAIM_SECONDS } from '../src/platform/jobs/queue.ts';

/** Tries every due job, and those that they add. */
export async function runJobs(context: Context, kinds = JOB_KINDS): Promise<void> {
  const runner = startRunner(context, kinds);
  await runner.settled();
  await runner.stop();
}

type Added = Pick<Insertable<JobsTable>, 'kind' | 'key' | 'state' | 'error' | 'owner' | 'due_utc'>;

async function addJob({ db, now }: Context, values: Added): Promise<number> {
  const of = { payload: '{"event":12}', attempts: 1, record_kind: 'event', record_id: 12, created_utc: toUtc(now()) };
  const { id } = await db.query
    .insertInto('jobs')
    .values({ ...of, ...values })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Adds a running job, and returns its id. */
export const addRunningJob = (context: Context): Promise<number> =>
  addJob(context, {
    ...{ kind: 'test.fail', key: null, state: 'running', error: '', owner: 'test' },
    due_utc: addSeconds(toUtc(context.now()), CLAIM_SECONDS),
  });

/** Adds a job that has failed for good, and returns its id. */
export const addDeadJob = (context: Context, kind = 'test.fail', key: string | null = null): Promise<number> =>
  addJob(context, {
    ...{ kind, key, state: 'dead', error: 'no route to host', owner: '' },
    due_utc: toUtc(context.now()),
  });
