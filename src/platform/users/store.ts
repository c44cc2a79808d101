import type { ExpressionBuilder, Selectable } from 'kysely';
import type { Flag } from '../../db/columns.ts';
import { compiledOnce } from '../../db/compiled-statement.ts';
import type { Database } from '../../db/database.ts';
import type { UsersTable } from '../../db/tables/accounts.ts';
import type { Tables } from '../../db/tables.ts';
import { type Account, isRole, type Role } from '../../http/core/auth.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import type { Actor } from '../../lib/actor.ts';
import { logChange, logCreation, removeNames } from '../audit/log.ts';
import { queueAccountMail } from './account-mails.ts';
import { auditedUser } from './audited.ts';
import { isUnmatchable } from './passwords.ts';

export type UserRow = Selectable<UsersTable>;

/** Form in which names and e-mail addresses are compared: they are unique regardless of case. */
export const accountKey = (text: string): string => text.trim().normalize('NFKC').toLowerCase();

/** The account of a row. An unknown role, from a newer version, has no rights. */
export const accountOf = ({ id, username, email, role, may_refund }: UserRow): Account => ({
  id,
  username,
  email,
  role: isRole(role) ? role : 'subscriber',
  ...(may_refund === 1 && { mayRefund: true }),
});

/** A user by id, with the roles that require a second factor. */
export const findUserWithRules = (db: Database, id: number): Promise<UserWithRules | undefined> =>
  db.query.selectFrom('users').selectAll().select(secondFactorRoles).where('id', '=', id).executeTakeFirst();

export const findUser = (db: Database, id: number): Promise<UserRow | undefined> =>
  db.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();

/** A user, and the roles that require a second factor. */
export type UserWithRules = UserRow & { second_factor_roles: string | null };

/** Column for queries of users: the roles that require a second factor, as stored. */
export const secondFactorRoles = (eb: ExpressionBuilder<Tables, 'users'>) =>
  eb.selectFrom('site_settings').select('second_factor_roles').limit(1).as('second_factor_roles');

/** The user with a name or an e-mail address. No address equals the name of another user: see `refuseTaken`. */
export async function findUserByLogin(db: Database, login: string): Promise<UserWithRules | undefined> {
  const key = accountKey(login);
  if (key === '') return undefined;
  const [user] = await usersByLogin(db, key);
  return user;
}

const usersByLogin = compiledOnce((query, key: string) =>
  query
    .selectFrom('users')
    .selectAll()
    .select(secondFactorRoles)
    .where((eb) => eb.or([eb('username_key', '=', key), eb('email_key', '=', key)])),
);

interface UserFilter {
  /** Part of the name or the address. */
  search?: string;
  roles?: readonly Role[];
  limit: number;
  offset: number;
}

/** A page of users, oldest first, and their total. */
export async function listUsers(db: Database, filter: UserFilter): Promise<{ users: UserRow[]; total: number }> {
  const { search, roles, limit, offset } = filter;
  let matching = db.query.selectFrom('users');
  if (roles) matching = matching.where('role', 'in', roles);
  if (search) {
    const key = accountKey(search);
    const { contains } = db.dialect;
    matching = matching.where((eb) =>
      eb.or([contains(eb.ref('username_key'), key), contains(eb.ref('email_key'), key)]),
    );
  }
  const users = await matching.selectAll().orderBy('id').limit(limit).offset(offset).execute();
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { users, total };
}

export interface NewUser {
  username: string;
  email: string;
  password_hash: string;
  role: Role;
  may_refund?: Flag;
  created_utc: string;
  language?: string;
  alerts?: string;
}

/** Locks all accounts, for rules that involve several of them. */
export const withAccountsLocked = <T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> =>
  db.transaction(async (trx) => {
    await trx.dialect.lock(trx, 'marquee-users');
    return work(trx);
  });

/** @throws {ApiError} user-exists */
export const insertUser = (db: Database, user: NewUser, actor?: Actor): Promise<UserRow> =>
  withAccountsLocked(db, async (trx) => {
    await refuseTaken(trx, user);
    const row = await trx.query
      .insertInto('users')
      .values({ ...user, ...keysOf(user) })
      .returningAll()
      .executeTakeFirstOrThrow();
    await logCreation(trx, actor, { kind: auditedUser, id: row.id });
    return row;
  });

export type UserChanges = Partial<Omit<NewUser, 'created_utc'>>;

interface UpdateOptions {
  actor?: Actor | undefined;
  /** Session that does not end. */
  session?: number | undefined;
  /** Checks the account at the moment of the change; throws to refuse it. */
  check?: (user: UserRow) => void;
  /** Time of the change; without it, the account gets no notice of a new password or address. */
  now?: Date;
}

/**
 * Changes a user. A new password, role or e-mail address ends the sessions of the account, except the one given, and
 * revokes its sign-in links: a new address those that were mailed. The former address is told of another one.
 * @throws {ApiError} user-not-found, user-exists, last-administrator, and errors of `check`
 */
export const updateUser = (
  db: Database,
  id: number,
  changes: UserChanges,
  { actor, session, check, now }: UpdateOptions = {},
): Promise<UserRow> =>
  withAccountsLocked(db, async (trx) => {
    const user = await findUser(trx, id);
    if (!user) throw new ApiError('user-not-found');
    check?.(user);
    await refuseTaken(trx, changes, id);
    if (changes.role !== undefined && changes.role !== 'administrator') await refuseLastAdministrator(trx, user);
    const values = { ...changes, ...keysOf({ ...user, ...changes }) };
    const { password_hash, role = user.role, email = user.email } = changes;
    const isOtherAddress = accountKey(email) !== user.email_key;
    return logChange(trx, actor, { kind: auditedUser, id }, async () => {
      await trx.query.updateTable('users').set(values).where('id', '=', id).execute();
      const isOtherAccess = password_hash !== undefined || role !== user.role;
      if (isOtherAccess || isOtherAddress) await endSessions(trx, id, session);
      if (isOtherAccess) await trx.query.deleteFrom('sign_in_links').where('user_id', '=', id).execute();
      if (password_hash !== undefined) await followPassword(trx, user, now);
      if (isOtherAddress) await followAddress(trx, user, now);
      return getUserRow(trx, id);
    });
  });

