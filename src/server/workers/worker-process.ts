import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FromPrimary, FromWorker } from './messages.ts';

const ENTRY = fileURLToPath(new URL('worker.ts', import.meta.url));

/** Handle of a worker in the primary. */
export interface WorkerProcess {
  pid: number | undefined;
  /** Does nothing after the end of the worker. */
  send(message: FromPrimary): void;
  kill(): void;
}

export interface WorkerEvents {
  onMessage(message: FromWorker): void;
  /** Receives a log line of the worker. */
  onLine(line: string): void;
  /** Called after the worker has ended and all its lines are read. */
  onEnd(end: WorkerEnd): void;
}

export interface WorkerEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Reason of a failed start. */
  error?: Error;
}

/**
 * Starts the worker with this number. It inherits the socket, the environment and the options of Node. Never throws.
 */
export function startWorker(number: number, fd: number, events: WorkerEvents): WorkerProcess {
  try {
    // Logs go through a pipe: lines of several processes on one output would mix.
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', 'ipc', fd];
    return watched(fork(ENTRY, [String(number)], { stdio }), events);
  } catch (error) {
    // Node throws some errors, such as a lack of memory, and emits others.
    setImmediate(() => events.onEnd({ code: null, signal: null, error: error as Error }));
    return { pid: undefined, send: () => undefined, kill: () => undefined };
  }
}

function watched(child: ChildProcess, { onMessage, onLine, onEnd }: WorkerEvents): WorkerProcess {
  if (child.stdout) createInterface({ input: child.stdout }).on('line', onLine);
  child.on('message', (message) => onMessage(message as FromWorker));
  let failure: Error | undefined;
  child.on('error', (error) => {
    // Without a pid the start failed; all other errors concern a signal or a message.
    if (child.pid === undefined) failure = error;
  });
  // Emitted after a failed start too.
  child.once('close', (code, signal) => onEnd({ code, signal, error: failure }));
  return {
    pid: child.pid,
    send(message) {
      // A disconnected worker has ended or is about to.
      if (child.connected) child.send(message, () => undefined);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
