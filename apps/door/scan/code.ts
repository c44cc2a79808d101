/** Ticket as the text of its code names it. */
export interface TicketCode {
  /** `ticket_id` of the code: id of the attendee; for a series pass, of its first attendee. */
  id: number;
  code: string;
  event: number | undefined;
  /** Kind of ticket, for the signature. */
  kind: number | undefined;
  /** Key and Ed25519 signature in base64url. */
  signature: { key: number; value: string } | undefined;
  /** Whether its address belongs to this site; old tickets may have a former address. */
  isOwn: boolean;
}

const MAX_TEXT = 2000;
const MAX_CODE = 200;
/** Characters that the server accepts in codes. */
const CODE = /^[\x20-\x7e]+$/;
const SIGNATURE = /^(\d{1,15})\.([\w-]{86})$/;

const idIn = (query: URLSearchParams, name: string): number | undefined => {
  const value = query.get(name) ?? '';
  return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined;
};

/** Parses the text of a code; undefined if it is not a ticket. */
export function readTicketCode(text: string, origin: string): TicketCode | undefined {
  const url = addressOf(text);
  if (url?.searchParams.get('event_qr_code') !== '1') return undefined;
  const query = url.searchParams;
  const [id, code] = [idIn(query, 'ticket_id'), query.get('security_code') ?? ''];
  if (id === undefined || code.length > MAX_CODE || !CODE.test(code)) return undefined;
  const [, key, value] = SIGNATURE.exec(query.get('sig') ?? '') ?? [];
  return {
    id,
    code,
    event: idIn(query, 'event_id'),
    kind: idIn(query, 'kind'),
    signature: value === undefined ? undefined : { key: Number(key), value },
    isOwn: url.origin === origin,
  };
}

/** The pairing code in the address of a QR code of the console; undefined if there is none. */
export function readPairingCode(text: string): string | undefined {
  const url = addressOf(text);
  return url ? pairingIn(url.hash) : undefined;
}

/** The pairing code in the part of an address after `#`. */
export const pairingIn = (hash: string): string | undefined =>
  new URLSearchParams(hash.slice(1)).get('pair')?.slice(0, 40) || undefined;

function addressOf(text: string): URL | undefined {
  if (text.length > MAX_TEXT || !/^https?:/i.test(text)) return undefined;
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
