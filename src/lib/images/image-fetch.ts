import type { IncomingMessage } from 'node:http';
import {
  type ForeignFailure,
  type ForeignOptions,
  type ForeignResponse,
  fetchForeign,
  readBody,
} from '../foreign-fetch.ts';
import { withoutEnds } from '../text/text.ts';

/**
 * Failures of any foreign request, where `unreachable` includes a status other than 200, and
 * - `not-an-image`: the declared type is not a supported image format
 */
export type FetchFailure = ForeignFailure | 'not-an-image';

export type FetchedImage = { bytes: Buffer; finalUrl: string; fileName: string };

export type FetchOptions = Omit<ForeignOptions, 'headersFor'> & { maxBytes: number };

const TYPES = ['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp', 'image/avif'];

const HEADERS = {
  'user-agent': 'Marquee',
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif',
  'accept-encoding': 'identity',
};

/**
 * Downloads an image from an untrusted URL. Never throws. `finalUrl` is the URL after redirects, `fileName` its
 * sanitised last segment; neither the extension nor the declared type proves the format.
 */
export const fetchImage = (
  url: string,
  { maxBytes, ...options }: FetchOptions,
): Promise<FetchedImage | { failure: FetchFailure }> =>
  fetchForeign<FetchedImage | { failure: FetchFailure }>(url, { ...options, headersFor: () => HEADERS }, (opened) =>
    download(opened, maxBytes),
  );

async function download({ response, url }: ForeignResponse, maxBytes: number) {
  if (response.statusCode !== 200) return failed('unreachable');
  if (!isImage(response)) return failed('not-an-image');
  const body = await readBody(response, maxBytes);
  if ('failure' in body) return body;
  url.hash = '';
  return { bytes: body.bytes, finalUrl: url.href, fileName: fileNameOf(url) };
}

/** Rejects compressed bodies: they were not requested, and their true size is unknown. */
function isImage({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  return TYPES.includes(type) && (headers['content-encoding'] ?? 'identity') === 'identity';
}

function fileNameOf(url: URL): string {
  const segment = url.pathname.split('/').pop() ?? '';
  const name = decoded(segment)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-');
  return withoutEnds(withoutEnds(name, '.-').slice(-100), '.-') || 'image';
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function failed(failure: FetchFailure): { failure: FetchFailure } {
  return { failure };
}
