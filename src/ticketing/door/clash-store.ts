import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { DoorClashesTable, DoorScansTable } from '../../db/tables/door.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import type { Gate } from './gate-store.ts';

/** Clashes: entries that devices allowed offline and would have refused online. Staff close them with a note. */

export type Clash = Selectable<DoorClashesTable>;

/** One of the two entries of a clash. */
interface Entry {
  key: string;
  at: string;
  place: string;
  deviceId: number;
}

/** Key of a scan among the passages of its attendee; keys are in the order of the ids. */
export const scanKey = (id: number): string => `s${String(id).padStart(12, '0')}`;

/** Key of a check-in elsewhere. */
export const checkInKey = (id: number): string => `c${String(id).padStart(12, '0')}`;

/** Name of a gate and a device, for people. */
export const placeOf = (gate: { name: string }, device: { name: string }): string =>
  gate.name === device.name ? gate.name : `${gate.name}, ${device.name}`;

/** Makes the clashes of an attendee agree with its passages. Closed ones stay. */
export async function settleClashes(
  db: Database,
  attendee: { id: number; event_id: number },
  { clashes, now }: { clashes: readonly { first: Entry; second: Entry }[]; now: Date },
): Promise<void> {
  const known = await db.query
    .selectFrom('door_clashes')
    .select(['id', 'second_key', 'closed_utc', 'first_utc', 'first_place'])
    .where('attendee_id', '=', attendee.id)
    .where('kind', '=', 'twice')
    .execute();
  const byKey = new Map(known.map((row) => [row.second_key, row]));
  for (const { first, second } of clashes) {
    const earlier = byKey.get(second.key);
    byKey.delete(second.key);
    const of = { first_utc: first.at, first_place: first.place, first_device_id: first.deviceId };
    if (!earlier) await db.query.insertInto('door_clashes').values(rowOf(attendee, { of, second, now })).execute();
    else if (earlier.first_utc !== first.at || earlier.first_place !== first.place) {
      await db.query.updateTable('door_clashes').set(of).where('id', '=', earlier.id).execute();
    }
  }
  const settled = [...byKey.values()].filter(({ closed_utc }) => closed_utc === '').map(({ id }) => id);
  if (settled.length > 0) await db.query.deleteFrom('door_clashes').where('id', 'in', settled).execute();
}

interface Found {
  of: Pick<Insertable<DoorClashesTable>, 'first_utc' | 'first_place' | 'first_device_id'>;
  second: Entry;
  now: Date;
}

const rowOf = (attendee: { id: number; event_id: number }, { of, second, now }: Found) => ({
  event_id: attendee.event_id,
  attendee_id: attendee.id,
  kind: 'twice',
  reason: 'already-in',
  ...of,
  second_key: second.key,
  second_utc: second.at,
  second_place: second.place,
  second_device_id: second.deviceId,
  found_utc: toUtc(now),
});

/** Reports holders whom a device let in although their tickets did not admit. */
export async function reportLateRefusals(
  db: Database,
  late: readonly { scan: Selectable<DoorScansTable>; gate: Gate; device: { id: number; name: string }; now: Date }[],
): Promise<void> {
  if (late.length === 0) return;
  await db.query
    .insertInto('door_clashes')
    .values(
      late.map(({ scan, gate, device, now }) => ({
        event_id: scan.event_id ?? gate.events[0] ?? 0,
        attendee_id: scan.attendee_id ?? 0,
        kind: 'late-refusal',
        reason: scan.verdict,
        first_utc: '',
        first_place: '',
        second_key: scanKey(scan.id),
        second_utc: scan.scanned_utc,
        second_place: placeOf(gate, device),
        second_device_id: device.id,
        found_utc: toUtc(now),
      })),
    )
    .execute();
}

/** Latest open clashes in which a device took part, with the other entry. */
export async function findClashesOfDevice(db: Database, deviceId: number, limit: number): Promise<Clash[]> {
  return db.query
    .selectFrom('door_clashes')
    .selectAll()
    .where('closed_utc', '=', '')
    .where((eb) => eb.or([eb('first_device_id', '=', deviceId), eb('second_device_id', '=', deviceId)]))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
