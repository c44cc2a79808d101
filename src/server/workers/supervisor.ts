import type { Logger } from 'pino';
import type { CountInMemory } from '../../platform/limits/limits.ts';
import { StartError } from '../open-context.ts';
import type { FromWorker, WantedCount } from './messages.ts';
import { createReports } from './reports.ts';
import { createRestarts } from './restarts.ts';
import { startWorker, type WorkerEnd, type WorkerProcess } from './worker-process.ts';

/** Milliseconds between two health checks of the workers. */
const CHECK_INTERVAL = 10_000;
/** Consecutive checks a worker may miss. */
const MAX_MISSED = 6;
/** Milliseconds workers have to end. Requests have ten seconds, and the whole server twelve. */
const LONGEST_STOP = 11_500;
/** Milliseconds to end for workers that have not begun to serve. */
const LONGEST_STOP_OF_START = 1000;

interface SupervisorOptions {
  workers: number;
  /** File descriptor of the socket on which they listen. */
  fd: number;
  log: Logger;
  /** Receives the log lines of the workers. */
  writeLine(line: string): void;
  /** Counts the requests of the workers. */
  count: CountInMemory;
  start?: typeof startWorker;
}

interface Member {
  number: number;
  process: WorkerProcess;
  isListening: boolean;
  /** Checks since its last report. */
  missed: number;
}

/**
 * Keeps the given number of workers running. A worker that ends or hangs is replaced, and its replacement has the same
 * number.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #members = new Map<number, Member>();
  readonly #restarts;
  readonly #reports;
  readonly #checks: NodeJS.Timeout;
  readonly #started = Promise.withResolvers<void>();
  readonly #broken = Promise.withResolvers<StartError>();
  readonly #ended = Promise.withResolvers<void>();
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#restarts = createRestarts(options.workers);
    this.#reports = createReports(options.workers, () => this.#askForReports());
    // Prevents an unhandled rejection if the server is stopped during the start.
    this.#started.promise.catch(() => undefined);
    for (let number = 1; number <= options.workers; number += 1) this.#start(number);
    this.#checks = setInterval(() => this.#check(), CHECK_INTERVAL);
  }

  /** Resolves when all workers listen; fails with a `StartError` if one cannot. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** Resolves with the reason when workers keep ending. */
  get broken(): Promise<StartError> {
    return this.#broken.promise;
  }

  /** Lets the workers finish their requests. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#checks);
    for (const { process } of this.#members.values()) process.send({ kind: 'stop' });
    const kill = (members: Iterable<Member>) => {
      for (const { process } of members) process.kill();
    };
    const timers = [
      setTimeout(
        () => kill([...this.#members.values()].filter(({ isListening }) => !isListening)),
        LONGEST_STOP_OF_START,
      ),
      setTimeout(() => kill(this.#members.values()), LONGEST_STOP),
    ];
    if (this.#members.size > 0) await this.#ended.promise;
    for (const timer of timers) clearTimeout(timer);
  }

  #start(number: number): void {
    if (this.#isStopping) return;
    const { fd, writeLine, start = startWorker } = this.#options;
    const process = start(number, fd, {
      onMessage: (message) => void this.#hear(member, message),
      onLine: writeLine,
      onEnd: (end) => this.#replace(member, end),
    });
    const member: Member = { number, process, isListening: false, missed: 0 };
    this.#members.set(number, member);
  }

  async #hear(member: Member, message: FromWorker): Promise<void> {
    switch (message.kind) {
      case 'listening':
        member.isListening = true;
        this.#options.log.info({ worker: member.number, worker_pid: member.process.pid }, 'worker listens');
        if (this.#listening.length === this.#options.workers) this.#started.resolve();
        return;
      case 'failed':
        // After the start, a worker that reports a problem is replaced like any other.
        this.#options.log.error({ worker: member.number }, message.problem);
        this.#started.reject(new StartError(message.problem));
        return;
      case 'report':
        member.missed = 0;
        this.#reports.take(member.number, message.report);
        return;
      case 'wants-reports':
        member.process.send({ kind: 'reports', reports: await this.#reports.collect() });
        return;
      case 'count':
        member.process.send({ kind: 'counted', counts: await Promise.all(message.counts.map(this.#count)) });
    }
  }

  readonly #count = async ({ id, name, key, points }: WantedCount) => ({
    id,
    ...(await this.#options.count(name, key, points)),
  });

  #replace({ number, process: { pid } }: Member, { code, signal, error }: WorkerEnd): void {
    this.#members.delete(number);
    this.#reports.workerEnded(number);
    if (this.#isStopping) {
      if (this.#members.size === 0) this.#ended.resolve();
      return;
    }
    // With code 0 the worker obeyed a signal.
    const level = code === 0 ? 'warn' : 'error';
    this.#options.log[level]({ worker: number, worker_pid: pid, code, signal, err: error }, 'worker ended');
    const pause = this.#restarts.pauseAfterDeath(performance.now());
    if (pause !== undefined) {
      setTimeout(() => this.#start(number), pause).unref();
      return;
    }
    const cause = error?.message ?? (signal === null ? `status ${code}` : signal);
    const problem = new StartError(`Workers keep ending, the last one by ${cause}: see the log.`);
    this.#started.reject(problem);
    this.#broken.resolve(problem);
  }

  get #listening(): Member[] {
    return [...this.#members.values()].filter(({ isListening }) => isListening);
  }

  #askForReports(): number[] {
    const asked = this.#listening;
    for (const { process } of asked) process.send({ kind: 'report-wanted' });
    return asked.map(({ number }) => number);
  }

  /** Kills workers that hang, and collects reports, so that few counts are lost when a worker ends. */
  #check(): void {
    for (const member of this.#members.values()) {
      if (member.missed >= MAX_MISSED) {
        this.#options.log.error(
          { worker: member.number, worker_pid: member.process.pid },
          'worker hangs and is killed',
        );
        member.process.kill();
      }
      member.missed += 1;
    }
    void this.#reports.collect();
  }
}
