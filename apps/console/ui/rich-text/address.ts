const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Whether a link may have an address: one that the server accepts, and that runs nothing. */
export function isSafeAddress(address: string): boolean {
  // Relative addresses belong to the site.
  const url = URL.parse(address, 'https://site.invalid/');
  return url !== null && SCHEMES.has(url.protocol);
}

const MAIL = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:.]+$/;
const HOST = /^[^\s/:.]+(?:\.[^\s/:.]+)+(?::\d+)?(?:[/?#]|$)/;

/** Address of a typed link, such as `example.org` or `box@example.org`; undefined if it is none. */
export function readAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (MAIL.test(text)) return `mailto:${text}`;
  const address = HOST.test(text) ? `https://${text}` : text;
  const isComplete = /^(?:[a-z]+:|[/#?])/i.test(address);
  return isComplete && isSafeAddress(address) ? address : undefined;
}
