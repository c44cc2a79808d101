import { createDecipheriv, createECDH, createHmac, type ECDH, hkdfSync } from 'node:crypto';

/**
 * Scans that a device cannot read again, so that it may erase its list without losing any: sealed for a key of the
 * server. An envelope is base64url of a P-256 public key (65 bytes, uncompressed), an initialisation vector (12 bytes) and
 * AES-256-GCM of the text, with its tag. The key is HKDF-SHA-256 of the shared secret; its salt is the public key of the
 * envelope followed by the one of the server, and its info is `marquee-door-scans`.
 */

const CURVE = 'prime256v1';
const POINT = 65;
const VECTOR = 12;
const TAG = 16;
export const SEAL_INFO = 'marquee-door-scans';

/** The key pair that a secret gives: the first candidate that is a number of the curve, as almost all are. */
function keyPairOf(secret: Buffer): ECDH {
  const pair = createECDH(CURVE);
  for (let number = 0; ; number += 1) {
    try {
      pair.setPrivateKey(createHmac('sha256', secret).update(`seal ${number}`).digest());
      return pair;
    } catch {
      // Beyond the order of the curve.
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
