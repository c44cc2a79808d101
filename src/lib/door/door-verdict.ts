import type { Reentry, Timeline } from './timeline.ts';

/**
 * The decision at the door: one pure function, which the server and the app at the door share. Times are
 * `YYYY-MM-DD HH:MM:SS` in UTC, with or without milliseconds, and compare as texts.
 */

export const DOOR_MODES = ['in', 'out', 'look'] as const;
export type DoorMode = (typeof DOOR_MODES)[number];

/** Whether an attendee is admitted, or why not. */
export const ADMISSIONS = ['ok', 'unpaid', 'pending', 'cancelled', 'refunded', 'declined'] as const;
export type Admission = (typeof ADMISSIONS)[number];

export const VERDICTS = [
  'welcome',
  'goodbye',
  'already-in',
  'not-in',
  'unpaid',
  'pending',
  'cancelled',
  'refunded',
  'declined',
  'unknown',
  'wrong-code',
  'other-event',
  'other-gate',
  'not-allowed',
  'too-early',
  'too-late',
  'list-too-old',
  'undone',
  'not-undone',
] as const;
export type Verdict = (typeof VERDICTS)[number];

interface GateRules {
  modes: readonly DoorMode[];
  reentry: Reentry;
  may_override: boolean;
  /** The only tickets that it admits; an empty list for all. */
  ticket_ids: readonly number[];
  /** Age of the list in minutes from which a device admits no holders; null for no limit. */
  strict_minutes: number | null;
}

/** Event of a gate; `opens_utc` and `closes_utc` are null unless the site limits check-in to the time of the event. */
interface DoorEvent {
  id: number;
  opens_utc: string | null;
  closes_utc: string | null;
}

/** Attendee, from the list or the database. */
interface DoorTicket {
  event_id: number;
  ticket_id: number;
  admission: Admission;
}

export interface Question {
  mode: DoorMode;
  /** Undefined for a ticket that is neither in the list nor signed. */
  ticket: DoorTicket | undefined;
  /**
   * `right`: it matches the ticket. `signed`: the ticket is not in the list, but its signature is valid. `none`: found by
   * its name.
   */
  code: 'right' | 'wrong' | 'signed' | 'none';
  rules: GateRules;
  /** Events of the gate. */
  events: readonly DoorEvent[];
  /** Corrected time of the scan. */
  at: string;
  timeline: Pick<Timeline, 'isIn' | 'hasLeft'>;
  /** Whether the volunteer lets the holder in again on purpose. */
  overrides?: boolean;
  /** Minutes since the list was last synchronised; absent on the server, which has the current data. */
  listAge?: number;
}

/** Decides on a scan. */
export function verdictOn(question: Question): Verdict {
  const { mode, ticket, code, rules, events, at } = question;
  if (!rules.modes.includes(mode)) return 'not-allowed';
  if (!ticket) return 'unknown';
  if (code === 'wrong') return 'wrong-code';
  const event = events.find(({ id }) => id === ticket.event_id);
  if (!event) return 'other-event';
  if (rules.ticket_ids.length > 0 && !rules.ticket_ids.includes(ticket.ticket_id)) return 'other-gate';
  // Holders may leave whatever the status of their orders.
  if (mode === 'out') return question.timeline.isIn ? 'goodbye' : 'not-in';
  if (ticket.admission !== 'ok') return ticket.admission;
  if (event.opens_utc !== null && at < event.opens_utc) return 'too-early';
  if (event.closes_utc !== null && at > event.closes_utc) return 'too-late';
  if (isUsed(question) && !(question.overrides && rules.may_override)) return 'already-in';
  const isOld = rules.strict_minutes !== null && (question.listAge ?? 0) >= rules.strict_minutes;
  return isOld ? 'list-too-old' : 'welcome';
}

function isUsed({ timeline: { isIn, hasLeft }, rules: { reentry } }: Question): boolean {
  if (isIn) return reentry !== 'always';
  return hasLeft && reentry === 'never';
}

interface Clock {
  /** Time of the scan by the clock of the device, in milliseconds. */
  scanned: number;
  /** Clock of the server minus clock of the device when it scanned, in milliseconds. */
  offset: number;
  /** When the server got the scan, in milliseconds. */
  received: number;
  /** When the device was paired, in milliseconds. */
  paired: number;
}

/**
 * Corrects the time of a scan by the clock of the server. No device can scan before it is paired or after the server
 * has got the scan, so a clock that changed in between cannot move a scan out of the evening.
 */
export const correctedTime = ({ scanned, offset, received, paired }: Clock): number =>
  Math.min(Math.max(scanned + offset, paired), Math.max(received, paired));
