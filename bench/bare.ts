import { type Answer, fetchOnce, type Request } from './client.ts';
import type { Running } from './process.ts';

/** Response of the bare server, which adds `Date` and `Connection` like Marquee. */
export interface RecordedAnswer {
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  /** In base64. */
  body: string;
}

/** Number of distinct requests whose responses the bare server copies. */
const SAMPLES = 50;
const ADDED_BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);

export const recorded = ({ status, headers, body }: Answer): RecordedAnswer => ({
  status,
  headers: [
    ...headers.filter(([name]) => !ADDED_BY_NODE.has(name.toLowerCase())),
    ...(body.length > 0 ? [['Content-Length', String(body.length)] as const] : []),
  ],
  body: body.toString('base64'),
});

/** Makes the bare server respond in turn with Marquee's responses to some of the requests. */
export async function copyAnswers(requests: readonly Request[], bare: Running): Promise<void> {
  const step = Math.max(1, Math.floor(requests.length / SAMPLES));
  const answers: RecordedAnswer[] = [];
  for (let index = 0; index < requests.length; index += step) {
    const request = requests[index];
    if (request) answers.push(recorded(await fetchOnce(request)));
  }
  await giveAnswers(answers, bare);
}

export async function giveAnswers(answers: readonly RecordedAnswer[], bare: Running): Promise<void> {
  await fetch(bare.address, { method: 'PUT', body: JSON.stringify(answers) });
}
