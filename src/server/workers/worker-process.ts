import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
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

/** Starts the worker of a number, which inherits the socket, the environment and the options of Node. Never throws. */
export function startWorker(number: number, fd: number, events: WorkerEvents): WorkerProcess {
  try {
    // Its log comes through a pipe: if several processes wrote to one output, their lines would mix.
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', 'ipc', fd];
    return watched(fork(ENTRY, [String(number)], { stdio }), events);
  } catch (error) {
    // Node throws some reasons, such as a lack of memory, and emits others.
    setImmediate(() => events.onEnd({ code: null, signal: null, error: error as Error }));
    return { pid: undefined, send: () => undefined, kill: () => undefined };
  }
}

function watched(child: ChildProcess, { onMessage, onLine, onEnd }: WorkerEvents): WorkerProcess {
  if (child.stdout) createInterface({ input: child.stdout }).on('line', onLine);
  child.on('message', (message) => onMessage(message as FromWorker));
  let failure: Error | undefined;
  child.on('error', (error) => {
    // A failed start; all other errors are those of a signal or a message.
    if (child.pid === undefined) failure = error;
  });
  // Follows a failed start too.
  child.once('close', (code, signal) => onEnd({ code, signal, error: failure }));
  return {
    pid: child.pid,
    send(message) {
      // Whoever cannot be told has ended, or is about to.
      if (child.connected) child.send(message, () => undefined);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
