import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../base/context.ts';
import { withPresentChoices } from '../../base/site-config.ts';
import type { Database } from '../../db/database.ts';
import type { ImportState } from '../../db/tables/import.ts';
import { viewerOf } from '../../http/core/auth.ts';
import { Urls } from '../../http/core/urls.ts';
import { type Actor, commandLine } from '../../lib/actor.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { storable } from '../../lib/text/text.ts';
import { defineJob, type JobDefinition, type JobRun, NotYet } from '../../platform/jobs/job.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import {
  administratorContext,
  type EndpointOf,
  type InProcessContext,
} from '../../platform/users/in-process-context.ts';
import { accountOf, findUser } from '../../platform/users/store.ts';
import { findImport, PositionLost, saveFindings } from '../links.ts';
import { type Counts, readCounts } from '../plan.ts';
import { SourceError, SourceRefusal } from '../source.ts';
import { insertRows, MAX_ROWS, type NewPlanRow } from './plan-rows.ts';
import { mayImport } from './run-input.ts';
import {
  BUSY_STATES,
  findRun,
  findWaiting,
  LANES,
  laneMark,
  noteProgress,
  optionsOf,
  type Run,
  removeFile,
  removePlan,
  sumOf,
} from './store.ts';

/** The background jobs that plan and import: one for each lane, for all processes. */

const IMPORT_JOB = 'imports.run';
/** Attempts without progress: a file may be too much for the memory of the server. */
const MAX_TRIES = 6;
/** Milliseconds between two heartbeats while a large file is read. */
const BEAT = 30_000;
/** Seconds until an import is tried again that another attempt has advanced. */
const AGAIN = 5;
/** Maximum milliseconds between two checks whether a waiting import has to stop. */
const LOOK = 2000;

/** Enqueues the jobs, in the transaction that gives them work. */
export async function enqueueImports(db: Database, now: Date): Promise<void> {
  for (let lane = 0; lane < LANES; lane++) {
    const key = lane === 0 ? IMPORT_JOB : `${IMPORT_JOB}-${lane}`;
    await enqueue(db, { kind: IMPORT_JOB, key, payload: { lane }, now, isAnew: true });
  }
}

/** Thrown when a user has stopped the import. */
class Stopped extends Error {}
/** Thrown when another attempt has the import, or its state has changed. */
class Superseded extends Error {}
/** Thrown when the account that asked for the work may no longer import. */
class NotAllowed extends Error {}
/** Thrown when the process ends, or has lost the job. */
class Interrupted extends Error {}

export const importJob = (endpointOf: EndpointOf): JobDefinition =>
  defineJob({
    kind: IMPORT_JOB,
    // Each killed process uses one; `MAX_TRIES` limits the attempts at one import.
    attempts: 1000,
    async work(context, payload, job) {
      // Jobs of versions that had one lane name none.
      const lane = typeof payload.lane === 'number' ? payload.lane : 0;
      for (;;) {
        const next = await findWaiting(context.db, lane);
        if (!next) return undefined;
        await workOn(await withPresentChoices(context), next, { endpointOf, job, lane });
      }
    },
  });

interface Working {
  endpointOf: EndpointOf;
  job: JobRun;
  lane: number;
}

async function workOn(context: Context, waiting: Run, { endpointOf, job, lane }: Working): Promise<void> {
  const { log } = context;
  const run = await take(context, waiting, lane);
  if (!run) return;
  const life = keepAlive(job);
  const attempt: Attempt = { context, run, life, endpointOf };
  try {
    await checkAccount(context.db, run);
    if (run.tries > MAX_TRIES) await end(attempt, 'failed', { problem: 'crashed' });
    else if (run.state === 'importing') await importRun(attempt);
    else if (run.state === 'undoing') await undoRun(attempt);
    else await planRun(attempt);
  } catch (error) {
    if (error instanceof Interrupted) throw error.cause;
    // The other attempt may be alive: it may have lost its claim only for a while.
    if (error instanceof PositionLost || (error instanceof Superseded && (await isBusy(context, run))))
      throw new NotYet(AGAIN);
    if (error instanceof Superseded) return;
    if (error instanceof Stopped) return await end(attempt, 'cancelled', {});
    if (error instanceof NotAllowed) return await end(attempt, 'failed', { problem: 'account' });
    if (error instanceof SourceError || error instanceof SourceRefusal)
      return await end(attempt, 'failed', {
        problem: 'source',
        detail: storable(error.message.slice(0, 1000)),
      });
    if (run.tries < MAX_TRIES) throw error;
    log.error({ err: error, import: run.id }, 'an import failed');
    await end(attempt, 'failed', { problem: 'internal' });
  } finally {
    life.end();
  }
}

