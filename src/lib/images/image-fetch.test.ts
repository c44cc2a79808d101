import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FetchOptions, fetchImage } from './image-fetch.ts';

const BODY = Buffer.from('the bytes of a picture');
const PNG = { 'content-type': 'image/png' };

const ROUTES: Record<string, RequestListener> = {
  '/lantern.png': (_request, response) => response.writeHead(200, PNG).end(BODY),
  '/typed': (_request, response) => response.writeHead(200, { 'content-type': 'Image/JPEG; x=y' }).end(BODY),
  '/long-declared': (_request, response) => response.writeHead(200, { ...PNG, 'content-length': 5000 }).write('x'),
  '/long-streamed': (_request, response) => {
    response.writeHead(200, PNG);
    for (let part = 0; part < 50; part++) response.write(Buffer.alloc(100));
    response.end();
  },
  '/html': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(BODY),
  '/svg': (_request, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(BODY),
  '/untyped': (_request, response) => response.writeHead(200).end(BODY),
  '/gzip': (_request, response) => response.writeHead(200, { ...PNG, 'content-encoding': 'gzip' }).end(BODY),
  '/missing': (_request, response) => response.writeHead(404, PNG).end(BODY),
  '/no-content': (_request, response) => response.writeHead(204).end(),
  '/silent': () => undefined,
  '/stalled': (_request, response) => response.writeHead(200, PNG).write('x'),
  '/cut': (request, response) => {
    response.writeHead(200, { ...PNG, 'content-length': 500 });
    response.write('x', () => request.socket.destroy());
  },
  '/hang-up': (request) => request.socket.destroy(),
  '/dripping': (_request, response) => {
    response.writeHead(200, PNG);
    const drops = setInterval(() => response.write('x'), 5);
    response.on('close', () => clearInterval(drops));
  },
  '/hesitating': (_request, response) => {
    setTimeout(() => response.writeHead(302, { location: '/hesitating' }).end(), 25);
  },
  '/nowhere': (_request, response) => response.writeHead(302).end(),
};

let server: Server;
let port: number;
let seen: Array<{ url: string; headers: IncomingHttpHeaders }> = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = '', headers } = request;
    seen.push({ url, headers });
    const [, hops, target] = /^\/hops\/(\d+)\/(.*)$/.exec(url) ?? [];
    const next = Number(hops) > 1 ? `/hops/${Number(hops) - 1}/${target}` : decodeURIComponent(target ?? '');
    if (hops !== undefined) response.writeHead(302, { location: next }).end('moved');
    else (ROUTES[url] ?? ROUTES['/lantern.png'])?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  seen = [];
});

function fetchWith(url: string, options: Partial<FetchOptions> = {}) {
  const lookup = () => Promise.reject(new Error('no name is to be looked up here'));
  const signal = AbortSignal.timeout(5000);
  return fetchImage(url, { allowedHosts: [`127.0.0.1:${port}`], maxBytes: 1000, signal, lookup, ...options });
}

function local(path: string): string {
  return `http://127.0.0.1:${port}${path}`;
}

function hops(count: number, target: string): string {
  return local(`/hops/${count}/${encodeURIComponent(target)}`);
}

describe('fetchImage', () => {
  it('downloads an image without revealing anything', async () => {
    const outcome = await fetchWith(local('/lantern.png#part'));
    expect(outcome).toEqual({ bytes: BODY, finalUrl: local('/lantern.png'), fileName: 'lantern.png' });
    expect(seen[0]?.headers).toEqual({
      host: `127.0.0.1:${port}`,
      'user-agent': 'Marquee',
      accept: expect.stringContaining('image/png'),
      'accept-encoding': 'identity',
      connection: 'close',
    });
  });

  it('accepts a type with parameters in any letter case', async () => {
    expect(await fetchWith(local('/typed'))).toMatchObject({ bytes: BODY });
  });

  it.each([
    ['/a/b/poster.png?w=9', 'poster.png'],
    ['/Caf%C3%A9%20%231.jpg', 'Cafe-1.jpg'],
    ['/..%2F..%2F.htaccess', 'htaccess'],
    ['/%E0%A4%A', 'E0-A4-A'],
    ['/', 'image'],
    ['/%E7%81%AF', 'image'],
    [`/${'a'.repeat(300)}.png`, `${'a'.repeat(96)}.png`],
  ])('names the file of %s', async (path, fileName) => {
    expect(await fetchWith(local(path))).toMatchObject({ fileName });
  });

  it.each([
    '',
    'poster',
    '/poster.png',
    'http://',
    'ftp://127.0.0.1/a.png',
    'file:///etc/passwd',
    'data:image/png;base64,AA',
  ])('%j is not a URL to fetch', async (url) => {
    expect(await fetchWith(url)).toEqual({ failure: 'not-a-url' });
  });

  it('refuses credentials', async () => {
    expect(await fetchWith(`http://me:secret@127.0.0.1:${port}/`)).toEqual({ failure: 'not-a-url' });
    expect(await fetchWith(`http://me@127.0.0.1:${port}/`)).toEqual({ failure: 'not-a-url' });
    expect(seen).toEqual([]);
  });

  it.each([
    ['/html', 'not-an-image'],
    ['/svg', 'not-an-image'],
    ['/untyped', 'not-an-image'],
    ['/gzip', 'not-an-image'],
    ['/long-declared', 'too-large'],
    ['/long-streamed', 'too-large'],
    ['/missing', 'unreachable'],
    ['/no-content', 'unreachable'],
    ['/cut', 'unreachable'],
    ['/hang-up', 'unreachable'],
    ['/nowhere', 'unreachable'],
  ] as const)('%s fails as %s', async (path, failure) => {
    expect(await fetchWith(local(path))).toEqual({ failure });
  });

  it('accepts exactly the maximum size', async () => {
    expect(await fetchWith(local('/lantern.png'), { maxBytes: BODY.length })).toMatchObject({ bytes: BODY });
    expect(await fetchWith(local('/lantern.png'), { maxBytes: BODY.length - 1 })).toEqual({ failure: 'too-large' });
  });

  // In the last cases each byte and each redirect is in time.
  it.each(['/silent', '/stalled', '/dripping', '/hesitating'])('gives up on %s as a whole', async (path) => {
    const start = performance.now();
    expect(await fetchWith(local(path), { signal: AbortSignal.timeout(60) })).toEqual({ failure: 'timeout' });
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it('gives up on a name server that does not respond', async () => {
    const lookup = () => new Promise<never>(() => undefined);
    expect(await fetchWith('http://slow.example/', { lookup, signal: AbortSignal.timeout(30) })).toEqual({
      failure: 'timeout',
    });
  });

  it('reports a closed port as unreachable', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port: closedPort } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const allowedHosts = [`127.0.0.1:${closedPort}`];
    expect(await fetchWith(`http://127.0.0.1:${closedPort}/`, { allowedHosts })).toEqual({ failure: 'unreachable' });
  });
});

