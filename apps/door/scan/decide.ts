import type { DoorRow } from '../../../src/lib/door/door-list.ts';
import { type DoorMode, type Question, type Verdict, verdictOn } from '../../../src/lib/door/door-verdict.ts';
import { signedText } from '../../../src/lib/door/signed-code.ts';
import type { Timeline } from '../../../src/lib/door/timeline.ts';
import { utcText } from '../list/clock.ts';
import { type GuestList, rowAt } from '../list/guest-list.ts';
import { type OwnScan, ownTimeline } from '../list/own-scan.ts';
import type { Session } from '../list/session.ts';
import { fromBase64url, toBase64url } from '../store/base64url.ts';
import type { TicketCode } from './code.ts';

/** Knowledge of a device when it decides. */
export interface Known {
  session: Session;
  list: GuestList;
  /** Scans of an attendee that the list may not know yet. */
  scansOf: (attendee: number) => readonly OwnScan[];
  /** Milliseconds, by the clock of the server. */
  now: number;
}

/** A ticket to decide on. */
export interface Asked {
  mode: DoorMode;
  row: DoorRow | undefined;
  /** Ticket with a valid signature that is not in the list. */
  signed?: { id: number; event_id: number; ticket_id: number };
  code: Question['code'];
  overrides?: boolean;
}

/** Decides on a ticket by the knowledge of the device. */
export function decide({ mode, row, signed, code, overrides }: Asked, known: Known): Decision {
  const { session, scansOf, now } = known;
  const { gate } = session.greeting;
  const [stay, id] = row ? [stayOf(row), row[0]] : [NOT_HERE, signed?.id];
  const timeline = ownTimeline(stay, id === undefined ? [] : scansOf(id), gate.reentry);
  const ticket = row
    ? { event_id: row[1], ticket_id: row[2], admission: row[3] }
    : signed && { event_id: signed.event_id, ticket_id: signed.ticket_id, admission: 'ok' as const };
  const verdict = verdictOn({
    mode,
    ticket,
    code,
    rules: gate,
    events: session.list.events,
    at: utcText(now),
    timeline,
    ...(overrides !== undefined && { overrides }),
    listAge: session.synced === 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, now - session.synced) / 60_000,
  });
  return { verdict, entry: timeline.entry };
}

export interface Decision {
  verdict: Verdict;
  /** Entry with the same ticket before. */
  entry: Timeline['entry'];
}

/** The passages of an attendee, as far as the device knows. */
export const timelineIn = (row: DoorRow, { session, scansOf }: Pick<Known, 'session' | 'scansOf'>): Timeline =>
  ownTimeline(stayOf(row), scansOf(row[0]), session.greeting.gate.reentry);

const stayOf = (row: DoorRow) => ({ since: row[4], hasLeft: row[5] === 1 });
const NOT_HERE = { since: '', hasLeft: false };

/** Verdicts that may be wrong because the list is not quite current: the server is asked before they are shown. */
const UNSURE: ReadonlySet<Verdict> = new Set([
  ...(['welcome', 'goodbye', 'not-in', 'unknown', 'wrong-code', 'unpaid', 'pending', 'list-too-old'] as const),
]);

export const isUnsure = (verdict: Verdict): boolean => UNSURE.has(verdict);

/** Finds the row of a code, and compares the code with its proof or its signature. */
export async function lookUp(ticket: TicketCode, mode: DoorMode, known: Known): Promise<Asked> {
  const { session, list, now } = known;
  const row = rowAt(list.withCode(ticket.id), session.list.events, now);
  if (row) {
    const proof = await proofOf(session.greeting.list_secret, `${ticket.id}:${ticket.code}`);
    return { mode, row, code: proof === row[10] ? 'right' : 'wrong' };
  }
  const { event, kind, signature } = ticket;
  if (event === undefined || kind === undefined || !signature) return { mode, row, code: 'wrong' };
  const key = session.list.keys.find(({ id }) => id === signature.key);
  const text = signedText({ id: ticket.id, event_id: event, ticket_id: kind, security_code: ticket.code });
  const isValid = key !== undefined && (await isSigned(text, signature.value, key.public_key));
  if (isValid) return { mode, row, signed: { id: ticket.id, event_id: event, ticket_id: kind }, code: 'signed' };
  return { mode, row, code: 'wrong' };
}

type Bytes = Uint8Array<ArrayBuffer>;

const PROOF_BYTES = 12;
const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/** Proof of a code: the first bytes of its HMAC under the secret of the list. */
export async function proofOf(secret: string, text: string): Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', fromBase64url(secret), hmac, false, ['sign']);
  const proof = await crypto.subtle.sign('HMAC', key, utf8(text));
  return toBase64url(new Uint8Array(proof.slice(0, PROOF_BYTES)));
}

/** Tests an Ed25519 signature, also in browsers that have no Ed25519. */
export async function isSigned(text: string, signature: string, publicKey: string): Promise<boolean> {
  const [bytes, raw] = [fromBase64url(signature), fromBase64url(publicKey)];
  try {
    const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, bytes, utf8(text));
  } catch {
    const { verifyAsync } = await import('@noble/ed25519');
    return verifyAsync(bytes, utf8(text), raw).catch(() => false);
  }
}
