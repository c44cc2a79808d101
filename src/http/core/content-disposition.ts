/**
 * The file name in a `Content-Disposition` header (RFC 6266); undefined if there is none. It is untrusted and may
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
