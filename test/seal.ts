import { SEAL_INFO } from '../src/lib/door/sealed-scans.ts';

/** Seals scans for the server as the app at the door does, by the Web Crypto API. */
export async function sealFor(seal_key: string, content: object): Promise<string> {
  const { subtle } = crypto;
  const curve = { name: 'ECDH', namedCurve: 'P-256' };
  const theirs = Buffer.from(seal_key, 'base64url');
  const own = await subtle.generateKey(curve, false, ['deriveBits']);
  const point = Buffer.from(await subtle.exportKey('raw', own.publicKey));
  const key = await subtle.importKey('raw', theirs, curve, false, []);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: key }, own.privateKey, 256);
  const material = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
  const salt = Buffer.concat([point, theirs]);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info: Buffer.from(SEAL_INFO) };
  const cipher = await subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = Buffer.from(JSON.stringify(content));
  const sealed = Buffer.from(await subtle.encrypt({ name: 'AES-GCM', iv }, cipher, text));
  return Buffer.concat([point, iv, sealed]).toString('base64url');
}
