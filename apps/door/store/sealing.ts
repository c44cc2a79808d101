import { fromBase64url, toBase64url } from './base64url.ts';

/**
 * Encryption of what the device stores: AES-GCM with keys that scripts cannot read, and envelopes for the server, which
 * this device cannot open again.
 */

type Bytes = Uint8Array<ArrayBuffer>;

const AES = { name: 'AES-GCM', length: 256 } as const;
const IV_BYTES = 12;
/** Recommended by OWASP for PBKDF2 with SHA-256. */
const ROUNDS = 600_000;

const random = (bytes: number): Bytes => crypto.getRandomValues(new Uint8Array(bytes));

/** A key that stays in the browser: scripts can use it and not read it. */
export const newKey = (): Promise<CryptoKey> => crypto.subtle.generateKey(AES, false, ['encrypt', 'decrypt']);

/** Encrypts a value as JSON; the random IV is in front. */
export async function seal(key: CryptoKey, value: unknown): Promise<Bytes> {
  const iv = random(IV_BYTES);
  const text = new TextEncoder().encode(JSON.stringify(value));
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, text));
  return joined(iv, sealed);
}

/**
 * Decrypts a value of `seal`.
 * @throws if the key is wrong, or the bytes were changed
 */
export async function open<T>(key: CryptoKey, bytes: Bytes): Promise<T> {
  const iv = bytes.slice(0, IV_BYTES);
  const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.slice(IV_BYTES));
  // Written by `seal`, and authenticated.
  return JSON.parse(new TextDecoder().decode(text)) as T;
}

/** A key that is stored only encrypted by a PIN. */
export interface PinLock {
  salt: Bytes;
  iv: Bytes;
  wrapped: ArrayBuffer;
  /** Wrong PINs in a row. */
  wrong: number;
}

async function keyOfPin(pin: string, salt: Bytes): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS };
  return crypto.subtle.deriveKey(how, secret, AES, false, ['wrapKey', 'unwrapKey']);
}

/** Makes a key, and its form that only the PIN opens. */
export async function lockedKey(pin: string): Promise<{ key: CryptoKey; lock: PinLock }> {
  const [salt, iv] = [random(16), random(IV_BYTES)];
  const byPin = await keyOfPin(pin, salt);
  const readable = await crypto.subtle.generateKey(AES, true, ['encrypt', 'decrypt']);
  const wrapped = await crypto.subtle.wrapKey('raw', readable, byPin, { name: 'AES-GCM', iv });
  const lock = { salt, iv, wrapped, wrong: 0 };
  const key = await unlock(lock, pin);
  if (!key) throw new Error('the new PIN does not open its key');
  return { key, lock };
}

/** The key that a PIN opens; undefined for a wrong PIN. */
export async function unlock({ salt, iv, wrapped }: PinLock, pin: string): Promise<CryptoKey | undefined> {
  const byPin = await keyOfPin(pin, salt);
  try {
    return await crypto.subtle.unwrapKey('raw', wrapped, byPin, { name: 'AES-GCM', iv }, AES, false, [
      'encrypt',
      'decrypt',
    ]);
  } catch {
    return undefined;
  }
}

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;
const INFO = 'marquee-door-scans';

/**
 * Seals a value so that only the server can read it, as `src/lib/door/sealed-scans.ts` describes.
 * @param sealKey public key of the server
 */
export async function envelopeFor(sealKey: string, value: unknown): Promise<string> {
  const { subtle } = crypto;
  const theirs = fromBase64url(sealKey);
  const own = await subtle.generateKey(CURVE, false, ['deriveBits']);
  const point = new Uint8Array(await subtle.exportKey('raw', own.publicKey));
  const server = await subtle.importKey('raw', theirs, CURVE, false, []);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: server }, own.privateKey, 256);
  const material = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
  const salt = joined(point, theirs);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode(INFO) };
  const key = await subtle.deriveKey(derivation, material, AES, false, ['encrypt']);
  return toBase64url(joined(point, await seal(key, value)));
}

function joined(one: Bytes, other: Bytes): Bytes {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}
