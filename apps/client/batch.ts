import type { BatchCall } from '../../packages/client/src/marquee-client.ts';
import { BATCH, type BatchAnswer } from './bulk.ts';
import { call } from './call.ts';
import { isProblem, Problem } from './problem.ts';

/** Sends up to 100 calls in one request. */
export async function sendBatch(calls: BatchCall[]): Promise<BatchAnswer[]> {
  const { results } = await call('POST /admin/v1/batch', { calls });
  return results.map(({ status, body }) => ({
    body,
    problem: status >= 400 ? Problem.ofAnswer(status, body) : undefined,
  }));
}

/**
 * Makes calls that a batch refuses, such as writes with one-time tokens, one after the other.
 * @throws {Problem} `offline`
 */
export async function callEach(calls: (() => Promise<unknown>)[]): Promise<BatchAnswer[]> {
  const answers: BatchAnswer[] = [];
  for (const one of calls)
    try {
      answers.push({ body: await one(), problem: undefined });
    } catch (error) {
      if (!isProblem(error) || isProblem(error, 'offline')) throw error;
      answers.push({ body: undefined, problem: error });
    }
  return answers;
}

/**
 * Sends any number of calls, such as those that undo a bulk action.
 * @throws {Problem} the first one, after all calls have been sent
 */
export async function callAll(calls: readonly BatchCall[]): Promise<void> {
  const problems: Problem[] = [];
  for (let start = 0; start < calls.length; start += BATCH) {
    const answers = await sendBatch(calls.slice(start, start + BATCH));
    problems.push(...answers.flatMap(({ problem }) => problem ?? []));
  }
  if (problems[0]) throw problems[0];
}

/** Makes a call conditional on the revision of a record. */
export const ifUnchanged = (call: BatchCall, record: { revision?: number | undefined }): BatchCall =>
  record.revision === undefined ? call : { ...call, if_match: `"r${record.revision}"` };
