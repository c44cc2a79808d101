import { MIMEType } from 'node:util';
import { ApiError } from '../core/errors.ts';

/** Maximum number of parts: the parser is slow for many parts and for long part headers. */
const MAX_PARTS = 1000;
/** Maximum bytes of the headers of a part. */
const MAX_HEADERS = 8192;
/** Maximum bytes of the headers of all parts: names are encoded and parsed as in other forms, which is slow. */
const MAX_ALL_HEADERS = 256 * 1024;
/** Text after the boundary in the closing delimiter of a form. */
const CLOSING = '--';

/**
 * Reads a multipart form.
 * @throws {ApiError} rest_invalid_body, also for more than 1000 parts, or for headers of more than 8 KiB in one part or
 * 256 KiB in all
 */
export async function readFormData(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  const form = readableForm(bytes, boundaryOf(type));
  if (!form) throw new ApiError('rest_invalid_body');
  try {
    return await new Response(form, { headers: { 'content-type': type } }).formData();
  } catch {
    throw new ApiError('rest_invalid_body');
  }
}

/** Empty without a boundary or with an invalid content type. */
function boundaryOf(type: string): string {
  try {
    return new MIMEType(type).params.get('boundary') ?? '';
  } catch {
    return '';
  }
}

/**
 * A form without its epilogue, which RFC 2046 says to ignore; undefined if it is not closed or exceeds the limits on
 * parts and their headers.
 */
function readableForm(bytes: Uint8Array<ArrayBuffer>, boundary: string): Uint8Array<ArrayBuffer> | undefined {
  if (boundary === '') return undefined;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  let parts = 0;
  let headers = 0;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    const start = at + delimiter.length;
    if (body.toString('latin1', start, start + CLOSING.length) === CLOSING) {
      return bytes.subarray(0, start + CLOSING.length);
    }
    parts += 1;
    const end = body.subarray(start, start + MAX_HEADERS).indexOf('\r\n\r\n');
    headers += end;
    if (parts > MAX_PARTS || end < 0 || headers > MAX_ALL_HEADERS) return undefined;
  }
  return undefined;
}
