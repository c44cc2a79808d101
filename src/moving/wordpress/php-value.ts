import { storable } from '../../lib/text/text.ts';

/**
 * Reads values that PHP's `serialize` wrote. Only data is read: no class is looked up and no code runs. Lengths count
 * bytes, so the reader works on bytes.
 */

export type PhpValue = null | boolean | number | string | PhpArray;
/** An array, or the properties of an object by their bare names. */
interface PhpArray {
  readonly members: ReadonlyMap<string, PhpValue>;
}

const MAX_BYTES = 1_000_000;
const MAX_DEPTH = 16;
const MAX_MEMBERS = 20_000;

/** Whether a text looks like a serialized value. */
export const isSerialized = (text: string): boolean => /^(?:[aOC]:\d+:|s:\d+:"|[bid]:[^;]{1,40};$|N;$)/.test(text);

class Corrupt extends Error {}

/** The value; undefined if the text is corrupt, or larger than anything that is imported. */
export function readPhpValue(text: string): PhpValue | undefined {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > MAX_BYTES) return undefined;
  const reader = new Reader(bytes);
  try {
    const value = reader.value(0);
    return reader.isAtEnd ? value : undefined;
  } catch (error) {
    if (error instanceof Corrupt) return undefined;
    throw error;
  }
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  #members = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  value(depth: number): PhpValue {
    if (depth > MAX_DEPTH) throw new Corrupt();
    const type = String.fromCharCode(this.#byte());
    if (type === 'N') return this.#end(null);
    this.#expect(':');
    switch (type) {
      case 'b':
        return this.#until(';') === '1';
      case 'i':
      case 'd':
        return numberOf(this.#until(';'));
      case 's': {
        const text = this.#string();
        return this.#end(text);
      }
      case 'a':
        return this.#array(depth);
      case 'O':
        this.#string();
        this.#expect(':');
        return this.#array(depth);
      case 'r':
      case 'R':
        // A reference to another value: following it could make circles.
        this.#until(';');
        return null;
      default:
        throw new Corrupt();
    }
  }

  #array(depth: number): PhpArray {
    const count = this.#count(':');
    this.#members += count;
    if (this.#members > MAX_MEMBERS) throw new Corrupt();
    this.#expect('{');
    const members = new Map<string, PhpValue>();
    for (let left = count; left > 0; left--) {
      const key = this.value(MAX_DEPTH);
      if (typeof key !== 'string' && typeof key !== 'number') throw new Corrupt();
      // Names of private properties begin with their class between NUL characters.
      members.set(storable(String(key).replace(/^\0[^\0]*\0/, '')), this.value(depth + 1));
    }
    this.#expect('}');
    return { members };
  }

  #string(): string {
    const length = this.#count(':');
    this.#expect('"');
    const end = this.#at + length;
    if (end >= this.#bytes.length) throw new Corrupt();
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    this.#expect('"');
    return text;
  }

  #count(end: string): number {
    const text = this.#until(end);
    if (!/^\d{1,7}$/.test(text)) throw new Corrupt();
    return Number(text);
  }

  #until(end: string): string {
    const found = this.#bytes.indexOf(end, this.#at);
    if (found < 0 || found - this.#at > 60) throw new Corrupt();
    const text = this.#bytes.toString('latin1', this.#at, found);
    this.#at = found + 1;
    return text;
  }

  #end<T>(value: T): T {
    this.#expect(';');
    return value;
  }

  #expect(character: string): void {
    if (this.#byte() !== character.charCodeAt(0)) throw new Corrupt();
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Corrupt();
    return byte;
  }
}

function numberOf(text: string): number {
  const value = Number(text);
  return Number.isFinite(value) ? value : 0;
}

/** Members of an array; none for anything else. */
export const membersOfPhp = (value: PhpValue | undefined): ReadonlyMap<string, PhpValue> =>
  typeof value === 'object' && value !== null ? value.members : new Map();

export const phpText = (value: PhpValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? storable(String(value)) : '';
