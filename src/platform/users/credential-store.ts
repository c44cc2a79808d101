import type { Selectable } from 'kysely';
import { compiledOnce } from '../../db/compiled-statement.ts';
import type { Database } from '../../db/database.ts';
import type { AppPasswordsTable, TokensTable } from '../../db/tables/accounts.ts';
import type { Scope } from '../../http/core/auth.ts';
import type { Actor } from '../../lib/actor.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import { logChange, logCreation } from '../audit/log.ts';
import { auditedAppPassword, auditedToken } from './audited.ts';
import type { UserRow } from './store.ts';

export type AppPasswordRow = Selectable<AppPasswordsTable>;
export type TokenRow = Selectable<TokensTable>;

interface NewCredential {
  user_id: number;
  name: string;
  /** Hash of the secret; the secret itself is not stored. */
  hash: string;
  created_utc: string;
}

/** Application passwords of a user, oldest first. */
export const listAppPasswords = (db: Database, userId: number): Promise<AppPasswordRow[]> =>
  db.query.selectFrom('app_passwords').selectAll().where('user_id', '=', userId).orderBy('id').execute();

export const findAppPassword = (db: Database, userId: number, hash: string): Promise<AppPasswordRow | undefined> => {
  const own = db.query.selectFrom('app_passwords').selectAll().where('user_id', '=', userId);
  return own.where('hash', '=', hash).executeTakeFirst();
};

export const insertAppPassword = (db: Database, values: NewCredential, actor?: Actor): Promise<AppPasswordRow> =>
  db.transaction(async (trx) => {
    const row = await trx.query.insertInto('app_passwords').values(values).returningAll().executeTakeFirstOrThrow();
    await logCreation(trx, actor, { kind: auditedAppPassword, id: row.id });
    return row;
  });

/** Deletes an application password and returns it; undefined if the user has no such password. */
export const removeAppPassword = (
  db: Database,
  userId: number,
  id: number,
  actor?: Actor,
): Promise<AppPasswordRow | undefined> =>
  db.transaction((trx) =>
    logChange(trx, actor, { kind: auditedAppPassword, id }, () => {
      const own = trx.query.deleteFrom('app_passwords').where('user_id', '=', userId);
      return own.where('id', '=', id).returningAll().executeTakeFirst();
    }),
  );

interface TokenFilter {
  userId?: number;
  limit: number;
  offset: number;
}

/** A page of tokens, oldest first, and their total. */
export async function listTokens(db: Database, filter: TokenFilter): Promise<{ tokens: TokenRow[]; total: number }> {
  let matching = db.query.selectFrom('tokens');
  if (filter.userId !== undefined) matching = matching.where('user_id', '=', filter.userId);
  const tokens = await matching.selectAll().orderBy('id').limit(filter.limit).offset(filter.offset).execute();
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { tokens, total };
}

export const findToken = (db: Database, id: number): Promise<TokenRow | undefined> =>
  db.query.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();

export type TokenWithOwner = UserRow &
  Pick<TokenRow, 'scopes' | 'expires_utc' | 'last_used_utc'> & { token_id: number; token_name: string };

/** A token and its user, read together because every request with a token needs both. */
export async function findTokenWithOwner(db: Database, hash: string): Promise<TokenWithOwner | undefined> {
  const [token] = await tokensByHash(db, hash);
  return token;
}

const tokensByHash = compiledOnce((query, hash: string) =>
  query
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('users')
    .select([
      'tokens.id as token_id',
      'tokens.name as token_name',
      'tokens.scopes',
      'tokens.expires_utc',
      'tokens.last_used_utc',
    ])
    .where('tokens.hash', '=', hash),
);

interface NewToken extends NewCredential {
  scopes: readonly Scope[];
  expires_utc: string | null;
}

export const insertToken = (db: Database, { scopes, ...values }: NewToken, actor?: Actor): Promise<TokenRow> => {
  const row = { ...values, scopes: [...new Set(scopes)].join(',') };
  return db.transaction(async (trx) => {
    const inserted = await trx.query.insertInto('tokens').values(row).returningAll().executeTakeFirstOrThrow();
    await logCreation(trx, actor, { kind: auditedToken, id: inserted.id });
    return inserted;
  });
};

export const removeToken = (db: Database, id: number, actor?: Actor): Promise<TokenRow | undefined> =>
  db.transaction((trx) =>
    logChange(trx, actor, { kind: auditedToken, id }, () =>
      trx.query.deleteFrom('tokens').where('id', '=', id).returningAll().executeTakeFirst(),
    ),
  );

/** Seconds between updates of the last use, so that reads rarely cause a write. */
const NOTE_INTERVAL = 3600;

interface CredentialUse {
  table: 'app_passwords' | 'tokens' | 'check_in_keys';
  id: number;
  last_used_utc: string | null;
}

/** Records the use of a credential, unless one was recorded within the hour. */
export async function recordUse(db: Database, { table, id, last_used_utc }: CredentialUse, now: Date): Promise<void> {
  const due = addSeconds(toUtc(now), -NOTE_INTERVAL);
  if (last_used_utc !== null && last_used_utc > due) return;
  await db.query
    .updateTable(table)
    .set({ last_used_utc: toUtc(now) })
    .where('id', '=', id)
    .execute();
}
