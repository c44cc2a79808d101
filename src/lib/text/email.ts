import { domainToASCII } from 'node:url';

/** Both domains of Gmail, which ignores dots in names. */
const GMAIL: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/**
 * Canonical form of an e-mail address, for counting: spellings of the same mailbox give the same text. Letter case,
 * surrounding space, compatibility characters (NFKC) and a `+tag` do not matter, nor do dots in Gmail names.
 */
export function canonicalAddress(address: string): string {
  const text = address.normalize('NFKC').trim().toLowerCase();
  const at = text.lastIndexOf('@');
  if (at < 1) return text;
  const [name = '', ...tag] = text.slice(0, at).split('+');
  const domain = text.slice(at + 1);
  if (GMAIL.has(domain)) return `${name.replaceAll('.', '')}@gmail.com`;
  // An address that begins with a plus sign has no name before the tag.
  const local = name === '' ? `+${tag.join('+')}` : name;
  return `${local}@${domainToASCII(domain) || domain}`;
}

/**
 * Key of an address, for telling people apart. Ignores only letter case and surrounding space: another spelling, such
 * as one with a `+tag`, may be the mailbox of another person.
 */
export const addressKey = (address: string): string => address.trim().toLowerCase();

/** Whether an address is a sample: the domain `.example` is reserved (RFC 2606). */
export const isSampleAddress = (address: string): boolean => /\.example\s*$/i.test(address);

const MAX_ADDRESS = 254;

/**
 * Whether a mail can be sent to an address: one mailbox, without a name, comment, quotes or anything that could end a
 * header or begin another recipient.
 */
export const isMailAddress = (text: string): boolean =>
  text.length <= MAX_ADDRESS && /^[^\s\p{C}<>()[\],;:\\"@]{1,64}@[^\s\p{C}<>()[\],;:\\"@]+$/u.test(text);
