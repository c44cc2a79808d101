import { setTimeout as sleep } from 'node:timers/promises';
import type { InProcessContext } from '../platform/users/in-process-context.ts';
import { changedSteps, tellsChanges } from './changed-steps.ts';
import { type ImportOptions, type ImportResult, importSite } from './import-site.ts';
import { CHANGED_STEPS, FILE_STEPS, findUnfinished } from './links.ts';
import { type Source, SourceError, SourceRefusal } from './source.ts';
import type { Step } from './steps.ts';

/** Follows another site until the day of the move by importing it repeatedly. */

export interface OpenedSource {
  source: Source;
  /** Steps of a file. */
  steps?: readonly Step[];
  close(): void;
}

export interface Following extends Pick<ImportOptions, 'isTheirs' | 'withMedia'> {
  /** Opens the source of a pass. */
  open(): Promise<OpenedSource>;
  /** Version of a file, which is read again only if it has changed; undefined for running sites. */
  versionOf?(): Promise<string>;
  /** A new context for each pass. */
  contextOf(): Promise<InProcessContext>;
  /** Milliseconds between the end of a pass and the beginning of the next. */
  every: number;
  /** Ends the import after the page in progress. */
  signal: AbortSignal;
  /** Called after each pass; `undefined` if the file is the same as before. */
  onPass(pass: Pass | undefined): Promise<void> | void;
  /** Called with a sentence if the source does not respond; the next pass is attempted as planned. */
  onProblem(sentence: string): void;
  /** Called with each page. */
  onPage?: ImportOptions['onPage'];
  onWritten?: ImportOptions['onWritten'];
  /** Waits some milliseconds, or until the signal. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

interface Pass extends ImportResult {
  /** Whether all records were read, rather than changed ones alone. */
  isFull: boolean;
}

/** Seconds after which all records are read again. */
const FULL_EVERY = 24 * 60 * 60;
/** Maximum difference in seconds between the clock and the time zone of the source. */
const MARGIN = 26 * 60 * 60;

const waitUntil = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);

/** Imports repeatedly until the signal. The first pass continues an import that was interrupted. */
export async function followSite(following: Following): Promise<void> {
  const { signal, every, onPass, onProblem, versionOf, pause = waitUntil } = following;
  const done: Done = {};
  let version: string | undefined;
  while (!signal.aborted) {
    try {
      const present = await versionOf?.();
      const isSame = present !== undefined && present === version;
      await onPass(isSame ? undefined : await importPass(following, done));
      version = present;
    } catch (error) {
      // Before the first record is read, a failure means a wrong address or file.
      const isFault = error instanceof SourceError || error instanceof SourceRefusal;
      if (!isFault || !done.hasRead) throw error;
      onProblem(error.message);
    }
    if (!signal.aborted) await pause(every, signal);
  }
}

/** Start times of the last completed passes, in milliseconds. */
interface Done {
  full?: number;
  any?: number;
  /** Whether a record has been read. */
  hasRead?: boolean;
}

async function importPass(following: Following, done: Done): Promise<Pass> {
  const opened = await following.open();
  try {
    const ctx = await following.contextOf();
    const now = ctx.now.getTime();
    const since = opened.steps ? undefined : await sinceOf(opened.source, done, now);
    const { isTheirs, withMedia, signal, onWritten } = following;
    const onPage: Following['onPage'] = (step, page, counts) => {
      if (Object.keys(counts).length > 0) done.hasRead = true;
      following.onPage?.(step, page, counts);
    };
    const isResumed = done.any === undefined && (await isInterrupted(opened, ctx));
    const result = await importSite({
      ...{ source: opened.source, steps: opened.steps, ctx, isTheirs, withMedia, signal, onPage, onWritten },
      ...(since === undefined ? { isResumed } : { changed: changedSteps(since) }),
    });
    const isFull = since === undefined;
    // The first part of a resumed pass may be old, so the next pass reads everything again.
    if (!result.isStopped) Object.assign(done, { any: now, hasRead: true, ...(isFull && !isResumed && { full: now }) });
    return { ...result, isFull };
  } finally {
    opened.close();
  }
}

async function isInterrupted({ source, steps }: OpenedSource, { context }: InProcessContext): Promise<boolean> {
  const unfinished = await findUnfinished(context.db, source.address);
  const base = steps ? FILE_STEPS : 0;
  return unfinished !== undefined && unfinished.step >= base && unfinished.step < base + CHANGED_STEPS;
}

/** Time from which a pass reads changes; undefined for a pass over all records. */
async function sinceOf(source: Source, { full, any }: Done, now: number): Promise<string | undefined> {
  if (full === undefined || any === undefined || now - full >= FULL_EVERY * 1000) return undefined;
  if (!(await tellsChanges(source))) return undefined;
  return new Date(any - MARGIN * 1000).toISOString();
}
