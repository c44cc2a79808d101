import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';

/** Ids and other short values. Personal data is read from its record when the job runs. */
export type JobPayload = Readonly<Record<string, number | string>>;

/**
 * Writes the result of a job in the transaction that removes it from the queue, so that the effect and the end of the
 * job are one. Like all work in transactions, it may run again after a lost race.
 */
export type Booking = (db: Database) => Promise<void>;

/** One attempt at a job. */
export interface JobRun {
  id: number;
  /**
   * Keeps the claim on the job: call it at least every few minutes, between steps of the work. It writes at most once a
   * minute, and throws once another process has taken the job over, or this one is stopping.
   */
  heartbeat(): Promise<void>;
}

/** Kind of background job. */
export interface JobDefinition<Payload extends JobPayload = JobPayload> {
  /** Such as `series.update`. */
  kind: string;
  /** Maximum number of attempts before the job is dead. */
  attempts: number;
  /**
   * Does the work, outside a transaction. It may be interrupted and repeated at any point, so effects either belong to
   * the returned booking, or repeating them changes nothing.
   */
  work(context: Context, payload: Payload, run: JobRun): Promise<Booking | undefined>;
}

const ATTEMPTS = 12;

type Definition<Payload extends JobPayload> = Omit<JobDefinition<Payload>, 'attempts'> & { attempts?: number };

/**
 * Defines a kind of job; `jobs/kinds.ts` lists them all.
 * @param definition 12 attempts by default, the last one about nine hours after the first
 */
export const defineJob = <Payload extends JobPayload>(definition: Definition<Payload>): JobDefinition =>
  // The payload is the one that `enqueue` was given for this kind.
  ({ attempts: ATTEMPTS, ...definition }) as JobDefinition;

/** Thrown by work that will never succeed; the job is dead at once. */
export class GiveUp extends Error {}

/** Thrown by work that must wait for something else; the attempt does not count, except 30 days after the request. */
export class NotYet extends Error {
  readonly seconds: number;

  constructor(seconds: number) {
    super(`not yet, again in ${seconds} seconds`);
    this.seconds = seconds;
  }
}

const FIRST_DELAY = 15;
const LONGEST_DELAY = 6 * 60 * 60;
const JITTER = 0.2;

/**
 * Seconds until the next attempt: doubles from 15 seconds to 6 hours, give or take a fifth, so that jobs that failed
 * together do not return together.
 * @param attempts failed so far
 * @param random from 0 to 1
 */
export function retryDelay(attempts: number, random: number): number {
  const delay = Math.min(FIRST_DELAY * 2 ** (attempts - 1), LONGEST_DELAY);
  return Math.round(delay * (1 + JITTER * (2 * random - 1)));
}
