import { type Insertable, sql, type Updateable } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { JobsTable } from '../../db/tables/platform.ts';
import { addSeconds, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import type { Booking, JobPayload } from './job.ts';

/** Queue of background jobs in the database: see docs/adr/0039-job-queue.md. */

export interface NewJob {
  kind: string;
  /**
   * Names the effect. Nothing is added while a job with this key is waiting; while one is running, another waits for
   * its end. So the key needs no id of the attempt, and no request for the work is lost.
   */
  key?: string;
  payload: JobPayload;
  now: Date;
  /** Earliest time in UTC; by default at once. */
  runAt?: LocalTime;
  /** Whether a job with this key that waits after failures starts afresh, since a user asks for the work again. */
  isAnew?: boolean;
  /** Record that the job works for. */
  record?: { kind: string; id: number };
}

/**
 * Adds a job in the transaction of its reason, so that both are committed or neither is. Call it before statements on
 * seats, which come last in a transaction.
 */
export async function enqueue(db: Database, job: NewJob): Promise<void> {
  const created = toUtc(job.now);
  const values = {
    kind: job.kind,
    key: job.key ?? null,
    payload: JSON.stringify(job.payload),
    state: 'ready' as const,
    due_utc: job.runAt ?? created,
    record_kind: job.record?.kind ?? null,
    record_id: job.record?.id ?? null,
    created_utc: created,
  };
  await db.transaction(async (trx) => {
    while (!(await insert(trx, values)) && !(await (job.isAnew ? restart : holdWaiting)(trx, values)));
    trx.announce('jobs');
  });
}

type Values = Insertable<JobsTable>;

/** A unique violation would repeat the whole transaction. */
async function insert({ query }: Database, values: Values): Promise<boolean> {
  const row = await query
    .insertInto('jobs')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Keeps the waiting job with a key unclaimed until the end of the transaction: it would otherwise run without seeing
 * what is about to be committed. False if it has just been claimed.
 */
async function holdWaiting({ query, dialect }: Database, { key }: Values): Promise<boolean> {
  const waiting = await query
    .selectFrom('jobs')
    .select('id')
    .where('key', '=', key ?? '')
    .where('state', '=', sql.lit('ready'))
    .modifyEnd(dialect.forShare)
    .executeTakeFirst();
  return waiting !== undefined;
}

/** Makes the waiting job with a key due, with all its attempts. False if it has just been claimed. */
async function restart({ query }: Database, { key, due_utc }: Values): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('jobs')
    .set((eb) => ({
      attempts: 0,
      due_utc: eb.case().when('due_utc', '<', due_utc).then(eb.ref('due_utc')).else(due_utc).end(),
    }))
    .where('key', '=', key ?? '')
    .where('state', '=', sql.lit('ready'))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Seconds for which a claim is valid without a heartbeat. */
export const CLAIM_SECONDS = 300;

export interface ClaimedJob {
  id: number;
  kind: string;
  payload: JobPayload;
  /** Including this one. */
  attempts: number;
  created_utc: LocalTime;
  owner: string;
}

/** Thrown when another process has taken a job over, or a person has removed it. */
export class ClaimLost extends Error {
  constructor({ kind, id }: Pick<ClaimedJob, 'kind' | 'id'>) {
    super(`job ${id} (${kind}) was taken over or removed`);
  }
}

/** Condition: a job is not dead. A literal, because partial indexes do not support bound values. */
export const isOpen = sql<boolean>`state <> 'dead'`;

/** Whether a job is due, without taking the lock for writing that claims need on SQLite. */
export async function hasDueJob({ query }: Database, now: LocalTime): Promise<boolean> {
  const due = await query
    .selectFrom('jobs')
    .select('id')
    .where(isOpen)
    .where('due_utc', '<=', now)
    // Otherwise PostgreSQL may read the whole table for the first one.
    .orderBy('due_utc')
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/**
 * Claims due jobs, the longest due first, including jobs with a lapsed lease. A job waits while another with its key is
 * running.
 */
export async function claimJobs(
  db: Database,
  { owner, now, limit }: { owner: string; now: LocalTime; limit: number },
): Promise<ClaimedJob[]> {
  const { rows } = await db.transaction((trx) =>
    sql<ClaimedJob & { payload: string }>`WITH due AS MATERIALIZED (
        SELECT id FROM jobs WHERE ${isOpen} AND due_utc <= ${now} AND (state = 'running' OR NOT EXISTS (
          SELECT 1 FROM jobs AS same WHERE same.key = jobs.key AND same.state = 'running'))
        ORDER BY due_utc, id LIMIT ${limit} ${trx.dialect.skipLocked})
      UPDATE jobs SET state = 'running', owner = ${owner}, attempts = attempts + 1,
        due_utc = ${addSeconds(now, CLAIM_SECONDS)}
      WHERE id IN (SELECT id FROM due)
      RETURNING id, kind, payload, attempts, created_utc, owner`.execute(trx.query),
  );
  return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) as JobPayload }));
}

type Claim = Pick<ClaimedJob, 'id' | 'kind' | 'owner'>;

/** @throws {ClaimLost} */
export async function renewClaim(db: Database, claim: Claim, now: LocalTime): Promise<void> {
  await db.transaction((trx) => updateClaimed(trx, claim, { due_utc: addSeconds(now, CLAIM_SECONDS) }));
}

async function updateClaimed({ query }: Database, claim: Claim, values: Updateable<JobsTable>): Promise<void> {
  const { numUpdatedRows } = await query
    .updateTable('jobs')
    .set(values)
    .where('id', '=', claim.id)
    .where('owner', '=', claim.owner)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ClaimLost(claim);
}

/**
 * Books the result of a job and removes it, in one transaction. The job is removed last: until then its row locks
 * nothing that the booking, or a transaction it waits for, may need.
 * @throws {ClaimLost} after which nothing is booked
 */
export async function finishJob(db: Database, claim: Claim, booking?: Booking): Promise<void> {
  await db.transaction(async (trx) => {
    await booking?.(trx);
    const { numDeletedRows } = await trx.query
      .deleteFrom('jobs')
      .where('id', '=', claim.id)
      .where('owner', '=', claim.owner)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new ClaimLost(claim);
  });
}

/** Marks a job as dead. It stays, so that staff can examine it and try it again. */
export async function buryJob(db: Database, claim: Claim, { error, now }: { error: string; now: LocalTime }) {
  await db.transaction((trx) => updateClaimed(trx, claim, { state: 'dead', due_utc: now, error, owner: '' }));
}

/**
 * Makes a job wait for its next attempt. It replaces a waiting job with the same key, so that requests for the work
 * cannot shorten the pauses.
 * @param isFree the attempt does not count
 */
export async function putBackJob(
  db: Database,
  claim: Claim,
  { dueUtc, error = '', isFree = false }: { dueUtc: LocalTime; error?: string; isFree?: boolean },
): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.query
      .deleteFrom('jobs')
      .where('state', '=', sql.lit('ready'))
      .where('key', '=', ({ selectFrom }) => selectFrom('jobs as own').select('own.key').where('own.id', '=', claim.id))
      .execute();
    await updateClaimed(trx, claim, { state: 'ready', due_utc: dueUtc, error, owner: '' });
    if (isFree)
      await trx.query
        .updateTable('jobs')
        .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
        .where('id', '=', claim.id)
        .execute();
  });
}
