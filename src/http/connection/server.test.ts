import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listen, type TestListener } from '../../../test/listen.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';

const PATH = '/calendar/events/v1/venues';
const HOST = 'Host: events.test';
/** Milliseconds: real clocks, but short ones. */
const TIMEOUTS = {
  headers: 150,
  body: 150,
  bytesPerSecond: 1e9,
  idle: 300,
  stalled: 1000,
  images: 5000,
  gateway: 10_000,
};

describe('a server', () => {
  const server = useTestServer('sqlite', { timeouts: TIMEOUTS, maxConnections: 30 });
  let listening: TestListener;
  beforeAll(async () => {
    listening = await listen(server().context);
    // Rendered once, which may take longer than these timeouts: then the connection is closed.
    await vi.waitFor(async () => (await fetch(`${listening.address}/docs`)).text(), { timeout: 60_000 });
  });
  afterAll(() => listening.close());

  const isIdle = () =>
    expect.poll(() => listening.traffic).toMatchObject({ inFlight: 0, bodyBytes: 0, connections: 0 });
  const closed = (reason: string) => listening.traffic.closed.get(reason) ?? 0;

  it.each([
    ['nothing at all', ''],
    ['headers that never end', `GET ${PATH} HTTP/1.1\r\n${HOST}\r\nX-Slow: `],
  ])('responds with 408 to a connection that sends %s, and closes it', async (_what, sent) => {
    const before = closed('request_timeout');
    const answer = await listening.say(sent);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n/);
    expect(answer).toMatch(/\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: [\w-]{16}\r\n/);
    expect(closed('request_timeout')).toBe(before + 1);
  });

  it.each([
    ['that says its length', ['Content-Length: 100', '', '{"venue":']],
    ['in pieces', ['Transfer-Encoding: chunked', '', '9', '{"venue":', '']],
  ])('responds with 408 to a slow body %s, and closes the connection', async (_what, rest) => {
    const answer = await listening.say(`POST ${PATH} HTTP/1.1`, HOST, 'Content-Type: application/json', ...rest);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).toContain('"code":"rest_request_timeout"');
    await isIdle();
  });

  it.each([
    ['as it says its length', 'Content-Length: 10', ['01234', '56789']],
    ['in pieces', 'Transfer-Encoding: chunked', ['5\r\n01234\r\n', '5\r\n56789\r\n0\r\n\r\n']],
  ])('drains an unused body before it responds, %s', async (_what, length, [first, rest]) => {
    const patient = await listen(server().context, { timeouts: { ...TIMEOUTS, headers: 60_000, body: 60_000 } });
    const socket = patient.open();
    let heard = '';
    socket.on('data', (piece) => {
      heard += piece;
    });
    socket.write(`POST /wp-json/wp/v2/nothing HTTP/1.1\r\n${HOST}\r\n${length}\r\n\r\n${first}`);
    // Long enough for a response, as another connection shows.
    await expect.poll(() => patient.traffic.inFlight).toBe(1);
    await patient.say(`GET ${PATH} HTTP/1.1`, HOST, 'Connection: close', '', '');
    expect(heard).toBe('');
    socket.write(rest ?? '');
    await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 404 [\s\S]*"code":"rest_no_route"/);
    socket.destroy();
    await patient.close();
  });

  it.each([
    ['is too long', 'Content-Length: 100', '01234567890'],
    ['never ends', 'Content-Length: 10', '01234'],
  ])('responds with 404 when an unused body %s', async (_what, length, sent) => {
    const short = await listen(server().context, { maxBodyBytes: 10 });
    expect(await short.say(`POST /nope HTTP/1.1`, HOST, length, '', sent)).toMatch(/^HTTP\/1\.1 404 /);
    await short.close();
  });

  it('responds to other requests while a hundred bodies arrive slowly', async () => {
    const head = [`POST ${PATH} HTTP/1.1`, HOST, 'Content-Type: application/json', 'Content-Length: 100', '', '{'];
    const answers: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      answers.push(...(await Promise.all(Array.from({ length: 20 }, () => listening.say(...head)))));
      // Connections of the last round would count towards the limit of the next one.
      await isIdle();
    }
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 408 '))).toHaveLength(100);
  });

  it.each([
    ['GET', PATH, 200],
    ['GET', '/docs', 200],
    ['POST', '/healthz', 404],
    ['POST', `${PATH}/none`, 404],
  ])('does not wait for the unused body of %s %s', async (method, path, status) => {
    const answer = await listening.say(`${method} ${path} HTTP/1.1`, HOST, 'Content-Length: 1000', '', 'x');
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    await isIdle();
  });

  it('releases a request whose body is cut off', async () => {
    const socket = listening.open();
    const head = [`POST ${PATH} HTTP/1.1`, HOST, 'Content-Type: application/json', 'Content-Length: 100000', '', '{'];
    socket.write(head.join('\r\n'));
    await expect.poll(() => listening.traffic).toMatchObject({ inFlight: 1, bodyBytes: 100_000 });
    socket.destroy();
    await isIdle();
  });

  it('responds to at most 32 pipelined requests, and closes the connection', async () => {
    const answer = await listening.say(`GET ${PATH} HTTP/1.1\r\n${HOST}\r\n\r\n`.repeat(500));
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(32);
    expect(answer.match(/\r\nconnection: close\r\n/gi)).toHaveLength(1);
    await isIdle();
  });

  it('stops reading from a connection that has sent more', async () => {
    const patient = await listen(server().context, { timeouts: { ...TIMEOUTS, headers: 60_000 } });
    const socket = patient.open();
    socket.write(`GET ${PATH} HTTP/1.1\r\n${HOST}\r\n\r\n`.repeat(50_000));
    await once(socket.resume(), 'end');
    const [connection] = patient.connections.all;
    expect(connection?.socket.bytesRead).toBeLessThan(200_000);
    await patient.close();
  });

  it('responds to an HTTP 1.0 request without a host, as load balancers send, but does not treat it as local', async () => {
    expect(await listening.say('GET /healthz HTTP/1.0', '', '')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await listening.say('GET /metrics HTTP/1.0', '', '')).toMatch(/^HTTP\/1\.1 40[134] /);
    expect(await listening.say('GET /healthz HTTP/1.1', '', '')).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('closes an idle connection', async () => {
    const answer = await listening.say(`GET ${PATH} HTTP/1.1`, HOST, '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/\r\nconnection: keep-alive\r\n/i);
  });

  it('closes the connection of a client that does not read its response', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        server().make('POST /venues', { venue: `Mill ${number}`, description: '🎭'.repeat(49_000) }),
      ),
    );
    const before = closed('slow_reader');
    const socket = listening.open().pause();
    // Six megabytes, more than the system buffers per connection.
    socket.write(`GET ${PATH}?per_page=30 HTTP/1.1\r\n${HOST}\r\n\r\n`);
    await expect.poll(() => closed('slow_reader')).toBe(before + 1);
    socket.destroy();
    await isIdle();
  });

  it('refuses connections over the limit and keeps serving the others', async () => {
    const long = { headers: 60_000, body: 60_000, idle: 60_000, stalled: 60_000 };
    const patient = await listen(server().context, { timeouts: { ...TIMEOUTS, ...long } });
    const sockets = Array.from({ length: 30 }, () => patient.open());
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await expect.poll(() => patient.traffic.connections).toBe(30);
    expect(await patient.say(`GET ${PATH} HTTP/1.1`, HOST, '', '')).toBe('');
    expect(patient.traffic.closed.get('connection_limit')).toBe(1);
    const answers = sockets.map((socket) => {
      socket.write(`GET ${PATH}?per_page=1&_fields=total HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`);
      return text(socket);
    });
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    await patient.close();
  });

  it('accepts a host name of the maximum length', async () => {
    const host = `${'x'.repeat(254)}:65535`;
    const answer = await listening.say(`GET ${PATH} HTTP/1.1`, `Host: ${host}`, 'Connection: close', '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain(`http://${host}/`);
  });

  it.each([
    ['a line that is no request', ['NONSENSE', '', ''], 400],
    ['a host that is none', [`GET ${PATH} HTTP/1.1`, 'Host: a b', 'Connection: close', '', ''], 400],
    ['a host that is too long', [`GET ${PATH} HTTP/1.1`, `Host: ${'x'.repeat(261)}`, '', ''], 400],
    ['an address with a host that is too long', [`GET http:///${'x'.repeat(261)}${PATH} HTTP/1.1`, HOST, '', ''], 400],
    ['no host', [`GET ${PATH} HTTP/1.1`, '', ''], 400],
    ['two hosts', [`GET ${PATH} HTTP/1.1`, HOST, 'hOst: other.test', '', ''], 400],
    ['the same host twice', [`GET ${PATH} HTTP/1.1`, HOST, HOST, '', ''], 400],
    ['two hosts by HTTP 1.0', [`GET ${PATH} HTTP/1.0`, HOST, 'Host: other.test', '', ''], 400],
    ['two hosts and a body', [`POST ${PATH} HTTP/1.1`, HOST, HOST, 'Content-Length: 100', '', '{'], 400],
    ['headers that are too large', [`GET ${PATH} HTTP/1.1`, HOST, `X-Large: ${'x'.repeat(20_000)}`, '', ''], 431],
  ])('sends nosniff and a request id in its response to %s', async (_what, lines, status) => {
    const answer = await listening.say(...lines);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
    expect(answer).toMatch(/\r\nx-request-id: [\w-]{16}\r\n/i);
  });
});

describe.each(DATABASES)('a client on %s that half-closes the connection after its request', (kind) => {
  const server = useTestServer(kind);
  let listening: TestListener;
  beforeAll(async () => {
    listening = await listen(server().context);
  });
  afterAll(() => listening.close());

  it.each([
    ['a read', [`GET ${PATH} HTTP/1.1`, HOST, '', ''], 200],
    ['a write', [`POST ${PATH} HTTP/1.1`, HOST, 'Content-Type: application/json', 'Content-Length: 2', '', '{}'], 400],
  ])('gets a response: %s', async (_what, lines, status) => {
    const socket = listening.open();
    socket.end(lines.join('\r\n'));
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    await expect.poll(() => listening.traffic).toMatchObject({ inFlight: 0, connections: 0 });
  });
});