describe('redirects', () => {
  it('are followed three times, including relative ones', async () => {
    expect(await fetchWith(hops(3, '/lantern.png'))).toMatchObject({ bytes: BODY, finalUrl: local('/lantern.png') });
    expect(seen).toHaveLength(4);
  });

  it('are not followed a fourth time', async () => {
    expect(await fetchWith(hops(4, '/lantern.png'))).toEqual({ failure: 'unreachable' });
    expect(seen).toHaveLength(4);
  });

  it.each([
    ['http://127.0.0.2/', 'address-not-allowed'],
    ['http://169.254.169.254/latest/meta-data/', 'address-not-allowed'],
    ['http://[::ffff:10.0.0.1]/', 'address-not-allowed'],
    ['//inside.example/a.png', 'address-not-allowed'],
    ['http://inside.example:8080/a.png', 'address-not-allowed'],
    ['file:///etc/passwd', 'not-a-url'],
    ['http://me:secret@127.0.0.1/', 'not-a-url'],
    ['http://[', 'not-a-url'],
  ] as const)('are checked again for %s', async (target, failure) => {
    const lookup = async () => [{ address: '10.1.2.3', family: 4 }];
    expect(await fetchWith(hops(1, target), { lookup })).toEqual({ failure });
    expect(seen).toHaveLength(1);
  });
});

describe('addresses', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://①②⑦.0.0.1/',
    'https://10.0.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::a00:1]/',
    'http://[fd00::1]/',
    'http://8.8.8.8:22/',
    'http://8.8.8.8:0/',
    'http://8.8.8.8:8080/',
  ])('%s is not allowed', async (url) => {
    expect(await fetchWith(url, { allowedHosts: [] })).toEqual({ failure: 'address-not-allowed' });
  });

  it.each([[['127.0.0.1']], [['8.8.8.8', '192.168.0.1']], [['2606:4700::1111', '::1']], [['not an address']]])(
    'a name that leads to %j is not allowed',
    async (answer) => {
      const lookup = async () => answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      expect(await fetchWith('http://pictures.example/', { lookup })).toEqual({ failure: 'address-not-allowed' });
    },
  );

  it('a name without a response is unreachable', async () => {
    expect(await fetchWith('http://pictures.example/')).toEqual({ failure: 'unreachable' });
    expect(await fetchWith('http://pictures.example/', { lookup: async () => [] })).toEqual({ failure: 'unreachable' });
  });

  it('connects to the first address looked up, however the name resolves later', async () => {
    const asked: string[] = [];
    const lookup = async (hostname: string) => {
      asked.push(hostname);
      return [{ address: asked.length === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const url = `http://rebinding.example:${port}/lantern.png`;
    expect(await fetchWith(url, { allowedHosts: [`rebinding.example:${port}`], lookup })).toMatchObject({
      bytes: BODY,
    });
    expect(asked).toEqual(['rebinding.example']);
    expect(seen[0]?.headers.host).toBe(`rebinding.example:${port}`);
  });

  it('checks the name again on a redirect to itself', async () => {
    const answers = ['127.0.0.1', '10.0.0.1'];
    const lookup = async () => [{ address: answers.shift() ?? '', family: 4 }];
    const first = `http://rebinding.example:${port}/hops/1/${encodeURIComponent('http://rebinding.example/')}`;
    const outcome = await fetchWith(first, { allowedHosts: [`rebinding.example:${port}`], lookup });
    expect(outcome).toEqual({ failure: 'address-not-allowed' });
  });
});
