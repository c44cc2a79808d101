import { AsyncResource } from 'node:async_hooks';
import { inspect } from 'node:util';
import type { Context } from '../base/context.ts';
import { withPresentChoices } from '../base/site-config.ts';
import type { Database, Topic } from '../db/database.ts';
import { addSeconds, type LocalTime, secondsBetween, toUtc } from '../lib/dates/dates.ts';
import { GiveUp, type JobDefinition, type JobRun, NotYet, retryDelay } from '../platform/jobs/job.ts';
import {
  buryJob,
  CLAIM_SECONDS,
  type ClaimedJob,
  ClaimLost,
  claimJobs,
  finishJob,
  hasDueJob,
  putBackJob,
  renewClaim,
} from '../platform/jobs/queue.ts';

/** Number of jobs that a process runs at the same time. */
const SLOTS = 4;
/** Milliseconds between checks for jobs of other processes, and for jobs that have become due. */
const LOOK_INTERVAL = 1000;
const STOP_TIMEOUT = 8000;
/** Seconds after which waiting for something else counts as a failure. */
const MAX_WAIT = 30 * 86_400;
/** Maximum attempts at jobs of a kind that only another version of the program knows. */
const UNKNOWN_ATTEMPTS = 12;
const MAX_ERROR = 500;
const UNSIGNED_32_BIT = 2 ** 32;

/** Thrown by a heartbeat once the process is stopping; the job goes back to the queue. */
class Stopping extends Error {}

/** Runs the jobs of the queue in this process. */
export interface Runner {
  /** Resolves when the jobs that were due at the call have been tried. */
  settled(): Promise<void>;
  /** Claims no more jobs, waits for running ones, and returns those that take too long to the queue. */
  stop(): Promise<void>;
}

interface RunnerOptions {
  /** Milliseconds for which `stop` waits for running jobs. */
  stopTimeout?: number;
}

export function startRunner(
  context: Context,
  kinds: readonly JobDefinition[],
  { stopTimeout = STOP_TIMEOUT }: RunnerOptions = {},
): Runner {
  const runner = new QueueRunner(context, kinds, stopTimeout);
  runner.start();
  return runner;
}

/**
 * Calls `wake` at once, whenever rows of a topic are announced, and every second: for rows of other processes, and rows
 * that have become due. Rows must not be handled in the asynchronous context of the request that wrote them.
 * @returns a function that stops watching
 */
export function watch(db: Database, topic: Topic, wake: () => void): () => void {
  const timer = setInterval(wake, LOOK_INTERVAL).unref();
  const endListening = db.listen(topic, AsyncResource.bind(wake));
  wake();
  return () => {
    clearInterval(timer);
    endListening();
  };
}

class QueueRunner implements Runner {
  readonly #context: Context;
  readonly #stopTimeout: number;
  readonly #kinds: ReadonlyMap<string, JobDefinition>;
  /** Running jobs, with a promise for the end of each. */
  readonly #running = new Map<ClaimedJob, Promise<void>>();
  /** Ends of their leases. */
  readonly #leases = new Map<ClaimedJob, LocalTime>();
  #look: Promise<void> | undefined;
  /** Whether jobs may have been added since the look began. */
  #isAnnounced = false;
  #isStopping = false;
  #end: () => void = () => undefined;

  constructor(context: Context, kinds: readonly JobDefinition[], stopTimeout: number) {
    this.#stopTimeout = stopTimeout;
    this.#context = context;
    this.#kinds = new Map(kinds.map((one) => [one.kind, one]));
  }

  start(): void {
    this.#end = watch(this.#context.db, 'jobs', () => this.#wake());
  }

