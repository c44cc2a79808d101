import { compiledOnce } from '../../db/compiled-statement.ts';
import type { Database } from '../../db/database.ts';
import type { DoorDevice } from '../../http/core/auth.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { secretHash } from '../../lib/hash.ts';

/** Tokens of devices at the door, sent like check-in keys. Only their hashes are stored. */

const TOKEN = /^door-[0-9a-f]{64}$/;
const TOKEN_BYTES = 32;

/** Tests for the form of a token, which no check-in key has. */
export const isDeviceToken = (key: string): boolean => TOKEN.test(key);

export const newDeviceToken = (random: (bytes: number) => Buffer): string =>
  `door-${random(TOKEN_BYTES).toString('hex')}`;

const devicesByHash = compiledOnce((query, hash: string) =>
  query
    .selectFrom('door_devices')
    .innerJoin('gates', 'gates.id', 'door_devices.gate_id')
    .select(['door_devices.id', 'gate_id', 'door_devices.name', 'paired_utc', 'expires_utc'])
    .where('token_hash', '=', hash)
    .where('revoked_utc', '=', ''),
);

/** Finds the device of a token; undefined once it is revoked, and once its gate has expired or was deleted. */
export async function findDeviceByToken(db: Database, token: string, now: Date): Promise<DoorDevice | undefined> {
  const [row] = await devicesByHash(db, secretHash(token));
  if (!row || (row.expires_utc !== null && row.expires_utc <= toUtc(now))) return undefined;
  return { id: row.id, gateId: row.gate_id, name: row.name, pairedUtc: row.paired_utc };
}
