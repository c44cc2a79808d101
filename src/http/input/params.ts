import { createRequire } from 'node:module';
import type qs from 'qs';
import { membersOf } from '../../lib/text/list.ts';
import { fileNameOf } from '../core/content-disposition.ts';
import { ApiError } from '../core/errors.ts';
import type { HttpRequest } from '../core/request.ts';
import { parseJsonBody } from './json-body.ts';
import { readFormData } from './multipart.ts';

/**
 * Limits that keep hostile nesting and numbers of keys cheap; qs drops parameters beyond them. A longer list becomes an
 * object with the same members: for sparse indexes qs would allocate every missing item, at each level of each
 * parameter.
 */
const QS_OPTIONS = {
  depth: 5,
  arrayLimit: 100,
  parameterLimit: 2000,
  plainObjects: true,
  ignoreQueryPrefix: true,
} as const;

export interface Body {
  fields: Readonly<Record<string, unknown>>;
  files: ReadonlyMap<string, File>;
  /** The unparsed body, with `takesBytes`. */
  bytes?: Buffer;
}

const NOTHING: Body = { fields: {}, files: new Map() };

/** Tests if the parameter with this name is a list. */
export type IsList = (name: string) => boolean;
export const isNoList: IsList = () => false;

const require = createRequire(import.meta.url);

/** Returns the parameters of a text, with the given names as lists. */
export type ParsedQuery = (isList?: IsList) => Record<string, unknown>;

/**
 * Parses `a=1&b[]=2&c[d]=3` for readers that differ in their list parameters. If a name is repeated (`a=1&a=2`), its
 * last value counts; for a list, all of them count. Never throws; invalid escapes are left unchanged.
 */
export function parseOnce(text: string): ParsedQuery {
  const plain = parsePlain(text);
  if (plain) return () => plain;
  // Loaded on demand: few texts need qs, which loads twenty packages.
  const { parse }: typeof qs = require('qs');
  const last = parse(text, { ...QS_OPTIONS, duplicates: 'last' });
  if (!mayRepeatNames(text)) return () => last;
  let combined: typeof last | undefined;
  return (isList = isNoList) => {
    const sent = Object.keys(last).filter(isList);
    if (sent.length === 0) return last;
    combined ??= parse(text, { ...QS_OPTIONS, duplicates: 'combine' });
    const fields = Object.assign(Object.create(null) as typeof last, last);
    for (const name of sent) {
      // This applies to names of lists, not to their members.
      if (membersOf(combined[name])?.every((item) => typeof item === 'string')) fields[name] = combined[name];
    }
    return fields;
  };
}

/** Maximum number of parameters parsed without qs; larger queries are rare. */
const MAX_PLAIN = 20;

/**
 * Fast path for queries without brackets, escapes and repeated names, as nearly all are; qs would take twenty times as
 * long. Undefined for any other query.
 */
function parsePlain(text: string): Record<string, unknown> | undefined {
  if (/[%[\]]/.test(text)) return undefined;
  const fields = Object.create(null) as Record<string, unknown>;
  const parts = text.replace(/^\?/, '').split('&', MAX_PLAIN + 1);
  if (parts.length > MAX_PLAIN) return undefined;
  for (const part of parts) {
    if (part === '') continue;
    const end = part.indexOf('=');
    const name = end < 0 ? part : part.slice(0, end);
    if (!/^_?[a-z]\w*$/i.test(name) || name in fields) return undefined;
    fields[name] = end < 0 ? '' : part.slice(end + 1).replaceAll('+', ' ');
  }
  return fields;
}

/** Tests if a name may be repeated. An escaped name may equal an unescaped one. */
function mayRepeatNames(text: string): boolean {
  const names = text
    .replace(/^\?/, '')
    .split('&', QS_OPTIONS.parameterLimit)
    .map((part) => part.split('=', 1)[0] ?? '');
  return new Set(names).size < names.length || names.some((name) => name.includes('%'));
}

/** `parseOnce` for a single reader. */
export const parseQuery = (text: string, isList?: IsList): Record<string, unknown> => parseOnce(text)(isList);

/** Options for reading a body. */
export interface BodyOptions {
  maxBytes: number;
  /** See `parseQuery`. */
  isList?: IsList;
  /** True if the body may be a file itself. */
  takesRawFile?: boolean;
  /** True if the body is not parsed. */
  takesBytes?: boolean;
}

