import { createDecipheriv, createECDH, createHmac, type ECDH, hkdfSync } from 'node:crypto';

/**
 * Scans encrypted for a key of the server: the device cannot decrypt them, and keeps them when it erases its list. An
 * envelope is base64url of a P-256 public key (65 bytes, uncompressed), an initialisation vector (12 bytes) and the
 * AES-256-GCM ciphertext with its tag. The key is derived from the shared secret with HKDF-SHA-256; the salt is the
 * public key of the envelope followed by the server's, and the info is `marquee-door-scans`.
 */

const CURVE = 'prime256v1';
const POINT = 65;
const VECTOR = 12;
const TAG = 16;
export const SEAL_INFO = 'marquee-door-scans';

/** Derives the key pair from a secret: the first candidate that is a valid private key, as nearly all are. */
function keyPairOf(secret: Buffer): ECDH {
  const pair = createECDH(CURVE);
  for (let number = 0; ; number += 1) {
    try {
      pair.setPrivateKey(createHmac('sha256', secret).update(`seal ${number}`).digest());
      return pair;
    } catch {
      // Zero, or not below the order of the curve.
    }
  }
}

/** Public key of the seal, as devices get it. */
export const sealKeyOf = (secret: Buffer): string => keyPairOf(secret).getPublicKey('base64url');

/** The text of an envelope; undefined if it was not sealed for this key, or was changed. */
export function openSealed(secret: Buffer, envelope: string): string | undefined {
  const bytes = Buffer.from(envelope, 'base64url');
  if (bytes.length < POINT + VECTOR + TAG) return undefined;
  const point = bytes.subarray(0, POINT);
  const pair = keyPairOf(secret);
  try {
    const salt = Buffer.concat([point, pair.getPublicKey()]);
    const key = Buffer.from(hkdfSync('sha256', pair.computeSecret(point), salt, SEAL_INFO, 32));
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(POINT, POINT + VECTOR));
    decipher.setAuthTag(bytes.subarray(-TAG));
    const text = decipher.update(bytes.subarray(POINT + VECTOR, -TAG));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
