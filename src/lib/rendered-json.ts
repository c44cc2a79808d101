import { hash } from 'node:crypto';

/** JSON that has been written already, as UTF-8, with a digest of it. */
export class RenderedJson {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly digest: string;

  constructor(bytes: Buffer<ArrayBuffer>, digest = hash('sha1', bytes, 'base64url')) {
    this.bytes = bytes;
    this.digest = digest;
  }

  static of(value: unknown): RenderedJson {
    return new RenderedJson(Buffer.from(JSON.stringify(value)));
  }

  /** The value that it stands for. */
  parse(): unknown {
    return JSON.parse(this.bytes.toString());
  }
}

const COMMA = Buffer.from(',');

/**
 * The JSON of `{ [name]: items, ...others }`, where `others` has at least one member. Its digest is made from those of
 * the items, so that these need not be read again.
 */
export function withRenderedList(name: string, items: readonly RenderedJson[], others: object): RenderedJson {
  const end = `],${JSON.stringify(others).slice(1)}`;
  const pieces: Buffer[] = [Buffer.from(`{${JSON.stringify(name)}:[`)];
  for (const [index, { bytes }] of items.entries()) {
    if (index > 0) pieces.push(COMMA);
    pieces.push(bytes);
  }
  pieces.push(Buffer.from(end));
  const digest = hash('sha1', [...items.map((item) => item.digest), end].join(), 'base64url');
  return new RenderedJson(Buffer.concat(pieces), digest);
}
