import { MIMEType } from 'node:util';
import { ApiError } from './errors.ts';

/** The parser is slow for many parts and for long headers of a part. */
const MAX_PARTS = 1000;
/** Bytes of the headers of a part. */
const MAX_HEADERS = 8192;

/**
 * Reads a multipart form.
 * @throws {ApiError} rest_invalid_body, also for more than 1000 parts or more than 8 KiB of headers of one
 */
export async function readFormData(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  if (!isReasonable(bytes, boundaryOf(type))) throw new ApiError('rest_invalid_body');
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData();
  } catch {
    throw new ApiError('rest_invalid_body');
  }
}

/** Empty when there is none or the content type cannot be parsed. */
function boundaryOf(type: string): string {
  try {
    return new MIMEType(type).params.get('boundary') ?? '';
  } catch {
    return '';
  }
}

/** Whether a form is within the limits on parts and on the headers of each. */
function isReasonable(bytes: Uint8Array<ArrayBuffer>, boundary: string): boolean {
  if (boundary === '') return false;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  let parts = 0;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    parts += 1;
    const start = at + delimiter.length;
    const end = body.subarray(start, start + MAX_HEADERS).indexOf('\r\n\r\n');
    const isLast = start + MAX_HEADERS >= body.length;
    // The last delimiter ends the form.
    if (parts > MAX_PARTS + 1 || (end < 0 && !isLast)) return false;
  }
  return true;
}
