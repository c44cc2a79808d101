import { write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { redactAddresses } from '../lib/text/redact.ts';
import { requestIdFields } from './request-id.ts';

/** Logging never blocks the server: lines that cannot be written are dropped and counted. */

/** Maximum bytes of lines buffered while the disk is full or the pipe is not read. */
const MAX_BUFFERED = 1024 * 1024;
/** Approximate bytes written at a time. */
const MAX_CHUNK = 64 * 1024;
/** Milliseconds before a failed write is retried. */
const RETRY_DELAY = 100;
/** Milliseconds that the exiting process waits for a slow reader. */
const FLUSH_TIMEOUT = 500;

const STDOUT = 1;

let dropped = 0;

/** Log lines lost since the start of the process. */
export const droppedLogLines = (): number => dropped;

export interface Log {
  log: Logger;
  /** Adds a complete line, without its line break. */
  writeLine(line: string): void;
  /** Waits until all lines are written, half a second at most. */
  flush(): Promise<void>;
}

/** Opens the log of this process, on standard output. It reports the number of lost lines once it can write again. */
export function openLog(level: string): Log {
  // Makes a pipe on standard output non-blocking. Otherwise a write to an unread pipe would never return.
  void process.stdout;
  const lines = createLineWriter(STDOUT, (count) =>
    log.warn({ dropped: count }, 'log lines were lost because the log could not be written'),
  );
  const log = pino({ level, mixin: requestIdFields }, { write: (line) => lines.write(redactAddresses(line)) });
  process.once('exit', lines.writeRest);
  return { log, writeLine: (line) => lines.write(`${line}\n`), flush: lines.flush };
}

interface LineWriter {
  write(line: string): void;
  flush(): Promise<void>;
  /** Writes buffered lines synchronously. */
  writeRest(): void;
}

/**
 * Writes lines to a file descriptor in the background. Not sonic-boom, the usual writer of pino: its `flushSync` at
 * exit retries forever on a full disk (ADR 0037).
 * @param onRecovery gets the number of lost lines once all buffered ones are written
 */
function createLineWriter(fd: number, onRecovery: (count: number) => void): LineWriter {
  let waiting: string[] = [];
  /** Bytes in `waiting` and `chunk`. */
  let bytes = 0;
  /** Bytes being written. A line is never cut off in the middle. */
  let chunk = Buffer.alloc(0);
  let isWriting = false;
  let untold = 0;

  const nextChunk = () => {
    let size = 0;
    const end = waiting.findIndex((line) => {
      size += Buffer.byteLength(line);
      return size >= MAX_CHUNK;
    });
    chunk = Buffer.from(waiting.splice(0, end === -1 ? waiting.length : end + 1).join(''));
  };
  const take = (written: number) => {
    bytes -= written;
    chunk = chunk.subarray(written);
    if (chunk.length === 0) nextChunk();
    if (chunk.length > 0 || untold === 0) return;
    const count = untold;
    untold = 0;
    onRecovery(count);
  };
  const writeNext = () => {
    isWriting = true;
    write(fd, chunk, (error, written) => {
      if (error) {
        setTimeout(writeNext, RETRY_DELAY).unref();
        return;
      }
      isWriting = false;
      take(written);
      if (chunk.length > 0 && !isWriting) writeNext();
    });
  };
  return {
    write(line) {
      const size = Buffer.byteLength(line);
      if (bytes + size > MAX_BUFFERED) {
        dropped += 1;
        untold += 1;
        return;
      }
      bytes += size;
      waiting.push(line);
      if (isWriting) return;
      if (chunk.length === 0) nextChunk();
      writeNext();
    },
    async flush() {
      const deadline = performance.now() + FLUSH_TIMEOUT;
      while (bytes > 0 && performance.now() < deadline) await sleep(5);
    },
    writeRest() {
      const deadline = performance.now() + FLUSH_TIMEOUT;
      const rest = [chunk, ...waiting.map((line) => Buffer.from(line))];
      waiting = [];
      for (const line of rest) if (!writeFully(fd, line, deadline)) return;
    },
  };
}

/** Returns false if the deadline passes first. */
function writeFully(fd: number, content: Buffer, deadline: number): boolean {
  let left = content;
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(fd, left));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > deadline) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
  return true;
}
