import { setTimeout as delay } from 'node:timers/promises';
import type { Submission, Submitted } from '../../http/pipeline/submit.ts';
import type { Responses } from './responses.ts';
import type { Visit } from './visit.ts';

/** As `newKey` makes them; a header cannot have every text. */
const KEY = /^[\w-]{1,100}$/;

/** While the first of two presses is carried out, the second waits for its answer. */
const PATIENCE = { tries: 20, milliseconds: 250 };

/** Sends a form that is carried out once for each key, however often it is posted: all get the answer of the first. */
export async function submitOnce<Name extends keyof Responses>(
  { submit }: Pick<Visit, 'submit'>,
  key: string | undefined,
  name: Name,
  { headers, ...submission }: Submission,
): Promise<Submitted<Responses[Name]>> {
  const keyed = { ...headers, ...(key !== undefined && KEY.test(key) && { 'Idempotency-Key': key }) };
  for (let left = PATIENCE.tries; ; left -= 1) {
    const answer = await submit(name, { ...submission, headers: keyed });
    if (answer.isDone || answer.body.code !== 'request-in-progress' || left === 0) return answer;
    await delay(PATIENCE.milliseconds);
  }
}
