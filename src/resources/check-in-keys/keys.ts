import type { Context } from '../../context.ts';
import { type RecogniseKey, withKey } from '../../http/auth.ts';
import type { CheckSecret } from '../../http/limits.ts';
import { isSameSecret, secretHash } from '../../lib/hash.ts';
import { noteUse } from '../users/credential-store.ts';

/** The form of generated keys: 128 random bits, which cannot be guessed. */
const GENERATED = /^[0-9a-f]{32}$/;

/** A generated key; undefined when there is none like it. */
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
 * may be short, so attempts are limited. Generated keys are looked up first, and an unknown one of their form (such as
 * a revoked one) is no attempt: nobody in the network of the scanners can block them with it. Neither is any key of a
 * site whose settings have none. That this shows to strangers helps no one: generated keys cannot be guessed.
 */
export function createKeyRecogniser(checkSecret: CheckSecret): RecogniseKey {
  return async (context, viewer, { key, client }) => {
    const found = await findKey(context, key);
    if (found) return withKey(viewer, found);
    const { qrApiKey = '' } = context.config;
    if (qrApiKey === '' || (GENERATED.test(key) && !GENERATED.test(qrApiKey))) return viewer;
    const attempt = { kind: 'check-in-key', secret: key, stored: qrApiKey, client } as const;
    const isRight = await checkSecret(attempt, () => isSameSecret(key, qrApiKey));
    return isRight ? withKey(viewer, { id: null, eventId: null }) : viewer;
  };
}
