import { setTimeout as delay } from 'node:timers/promises';
import type { Submission, Submitted } from '../../http/pipeline/submit.ts';
import type { Responses } from './responses.ts';
import type { Visit } from './visit.ts';

/** Format of the keys from `newKey`; a header cannot have every text. */
const KEY = /^[\w-]{1,100}$/;

/** A second press of the button waits for the response to the first. */
const PATIENCE = { tries: 20, milliseconds: 250 };

/** Submits a form once for each key, however often it is posted: every post gets the first response. */
export async function submitOnce<Name extends keyof Responses>(
  { submit }: Pick<Visit, 'submit'>,
  key: string | undefined,
  name: Name,
  { headers, ...submission }: Submission,
): Promise<Submitted<Responses[Name]>> {
  const keyed = { ...headers, ...(key !== undefined && KEY.test(key) && { 'Idempotency-Key': key }) };
  for (let left = PATIENCE.tries; ; left -= 1) {
    const submitted = await submit(name, { ...submission, headers: keyed });
    if (submitted.isDone || submitted.body.code !== 'request-in-progress' || left === 0) return submitted;
    await delay(PATIENCE.milliseconds);
  }
}
