import { hkdfSync } from 'node:crypto';

/** Uses of keys. Each has a key of its own, so that a value made for one use is invalid for another. */
export type KeyUse =
  | 'order-token'
  | 'ticket-token'
  | 'event-password'
  | 'ordered'
  | 'sent-form'
  | 'reply'
  | 'second-factor'
  | 'payment-key'
  | 'bounce'
  | 'mailed-link'
  | 'mailed-request'
  | 'unsubscribe'
  | 'door-list'
  | 'door-seal'
  | 'ticket-signature'
  | 'import-password';

/** Key of a use, derived from the secret of the site. */
export type SiteKey = (use: KeyUse) => Buffer;

const KEY_BYTES = 32;
/** Characters; 128 bits. */
const FINGERPRINT_LENGTH = 32;

const derive = (secret: string, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `marquee ${info}`, KEY_BYTES));

/** Derives the keys of a secret (HKDF with SHA-256), each on first use. */
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
