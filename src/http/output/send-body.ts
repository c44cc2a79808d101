import type { RequestSummary } from '../core/exchange.ts';
import { compress, isWorthCompressing, prefersGzip } from './compression.ts';
import { matchesTag, weakTag } from './etag.ts';

interface SentBody {
  status: number;
  /** All others are set already. */
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
  /** Strong entity tag; undefined for answers that are not read again. */
  tag: string | undefined;
  /** Whether it is text that everybody gets: the length of a compressed answer may betray a secret in it. */
  mayCompress: boolean;
  /** Until when strangers may share it, in milliseconds; undefined if nobody may keep it. */
  freshUntil: number | undefined;
  showsSeats: boolean;
}

interface Asked {
  request: Request;
  summary: RequestSummary;
}

/** Sends a body: as 304 to who has it, compressed where that pays, and noted for the memory of answers. */
export async function sendBody(sent: SentBody, { request, summary }: Asked): Promise<Response> {
  const { status, headers, body, tag, freshUntil, showsSeats } = sent;
  const isCompressible = sent.mayCompress && isWorthCompressing(body.length);
  if (isCompressible) headers.append('Vary', 'Accept-Encoding');
  const isCompressed = isCompressible && prefersGzip(request.headers.get('accept-encoding'));
  const shared = freshUntil === undefined ? undefined : { text: body, isCompressed, freshUntil, showsSeats };
  summary.sharedBody = shared;
  if (tag !== undefined) {
    headers.set('ETag', isCompressed ? weakTag(tag) : tag);
    if (matchesTag(request.headers.get('if-none-match'), tag)) return new Response(null, { status: 304, headers });
  }
  if (isCompressed) headers.set('Content-Encoding', 'gzip');
  if (request.method === 'HEAD' || status === 204) return new Response(null, { status, headers });
  if (!isCompressed) return new Response(body, { status, headers });
  const bytes = await compress(body);
  if (shared) summary.sharedBody = { ...shared, bytes };
  return new Response(bytes, { status, headers });
}