async function followPassword(db: Database, user: UserRow, now: Date | undefined): Promise<void> {
  await db.query.updateTable('sessions').set({ may_set_password: 0 }).where('user_id', '=', user.id).execute();
  if (now && !isUnmatchable(user.password_hash)) await tellOfChange(db, user, { of: 'password', now });
}

async function followAddress(db: Database, user: UserRow, now: Date | undefined): Promise<void> {
  // A reader of the former mailbox must not sign in.
  await removeMailedLinks(db, user.id);
  if (now) await tellOfChange(db, user, { of: 'address', now });
}

/** Notifies an account, at its address before the change, that its password or address has changed. */
const tellOfChange = (
  db: Database,
  user: UserRow,
  { of, now }: { of: 'password' | 'address'; now: Date },
): Promise<void> =>
  queueAccountMail(db, user, {
    ...{ kind: `${of}-changed` as const, key: `${of}-${user.id}-${user.credentials_version}`, now },
    record: { record_kind: 'user', record_id: user.id },
  });

const getUserRow = ({ query }: Database, id: number): Promise<UserRow> =>
  query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/**
 * Ends the sessions of an account after a change of its password, role or second factor, including sessions about to
 * begin with the earlier credentials; `except` may continue. For transactions.
 */
export async function endSessions({ query }: Database, userId: number, except = 0): Promise<void> {
  const { credentials_version } = await query
    .updateTable('users')
    .set((eb) => ({ credentials_version: eb('credentials_version', '+', 1) }))
    .where('id', '=', userId)
    .returning('credentials_version')
    .executeTakeFirstOrThrow();
  await query.deleteFrom('sessions').where('user_id', '=', userId).where('id', '<>', except).execute();
  await query
    .updateTable('sessions')
    .set({ credentials_version })
    .where('id', '=', except)
    .where('user_id', '=', userId)
    .execute();
}

/** Revokes the sign-in links of an account that were mailed. For transactions. */
export async function removeMailedLinks({ query }: Database, userId: number): Promise<void> {
  await query.deleteFrom('sign_in_links').where('user_id', '=', userId).where('salt', '<>', '').execute();
}

/**
 * Deletes a user with all application passwords and tokens, and the names in the audit log. Records need an author:
 * they are reassigned to the user `reassign`.
 * @throws {ApiError} user-not-found, last-administrator, user-owns-records
 * @throws {InvalidParams} if `reassign` is not a user, or the user to be deleted
 */
export const removeUser = (db: Database, id: number, reassign?: number, actor?: Actor): Promise<UserRow> =>
  withAccountsLocked(db, async (trx) => {
    const user = await findUser(trx, id);
    if (!user) throw new ApiError('user-not-found');
    await refuseLastAdministrator(trx, user);
    await reassignRecords(trx, id, reassign);
    await logChange(trx, actor, { kind: auditedUser, id }, () =>
      trx.query.deleteFrom('users').where('id', '=', id).execute(),
    );
    await removeNames(trx, id);
    await trx.query.deleteFrom('mails').where('account_id', '=', id).execute();
    return user;
  });

const keysOf = ({ username, email }: { username: string; email: string }) => ({
  username_key: accountKey(username),
  email_key: accountKey(email),
});

/** A name that equals another account's e-mail address would be ambiguous where either is accepted. */
async function refuseTaken(db: Database, { username, email }: UserChanges, own = 0): Promise<void> {
  const keys = [username, email].flatMap((text) => (text === undefined ? [] : [accountKey(text)]));
  if (keys.length === 0) return;
  const others = db.query.selectFrom('users').select('id').where('id', '<>', own);
  const taken = await others
    .where((eb) => eb.or([eb('username_key', 'in', keys), eb('email_key', 'in', keys)]))
    .executeTakeFirst();
  if (taken) throw new ApiError('user-exists');
}

async function refuseLastAdministrator(db: Database, user: UserRow): Promise<void> {
  if (user.role !== 'administrator') return;
  const administrators = db.query.selectFrom('users').select('id').where('role', '=', 'administrator');
  const another = await administrators.where('id', '<>', user.id).executeTakeFirst();
  if (!another) throw new ApiError('last-administrator');
}

/** Tables whose records need an author. Tickets, orders and attendees keep the id of their creator. */
export const OWNED = ['events', 'linked_posts', 'media', 'series'] as const;

async function reassignRecords(db: Database, from: number, to: number | undefined): Promise<void> {
  if (to !== undefined && (to === from || !(await findUser(db, to))))
    throw invalidParam('reassign', 'param.author_unknown');
  for (const table of OWNED) {
    if (to !== undefined)
      await db.query.updateTable(table).set({ author_id: to }).where('author_id', '=', from).execute();
    else if (await ownsAny(db, table, from)) throw new ApiError('user-owns-records');
  }
}

async function ownsAny(db: Database, table: (typeof OWNED)[number], id: number): Promise<boolean> {
  const owned = db.query.selectFrom(table).select('author_id').where('author_id', '=', id).limit(1);
  return (await owned.executeTakeFirst()) !== undefined;
}
