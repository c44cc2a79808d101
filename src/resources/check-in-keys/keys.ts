import type { Context } from '../../context.ts';
import { type RecogniseKey, withKey } from '../../http/auth.ts';
import type { CheckSecret } from '../../http/limits.ts';
import { isSameSecret, secretHash } from '../../lib/secret.ts';
import { noteUse } from '../users/credential-store.ts';

/** The form of keys that were made here: 128 random bits, which nobody finds by trying. */
const GENERATED = /^[0-9a-f]{32}$/;

/** One of the keys that were made; undefined when it is none of them. */
async function findKey(context: Context, key: string): Promise<{ id: number; eventId: number | null } | undefined> {
  const row = await context.db.query
    .selectFrom('check_in_keys')
    .select(['id', 'event_id', 'last_used_utc'])
    .where('hash', '=', secretHash(key))
    .executeTakeFirst();
  if (!row) return undefined;
  await noteUse(context.db, { table: 'check_in_keys', ...row }, context.now());
  return { id: row.id, eventId: row.event_id };
}

/**
 * A caller who brings a key may do what a person at the door may; a wrong key changes nothing. The key of the settings
 * may be short, so tries at it are limited. Generated keys are recognised before, and a wrong one of their form (one
 * that was revoked, say) is no try at it: nobody in the network of the door can stop its scanners.
 */
export function createKeyRecogniser(checkSecret: CheckSecret): RecogniseKey {
  return async (context, viewer, { key, client }) => {
    const found = await findKey(context, key);
    if (found) return withKey(viewer, found);
    const { qrApiKey = '' } = context.config;
    if (GENERATED.test(key) && !GENERATED.test(qrApiKey)) return viewer;
    const attempt = { kind: 'check-in-key', secret: key, stored: qrApiKey, client } as const;
    const isRight = await checkSecret(attempt, () => qrApiKey !== '' && isSameSecret(key, qrApiKey));
    return isRight ? withKey(viewer, { id: null, eventId: null }) : viewer;
  };
}
