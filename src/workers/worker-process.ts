import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FromPrimary, FromWorker } from './messages.ts';

const ENTRY = fileURLToPath(new URL('worker.ts', import.meta.url));

/** A worker, as the primary sees it. */
export interface WorkerProcess {
  pid: number | undefined;
  /** Does nothing when it has ended. */
  send(message: FromPrimary): void;
  kill(): void;
}

export interface WorkerEvents {
  onMessage(message: FromWorker): void;
  /** A line that it has logged. */
  onLine(line: string): void;
  /** Called once it has ended and all its lines are read. */
  onEnd(end: WorkerEnd): void;
}

export interface WorkerEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it has not even begun. */
  error?: Error;
}

/** Starts the worker of a number, which inherits the socket, the environment and the options of Node. */
export function startWorker(number: number, fd: number, { onMessage, onLine, onEnd }: WorkerEvents): WorkerProcess {
  // Its log comes through a pipe: if several processes wrote to one output, their lines would mix.
  const child = fork(ENTRY, [String(number)], { stdio: ['ignore', 'pipe', 'inherit', 'ipc', fd] });
  if (child.stdout) createInterface({ input: child.stdout }).on('line', onLine);
  child.on('message', (message) => onMessage(message as FromWorker));
  child.once('close', (code, signal) => onEnd({ code, signal }));
  child.on('error', (error) => {
    // Other errors are followed by the end.
    if (child.pid === undefined) onEnd({ code: null, signal: null, error });
  });
  return {
    pid: child.pid,
    send(message) {
      // Whoever cannot be told has ended, or is about to.
      if (child.connected) child.send(message, () => undefined);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
