import type { JoinReports } from '../../app.ts';
import { environment, readConfig } from '../../base/config.ts';
import { LONGEST_STOP } from '../../http/connection/shutdown.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { type ProcessReport, workerMetrics } from '../../platform/monitoring/process-report.ts';
import { openPrepared, StartError } from '../open-context.ts';
import { serve } from '../serve.ts';
import { type FromPrimary, type FromWorker, SOCKET_FD } from './messages.ts';
import { sharedCounts } from './shared-counts.ts';

/** Entry point of a worker process: serves on an inherited socket until a stop message or the end of the primary. */

/** Number of the worker that runs background jobs. */
const JOBS_WORKER = 1;

/** Resolves on a signal too: a signal to the whole process group reaches workers directly. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
    process.on('message', ({ kind }: FromPrimary) => {
      if (kind === 'stop') resolve();
    });
    process.once('disconnect', () => resolve());
    if (!process.connected) resolve();
  });
}

function tell(message: FromWorker, onSent = () => {}): void {
  // Without a primary, the worker ends on its own.
  if (process.connected) process.send?.(message, onSent);
  else onSent();
}

/** Milliseconds to wait for the reports of the primary, which waits up to a second for the workers. */
const PATIENCE = 2000;

/** Connects a worker to the primary: sends its own report on request, and requests the reports of all processes. */
function joinReports(workers: number, tell: (message: FromWorker) => void): JoinReports {
  return (own) => {
    let take: (reports: ProcessReport[]) => void = () => undefined;
    process.on('message', (message: FromPrimary) => {
      if (message.kind === 'report-wanted') tell({ kind: 'report', report: own() });
      if (message.kind === 'reports') take(message.reports);
    });
    const shared = coalesce(async () => {
      const received = Promise.withResolvers<ProcessReport[]>();
      const timer = setTimeout(() => received.resolve([own(), workerMetrics(workers, 1)]), PATIENCE);
      take = received.resolve;
      tell({ kind: 'wants-reports' });
      const reports = await received.promise;
      clearTimeout(timer);
      return reports;
    });
    return () => new Promise(shared);
  };
}

async function run(stopped: Promise<void>): Promise<void> {
  const config = readConfig(environment);
  const server = await serve(await openPrepared(config), {
    fd: SOCKET_FD,
    hasJobs: Number(process.argv[2]) === JOBS_WORKER,
    join: joinReports(config.workers, tell),
    count: sharedCounts(config, tell),
  });
  tell({ kind: 'listening' });
  await stopped;
  setTimeout(() => process.exit(0), LONGEST_STOP).unref();
  await server.close();
}

try {
  await run(untilStopped());
  if (process.connected) process.disconnect?.();
} catch (error) {
  const problem = error instanceof StartError ? error.message : String((error as Error).stack);
  // Exits explicitly: open database connections would keep the process running.
  tell({ kind: 'failed', problem }, () => process.exit(1));
}
