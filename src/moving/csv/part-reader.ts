import type { SaxesParser } from 'saxes';
import { SourceError } from '../source.ts';

/** Reads the XML of a workbook as a stream, in bounded memory. */

export interface PartHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  /** Texts of an element, possibly in several pieces. */
  text?(text: string): void;
  close?(name: string): void;
}

const MAX_DEPTH = 40;
/** Maximum characters between two tags, and of a tag. */
const MAX_TEXT = 2_000_000;

/** Names without prefixes, which files choose freely. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Reads a part of a workbook, piece by piece.
 * @param part its name, for messages
 * @yields once for each piece, after the handler was called with its content
 * @throws {SourceError} for broken XML
 */
export async function* readPart(
  part: string,
  bytes: AsyncIterable<Buffer>,
  handler: PartHandler,
): AsyncGenerator<void> {
  const { SaxesParser: Parser } = await import('saxes');
  const parser: SaxesParser = new Parser({ xmlns: false });
  const damaged = (why: string) => new SourceError(`The workbook is damaged: ${part}, ${why}`);
  let [depth, length] = [0, 0];
  parser.on('error', ({ message }) => {
    throw damaged(message.replace(/^(\d+):(\d+): /, 'line $1, column $2: ').slice(0, 200));
  });
  parser.on('doctype', () => {
    throw damaged('it declares a document type.');
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    length = 0;
    if (depth > MAX_DEPTH) throw damaged('its elements are nested too deeply.');
    const entries = Object.entries(attributes).map(([key, value]) => [key === 'r:id' ? key : local(key), value]);
    handler.open?.(local(name), Object.fromEntries(entries));
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    length = 0;
    handler.close?.(local(name));
  });
  const text = (value: string) => handler.text?.(value);
  parser.on('text', text);
  parser.on('cdata', text);
  const decoder = new TextDecoder('utf-8');
  const write = (piece: string) => {
    length += piece.length;
    if (length > MAX_TEXT + piece.length) throw damaged('a text is too long.');
    parser.write(piece);
  };
  for await (const chunk of bytes) {
    write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  write(decoder.decode());
  parser.close();
  yield;
}

export async function readWholePart(part: string, bytes: AsyncIterable<Buffer>, handler: PartHandler): Promise<void> {
  for await (const _piece of readPart(part, bytes, handler));
}
