import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { JobState, JobsTable } from '../../db/tables/platform.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { isOpen } from './queue.ts';

/** Jobs as staff see them: lists, counts, retries and removals. `queue.ts` has the queue itself. */

export type JobRow = Selectable<JobsTable>;

export interface JobFilter {
  state?: JobState;
  kind?: string;
}

const filtered = ({ query }: Database, { state, kind }: JobFilter) =>
  query
    .selectFrom('jobs')
    .$if(state !== undefined, (jobs) => jobs.where('state', '=', state ?? 'dead'))
    .$if(kind !== undefined, (jobs) => jobs.where('kind', '=', kind ?? ''));

/** Latest first. */
export async function listJobs(
  db: Database,
  filter: JobFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ jobs: JobRow[]; total: number }> {
  const counted = await filtered(db, filter)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirst();
  const jobs = await filtered(db, filter).selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { jobs, total: Number(counted?.count ?? 0) };
}

export const findJob = ({ query }: Database, id: number): Promise<JobRow | undefined> =>
  query.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();

export interface JobCount {
  kind: string;
  state: JobState;
  count: number;
}

export async function countJobs({ query }: Database): Promise<JobCount[]> {
  const rows = await query
    .selectFrom('jobs')
    .select(['kind', 'state', ({ fn }) => fn.countAll().as('count')])
    .groupBy(['kind', 'state'])
    .orderBy('kind')
    .orderBy('state')
    .execute();
  return rows.map(({ kind, state, count }) => ({ kind, state, count: Number(count) }));
}

/** The job that has been due for the longest time. */
export const findOldestDueJob = ({ query }: Database, now: LocalTime): Promise<JobRow | undefined> =>
  query
    .selectFrom('jobs')
    .selectAll()
    .where(isOpen)
    .where('due_utc', '<=', now)
    .orderBy('due_utc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/**
 * Makes a dead job start afresh, and a waiting one due at once. If another job with its key is waiting, that one
 * suffices, and a dead one is removed. Returns false for a job that is running or gone.
 */
export function retryJob(db: Database, id: number, now: LocalTime): Promise<boolean> {
  return db.transaction(async (trx) => {
    const job = await findJob(trx, id);
    if (job?.state === 'ready') return (await hasten(trx, id, now)) > 0;
    return job?.state === 'dead' && (await reviveAll(trx, [job], now)) > 0;
  });
}

async function hasten({ query, announce }: Database, id: number, now: LocalTime): Promise<number> {
  const { numUpdatedRows } = await query
    .updateTable('jobs')
    .set({ due_utc: now })
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .executeTakeFirst();
  announce('jobs');
  return Number(numUpdatedRows);
}

/** Revives dead jobs, in order of their ids. Returns their number. */
async function reviveAll(trx: Database, jobs: readonly Pick<JobRow, 'id'>[], now: LocalTime): Promise<number> {
  let revived = 0;
  for (const { id } of jobs) {
    const { numUpdatedRows } = await trx.query
      .updateTable('jobs')
      .set({ state: 'ready', attempts: 0, due_utc: now })
      .where('id', '=', id)
      .where('state', '=', 'dead')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('jobs as same')
              .select('same.id')
              .whereRef('same.key', '=', 'jobs.key')
              .where('same.state', '=', 'ready'),
          ),
        ),
      )
      .executeTakeFirst();
    // For the rest, another job with the same key is waiting, or another process was faster.
    const { numDeletedRows } = await trx.query
      .deleteFrom('jobs')
      .where('id', '=', id)
      .where('state', '=', 'dead')
      .executeTakeFirst();
    revived += Number(numUpdatedRows) + Number(numDeletedRows);
  }
  trx.announce('jobs');
  return revived;
}

/** Jobs of one transaction, so that it holds no lock for long. */
const BATCH = 100;

/** Revives dead jobs, of one kind or all, that died since a time. Returns their number. */
export async function retryDeadJobs(
  db: Database,
  { kind, since = '' }: { kind?: string; since?: LocalTime },
  now: LocalTime,
): Promise<number> {
  let revived = 0;
  for (let last = 0; ; ) {
    const jobs = await filtered(db, { state: 'dead', kind })
      .select('id')
      .where('due_utc', '>=', since)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    revived += await db.transaction((trx) => reviveAll(trx, jobs, now));
    last = jobs.at(-1)?.id ?? 0;
    if (jobs.length < BATCH) return revived;
  }
}

/** Removes a job; the result of a running one is not booked. */
export async function removeJob(db: Database, id: number): Promise<JobRow | undefined> {
  return db.transaction(({ query }) => query.deleteFrom('jobs').where('id', '=', id).returningAll().executeTakeFirst());
}

/** Deletes at most `limit` jobs that died before a time; returns the number deleted. */
export async function removeDeadJobs({ query }: Database, before: LocalTime, limit: number): Promise<number> {
  const oldest = query
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', sql.lit('dead'))
    .where('due_utc', '<', before)
    .orderBy('due_utc')
    .orderBy('id')
    .limit(limit);
  const { numDeletedRows } = await query.deleteFrom('jobs').where('id', 'in', oldest).executeTakeFirst();
  return Number(numDeletedRows);
}
