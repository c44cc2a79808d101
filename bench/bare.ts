import { fetchOnce, type Request, type WholeResponse } from './client.ts';
import type { Running } from './process.ts';

/** Response of the bare server, which adds `Date` and `Connection` like Marquee. */
export interface RecordedResponse {
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  /** In base64. */
  body: string;
}

/** Number of distinct requests whose responses the bare server copies. */
const SAMPLES = 50;
const ADDED_BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);

export const recorded = ({ status, headers, body }: WholeResponse): RecordedResponse => ({
  status,
  headers: [
    ...headers.filter(([name]) => !ADDED_BY_NODE.has(name.toLowerCase())),
    ...(body.length > 0 ? [['Content-Length', String(body.length)] as const] : []),
  ],
  body: body.toString('base64'),
});

/** Makes the bare server respond in turn with Marquee's responses to some of the requests. */
export async function copyResponses(requests: readonly Request[], bare: Running): Promise<void> {
  const step = Math.max(1, Math.floor(requests.length / SAMPLES));
  const responses: RecordedResponse[] = [];
  for (let index = 0; index < requests.length; index += step) {
    const request = requests[index];
    if (request) responses.push(recorded(await fetchOnce(request)));
  }
  await giveResponses(responses, bare);
}

export async function giveResponses(responses: readonly RecordedResponse[], bare: Running): Promise<void> {
  await fetch(bare.address, { method: 'PUT', body: JSON.stringify(responses) });
}
