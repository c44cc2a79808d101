/**
 * Baseline of every comparison: bare node:http that sends the responses given by `PUT`, in turn, with no other work.
 * Prints its address.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RecordedResponse } from './bare.ts';

let responses: { status: number; headers: string[]; body: Uint8Array | undefined }[] = [];
let turn = 0;

async function record(request: IncomingMessage): Promise<void> {
  const recorded = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()) as RecordedResponse[]; // bare.ts
  responses = recorded.map(({ status, headers, body }) => ({
    status,
    headers: headers.flat(),
    body: body === '' ? undefined : Buffer.from(body, 'base64'),
  }));
}

const server = createServer(async (request, response) => {
  if (request.method === 'PUT') await record(request);
  const next = responses[turn++ % responses.length];
  response.writeHead(next?.status ?? 404, next?.headers);
  response.end(next?.body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a server that listens on a port has such an address
  console.log(`listens on http://127.0.0.1:${port}`);
});
