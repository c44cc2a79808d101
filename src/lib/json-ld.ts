import { htmlToText, unescapableText } from './text/text.ts';

/** Members of schema.org and JSON-LD whose value is a URL. */
const URL_MEMBERS: ReadonlySet<string> = new Set([
  '@context',
  'availability',
  'eventAttendanceMode',
  'eventStatus',
  'image',
  'sameAs',
  'url',
]);

/** Characters that end an attribute or start a tag, and ampersands that start an entity instead of a parameter. */
const UNSAFE_IN_ADDRESS = /[\s<>"'`\\]|&(?=#|[a-z\d]+;|(?:lt|gt|quot|amp)(?!\w*=))/gi;

const SAFE_ADDRESS = /^https?:\/\/[\w.~:/?#@!$()*+,;=%-]*$/i;

/** A web address with characters unsafe in HTML percent-encoded; empty for any other scheme. */
function safeAddress(address: string): string {
  if (SAFE_ADDRESS.test(address)) return address;
  if (!/^https?:\/\//i.test(address)) return '';
  return address.replace(
    UNSAFE_IN_ADDRESS,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/**
 * Makes schema.org data safe for consumers that insert it into pages unescaped: texts are plain even after entities are
 * decoded, and URLs are http or https. Search engines reject empty texts, which are left out.
 */
export function safeJsonLd(thing: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(thing)) {
    const value = plainMember(name, thing[name]);
    if (value !== '' && value !== undefined) plain[name] = value;
  }
  return plain;
}

function plainMember(name: string, value: unknown): unknown {
  if (typeof value === 'string') return URL_MEMBERS.has(name) ? safeAddress(value) : unescapableText(value);
  if (Array.isArray(value)) return value.map((item) => plainMember(name, item));
  // The value was built by our own code from strings, numbers, lists and objects of these.
  return typeof value === 'object' && value !== null ? safeJsonLd(value as Record<string, unknown>) : value;
}

/** Maximum length of the HTML used for a description: consumers of schema.org show a few hundred characters. */
const MAX_DESCRIPTION = 20_000;

/** The visible text at the beginning of HTML; `safeJsonLd` makes it safe. */
export const jsonLdDescription = (html: string): string => htmlToText(html.slice(0, MAX_DESCRIPTION));
