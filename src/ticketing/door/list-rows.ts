import { createHmac } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { type DoorRow, shortName } from '../../lib/door/door-list.ts';
import type { Admission } from '../../lib/door/door-verdict.ts';
import type { SiteKey } from '../../lib/site-keys.ts';
import { isAdmitted } from '../attendees/admission.ts';
import { isSettledSql } from '../ledger/payment-statuses.ts';
import { isUnpaid } from '../orders/statuses.ts';
import type { Gate } from './gate-store.ts';

/** Rows of the list at the door: as little as devices need, and proofs in place of codes. */

/** Columns that a row is made from. */
export interface ListedAttendee {
  id: number;
  event_id: number;
  ticket_id: number;
  status: string;
  attendance_status: string;
  full_name: string;
  security_code: string;
  checked_in: number;
  checkin_utc: string;
  pass_id: number | null;
  order_id: number | null;
  total: number | null;
  at_door: number | null;
  /** Money of the order that was received and not given back, in minor units; 0 unless it is paid at the door. */
  settled: number | null;
  door_note: string;
  /** Whether the holder was in and was scanned out. */
  has_left: number | null;
}

/**
 * 1 if the holder was in and was scanned out, for rows of `attendees` under a name. Check-outs by staff correct a check-in,
 * so their attendees have not left.
 */
export const hasLeftSql = (name: string) => {
  const attendee = sql.id(name);
  return sql<number | null>`CASE WHEN ${attendee}.checked_in = 1 THEN 0 ELSE (
    SELECT CASE WHEN c.action = 'out' AND c.scan_id IS NOT NULL THEN 1 ELSE 0 END FROM check_ins AS c
    WHERE c.attendee_id = ${attendee}.id ORDER BY c.date_utc DESC, c.id DESC LIMIT 1) END`;
};

/** A part may have been received before, such as for a place that was cancelled since. */
const settled = sql`CASE WHEN o.at_door = 1 THEN (SELECT sum(p.amount - p.refunded) FROM payments AS p
  WHERE p.order_id = o.id AND ${isSettledSql('p')}) ELSE 0 END`;

const selectListed = (
  rest: RawBuilder<unknown>,
  hasLeft: RawBuilder<unknown> = hasLeftSql('a'),
) => sql<ListedAttendee>`SELECT
  a.id, a.event_id, a.ticket_id, a.status, a.attendance_status, a.full_name, a.security_code, a.checked_in,
  a.checkin_utc, a.pass_id, a.order_id, o.total, o.at_door, ${settled} AS settled, a.door_note, ${hasLeft} AS has_left
  FROM attendees AS a LEFT JOIN orders AS o ON o.id = a.order_id ${rest}`;

/**
 * Locks attendees until the end of the transaction, and reads them as they then are, by id. Whether holders have left
 * follows from their passages.
 */
export async function lockListed(db: Database, ids: readonly number[]): Promise<ListedAttendee[]> {
  if (ids.length === 0) return [];
  const rest = sql`WHERE a.id IN (${sql.join([...new Set(ids)])}) ORDER BY a.id ${db.dialect.forUpdateOf('a')}`;
  return (await selectListed(rest, sql`NULL`).execute(db.query)).rows;
}

/** In place of an event: attendees who were moved from the events of a gate to others. */
export const MOVED_AWAY = 0;

/** Attendees of an event of a gate, or `MOVED_AWAY`, with ids beyond `after`, in the order of their ids. */
export async function findListed(
  db: Database,
  { events }: Pick<Gate, 'events'>,
  { event, after, limit }: { event: number; after: number; limit: number },
): Promise<ListedAttendee[]> {
  const among = sql.join([0, ...events]);
  const isListed =
    event === MOVED_AWAY
      ? sql`a.id IN (SELECT f.attendee_id FROM former_events AS f WHERE f.event_id IN (${among}))
        AND a.event_id NOT IN (${among})`
      : sql`a.event_id = ${event}`;
  const rest = sql`WHERE ${isListed} AND a.id > ${after} ORDER BY a.id LIMIT ${limit}`;
  return (await selectListed(rest).execute(db.query)).rows;
}

/** Attendees by id. */
export async function findListedById(db: Database, ids: readonly number[]): Promise<ListedAttendee[]> {
  if (ids.length === 0) return [];
  return (await selectListed(sql`WHERE a.id IN (${sql.join(ids)}) ORDER BY a.id`).execute(db.query)).rows;
}

/** Whether an attendee is admitted, or why not. */
export function admissionOf(attendee: Pick<ListedAttendee, 'status' | 'attendance_status' | 'at_door'>): Admission {
  const { status, attendance_status, at_door } = attendee;
  if (isAdmitted(attendee)) return 'ok';
  if (status !== 'publish') return 'cancelled';
  if (attendance_status === 'no') return 'declined';
  if (attendance_status === 'refunded') return 'refunded';
  if (!isUnpaid(attendance_status)) return 'cancelled';
  return at_door === 1 ? 'unpaid' : 'pending';
}

/** Key of the proofs of a gate, which its devices get. */
export const listSecret = (siteKey: SiteKey, gateId: number): Buffer =>
  createHmac('sha256', siteKey('door-list')).update(`gate ${gateId}`).digest();

const PROOF_BYTES = 12;
const PURCHASE_BYTES = 5;

/** Proof of a code: allows comparing it without knowing it. `id` is the one in the code. */
const proofOf = (secret: Buffer, id: number, code: string): string =>
  createHmac('sha256', secret).update(`${id}:${code}`).digest().subarray(0, PROOF_BYTES).toString('base64url');

/** Number that the attendees of an order have in common, which is not its own number. */
const purchaseOf = (secret: Buffer, orderId: number): number =>
  createHmac('sha256', secret).update(`order ${orderId}`).digest().readUIntBE(0, PURCHASE_BYTES);

/** Name as the devices of a gate show it. */
function nameAt({ names }: Pick<Gate, 'names'>, name: string): string {
  if (names === 'none') return '';
  return names === 'short' ? shortName(name) : name;
}

/** Returns a function that renders rows for the devices of a gate; without personal data for other events. */
export function rowMaker(gate: Gate, siteKey: SiteKey): (attendee: ListedAttendee) => DoorRow {
  const secret = listSecret(siteKey, gate.id);
  const purchases = new Map<number, number>();
  const numberOf = (order: number): number => {
    const number = purchases.get(order) ?? purchaseOf(secret, order);
    purchases.set(order, number);
    return number;
  };
  return (attendee) => {
    const { id, order_id, pass_id } = attendee;
    const codeId = pass_id ?? id;
    const proof = proofOf(secret, codeId, attendee.security_code);
    const { event_id, ticket_id } = attendee;
    // A code that was printed before the ticket was moved still has a valid signature.
    if (!gate.events.includes(event_id))
      return [id, event_id, ticket_id, 'cancelled', '', 0, '', 0, 0, codeId, proof, ''];
    const admission = admissionOf(attendee);
    return [
      id,
      event_id,
      ticket_id,
      admission,
      attendee.checkin_utc,
      attendee.has_left === 1 ? 1 : 0,
      nameAt(gate, attendee.full_name),
      order_id === null ? 0 : numberOf(order_id),
      admission === 'unpaid' ? Math.max(0, (attendee.total ?? 0) - Number(attendee.settled ?? 0)) : 0,
      codeId,
      proof,
      attendee.door_note,
    ];
  };
}
