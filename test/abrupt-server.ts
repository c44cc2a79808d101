import { createServer } from 'node:http';
import { type AddressInfo, Server } from 'node:net';

/** Control for the shutdown tests: a server that closes its listener and idle connections immediately. */
const server = createServer((_request, answer) => {
  setTimeout(() => answer.end('{}'), 2);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`Marquee listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => {
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  Server.prototype.close.call(server, () => clearInterval(sweep));
});
