import type { Role } from '../../src/http/core/auth.ts';

/** A request of a fuzz test. Path and body may have placeholders such as `$id3`, which a `World` fills in. */
export interface FuzzRequest {
  /** The account that sends it; a visitor without one. */
  role?: Role;
  method: string;
  /** With its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** A function for a text that is made when it is sent, because it is long. */
  body?: string | (() => string);
}

/** Fields of a form: names such as `attendees[0][id]`, and their values. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** The headers and the body of a request. */
export type Content = Pick<FuzzRequest, 'headers' | 'body'>;

/** Percent-encodes a text; lone surrogates become the bytes that some programs write for them. */
export const encoded = (text: string): string =>
  text.isWellFormed() ? encodeURIComponent(text) : `${encodeURIComponent(text.toWellFormed())}%ED%A0%80`;

/** A query; brackets and placeholders of names stay as they are. */
export const queryOf = (pairs: Pairs): string =>
  pairs.map(([name, value]) => `${encodeName(name)}=${encoded(value)}`).join('&');

const encodeName = (name: string): string => encoded(name).replaceAll('%5B', '[').replaceAll('%5D', ']');

export const formOf = (pairs: Pairs): Content => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded; charset=koi8-r' },
  body: queryOf(pairs),
});

const BOUNDARY = 'fuzz-boundary';

/** A multipart form. A value of the field `file` becomes a file. */
export function multipartOf(pairs: Pairs): Content {
  const parts = pairs.map(([name, value]) => {
    const file = name === 'file' ? `; filename="${quotable(value.slice(0, 50))}"\r\nContent-Type: image/png` : '';
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quotable(name)}"${file}\r\n\r\n${value}\r\n`;
  });
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: `${parts.join('')}--${BOUNDARY}--\r\n`,
  };
}

/** Quoted as browsers do. */
const quotable = (text: string): string => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

export const jsonOf = (value: unknown): Content => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

type Tree = Map<string, Tree | string>;

/** The nested objects and lists that a form means: `a[0][b]` is a member of an object in a list. */
export function nestedOf(pairs: Pairs): unknown {
  const root: Tree = new Map();
  for (const [name, value] of pairs) {
    const keys = name.replaceAll(']', '').split('[');
    const last = keys.pop() ?? '';
    let place = root;
    for (const key of keys) {
      const inner = place.get(key);
      const next: Tree = inner instanceof Map ? inner : new Map();
      place.set(key, next);
      place = next;
    }
    place.set(last, value);
  }
  return plain(root);
}

/** Members with the names of list items make a list; a member may have the name `__proto__`. */
function plain(value: Tree | string): unknown {
  if (typeof value === 'string') return value;
  const entries = [...value].map(([key, inner]) => [key, plain(inner)] as const);
  const isList = entries.every(([key]) => /^\d?$/.test(key));
  return isList && entries.length > 0 ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
