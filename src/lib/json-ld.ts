import { htmlToText, inertText } from './text.ts';

/** Members of schema.org, and of JSON-LD itself, whose value is an address. */
const ADDRESSES: ReadonlySet<string> = new Set([
  '@context',
  'availability',
  'eventAttendanceMode',
  'eventStatus',
  'image',
  'sameAs',
  'url',
]);

/** Characters that end an attribute or begin a tag, and ampersands that begin an entity instead of a parameter. */
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
 * A description in the vocabulary of schema.org whose texts are plain, also once somebody decodes entities in them, and
 * whose addresses are http or https. Search engines and other programs read it, and some put it into pages unescaped.
 */
export function plainLd(thing: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(thing)) plain[name] = plainMember(name, thing[name]);
  return plain;
}

function plainMember(name: string, value: unknown): unknown {
  if (typeof value === 'string') return ADDRESSES.has(name) ? safeAddress(value) : inertText(value);
  if (Array.isArray(value)) return value.map((item) => plainMember(name, item));
  // Built by our own code from strings, numbers, lists and such objects.
  return typeof value === 'object' && value !== null ? plainLd(value as Record<string, unknown>) : value;
}

/** Characters of HTML that a description is made of: readers of schema.org show a few hundred. */
const MAX_DESCRIPTION = 20_000;

/** The visible text at the beginning of HTML. `plainLd` has to make it inert. */
export const ldDescription = (html: string): string => htmlToText(html.slice(0, MAX_DESCRIPTION));
