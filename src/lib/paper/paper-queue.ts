import { Worker } from 'node:worker_threads';
import type { PaperReply, PaperTask } from './paper-worker.ts';

/**
 * Makes documents in a worker thread, so that other requests need not wait for them. The thread starts with the first
 * document and ends after some idle time, because its libraries take 40 MB.
 */

/** Thrown when too many documents are waiting. */
export class PaperBusy extends Error {
  /** Seconds until a retry makes sense. */
  readonly seconds: number;
  constructor(seconds: number) {
    super('too many documents wait to be made');
    this.seconds = seconds;
  }
}

interface Limits {
  /** Maximum number of waiting pages; a single document may have more. */
  pages: number;
  /** Milliseconds for one document. */
  time: number;
  /** Milliseconds without work after which the thread ends. */
  idle: number;
  /** Maximum heap of the thread in megabytes; a document of 500 pages takes about 100. */
  memory: number;
}

const LIMITS: Limits = { pages: 1000, time: 60_000, idle: 30_000, memory: 512 };

/** Minimum speed, in pages per second. */
const SPEED = 50;

const PROGRAM = new URL('paper-worker.ts', import.meta.url);

interface Waiting {
  task: PaperTask;
  pages: number;
  resolve(reply: { bytes: Uint8Array<ArrayBuffer>; fontProblem?: string }): void;
  reject(error: Error): void;
}

export class PaperQueue {
  readonly #limits: Limits;
  readonly #program: URL;
  readonly #waiting: Waiting[] = [];
  /** Pages of documents whose texts are being read. */
  #reserved = 0;
  #worker: Worker | undefined;
  #current: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Partial<Limits> = {}, program = PROGRAM) {
    this.#limits = { ...LIMITS, ...limits };
    this.#program = program;
  }

  /**
   * Makes a document.
   * @param pages estimate of its pages
   * @param isPatient true for a caller that makes one document at a time and would rather wait than be rejected
   * @returns its bytes, and why the font of the operator could not be used, if so
   * @throws {PaperBusy} if too many documents are waiting; another error if the document could not be made in time
   */
  make(task: PaperTask, { pages, isPatient = false }: { pages: number; isPatient?: boolean }) {
    if (!isPatient && this.#isFull(pages)) return Promise.reject(this.#busy());
    return new Promise<{ bytes: Uint8Array<ArrayBuffer>; fontProblem?: string }>((resolve, reject) => {
      this.#waiting.push({ task, pages, resolve, reject });
      this.#next();
    });
  }

  /**
   * Reserves room in the queue before the texts of a document are read, because reading them takes time and memory.
   * @returns a function that releases the room, to be called before `make` with `isPatient`, or if no document is made
   * @throws {PaperBusy}
   */
  reserve(pages: number): () => void {
    if (this.#isFull(pages)) throw this.#busy();
    this.#reserved += pages;
    let left = pages;
    return () => {
      this.#reserved -= left;
      left = 0;
    };
  }

  /** Number of pages ahead of a new document. */
  get #ahead(): number {
    return this.#waiting.reduce((sum, one) => sum + one.pages, (this.#current?.pages ?? 0) + this.#reserved);
  }

  #isFull(pages: number): boolean {
    return this.#ahead > 0 && this.#ahead + pages > this.#limits.pages;
  }

  #busy(): PaperBusy {
    return new PaperBusy(Math.max(1, Math.ceil(this.#ahead / SPEED)));
  }

  /** Whether the thread runs. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  #next(): void {
    if (this.#current) return;
    this.#current = this.#waiting.shift();
    clearTimeout(this.#timer);
    if (!this.#current) {
      this.#timer = setTimeout(() => this.#stop(), this.#limits.idle).unref();
      this.#worker?.unref();
      return;
    }
    try {
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage(this.#current.task);
      this.#timer = setTimeout(() => this.#fail(new Error('a document took too long')), this.#limits.time);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#program, {
      // The options of the server process, such as heap sizes, must not apply to the thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memory },
    });
    const isCurrent = () => this.#worker === worker;
    worker.on('message', (reply: PaperReply) => {
      if (isCurrent())
        this.#finish((one) => ('error' in reply ? one.reject(new Error(reply.error)) : one.resolve(reply)));
    });
    worker.on('error', (error: Error) => isCurrent() && this.#fail(error));
    worker.on('exit', () => isCurrent() && this.#fail(new Error('the thread for documents has ended')));
    return worker;
  }

  #finish(tell: (one: Waiting) => void): void {
    const done = this.#current;
    this.#current = undefined;
    if (done) tell(done);
    this.#next();
  }

  /** Terminates the thread, which might never finish; the next document starts a new one. */
  #fail(error: Error): void {
    this.#stop();
    this.#finish((one) => one.reject(error));
  }

  #stop(): void {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}
