import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type HttpResponse, isBytes } from '../core/response.ts';
import { linesOf } from '../output/head.ts';

/** Sends a response. A failure while a body is streamed breaks the connection, so that the client notices it. */
export async function send(outgoing: ServerResponse, { status, headers, body }: HttpResponse): Promise<void> {
  const lines = linesOf(headers.pairs());
  const isWhole = body === null || isBytes(body);
  if (isWhole && outgoing.req.method !== 'HEAD' && status !== 204 && status !== 304)
    lines.push('Content-Length', String(body?.length ?? 0));
  outgoing.writeHead(status, lines);
  if (isWhole) return void outgoing.end(body ?? undefined);
  if (outgoing.req.method === 'HEAD') return void outgoing.end();
  outgoing.flushHeaders();
  try {
    for await (const piece of body) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(piece)) await drained(outgoing);
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

/** Waits until a client has read enough or has hung up. */
async function drained(outgoing: ServerResponse): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  await Promise.race([once(outgoing, 'drain', { signal }), once(outgoing, 'close', { signal })]).finally(() =>
    ended.abort(),
  );
}
