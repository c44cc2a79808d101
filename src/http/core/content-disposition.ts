/** File names in the `Content-Disposition` header (RFC 6266). */

/**
 * The file name in a header; undefined if there is none. It is untrusted and may
 * contain a path.
 */
export function fileNameOf(header: string | null): string | undefined {
  const text = header ?? '';
  const encoded = /;\s*filename\*=utf-8''([^;\s]+)/i.exec(text)?.[1];
  if (encoded !== undefined) return decode(encoded);
  const [, quoted, plain] = /;\s*filename=(?:"([^"]*)"|([^;"]+))/i.exec(text) ?? [];
  return (quoted ?? plain)?.trim() || undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Header that names a file.
 * @param use `attachment` for files to be saved, `inline` for files that browsers may display
 */
export function fileHeader(use: 'attachment' | 'inline', name: string): { 'Content-Disposition': string } {
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const plain = `${use}; filename="${encoded}"`;
  return { 'Content-Disposition': encoded === name ? plain : `${plain}; filename*=UTF-8''${encoded}` };
}
