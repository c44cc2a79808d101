import type { BatchCall } from '../../packages/client/src/marquee-client.ts';
import { call } from './call.ts';
import { Problem } from './problem.ts';

/** As many calls as are sent at once: enough to be quick, few enough to stop in between. */
export const BATCH = 25;

/** Makes up to 100 calls in one request, and answers for each the problem that it met, if any. */
export async function callBatch(calls: BatchCall[]): Promise<(Problem | undefined)[]> {
  const { results } = await call('POST /admin/v1/batch', { calls });
  return results.map(({ status, body }) => (status >= 400 ? Problem.ofAnswer(status, body) : undefined));
}