async function isBusy({ db }: Context, { id }: Run): Promise<boolean> {
  const found = await findRun(db, id);
  return BUSY_STATES.some((state) => state === found?.state);
}

/** Takes an import for this attempt, unless another lane has taken it, or has an import for which it must wait. */
async function take({ db, random }: Context, { id, state }: Run, lane: number): Promise<Run | undefined> {
  return db.transaction(async (trx) => {
    await trx.dialect.lock(trx, 'import-lanes');
    if ((await findWaiting(trx, lane))?.id !== id) return undefined;
    return trx.query
      .updateTable('import_runs')
      .set((eb) => ({ owner: laneMark(lane) + random(8).toString('hex'), tries: eb('tries', '+', 1) }))
      .where('id', '=', id)
      .where('state', '=', state)
      .returningAll()
      .executeTakeFirst();
  });
}

/** The account that asked for the current work. */
const workerOf = (run: Run): Pick<Run, 'user_id' | 'means'> => optionsOf(run).by ?? run;

/**
 * Stops an import whose account was deleted or has lost its rights: the import may be the reason. Another administrator
 * can continue it.
 * @throws {NotAllowed}
 */
async function checkAccount(db: Database, run: Run): Promise<void> {
  const user = await findUser(db, workerOf(run).user_id);
  if (!user || !mayImport(viewerOf(accountOf(user)))) throw new NotAllowed();
}

/** Keeps the claim on the job while a large file is read. */
function keepAlive(job: JobRun) {
  let fault: unknown;
  const timer = setInterval(() => {
    job.heartbeat().catch((error: unknown) => {
      fault ??= error;
    });
  }, BEAT).unref();
  return {
    /** @throws {Interrupted} */
    async check(): Promise<void> {
      if (fault !== undefined) throw new Interrupted('', { cause: fault });
      await job.heartbeat().catch((cause: unknown) => {
        throw new Interrupted('', { cause });
      });
    },
    end: () => clearInterval(timer),
  };
}

interface Attempt {
  context: Context;
  run: Run;
  life: ReturnType<typeof keepAlive>;
  endpointOf: EndpointOf;
}

type Changes = Parameters<typeof noteProgress>[2];

/** Notes progress. @throws {Stopped | Superseded | NotAllowed} */
async function note(db: Database, run: Run, changes: Changes): Promise<void> {
  await checkAccount(db, run);
  if (await noteProgress(db, run, changes)) return;
  const present = await findRun(db, run.id);
  const isMine = present?.owner === run.owner && present.state === run.state;
  throw isMine && present.is_stopping === 1 ? new Stopped() : new Superseded();
}

/** Columns of an import that no lane has, and whose password is erased. */
const RELEASED = { owner: '', login: '', secret: '' } as const;

/** Ends the import of this attempt. Erases its password and, if it cannot be continued, its file. */
async function end({ context, run }: Attempt, state: ImportState, changes: Changes): Promise<void> {
  const { db } = context;
  const now = toUtc(context.now());
  // A failed undo may have removed some records.
  const isPartlyUndone = run.state === 'undoing' && state === 'failed';
  const isUseless = isPartlyUndone || (state === 'failed' && run.planned_utc === null && run.columns === '');
  const erased = isUseless ? { erased_utc: now } : {};
  await db.transaction(async (trx) => {
    const { query } = trx;
    const ended = await query
      .updateTable('import_runs')
      .set({ state, ...changes, ...erased, changed_utc: now, finished_utc: now, ...RELEASED, is_stopping: 0 })
      .where('id', '=', run.id)
      .where('state', '=', run.state)
      .where('owner', '=', run.owner)
      .returning('id')
      .executeTakeFirst();
    if (!ended) return;
    if (isUseless || state === 'finished') await removeFile(trx, run.id);
    if (isUseless) await removePlan(trx, run.id);
  });
}

/**
 * Imports write as the first administrator, who becomes the author of records whose author is unknown. The audit log names
 * the account that asked for the work.
 */
