import { expect, it } from 'vitest';
import { type BatchAnswer, type BulkState, readPages, rowsToRetry, runBulk } from '../../../apps/client/bulk.ts';
import { Problem } from '../../../apps/client/problem.ts';
import { rangeOf, rowAfter } from '../../../apps/console/ui/table/rows.ts';
import type { BatchCall } from '../../../packages/client/src/marquee-client.ts';
import { ConnectionError } from '../../../packages/client/src/marquee-client.ts';

const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
const callOf = ({ id }: { id: number }): BatchCall => ({ method: 'PATCH', path: `/events/${id}` });
const idOf = ({ path }: BatchCall) => Number(path.split('/').at(-1));
const conflict = Problem.ofAnswer(412, {
  code: 'edit-conflict',
  message: '',
  data: { record: { id: 3, revision: 9 } },
});

const run = (
  count: number,
  send: (calls: BatchCall[]) => Promise<BatchAnswer[]>,
  signal = new AbortController().signal,
) => {
  const seen: number[] = [];
  const onProgress = ({ tried }: BulkState<{ id: number }>) => void seen.push(tried);
  return runBulk(rowsOf(count), { callOf, signal, onProgress, send }).then((state) => ({ ...state, seen }));
};

const succeed = async (calls: BatchCall[]): Promise<BatchAnswer[]> =>
  calls.map((call) => ({ body: { id: idOf(call) }, problem: undefined }));

it('changes rows by a few requests, and reports its progress', async () => {
  const { tried, changed, answers, failed, seen } = await run(60, succeed);
  expect({ tried, changed: changed.length, failed, seen }).toEqual({
    tried: 60,
    changed: 60,
    failed: [],
    seen: [0, 25, 50],
  });
  expect(answers).toEqual(rowsOf(60));
});

it('reports each row that is refused, and goes on with the others', async () => {
  const { changed, failed } = await run(30, async (calls) =>
    (await succeed(calls)).map((answer, index) =>
      idOf(calls[index] as BatchCall) === 3 ? { body: {}, problem: conflict } : answer,
    ),
  );
  expect(changed.length).toBe(29);
  expect(failed).toEqual([{ row: { id: 3 }, error: conflict }]);
  expect(rowsToRetry(failed)).toEqual([{ id: 3, revision: 9 }]);
});

it('retries rows with the current version of their record', () => {
  const row = { id: 3, record: { id: 3, revision: 8 }, body: { name: 'Stalls' } };
  const offline = { row: { ...row, id: 4 }, error: new Error('lost') };
  const rows = rowsToRetry([{ row, error: conflict }, offline], (one, record) => ({
    ...one,
    record: record as typeof row.record,
  }));
  expect(rows).toEqual([{ ...row, record: { id: 3, revision: 9 } }, offline.row]);
});

it('stops between two requests', async () => {
  const stopper = new AbortController();
  const { tried, of, changed } = await run(
    60,
    (calls) => {
      stopper.abort();
      return succeed(calls);
    },
    stopper.signal,
  );
  expect({ tried, of, changed: changed.length }).toEqual({ tried: 25, of: 60, changed: 25 });
});

const offline = new Problem(new ConnectionError('gone', { method: 'POST', path: '/batch' }));

it.each([
  ['without a connection, sends nothing more', offline, 1, 60],
  ['after a request that the server refused, tries the next ones', Problem.ofAnswer(500, {}), 3, 60],
])('%s', async (_, error, requests, lost) => {
  let sent = 0;
  const { failed, tried } = await run(60, async () => {
    sent += 1;
    throw error;
  });
  expect({ sent, tried, failed: failed.length }).toEqual({ sent: requests, tried: 60, failed: lost });
});

it('reads all pages, a row that moves between them once, and no more rows than requested', async () => {
  const pages = [rowsOf(3), [{ id: 3 }, { id: 4 }], [{ id: 5 }]];
  const readPage = async (page: number) => ({ rows: pages[page - 1] ?? [], pages: 3 });
  const seen: number[] = [];
  const options = { signal: new AbortController().signal, onProgress: (count: number) => void seen.push(count) };
  expect(await readPages(readPage, { ...options, most: 100 })).toEqual(rowsOf(5));
  expect(seen).toEqual([3, 4, 5]);
  expect(await readPages(readPage)).toEqual(rowsOf(5));
  expect(await readPages(readPage, { ...options, most: 2 })).toEqual(rowsOf(2));
  expect(await readPages(readPage, { ...options, most: 100, signal: AbortSignal.abort() })).toEqual([]);
});

it.each([
  [2, 1, 3],
  [3, 1, 3],
  [1, -1, 1],
  [2, Number.NEGATIVE_INFINITY, 1],
  [2, Number.POSITIVE_INFINITY, 3],
  [99, 0, 1],
])('from row %d, %d rows on is row %d', (id, steps, other) => {
  expect(rowAfter(rowsOf(3), id, steps)).toBe(other);
});

it.each([
  [1, 3, [1, 2, 3]],
  [3, 2, [2, 3]],
  [2, 2, [2]],
  [99, 2, [2]],
])('the range from row %d to row %d is %j', (from, to, ids) => {
  expect(rangeOf(rowsOf(4), from, to)).toEqual(ids);
});
