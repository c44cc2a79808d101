import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { DoorDevicesTable } from '../../db/tables/door.ts';
import { utcTime } from '../../http/output/output.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';

/** Devices of gates. A device begins as a pairing code, and is paired once by a browser that has the code. */

export type Device = Selectable<DoorDevicesTable>;

/** Report of a device about itself. */
const deviceStatusSchema = z.object({
  battery: z.int().nullable().describe('Percent.'),
  queue: z.int().describe('Scans that it has yet to send.'),
  list_age: z.int().nullable().describe('Seconds since it last synchronised; null if it has no list.'),
});
export type DeviceStatus = z.output<typeof deviceStatusSchema>;

export const DEVICE_STATES = ['waiting', 'paired', 'revoked'] as const;

export const deviceSchema = z
  .object({
    id: z.int(),
    gate_id: z.int(),
    name: z.string(),
    state: z.enum(DEVICE_STATES).describe('`waiting` until its pairing code is used.'),
    created_utc: utcTime,
    paired_utc: utcTime.nullable(),
    last_seen_utc: utcTime.nullable().describe('UTC; null if it never reported.'),
    status: deviceStatusSchema.nullable().describe('As the device last reported; null if it never did.'),
  })
  .meta({ id: 'DoorDevice', description: 'A phone, tablet or computer that scans tickets at a gate.' });

const stateOf = ({ revoked_utc, token_hash }: Device): (typeof DEVICE_STATES)[number] => {
  if (revoked_utc !== '') return 'revoked';
  return token_hash === null ? 'waiting' : 'paired';
};

export const renderDevice = (device: Device): z.output<typeof deviceSchema> => ({
  id: device.id,
  gate_id: device.gate_id,
  name: device.name,
  state: stateOf(device),
  created_utc: device.created_utc,
  paired_utc: device.paired_utc || null,
  last_seen_utc: device.last_seen_utc,
  // The endpoint that receives the report is the only writer.
  status: device.status === '{}' ? null : (JSON.parse(device.status) as DeviceStatus),
});

export const findDevice = (db: Database, id: number): Promise<Device | undefined> =>
  db.query.selectFrom('door_devices').selectAll().where('id', '=', id).executeTakeFirst();

/** Devices of a gate, latest first; pairing codes that were not used in time are left out. */
export async function listDevices(
  db: Database,
  { gate, now }: { gate: number; now: LocalTime },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; devices: Device[] }> {
  const matching = db.query
    .selectFrom('door_devices')
    .where('gate_id', '=', gate)
    .where((eb) =>
      eb.or([eb('token_hash', 'is not', null), eb('paired_utc', '<>', ''), eb('pairing_expires_utc', '>', now)]),
    );
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const devices = await matching.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { total: Number(total), devices };
}

/**
 * Pairs the device of a code: one of several requests with the same code succeeds.
 * @returns undefined if the code is unknown, used, expired or revoked
 */
export const pairDevice = (
  db: Database,
  { pairing, token, name, now }: { pairing: string; token: string; name: string; now: LocalTime },
): Promise<Device | undefined> =>
  db.query
    .updateTable('door_devices')
    .set({ pairing_hash: null, token_hash: token, paired_utc: now, last_seen_utc: now, ...(name !== '' && { name }) })
    .where('pairing_hash', '=', pairing)
    .where('pairing_expires_utc', '>', now)
    .where('revoked_utc', '=', '')
    .where(sql<boolean>`EXISTS (SELECT 1 FROM gates WHERE gates.id = door_devices.gate_id
      AND (gates.expires_utc IS NULL OR gates.expires_utc > ${now}))`)
    .returningAll()
    .executeTakeFirst();

/** Audit of devices. */
export const auditedDevice: AuditedKind = {
  name: 'door_device',
  async snapshot(db, id) {
    const device = await findDevice(db, id);
    if (!device) return undefined;
    const { gate_id, name, revoked_utc } = device;
    return { title: name, fields: { gate_id, name, revoked: revoked_utc !== '' } };
  },
};
