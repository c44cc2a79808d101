const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Whether an address may be that of a link: what the server keeps, and nothing that runs when it is pressed. */
export function isSafeAddress(address: string): boolean {
  // Relative addresses are those of the site itself.
  const url = URL.parse(address, 'https://site.invalid/');
  return url !== null && SCHEMES.has(url.protocol);
}

const MAIL = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:.]+$/;
const HOST = /^[^\s/:.]+(?:\.[^\s/:.]+)+(?::\d+)?(?:[/?#]|$)/;

/** The address of a link as somebody types it, such as `example.org` or `box@example.org`; undefined for none. */
export function readAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (MAIL.test(text)) return `mailto:${text}`;
  const address = HOST.test(text) ? `https://${text}` : text;
  const isComplete = /^(?:[a-z]+:|[/#?])/i.test(address);
  return isComplete && isSafeAddress(address) ? address : undefined;
}
