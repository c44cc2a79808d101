import { hkdfSync } from 'node:crypto';

/** What a key is for: each use has a key of its own, so that a value made for one is worth nothing for another. */
export type KeyUse = 'order-token' | 'event-password' | 'ordered' | 'second-factor';

/** The key of a use, derived from the secret of the site. */
export type SiteKey = (use: KeyUse) => Buffer;

const KEY_BYTES = 32;
/** Characters; 128 bits. */
const FINGERPRINT_LENGTH = 32;

const derive = (secret: string, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `marquee ${info}`, KEY_BYTES));

/** The keys that are derived from a secret (HKDF with SHA-256), each when it is first used. */
export function siteKeysOf(secret: string): SiteKey {
  const keys = new Map<KeyUse, Buffer>();
  return (use) => {
    const key = keys.get(use) ?? derive(secret, `key ${use}`);
    keys.set(use, key);
    return key;
  };
}

/** Identifies a secret without revealing it; hexadecimal. */
export const secretFingerprint = (secret: string): string =>
  derive(secret, 'fingerprint').toString('hex').slice(0, FINGERPRINT_LENGTH);