/**
 * Reads the body of a request by its content type: JSON, form or multipart. With `takesRawFile`, a body named by
 * `Content-Disposition` is the file `file`, whatever its type. Any other body is not read.
 * @throws {ApiError} rest_body_too_large, rest_invalid_body, and the errors of `parseJsonBody`
 */
export async function readBody(request: HttpRequest, options: BodyOptions): Promise<Body> {
  const { maxBytes, isList, takesRawFile } = options;
  if (request.method === 'GET' || request.method === 'HEAD') return NOTHING;
  if (options.takesBytes) return { ...NOTHING, bytes: await readBytes(request, maxBytes) };
  const type = (request.headers.get('content-type') ?? '').toLowerCase();
  const media = type.split(';')[0]?.trim() ?? '';
  if (media === 'multipart/form-data') return readMultipart(request, options);
  const fileName = takesRawFile ? fileNameOf(request.headers.get('content-disposition')) : undefined;
  if (fileName !== undefined) {
    const file = new File([await readBytes(request, maxBytes)], fileName, { type: media });
    return { fields: {}, files: new Map([['file', file]]) };
  }
  if (media === 'application/json' || media.endsWith('+json')) {
    return { fields: parseJsonBody(textOf(await readBytes(request, maxBytes))), files: new Map() };
  }
  if (media === 'application/x-www-form-urlencoded' || media === '') {
    return { fields: parseForm(await readBytes(request, maxBytes), isList), files: new Map() };
  }
  return NOTHING;
}

const tooLarge = (maxBytes: number) =>
  new ApiError('rest_body_too_large', { values: { limit: Math.round(maxBytes / 1024) } });

async function readBytes(request: HttpRequest, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of piecesOf(request)) {
    size += piece.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}

/** Pieces of a body. A client disconnect is not a server error. */
async function* piecesOf({ body }: HttpRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch {
    throw new ApiError('rest_invalid_body');
  }
}

const textOf = (bytes: Uint8Array<ArrayBuffer>): string => new TextDecoder().decode(bytes);

const PLUS = 0x2b;
const SPACE = 0x20;

/** Like `parseQuery`. Pluses are replaced by spaces first: qs would be slow with a million of them. */
function parseForm(bytes: Uint8Array<ArrayBuffer>, isList?: IsList): Record<string, unknown> {
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index] === PLUS) bytes[index] = SPACE;
  }
  return parseQuery(textOf(bytes), isList);
}

async function readMultipart(request: HttpRequest, { maxBytes, isList }: BodyOptions): Promise<Body> {
  const bytes = await readBytes(request, maxBytes);
  const form = await readFormData(bytes, request.headers.get('content-type') ?? '');
  const names: string[] = [];
  const values: string[] = [];
  const files = new Map<string, File>();
  for (const [name, value] of form) {
    // Encoding and decoding a megabyte is slow, so the values are replaced by their indexes.
    if (typeof value === 'string') names.push(`${encodeURIComponent(name)}=${values.push(value) - 1}`);
    else files.set(name, value);
  }
  const numbered = parseQuery(names.join('&'), isList);
  return { fields: replaceNumbers(numbered, values) as Record<string, unknown>, files };
}

/** Replaces each index by its value, in lists and objects too. */
function replaceNumbers(parsed: unknown, values: readonly string[]): unknown {
  if (typeof parsed === 'string') return values[Number(parsed)];
  if (Array.isArray(parsed)) return parsed.map((item) => replaceNumbers(item, values));
  if (typeof parsed !== 'object' || parsed === null) return parsed;
  return Object.fromEntries(Object.entries(parsed).map(([name, item]) => [name, replaceNumbers(item, values)]));
}

/** Prefix of parameters that only the body can set. */
export const BODY_ONLY = 'body.';

/**
 * Merges the sources of parameters. The path always wins; then the first source with a value other than null: body,
 * then query. A null remains if no source has a value. A body parameter with the name of a path parameter is stored as
 * `body.NAME`, so that a rename by slug can send the new slug.
 */
export function joinParams(
  path: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
): Map<string, unknown> {
  const joined = new Map<string, unknown>();
  for (const source of [path, body, query]) {
    for (const [name, value] of Object.entries(source)) {
      if (value !== undefined && (joined.get(name) ?? null) === null) joined.set(name, value);
    }
  }
  for (const name of Object.keys(path)) {
    if (Object.hasOwn(body, name)) joined.set(`${BODY_ONLY}${name}`, body[name]);
  }
  return joined;
}
