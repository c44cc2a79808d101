import type { Context } from '../../base/context.ts';
import { compiledOnce } from '../../db/compiled-statement.ts';
import { type CheckInKey, type RecogniseKey, withKey } from '../../http/core/auth.ts';
import type { CheckSecret } from '../../http/core/limits.ts';
import { isSameSecret, secretHash } from '../../lib/hash.ts';
import { recordUse } from '../../platform/users/credential-store.ts';
import { findDeviceByToken, isDeviceToken } from './device-token.ts';

/** The format of generated keys: 128 random bits, which cannot be guessed. */
const GENERATED = /^[0-9a-f]{32}$/;

const keysByHash = compiledOnce((query, hash: string) =>
  query.selectFrom('check_in_keys').select(['id', 'name', 'event_id', 'last_used_utc']).where('hash', '=', hash),
);

/** Finds a generated key; undefined if it is unknown. */
async function findKey(context: Context, key: string): Promise<CheckInKey | undefined> {
  const [row] = await keysByHash(context.db, secretHash(key));
  if (!row) return undefined;
  const { id, name, event_id: eventId, last_used_utc } = row;
  await recordUse(context.db, { table: 'check_in_keys', id, last_used_utc }, context.now());
  return { id, name, eventId };
}

/**
 * Gives clients with a check-in key the rights of door staff, and recognises devices of a gate; a wrong key changes nothing. The key in the settings may
 * be short, so attempts are limited. Generated keys are looked up first, and an unknown key in their format (such as a
 * revoked one) does not count as an attempt, so that it cannot block the network of the scanners. Nor does any key when
 * the settings have none. Clients can notice this, but generated keys cannot be guessed.
 */
export function createKeyRecogniser(checkSecret: CheckSecret): RecogniseKey {
  return async (context, viewer, { key, client }) => {
    if (isDeviceToken(key)) {
      const device = await findDeviceByToken(context.db, key, context.now());
      return device ? { ...viewer, device } : viewer;
    }
    const found = await findKey(context, key);
    if (found) return withKey(viewer, found);
    const { qrApiKey = '' } = context.config;
    if (qrApiKey === '' || (GENERATED.test(key) && !GENERATED.test(qrApiKey))) return viewer;
    const attempt = { kind: 'check-in-key', secret: key, stored: qrApiKey, client } as const;
    const isRight = await checkSecret(attempt, () => isSameSecret(key, qrApiKey));
    return isRight ? withKey(viewer, { id: null, eventId: null }) : viewer;
  };
}
