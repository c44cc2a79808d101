/** JSON that has been written already, as UTF-8. */
export class RenderedJson {
  readonly bytes: Buffer<ArrayBuffer>;

  constructor(bytes: Buffer<ArrayBuffer>) {
    this.bytes = bytes;
  }

  /** The value that it stands for. */
  parse(): unknown {
    return JSON.parse(this.bytes.toString());
  }
}

const COMMA = Buffer.from(',');

/** The JSON of `{ [name]: items, ...others }`, where `others` has at least one member. */
export function withRenderedList(name: string, items: readonly Buffer[], others: object): RenderedJson {
  const pieces: Buffer[] = [Buffer.from(`{${JSON.stringify(name)}:[`)];
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(COMMA);
    pieces.push(item);
  }
  pieces.push(Buffer.from(`],${JSON.stringify(others).slice(1)}`));
  return new RenderedJson(Buffer.concat(pieces));
}
