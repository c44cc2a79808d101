import type { Generated } from 'kysely';
import type { Flag } from '../columns.ts';

/** Tables of the door: gates, devices, scans and clashes. */

export interface GatesTable {
  id: Generated<number>;
  name: string;
  /** Modes of its devices, as CSV: `in`, `out`, `look`. */
  modes: string;
  /** Whether a ticket admits again: `never`, `after_out` or `always`. */
  reentry: string;
  /** How its devices show names: `full`, `short` or `none`. */
  names: string;
  /** JSON list of the ids of the tickets that it admits; empty for all. */
  ticket_ids: string;
  may_search: Flag;
  may_undo: Flag;
  may_override: Flag;
  may_sell: Flag;
  /** Whether devices lock their list with a PIN. */
  needs_pin: Flag;
  /** Age of the list, in minutes, at which devices stop admitting on their own; null for never. */
  strict_minutes: number | null;
  /** Time from which its devices are refused; null for never. */
  expires_utc: string | null;
  created_utc: string;
  /** Random key that is replaced whenever its events change. */
  events_key: string;
  /**
   * Version from which all changes of its events are recorded, since later transactions see that the gate has these
   * events; null until it is known.
   */
  settled_version: number | null;
}

export interface GateEventsTable {
  gate_id: number;
  event_id: number;
}

export interface DoorDevicesTable {
  id: Generated<number>;
  gate_id: number;
  name: string;
  /** SHA-256 of its pairing code until it is used; null afterwards. */
  pairing_hash: string | null;
  pairing_expires_utc: string;
  /** SHA-256 of its token; null before it is paired. */
  token_hash: string | null;
  created_utc: string;
  /** Empty before it is paired. */
  paired_utc: Generated<string>;
  last_seen_utc: string | null;
  /** Empty unless it is revoked. */
  revoked_utc: Generated<string>;
  /** JSON: battery, waiting scans and age of the list, as the device last reported them. */
  status: Generated<string>;
}

export interface DoorScansTable {
  id: Generated<number>;
  device_id: number;
  /** Id that the device gave it. */
  scan_id: string;
  gate_id: number;
  event_id: number | null;
  /** null for an unknown ticket. */
  attendee_id: number | null;
  /** `in`, `out`, `look` or `undo`. */
  mode: string;
  /** Id of the scan of the same device that it undoes; otherwise empty. */
  undoes: Generated<string>;
  /** Rule of the gate at that time. */
  reentry: string;
  overrides: Flag;
  /** Whether the device admitted the holder, if it decided by itself; null if it waited for the server. */
  let_in: Flag | null;
  /** Corrected time of the device, with milliseconds. */
  scanned_utc: string;
  received_utc: string;
  /** First verdict of the server. */
  verdict: string;
  /** Entry before this scan, as known at the first verdict. */
  first_utc: Generated<string>;
  first_place: Generated<string>;
  /** Whether the holder passed the gate, as decided by the device or else by the server. */
  counts: Flag;
  is_undone: Generated<Flag>;
}

export interface DoorClashesTable {
  id: Generated<number>;
  event_id: number;
  attendee_id: number;
  /** `twice`: a ticket admitted a second time. `late-refusal`: admitted offline although it was refused. */
  kind: string;
  /** Verdict of a late refusal. */
  reason: string;
  first_utc: string;
  /** Gate and device; empty for a check-in elsewhere, and for a late refusal. */
  first_place: string;
  /** Devices of the scans; 0 for a check-in elsewhere. */
  first_device_id: Generated<number>;
  second_device_id: Generated<number>;
  /** `s` and id of the second scan, or `c` and id of the second check-in elsewhere. */
  second_key: string;
  second_utc: string;
  second_place: string;
  found_utc: string;
  closed_utc: Generated<string>;
  closed_by: Generated<number>;
  note: Generated<string>;
}

/** Payments taken by a device, with a row for each event of the order. */
export interface DoorSalesTable {
  id: Generated<number>;
  device_id: number;
  /** Id that the device gave it. */
  sale_id: string;
  /** Position among the rows of the sale, from 0. */
  part: Generated<number>;
  gate_id: number;
  event_id: number;
  order_id: number;
  /** `sale` of places, or `payment` of an order that was unpaid. */
  kind: string;
  /** Payment method. */
  payment: string;
  /** Number of places sold; 0 for a payment. */
  places: number;
  /** Minor units. */
  amount: number;
  currency: string;
  sold_utc: string;
}

/** Changes of attendees for the lists at the door, written by triggers. */
export interface DoorChangesTable {
  id: Generated<number>;
  attendee_id: number;
  event_id: number;
  version: Generated<number>;
}

/** Events that attendees were moved away from, written by a trigger. */
export interface FormerEventsTable {
  attendee_id: number;
  event_id: number;
}

/** Keys that sign codes, each derived from the secret of the site and its id. */
export interface SigningKeysTable {
  id: Generated<number>;
  created_utc: string;
  /** Empty for the current key. */
  retired_utc: Generated<string>;
}