  async settled(): Promise<void> {
    this.#wake();
    while (this.#look || this.#running.size > 0) await Promise.all([this.#look, ...this.#running.values()]);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#end();
    await this.#look;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#stopTimeout);
    await Promise.race([Promise.all(this.#running.values()), promise]);
    clearTimeout(timer);
    await Promise.all([...this.#running.keys()].map((job) => this.#book(job, () => this.#release(job))));
  }

  #wake(): void {
    this.#isAnnounced = true;
    this.#look ??= this.#fillSlots().finally(() => {
      this.#look = undefined;
    });
  }

  /** Claims jobs while jobs are due and slots are free. The end of a job wakes it again. */
  async #fillSlots(): Promise<void> {
    try {
      while (this.#isAnnounced && !this.#isStopping) {
        this.#isAnnounced = false;
        this.#forgetLapsed();
        while (this.#running.size < SLOTS && (await this.#claim()));
      }
    } catch (err) {
      this.#context.log.error({ err }, 'no jobs could be claimed');
    }
  }

  /** Frees the slots of jobs that hang. They are due again, and the result of this attempt is not recorded. */
  #forgetLapsed(): void {
    const utc = toUtc(this.#context.now());
    for (const [job, until] of this.#leases) if (until <= utc) this.#forget(job);
  }

  #forget(job: ClaimedJob): void {
    this.#running.delete(job);
    this.#leases.delete(job);
  }

  /** Starts due jobs; returns whether there were any. */
  async #claim(): Promise<boolean> {
    const { db, now, random } = this.#context;
    const utc = toUtc(now());
    if (this.#isStopping || !(await hasDueJob(db, utc))) return false;
    const owner = random(8).toString('hex');
    const jobs = await claimJobs(db, { owner, now: utc, limit: SLOTS - this.#running.size });
    for (const job of jobs) {
      this.#leases.set(job, addSeconds(utc, CLAIM_SECONDS));
      const end = this.#run(job).finally(() => {
        this.#forget(job);
        this.#wake();
      });
      this.#running.set(job, end);
    }
    return jobs.length > 0;
  }

  async #run(job: ClaimedJob): Promise<void> {
    const definition = this.#kinds.get(job.kind);
    await this.#book(job, async () => {
      if (job.attempts > this.#attemptsOf(job)) return this.#bury(job, 'the last attempt did not end');
      try {
        if (!definition) throw new Error(`this version has no jobs of the kind ${job.kind}`);
        const context = await withPresentChoices(this.#context);
        const booking = await definition.work(context, job.payload, this.#runOf(job));
        await finishJob(this.#context.db, job, booking);
      } catch (error) {
        await this.#fail(job, error);
      }
    });
  }

  #runOf(job: ClaimedJob): JobRun {
    const { db, now } = this.#context;
    let renewed = toUtc(now());
    return {
      id: job.id,
      heartbeat: async () => {
        if (this.#isStopping) throw new Stopping('the process is stopping');
        const utc = toUtc(now());
        if (secondsBetween(renewed, utc) < CLAIM_SECONDS / 5) return;
        await renewClaim(db, job, utc);
        if (this.#leases.has(job)) this.#leases.set(job, addSeconds(utc, CLAIM_SECONDS));
        renewed = utc;
      },
    };
  }

  /** Logs errors while the queue is updated: the lease then lapses, and the job is tried again. */
  async #book(job: ClaimedJob, work: () => Promise<void>): Promise<void> {
    const { id, kind } = job;
    await work().catch((err: unknown) => {
      const level = err instanceof ClaimLost ? 'info' : 'error';
      this.#context.log[level]({ err, job: id, kind }, 'the result of a job could not be booked');
    });
  }

  async #fail(job: ClaimedJob, error: unknown): Promise<void> {
    const { db, log, now, random } = this.#context;
    const { id, kind, attempts } = job;
    if (error instanceof ClaimLost) throw error;
    if (error instanceof Stopping) return this.#release(job);
    if (error instanceof NotYet && secondsBetween(job.created_utc, toUtc(now())) < MAX_WAIT) {
      const dueUtc = addSeconds(toUtc(now()), Math.max(1, error.seconds));
      return putBackJob(db, job, { dueUtc, isFree: true });
    }
    if (error instanceof GiveUp || attempts >= this.#attemptsOf(job)) return this.#bury(job, messageOf(error), error);
    const seconds = retryDelay(attempts, random(4).readUInt32BE() / UNSIGNED_32_BIT);
    log.warn({ err: error, job: id, kind, attempts, seconds }, 'a job failed and will be tried again');
    await putBackJob(db, job, { dueUtc: addSeconds(toUtc(now()), seconds), error: messageOf(error) });
  }

  #attemptsOf({ kind }: ClaimedJob): number {
    return this.#kinds.get(kind)?.attempts ?? UNKNOWN_ATTEMPTS;
  }

  async #bury(job: ClaimedJob, reason: string, err?: unknown): Promise<void> {
    const { db, log, now } = this.#context;
    const { id, kind, attempts } = job;
    await buryJob(db, job, { error: reason, now: toUtc(now()) });
    log.error({ err, reason, job: id, kind, attempts }, 'a job failed for good');
  }

  #release(job: ClaimedJob): Promise<void> {
    const { db, now } = this.#context;
    return putBackJob(db, job, { dueUtc: toUtc(now()), isFree: true });
  }
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : inspect(error);
  // PostgreSQL stores no NUL.
  return text.replaceAll('\0', '').slice(0, MAX_ERROR);
}