async function writerOf({ context, run, endpointOf }: Attempt): Promise<InProcessContext> {
  const { url, languages } = context.config;
  const ctx = await administratorContext(context, endpointOf);
  const urls = new Urls(url ?? 'http://localhost');
  return { ...ctx, actor: await actorOf(context, run), urls, language: languages[0] ?? ctx.language };
}

async function actorOf({ db, now }: Context, run: Run): Promise<Actor> {
  const { user_id, means } = workerOf(run);
  const user = await findUser(db, user_id);
  const actor = commandLine(now());
  // Written by the endpoint that made the import.
  const credential = { ...actor.credential, means: means as Actor['credential']['means'] };
  return user ? { ...actor, account: { id: user.id, name: user.username }, credential } : actor;
}

function pauseOf({ context: { db }, run, life }: Attempt) {
  return async (milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left > 0; left -= LOOK) {
      await sleep(Math.min(left, LOOK));
      await life.check();
      await note(db, run, { owner: run.owner });
    }
  };
}

async function planRun(attempt: Attempt): Promise<void> {
  const { context, run, life } = attempt;
  const { db } = context;
  const { perform, readColumns } = await import('./perform.ts');
  const now = () => toUtc(context.now());
  if (run.kind === 'csv' && optionsOf(run).columns === null) {
    const columns = JSON.stringify(await readColumns(db, run));
    await note(db, run, { state: 'mapping', columns, changed_utc: now(), tries: 0, owner: '' });
    return;
  }
  await removePlan(db, run.id);
  let rows: NewPlanRow[] = [];
  let written = 0;
  const flush = async (step: string, page: number, counts: Counts): Promise<void> => {
    await life.check();
    const added = rows.slice(0, MAX_ROWS - written);
    rows = [];
    await db.transaction(async (trx) => {
      await note(trx, run, { step, page, done: sumOf(counts), plan_counts: JSON.stringify(counts) });
      await insertRows(trx, run.id, { rows: added, first: written + 1 });
    });
    written += added.length;
  };
  const { counts } = await perform({
    ...{ run, ctx: await writerOf(attempt), isDryRun: true, pause: pauseOf(attempt), onPage: flush },
    onRow: (row) => void rows.push(row),
    onBegin: async () => undefined,
  });
  await flush('', 0, counts);
  await note(db, run, { state: 'planned', planned_utc: now(), changed_utc: now(), tries: 0, owner: '' });
}

async function importRun(attempt: Attempt): Promise<void> {
  const { context, run, life } = attempt;
  const { db } = context;
  const { perform } = await import('./perform.ts');
  const { counts, gone } = await perform({
    ...{ run, ctx: await writerOf(attempt), isDryRun: false, pause: pauseOf(attempt) },
    onRow: () => undefined,
    async onPage(step, page, counts) {
      await life.check();
      await note(db, run, { step, page, done: sumOf(counts), counts: JSON.stringify(counts), tries: 0 });
    },
    onBegin: async (trx, id) => note(trx, run, { import_id: id }),
  });
  await end(attempt, 'finished', {
    ...{ counts: JSON.stringify(counts), gone: JSON.stringify(Object.fromEntries(gone)) },
    ...{ done: sumOf(counts), step: '', page: 0 },
  });
}

/** Undoes an import. Records that stay become findings. */
async function undoRun(attempt: Attempt): Promise<void> {
  const { context, run } = attempt;
  const { db } = context;
  const { undoImport, UndoRefused } = await import('../undo/undo-import.ts');
  const { exceptSold } = optionsOf(run);
  const importId = run.import_id ?? 0;
  try {
    const { counts, notes } = await undoImport(await writerOf(attempt), importId, { exceptSold });
    const found = notes.map(({ kind, title, reason }) => ({
      code: reason?.code ?? '',
      detail: `${kind} ${title}${reason?.detail ? `: ${reason.detail}` : ''}`,
    }));
    // Saved first, so that an attempt that is killed in between does not lose them.
    await saveFindings(db, { import_id: importId, kind: '', foreign_id: 0 }, found);
    await end(attempt, 'undone', { counts: JSON.stringify({ ...readCounts(run.counts), ...counts }) });
  } catch (error) {
    if (!(error instanceof UndoRefused)) throw error;
    const isWhole = (await findImport(db, importId))?.finished_utc != null;
    await end(attempt, isWhole ? 'finished' : 'cancelled', { problem: 'undo', detail: error.message });
  }
}
