import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { concatenated } from '../../lib/copy-bytes.ts';
import { prefersGzip } from '../core/content-negotiation.ts';
import type { HttpRequest } from '../core/request.ts';
import { type BodyPieces, type HttpResponse, lengthOf, type ResponseHeaders } from '../core/response.ts';
import { matchesTag, weakTag } from './etag.ts';

interface SentBody {
  status: number;
  /** Headers set so far. */
  headers: ResponseHeaders;
  body: BodyPieces;
  /** Strong entity tag; undefined for responses that are not revalidated. */
  tag: string | undefined;
  /** True for text that is the same for all viewers: the length of a compressed response may reveal a secret in it. */
  mayCompress: boolean;
  /** End of the period in which visitors may share it, in milliseconds; undefined if it must not be cached. */
  freshUntil: number | undefined;
  showsSeats: boolean;
}

/**
 * Builds the response for a body: a 304 if the client already has it, compressed where useful, and ready for the cache.
 */
export async function sendBody(sent: SentBody, { method, headers: asked }: HttpRequest): Promise<HttpResponse> {
  const { status, headers, body, tag, freshUntil, showsSeats } = sent;
  const isCompressible = sent.mayCompress && isWorthCompressing(lengthOf(body));
  if (isCompressible) headers.append('vary', 'Accept-Encoding');
  const isCompressed = isCompressible && prefersGzip(asked.get('accept-encoding'));
  const shared = freshUntil === undefined ? undefined : { plain: body, isCompressed, freshUntil, showsSeats };
  if (tag !== undefined) {
    headers.set('etag', isCompressed ? weakTag(tag) : tag);
    if (matchesTag(asked.get('if-none-match'), tag)) return { status: 304, headers, body: null, shared };
  }
  if (isCompressed) headers.set('content-encoding', 'gzip');
  if (method === 'HEAD' || status === 204) return { status, headers, body: null };
  if (!isCompressed) return { status, headers, body, shared };
  const compressed = await compress(concatenated(body));
  return { status, headers, body: [compressed], shared: shared && { ...shared, compressed } };
}

/** Length below which a response fits in one packet with its headers, so that compression would save no time. */
const MIN_LENGTH = 1400;

/** Compression level, measured in docs/adr/0027-compression.md. */
const LEVEL = 4;

const compressBytes = promisify(gzip);

/** Tests if a text of this length should be compressed. */
const isWorthCompressing = (length: number): boolean => length >= MIN_LENGTH;

/** Compresses in the thread pool, so that long responses do not delay others. */
export const compress = (text: string | Uint8Array) => compressBytes(text, { level: LEVEL });
