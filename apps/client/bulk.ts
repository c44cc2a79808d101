import { isProblem, type Problem } from './problem.ts';

/** Number of calls per request: a compromise between speed and the chance to stop. */
export const BATCH = 25;

/** Response to one call of a batch. */
export interface BatchAnswer {
  body: unknown;
  problem: Problem | undefined;
}

interface Failed<R> {
  row: R;
  error: unknown;
}

/** Sends some calls; the responses are in their order. */
export type Send<C> = (calls: C[]) => Promise<BatchAnswer[]>;

/** Progress of a bulk action. */
export interface BulkState<R> {
  /** Number of rows processed. */
  tried: number;
  of: number;
  /** Changed rows, and their responses in the same order. */
  changed: readonly R[];
  answers: readonly unknown[];
  failed: readonly Failed<R>[];
}

interface BulkOptions<R, C> {
  callOf: (row: R) => C;
  /** Stops the action between two requests. */
  signal: AbortSignal;
  onProgress: (state: BulkState<R>) => void;
  /** Number of calls between two chances to stop. */
  size?: number;
  send: Send<C>;
}

/** Runs an action on many rows in few requests. Without a connection, all remaining rows fail. */
export async function runBulk<R, C>(
  rows: readonly R[],
  { callOf, signal, onProgress, send, size = BATCH }: BulkOptions<R, C>,
): Promise<BulkState<R>> {
  let state: BulkState<R> = { tried: 0, of: rows.length, changed: [], answers: [], failed: [] };
  while (state.tried < rows.length && !signal.aborted) {
    onProgress(state);
    const some = rows.slice(state.tried, state.tried + size);
    const answers = await send(some.map(callOf)).catch((error: unknown) => error);
    if (!Array.isArray(answers)) {
      const lost = isProblem(answers, 'offline') ? rows.slice(state.tried) : some;
      const failed = lost.map((row) => ({ row, error: answers }));
      state = { ...state, tried: state.tried + lost.length, failed: [...state.failed, ...failed] };
    } else state = withAnswers(state, some, answers);
  }
  return state;
}

function withAnswers<R>(state: BulkState<R>, rows: readonly R[], answers: readonly BatchAnswer[]): BulkState<R> {
  const next = { changed: [...state.changed], answers: [...state.answers], failed: [...state.failed] };
  for (const [index, row] of rows.entries()) {
    const { body, problem } = answers[index] ?? { body: undefined, problem: new Error('a call has no response') };
    if (problem) next.failed.push({ row, error: problem });
    else {
      next.changed.push(row);
      next.answers.push(body);
    }
  }
  return { ...state, ...next, tried: state.tried + rows.length };
}

/** Makes the row of a record that another user changed. */
export type Renew<R> = (row: R, record: unknown) => R;

/** The failed rows; after an edit conflict, their current versions. By default a row is the record itself. */
export const rowsToRetry = <R>(failed: readonly Failed<R>[], renew: Renew<R> = (_, record) => record as R): R[] =>
  failed.map(({ row, error }) => {
    const record = isProblem(error, 'edit-conflict') ? error.data.record : undefined;
    return record ? renew(row, record) : row;
  });

interface Page<R> {
  rows: readonly R[];
  pages: number;
}

interface ReadingOptions {
  signal?: AbortSignal | undefined;
  onProgress?: (read: number) => void;
  /** Maximum number of rows; all by default. */
  most?: number;
}

/** Reads all pages of a list. A row that moves to the next page in the meantime is returned once. */
export async function readPages<R extends { id: number }>(
  readPage: (page: number) => Promise<Page<R>>,
  { signal, onProgress, most = Number.POSITIVE_INFINITY }: ReadingOptions = {},
): Promise<R[]> {
  const found = new Map<number, R>();
  for (let page = 1, pages = 1; page <= pages && found.size < most && !signal?.aborted; page += 1) {
    const read = await readPage(page);
    for (const row of read.rows) found.set(row.id, row);
    pages = read.pages;
    onProgress?.(found.size);
  }
  return [...found.values()].slice(0, most);
}
