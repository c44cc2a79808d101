import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/database.ts';
import type { UsersTable } from '../../db/tables.ts';
import { type Account, isRole, type Role } from '../../http/auth.ts';
import { ApiError, invalidParam } from '../../http/errors.ts';
import type { Actor } from '../../lib/actor.ts';
import { toUtc } from '../../lib/dates.ts';
import { forgetNames, logChange, logCreation } from '../audit/log.ts';
import { auditedUser } from './audited.ts';
import { generatePassword } from './generate.ts';
import { hashPassword } from './passwords.ts';

export type UserRow = Selectable<UsersTable>;

/** The form in which names and e-mail addresses are compared: they are unique without regard to case. */
export const accountKey = (text: string): string => text.trim().normalize('NFKC').toLowerCase();

/** The account of a row. An unknown role, from a newer version, has no rights. */
export const accountOf = ({ id, username, email, role }: UserRow): Account => ({
  id,
  username,
  email,
  role: isRole(role) ? role : 'subscriber',
});

export const findUser = (db: Database, id: number): Promise<UserRow | undefined> =>
  db.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();

/** The user with a name or an e-mail address. No address of one equals the name of another: `refuseTaken`. */
export async function findUserByLogin(db: Database, login: string): Promise<UserRow | undefined> {
  const key = accountKey(login);
  if (key === '') return undefined;
  const users = db.query.selectFrom('users').selectAll();
  return users.where((eb) => eb.or([eb('username_key', '=', key), eb('email_key', '=', key)])).executeTakeFirst();
}

interface UserFilter {
  /** Part of the name or the address. */
  search?: string;
  role?: Role;
  limit: number;
  offset: number;
}

/** A page of users, oldest first, and their total. */
export async function listUsers(db: Database, filter: UserFilter): Promise<{ users: UserRow[]; total: number }> {
  const { search, role, limit, offset } = filter;
  let matching = db.query.selectFrom('users');
  if (role) matching = matching.where('role', '=', role);
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
  created_utc: string;
}

/** Locks all accounts, for rules that involve several of them. */
const exclusively = <T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> =>
  db.transaction(async (trx) => {
    await trx.dialect.lock(trx, 'marquee-users');
    return work(trx);
  });

/** @throws {ApiError} user-exists */
export const insertUser = (db: Database, user: NewUser, actor?: Actor): Promise<UserRow> =>
  exclusively(db, async (trx) => {
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

/** @throws {ApiError} user-not-found, user-exists, last-administrator */
export const updateUser = (db: Database, id: number, changes: UserChanges, actor?: Actor): Promise<UserRow> =>
  exclusively(db, async (trx) => {
    const user = await findUser(trx, id);
    if (!user) throw new ApiError('user-not-found');
    await refuseTaken(trx, changes, id);
    if (changes.role !== undefined && changes.role !== 'administrator') await refuseLastAdministrator(trx, user);
    const values = { ...user, ...changes, ...keysOf({ ...user, ...changes }) };
    return logChange(trx, actor, { kind: auditedUser, id }, () =>
      trx.query.updateTable('users').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),
    );
  });

/**
 * Deletes a user with all application passwords and tokens, and the names in the audit log. Records need an author: they are reassigned to the user
 * `reassign`.
 * @throws {ApiError} user-not-found, last-administrator, user-owns-records
 * @throws {InvalidParams} if `reassign` is no user, or the user to be deleted
 */
export const removeUser = (db: Database, id: number, reassign?: number, actor?: Actor): Promise<UserRow> =>
  exclusively(db, async (trx) => {
    const user = await findUser(trx, id);
    if (!user) throw new ApiError('user-not-found');
    await refuseLastAdministrator(trx, user);
    await passOnRecords(trx, id, reassign);
    await logChange(trx, actor, { kind: auditedUser, id }, () =>
      trx.query.deleteFrom('users').where('id', '=', id).execute(),
    );
    await forgetNames(trx, id);
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
const OWNED = ['events', 'linked_posts', 'media'] as const;

async function passOnRecords(db: Database, from: number, to: number | undefined): Promise<void> {
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

/**
 * Creates the first administrator when there are no accounts: the one that the configuration names, or `admin` with a
 * generated password.
 * @param print prints the generated password, which is shown nowhere else
 */
export async function ensureAdministrator(context: Context, print: (line: string) => void): Promise<void> {
  const { config, db } = context;
  if (await hasUsers(db)) return;
  const { name, password } = config.admin ?? { name: 'admin', password: generatePassword(context.random) };
  const user = {
    username: name,
    email: 'admin@localhost',
    password_hash: await hashPassword(password, context),
    role: 'administrator' as const,
    created_utc: toUtc(context.now()),
  };
  // Another process may have been first: it holds the lock until its administrator exists.
  const isFirst = await exclusively(db, async (trx) => !(await hasUsers(trx)) && Boolean(await insertUser(trx, user)));
  if (!isFirst || config.admin) return;
  print(`The first administrator is "${name}" with the password ${password}`);
  print(`It is shown this once. Change it with: npx marquee user password ${name}`);
}

const hasUsers = async (db: Database): Promise<boolean> =>
  (await db.query.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
