/**
 * The floor of every comparison: bare node:http that serves some bytes with no work at all: those of a file, its path
 * the only argument, until `PUT` brings others. Prints its address.
 */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

let body: Uint8Array = readFileSync(process.argv[2] ?? '/dev/null');
const headersOf = ({ length }: Uint8Array) => ({
  'Content-Type': 'application/json; charset=UTF-8',
  'Content-Length': length,
});
let headers = headersOf(body);

function answer(response: ServerResponse): void {
  response.writeHead(200, headers);
  response.end(body);
}

const server = createServer((request, response) => {
  if (request.method !== 'PUT') return answer(response);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    body = Buffer.concat(chunks);
    headers = headersOf(body);
    answer(response);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a server that listens on a port has such an address
  console.log(`listens on http://127.0.0.1:${port}`);
});
