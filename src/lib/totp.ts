import { createHmac } from 'node:crypto';

/** Time-based one-time codes (RFC 6238): six digits, SHA-1, 30 seconds, as all authenticator apps support. */

const STEP_SECONDS = 30;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 without padding (RFC 4648). */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** The code of a counter (RFC 4226). */
export function hotp(secret: Uint8Array, counter: number, digits = DIGITS): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac('sha1', secret).update(message).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}

/** Number of the time step that contains a moment. */
export const stepOf = (now: Date): number => Math.floor(now.getTime() / 1000 / STEP_SECONDS);

/** Time step that matches the code, allowing one step of drift; undefined if none does. */
export function matchingStep(code: string, secret: Uint8Array, now: Date): number | undefined {
  const present = stepOf(now);
  return [present, present - 1, present + 1].find((step) => step >= 0 && hotp(secret, step) === code);
}

/** URL that authenticator apps read from a QR code. */
export function totpUri(secret: Uint8Array, { account, issuer }: { account: string; issuer: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
