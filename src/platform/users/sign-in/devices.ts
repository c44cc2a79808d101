import type { Database } from '../../../db/database.ts';
import { addSeconds, toUtc } from '../../../lib/dates/dates.ts';
import { secretHash } from '../../../lib/hash.ts';
import { programOf } from '../../../lib/text/program-of.ts';
import { type Addressee, queueAccountMail } from '../account-mails.ts';

/** Devices that accounts have signed in from: a browser and system in a network. */

/** Days after which a device that is not used is new again. */
const DEVICE_DAYS = 400;
const DAY = 24 * 60 * 60;

interface Device {
  session: number;
  address: string;
  user_agent: string;
}

/**
 * Notes the device of a new session, and tells the account of one that it has not signed in with before.
 * @param isFirst whether the account has never signed in: that is where it is set up
 */
export async function noteDevice(
  db: Database,
  user: Addressee,
  { session, address, user_agent, isFirst }: Device & { isFirst: boolean },
  now: Date,
): Promise<void> {
  const { query } = db;
  const hash = secretHash(`${user.id} ${programOf(user_agent)} ${address}`);
  const seen_utc = toUtc(now);
  const known = await query
    .updateTable('account_devices')
    .set({ seen_utc })
    .where('user_id', '=', user.id)
    .where('hash', '=', hash)
    .returning('hash')
    .executeTakeFirst();
  if (known) return;
  await query
    .insertInto('account_devices')
    .values({ user_id: user.id, hash, seen_utc })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // An account without devices need not be new: devices expire, and were not always recorded.
  if (isFirst) return;
  await queueAccountMail(db, user, {
    ...{ kind: 'new-device', key: `new-device-${session}-${hash.slice(0, 12)}`, now },
    record: { record_kind: 'session', record_id: session },
  });
}

/** Forgets devices that have not been used for long. */
export const removeOldDevices = async ({ query }: Database, now: Date): Promise<void> => {
  await query
    .deleteFrom('account_devices')
    .where('seen_utc', '<=', addSeconds(toUtc(now), -DEVICE_DAYS * DAY))
    .execute();
};
