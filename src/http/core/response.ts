/** Header fields of a response, by lower-case name. */
export class ResponseHeaders {
  readonly #fields = new Map<string, string | string[]>();

  constructor(fields: Readonly<Record<string, string | number>> = {}) {
    for (const name in fields) this.set(name, fields[name] ?? '');
  }

  get(name: string): string | undefined {
    const value = this.#fields.get(name.toLowerCase());
    return Array.isArray(value) ? value.join(', ') : value;
  }

  has(name: string): boolean {
    return this.#fields.has(name.toLowerCase());
  }

  set(name: string, value: string | number): void {
    const key = name.toLowerCase();
    this.#fields.set(key, key === 'set-cookie' ? [String(value)] : String(value));
  }

  /** Adds a value to the list in a field; each `Set-Cookie` is a separate field. */
  append(name: string, value: string): void {
    const key = name.toLowerCase();
    const before = this.#fields.get(key);
    if (key === 'set-cookie') this.#fields.set(key, [...(before ?? []), value]);
    else this.#fields.set(key, before === undefined ? value : `${before}, ${value}`);
  }

  getSetCookie(): string[] {
    return [...(this.#fields.get('set-cookie') ?? [])];
  }

  /** Names in lower case with their values, one pair per header line. */
  pairs(): [name: string, value: string][] {
    const pairs: [string, string][] = [];
    for (const [name, value] of this.#fields) {
      if (typeof value === 'string') pairs.push([name, value]);
      else for (const one of value) pairs.push([name, one]);
    }
    return pairs;
  }
}

/** Bytes of a body, in pieces that are sent in order. They never change, so caches may share them. */
export type BodyPieces = readonly Uint8Array<ArrayBuffer>[];

/** A response before it is sent. */
export interface HttpResponse {
  status: number;
  headers: ResponseHeaders;
  /** All bytes, or chunks that are produced as the client reads; null for none. */
  body: BodyPieces | AsyncIterable<Uint8Array> | null;
  /** For the response cache, if visitors may share the response. */
  shared?: SharedResponse;
}

/** Period in which a response is the same for every visitor, and its body. */
export interface SharedResponse {
  /** End of the period, in milliseconds; a change of the data ends it earlier. */
  freshUntil: number;
  /** As in `EndpointResponse`. */
  showsSeats: boolean;
  /** Uncompressed body, even if the response is a 304. */
  plain: BodyPieces;
  isCompressed: boolean;
  /** Compressed body, as sent; absent with a 304. */
  compressed?: Uint8Array<ArrayBuffer>;
}

/** Headers that forbid all caching, for responses that must be fresh or contain personal data or secrets. */
export const PRIVATE_NO_STORE = { 'Cache-Control': 'private, no-store' };

export const isWhole = (body: HttpResponse['body']): body is BodyPieces => Array.isArray(body);

export const lengthOf = (pieces: BodyPieces): number => pieces.reduce((sum, { length }) => sum + length, 0);

/** Response with a text body. */
export const textResponse = (
  text: string,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): HttpResponse => ({ status, headers: new ResponseHeaders(headers), body: [Buffer.from(text)] });

/** A response without a body. */
export const emptyResponse = (status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status,
  headers: new ResponseHeaders(headers),
  body: null,
});

/** Whole body of a response that is not sent over a socket, as text. */
export async function textOf({ body }: HttpResponse): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body ?? [])).toString();
}
