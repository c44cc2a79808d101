import { hash } from 'node:crypto';
import { copyBytes } from './copy-bytes.ts';
import type { OriginTemplate } from './origin-template.ts';

/** Computes a value, its JSON and its digest, each at most once. */
interface Source {
  value(): unknown;
  bytes(): Buffer<ArrayBuffer>;
  digest(bytes: () => Buffer<ArrayBuffer>): string;
}

/** A value with its JSON as UTF-8, written on first use, and its digest. */
export class RenderedJson {
  readonly #source: Source;
  #bytes: Buffer<ArrayBuffer> | undefined;
  #digest: string | undefined;

  /** @param bytes the JSON, if it is written already */
  constructor(source: Source, bytes?: Buffer<ArrayBuffer>) {
    this.#source = source;
    this.#bytes = bytes;
  }

  static of(value: unknown): RenderedJson {
    return new RenderedJson({
      value: () => value,
      bytes: () => Buffer.from(JSON.stringify(value)),
      digest: digestOf,
    });
  }

  /** Whether the JSON has been written. */
  get isWritten(): boolean {
    return this.#bytes !== undefined;
  }

  get bytes(): Buffer<ArrayBuffer> {
    this.#bytes ??= this.#source.bytes();
    return this.#bytes;
  }

  get digest(): string {
    this.#digest ??= this.#source.digest(() => this.bytes);
    return this.#digest;
  }

  /** The value itself, which may be shared. */
  parse(): unknown {
    return this.#source.value();
  }

  /** A copy for caching: holds only the JSON, in memory of its own. */
  written(): RenderedJson {
    const bytes = copyBytes(this.bytes);
    const { digest } = this;
    const source = { value: () => JSON.parse(bytes.toString()), bytes: () => bytes, digest: () => digest };
    return new RenderedJson(source, bytes);
  }
}

const digestOf = (bytes: () => Buffer): string => hash('sha1', bytes(), 'base64url');

const COMMA = Buffer.from(',');

/**
 * The JSON of `{ [name]: items, ...others }`, where `others` has at least one member. Its digest combines the digests
 * of the items, so that these need not be read again.
 */
export function withRenderedList(name: string, items: readonly RenderedJson[], others: object): RenderedJson {
  // No item is cached: writing all of them at once takes less time and memory.
  if (!items.some((item) => item.isWritten))
    return RenderedJson.of({ [name]: items.map((item) => item.parse()), ...others });
  const end = `],${JSON.stringify(others).slice(1)}`;
  return new RenderedJson({
    value: () => ({ [name]: items.map((item) => item.parse()), ...others }),
    bytes() {
      const pieces: Buffer[] = [Buffer.from(`{${JSON.stringify(name)}:[`)];
      for (const [index, { bytes }] of items.entries()) {
        if (index > 0) pieces.push(COMMA);
        pieces.push(bytes);
      }
      pieces.push(Buffer.from(end));
      return Buffer.concat(pieces);
    },
    digest: () => hash('sha1', [...items.map((item) => item.digest), end].join(), 'base64url'),
  });
}

/** The JSON of `{ ...others, [name]: member }`, where `others` has at least one member. */
export function withRenderedMember(name: string, member: RenderedJson, others: object): RenderedJson {
  const begin = `${JSON.stringify(others).slice(0, -1)},${JSON.stringify(name)}:`;
  return new RenderedJson({
    value: () => ({ ...others, [name]: member.parse() }),
    bytes: () => Buffer.concat([Buffer.from(begin), member.bytes, Buffer.from('}')]),
    digest: () => hash('sha1', `${begin}${member.digest}`, 'base64url'),
  });
}

/** JSON from a template, for an origin. */
export function renderedFor(origin: string, template: OriginTemplate): RenderedJson {
  const written = JSON.stringify(origin).slice(1, -1);
  return new RenderedJson({
    value: () => JSON.parse(template.bytes(written).toString()),
    bytes: () => template.bytes(written),
    digest: () => template.digest(written),
  });
}
