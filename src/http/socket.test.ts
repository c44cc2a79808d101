import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../test/server.ts';
import { createApp } from '../app.ts';

/** Behaviour on real connections: clients that send malformed requests, send too much, or hang up. */
describe('over a socket', () => {
  const server = useTestServer('sqlite', { maxBodyBytes: 10_000 });
  const logged: string[] = [];
  let listening: Server;
  let port: number;

  beforeAll(async () => {
    const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
    listening = createServer(createApp({ ...server().context, log }).receive);
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    port = (listening.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((resolve) => void listening.close(resolve)));

  /** Sends raw bytes and reads until the server closes the connection. */
  async function say(...lines: string[]): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(lines.join('\r\n'));
    return text(socket).catch(() => '');
  }
  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
  const PATH = '/calendar/events/v1/venues';
  const END = ['Connection: close', '', ''];

  it.each([
    ['Host: events.test', 200],
    ['Host: events.test:8080', 200],
    ['Host: [::1]:8080', 200],
    ['Host: evil.test/path', 400],
    ['Host: evil"<script>', 400],
    ['Host: a b', 400],
    ['Host: user@evil.test', 400],
    ['Host: ', 400],
  ])('%s gets %i', async (host, status) => {
    const answer = await say(`GET ${PATH} HTTP/1.1`, host, ...END);
    expect(statusOf(answer)).toBe(status);
    expect(answer).not.toContain('<script>');
  });

  it.each([
    [`GET http://events.test${PATH} HTTP/1.1`, 200],
    [`GET ${PATH}?search=%00%ff HTTP/1.1`, 200],
    ['GET //calendar/events/v1 HTTP/1.1', 200],
    ['GET /calendar/events/v1/../v1/venues HTTP/1.1', 200],
    ['GET /uploads/..%2fmarquee.db HTTP/1.1', 404],
    ['OPTIONS * HTTP/1.1', 400],
    ['FETCH / HTTP/1.1', 400],
  ])('%s gets %i', async (line, status) => {
    const answer = await say(line, 'Host: events.test', ...END);
    expect([answer.slice(0, 100), statusOf(answer)]).toEqual([expect.any(String), status]);
  });

  it.each([
    ['that says its length', ['Content-Length: 50000', '', 'x'.repeat(50_000)]],
    ['in pieces', ['Transfer-Encoding: chunked', '', ...Array(9).fill(`1388\r\n${'x'.repeat(5000)}`), '0', '', '']],
  ])('a body that is too large, %s, is 413', async (_what, rest) => {
    const answer = await say(
      `POST ${PATH} HTTP/1.1`,
      'Host: a',
      'Connection: close',
      'Content-Type: application/json',
      ...rest,
    );
    expect(statusOf(answer)).toBe(413);
    expect(answer).toContain('rest_body_too_large');
  });

  it('sends complete lists of cached records, one after the other', async () => {
    const titles = ['Fête', 'Plain', '東京'];
    for (const venue of titles) await server().make('POST /venues', { venue });
    const request = (method: string, query: string) =>
      [`${method} ${PATH}?${query} HTTP/1.1`, 'Host: a', '', ''].join('\r\n');
    const answer = await say(
      request('GET', 'per_page=5') + request('HEAD', 'per_page=4') + request('GET', 'per_page=1&page=2'),
      ...['GET /nowhere HTTP/1.1', 'Host: a', ...END],
    );
    let rest = Buffer.from(answer);
    const next = (hasBody: boolean) => {
      const start = rest.indexOf('\r\n\r\n') + 4;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(rest.subarray(0, start).toString())?.[1]);
      const body = rest.subarray(start, start + (hasBody ? length : 0)).toString();
      rest = rest.subarray(start + (hasBody ? length : 0));
      return body;
    };
    const names = (body: string) => JSON.parse(body).venues.map(({ venue }: { venue: string }) => venue);
    expect(names(next(true))).toEqual(titles);
    expect(next(false)).toBe('');
    expect(names(next(true))).toEqual(titles.slice(1, 2));
    next(true);
    expect(rest.length).toBe(0);
  });

  it('does not treat a client that hangs up as a fault', async () => {
    const socket = connect(port, '127.0.0.1');
    const head = [
      `POST ${PATH} HTTP/1.1`,
      'Host: a',
      'Content-Type: application/json',
      'Content-Length: 100',
      '',
      '{"ven',
    ];
    await new Promise((resolve) => void socket.write(head.join('\r\n'), resolve));
    socket.destroy();
    await once(socket, 'close');
    expect(statusOf(await say(`GET ${PATH} HTTP/1.1`, 'Host: a', ...END))).toBe(200);
    expect(logged).toEqual([]);
  });
});
