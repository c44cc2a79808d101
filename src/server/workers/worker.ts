import { environment, readConfig } from '../../base/config.ts';
import { LONGEST_STOP, openPrepared, StartError, serve } from '../main.ts';
import { joinReports } from './join-reports.ts';
import { type FromPrimary, type FromWorker, SOCKET_FD } from './messages.ts';
import { sharedCounts } from './shared-counts.ts';

/** The entry of a worker process: serves on a socket that it inherits, until it is told to stop or the primary is gone. */

/** The worker with this number runs the periodic jobs. */
const JOBS_WORKER = 1;

/** Resolves on a signal too: one to the whole group of processes reaches workers directly. */
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
  // Without a primary the worker ends anyway.
  if (process.connected) process.send?.(message, onSent);
  else onSent();
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
  // Connections to the database that it has opened would keep it running.
  tell({ kind: 'failed', problem }, () => process.exit(1));
}
