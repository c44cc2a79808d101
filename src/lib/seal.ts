import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * Encrypts texts so that the database alone cannot reveal them: the key is derived from a secret that only the client
 * has.
 */

/** Three independent values derived from one secret. */
export interface DerivedKeys {
  /** Identifies the record; hexadecimal. */
  id: string;
  /** For AES-256-GCM. */
  sealing: Buffer;
  /** Key for fingerprints of data that must not be stored. */
  comparing: Buffer;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Derives the keys of a secret (HKDF with SHA-256), distinct for each scope. */
export function deriveKeys(secret: string, scope: string): DerivedKeys {
  const salt = createHash('sha256').update(scope).digest();
  const bytes = Buffer.from(hkdfSync('sha256', secret, salt, 'marquee idempotency', 3 * KEY_BYTES));
  const part = (index: number) => bytes.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES);
  return { id: part(0).toString('hex'), sealing: part(1), comparing: part(2) };
}

/** HMAC-SHA-256, hexadecimal: allows comparing texts without storing them; useless without the key. */
export const fingerprintOf = (text: string, { comparing }: DerivedKeys): string =>
  createHmac('sha256', comparing).update(text).digest('hex');

/** Compresses and encrypts a text. Returns Base64 of nonce, tag and ciphertext. */
export function seal(
  text: string,
  { sealing }: Pick<DerivedKeys, 'sealing'>,
  random: (bytes: number) => Buffer,
): string {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealing, nonce);
  const encrypted = [cipher.update(deflateRawSync(text, { level: 1 })), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]).toString('base64');
}

/**
 * The text that was sealed.
 * @throws {Error} if the key is wrong or the sealed text was modified
 */
export function unseal(sealed: string, { sealing }: Pick<DerivedKeys, 'sealing'>): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const compressed = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
  return inflateRawSync(Buffer.concat(compressed)).toString();
}
