import type { Context } from '../../context.ts';
import { type RecogniseKey, withKey } from '../../http/auth.ts';
import { isSameSecret, secretHash } from '../../lib/secret.ts';
import { noteUse } from '../users/credential-store.ts';
import { createGuessLimit } from '../users/guesses.ts';

const isSiteKey = ({ config }: Context, key: string): boolean =>
  config.qrApiKey !== undefined && isSameSecret(key, config.qrApiKey);

/** The key of the settings (id null), or one of those that were made; undefined when it is none of them. */
async function findKey(
  context: Context,
  key: string,
): Promise<{ id: number | null; eventId: number | null } | undefined> {
  if (isSiteKey(context, key)) return { id: null, eventId: null };
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
 * A caller who brings a key may do what a person at the door may; a wrong key changes nothing. Wrong ones are counted
 * by address, so that a short key cannot be found by trying.
 */
export function createKeyRecogniser(): RecogniseKey {
  const limits = createGuessLimit();
  return async (context, viewer, { key, address }) => {
    const found = await findKey(context, key);
    if (found) return withKey(viewer, found);
    await limits.spend(address);
    return viewer;
  };
}
