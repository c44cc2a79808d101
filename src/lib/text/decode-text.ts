/** Text of files of unknown encoding. */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Detects the encoding of a file from its beginning: by its byte order mark, the zero bytes of Latin letters in UTF-16,
 * or bytes that are not valid UTF-8. The beginning may end within a character.
 */
export function encodingOf(beginning: Uint8Array): Encoding {
  const [first, second] = beginning;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== undefined && first !== 0 && second === 0) return 'utf-16le';
  if (first === 0 && second !== undefined && second !== 0) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** Decodes a whole text, without its byte order mark and NUL characters; invalid bytes become U+FFFD. */
export const decodeText = (bytes: Uint8Array): string =>
  new TextDecoder(encodingOf(bytes)).decode(bytes).replaceAll('\0', '');
