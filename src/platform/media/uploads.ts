import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context } from '../../base/context.ts';
import { isReading } from '../../http/core/request.ts';
import { emptyResponse, type HttpResponse, ResponseHeaders } from '../../http/core/response.ts';
import type { PageHandler } from '../../http/pipeline/exchange.ts';
import { MIME_TYPES } from '../../lib/images/image-renditions.ts';
import { findCurrentUrl } from './image-file.ts';
import { UPLOADS } from './images.ts';

/** Files of uploaded images. */
export const uploads =
  ({ config, db }: Context): PageHandler =>
  async ({ request, url: { pathname }, summary }) => {
    if (!isReading(request.method) || !pathname.startsWith(UPLOADS)) return undefined;
    const response = await fileAt(join(config.data, 'uploads'), pathname.slice(UPLOADS.length));
    if (response) {
      summary.route = '/uploads/*';
      return response;
    }
    // A database that does not respond is reported by the page that follows.
    const address = await findCurrentUrl(db, pathname).catch(() => undefined);
    if (address === undefined) return undefined;
    summary.route = '/uploads/*';
    return emptyResponse(302, { Location: address, 'Cache-Control': 'public, max-age=3600' });
  };

/** Escapes, and segments that lead out of a folder. No file name contains them. */
const UNSAFE = /%|\\|\/\/|(^|\/)\.{1,2}(\/|$)/;

async function fileAt(folder: string, name: string): Promise<HttpResponse | undefined> {
  if (UNSAFE.test(name)) return undefined;
  const path = join(folder, name);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const headers = new ResponseHeaders({
    'Content-Type': TYPES.get(extname(name)) ?? 'application/octet-stream',
    'Content-Length': found.size,
    'Last-Modified': found.mtime.toUTCString(),
    // A new image gets a new name.
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  return {
    status: 200,
    headers,
    body: { [Symbol.asyncIterator]: () => createReadStream(path)[Symbol.asyncIterator]() },
  };
}

const TYPES = new Map<string, string>(Object.entries(MIME_TYPES).map(([extension, type]) => [`.${extension}`, type]));
