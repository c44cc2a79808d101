/**
 * The floor of every comparison: bare node:http that serves the bytes of a file, its path the only argument, with no
 * work at all. Prints its address.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = readFileSync(process.argv[2] ?? '');
const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'Content-Length': body.length };
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a server that listens on a port has such an address
  console.log(`listens on http://127.0.0.1:${port}`);
});
