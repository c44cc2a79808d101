import type { Admission } from './door-verdict.ts';

/** The list of attendees at the door; shared with the app at the door. */

/**
 * Row of the list, an array to save bytes. An attendee who was moved to an event of another gate keeps a row with that
 * event, the admission `cancelled` and no name.
 */
export type DoorRow = [
  /** Id of the attendee. */
  id: number,
  event: number,
  ticket: number,
  admission: Admission,
  /** Start of the stay, in UTC; empty unless the holder is in. */
  since: string,
  /** 1 if the holder was in and has left. */
  hasLeft: 0 | 1,
  name: string,
  /** Number that attendees of the same order share; 0 for none. */
  purchase: number,
  /** Amount owed for the whole order, in minor units. */
  owed: number,
  /** Id in the code; for a series pass, its first attendee. */
  codeId: number,
  /** Proof of the code: lets a device compare a scanned code without knowing the right one. */
  proof: string,
  note: string,
];

/** FNV-1a over UTF-16 code units, 32 bits. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Sum over rows, independent of their order, so that a device can update it row by row. */
export interface ListDigest {
  rows: number;
  low: number;
  high: number;
}

export const EMPTY_DIGEST: ListDigest = { rows: 0, low: 0, high: 0 };

/** Adds a row, or removes it with `sign` -1. */
export function digestWith({ rows, low, high }: ListDigest, row: DoorRow, sign: 1 | -1 = 1): ListDigest {
  const text = JSON.stringify(row);
  return {
    rows: rows + sign,
    low: (low + sign * hashOf(text, 0x811c9dc5)) >>> 0,
    high: (high + sign * hashOf(text, 0x01234567)) >>> 0,
  };
}

/** Text form of a digest: number of rows and 64 bits. It detects differences, but does not protect against forgery. */
export const digestText = ({ rows, low, high }: ListDigest): string =>
  `${rows}-${high.toString(16).padStart(8, '0')}${low.toString(16).padStart(8, '0')}`;

/** Shortens a name to the first name and an initial: `Ada L.` */
export function shortName(name: string): string {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  const initial = [...(rest.at(-1) ?? '')][0];
  return initial === undefined ? first : `${first} ${initial}.`;
}
