import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sites to import: a proxy that spoils responses, and one that serves given records. */

export interface OldSite {
  /** Scheme, host and port. */
  address: string;
  /** Paths and queries of its requests so far. */
  requests: string[];
  close(): Promise<void>;
}

type Answering = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

async function listenWith(answer: Answering): Promise<OldSite> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    void Promise.resolve(answer(request, response)).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

/** A response of the site behind a proxy. */
interface Passed {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Sends something in place of a response; false to pass the response on. */
export type Spoil = (request: { url: string; count: number }, passed: Passed, response: ServerResponse) => boolean;

/** A proxy before a site, with its own address in all responses. */
export async function proxyOf(behind: string, spoil: Spoil): Promise<OldSite> {
  let count = 0;
  const site: OldSite = await listenWith(async (request, response) => {
    const { authorization } = request.headers;
    const answer = await fetch(`${behind}${request.url}`, {
      headers: authorization ? { authorization } : {},
      redirect: 'manual',
    });
    const isText = answer.headers.get('content-type')?.includes('json');
    const bytes = Buffer.from(await answer.arrayBuffer());
    const body = isText ? Buffer.from(bytes.toString().replaceAll(behind, site.address)) : bytes;
    count += 1;
    if (spoil({ url: request.url ?? '', count }, { status: answer.status, headers: answer.headers, body }, response))
      return;
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'text/plain',
      'content-length': body.length,
    });
    response.end(body);
  });
  return site;
}

type Body = unknown;

/**
 * A site with given responses by path, or functions of the query that make them. Other paths are 404. `HOST` becomes
 * its own address.
 */
export async function siteWith(bodies: () => Readonly<Record<string, Body>>): Promise<OldSite> {
  const site: OldSite = await listenWith((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site.example');
    const named = bodies()[pathname.replace('/wp-json/', '')];
    const found: unknown = typeof named === 'function' ? named(searchParams) : named;
    if (Buffer.isBuffer(found)) return void response.writeHead(200, { 'content-type': 'image/png' }).end(found);
    const isBehind = Number(searchParams.get('page') ?? 1) > 1;
    const body = found === undefined || isBehind ? { code: 'rest_no_route' } : found;
    const text = JSON.stringify(body).replaceAll('HOST', site.address);
    response.writeHead(found === undefined || isBehind ? 404 : 200, { 'content-type': 'application/json' }).end(text);
  });
  return site;
}

/** A list as the interface returns it. */
export const listed = (key: string, items: readonly object[]) => ({
  [key]: items,
  total: items.length,
  total_pages: items.length === 0 ? 0 : 1,
});
