/** The credentials in an `Authorization` header. */
export type PresentedCredential =
  | { scheme: 'basic'; name: string; secret: string; pair: string }
  | { scheme: 'bearer'; token: string };

/** Maximum length of the header: several times the longest name and password. */
const MAX_HEADER = 4096;

const BASIC = /^basic +([\w+/-]+=*)$/i;
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;

/** Parses the header (RFC 7617, RFC 6750); undefined for other schemes and malformed values. */
export function readAuthorization(header: string): PresentedCredential | undefined {
  if (header.length > MAX_HEADER) return undefined;
  const token = BEARER.exec(header.trim())?.[1];
  if (token !== undefined) return { scheme: 'bearer', token };
  const encoded = BASIC.exec(header.trim())?.[1];
  const pair = encoded === undefined ? undefined : utf8(Buffer.from(encoded, 'base64'));
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon < 0) return undefined;
  return { scheme: 'basic', name: pair.slice(0, colon), secret: pair.slice(colon + 1), pair };
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
