import { createHmac, hash as digestOf, timingSafeEqual } from 'node:crypto';

/**
 * Password hashes of all versions of WordPress. Imported accounts keep theirs until the first sign-in; new hashes never
 * have these forms.
 */

const PHPASS = /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/;
const MD5 = /^[\da-f]{32}$/i;
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./0-9A-Za-z]{53}$/;
const BCRYPT_OF_HMAC = /^\$wp(\$2[aby]\$(\d\d)\$[./0-9A-Za-z]{53})$/;
const GENERIC = /^\$generic\$([\w-]{40})$/;

/** Maximum cost of a hash: a higher one could keep the server busy. PHP's default is 10, later 12. */
const MAX_BCRYPT_COST = 13;
const MAX_PHPASS_ROUNDS_LOG2 = 16;
/** WordPress refuses longer passwords. */
const MAX_PASSWORD_BYTES = 4096;

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const isCheap = (cost: string | undefined): boolean =>
  cost !== undefined && Number(cost) >= 4 && Number(cost) <= MAX_BCRYPT_COST;

/** Whether `verifyForeignHash` supports the form of a hash. */
export function isForeignHash(stored: string): boolean {
  const rounds = PHPASS.exec(stored)?.[1];
  if (rounds !== undefined) return ALPHABET.indexOf(rounds) >= 7 && ALPHABET.indexOf(rounds) <= MAX_PHPASS_ROUNDS_LOG2;
  if (MD5.test(stored) || GENERIC.test(stored)) return true;
  return isCheap(BCRYPT.exec(stored)?.[1]) || isCheap(BCRYPT_OF_HMAC.exec(stored)?.[2]);
}

/** Whether a password matches a hash of WordPress, compared in constant time; false for other forms. */
export async function verifyForeignHash(typed: string, stored: string): Promise<boolean> {
  const password = Buffer.from(withoutBlanks(typed), 'utf8');
  if (password.length > MAX_PASSWORD_BYTES || !isForeignHash(stored)) return false;
  if (MD5.test(stored)) return isSame(digestOf('md5', password, 'buffer'), Buffer.from(stored, 'hex'));
  const generic = GENERIC.exec(stored)?.[1];
  if (generic !== undefined) return isSame(await fastHash(password), Buffer.from(generic, 'base64url'));
  const phpass = PHPASS.exec(stored);
  if (phpass) return verifyPhpass(password, phpass);
  const { compare } = await import('bcryptjs');
  const wrapped = BCRYPT_OF_HMAC.exec(stored)?.[1];
  if (wrapped === undefined) return compare(password.toString('utf8'), stored);
  return compare(createHmac('sha384', 'wp-sha384').update(password).digest('base64'), wrapped);
}

/** Characters that PHP's `trim` removes. */
const BLANKS = ' \t\n\r\0\v';

/** Trims a password as WordPress does, both when it is set and when it is checked. */
export function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANKS.includes(text.charAt(start))) start += 1;
  while (end > start && BLANKS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** `wp_fast_hash`, for long random secrets. */
async function fastHash(secret: Buffer): Promise<Buffer> {
  const { blake2b } = await import('@noble/hashes/blake2.js');
  return Buffer.from(blake2b(secret, { key: Buffer.from('wp_fast_hash_6.8+'), dkLen: 30 }));
}

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);

/** Salted and iterated MD5, in the form of the library `phpass`. */
function verifyPhpass(password: Buffer, [, rounds = '', salt = '', expected = '']: RegExpExecArray): boolean {
  let hashed = digestOf('md5', Buffer.concat([Buffer.from(salt), password]), 'buffer');
  for (let left = 2 ** ALPHABET.indexOf(rounds); left > 0; left--)
    hashed = digestOf('md5', Buffer.concat([hashed, password]), 'buffer');
  return isSame(Buffer.from(encoded(hashed)), Buffer.from(expected));
}

/** Base 64 with the alphabet of `crypt` and the lowest bits first. */
function encoded(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = [0, 1, 2].reduce((value, index) => value | ((bytes[at + index] ?? 0) << (8 * index)), 0);
    const digits = Math.min(4, bytes.length - at + 1);
    for (let digit = 0; digit < digits; digit++) text += ALPHABET[(group >> (6 * digit)) & 63];
  }
  return text;
}
