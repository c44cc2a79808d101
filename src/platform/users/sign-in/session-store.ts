import type { Selectable } from 'kysely';
import { compiledOnce } from '../../../db/compiled-statement.ts';
import type { Database } from '../../../db/database.ts';
import type { SessionsTable } from '../../../db/tables/accounts.ts';
import { SESSION_DAYS } from '../../../http/core/cookies.ts';
import type { Actor } from '../../../lib/actor.ts';
import { addSeconds, toUtc } from '../../../lib/dates/dates.ts';
import { logCommand } from '../../audit/log.ts';
import { secondFactorRoles, type UserRow, type UserWithRules } from '../store.ts';
import { noteDevice, removeOldDevices } from './devices.ts';

export type SessionRow = Selectable<SessionsTable>;

const DAY = 24 * 60 * 60;
/** Minimum seconds between updates of the last use. */
const NOTE_INTERVAL = 60;
/** Seconds in which a session that began with a link may set a password: it is meant to be set at once. */
const SET_PASSWORD_SECONDS = 60 * 60;
/** Maximum sessions of one account; further ones end the oldest. */
const MAX_SESSIONS = 50;

/** Sessions last used before this time have expired. */
const idleSince = (now: Date): string => addSeconds(toUtc(now), -SESSION_DAYS * DAY);

/** Active sessions of an account, or of all. */
const present = (query: Database['query'], since: string) =>
  query
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'sessions.user_id')
        .onRef('users.credentials_version', '=', 'sessions.credentials_version'),
    )
    .where('sessions.last_seen_utc', '>', since);

export type SessionWithOwner = UserWithRules & {
  session: Pick<SessionRow, 'id' | 'last_seen_utc' | 'may_set_password' | 'confirmed_utc'>;
};

/** The session of a token and its user, read together because every request with a session needs both. */
export async function findSessionWithOwner(
  db: Database,
  hash: string,
  now: Date,
): Promise<SessionWithOwner | undefined> {
  const [row] = await presentByHash(db, hash, idleSince(now));
  if (!row) return undefined;
  const {
    session_id: id,
    seen_utc: last_seen_utc,
    begun_utc,
    confirmed_utc,
    may_set_password: isByLink,
    ...user
  } = row;
  const isRecent = begun_utc > addSeconds(toUtc(now), -SET_PASSWORD_SECONDS);
  const may_set_password = isRecent ? isByLink : 0;
  return { ...user, session: { id, last_seen_utc, may_set_password, confirmed_utc } };
}

const presentByHash = compiledOnce((query, hash: string, since: string) =>
  present(query, since)
    .selectAll('users')
    .select(secondFactorRoles)
    .select(['sessions.id as session_id', 'sessions.created_utc as begun_utc', 'sessions.last_seen_utc as seen_utc'])
    .select(['sessions.may_set_password', 'sessions.confirmed_utc'])
    .where('sessions.hash', '=', hash),
);

interface SessionFilter {
  userId?: number;
  limit: number;
  offset: number;
}

/** A page of active sessions, newest first, and their total. */
export async function listSessions(
  db: Database,
  { userId, limit, offset }: SessionFilter,
  now: Date,
): Promise<{ sessions: SessionRow[]; total: number }> {
  let matching = present(db.query, idleSince(now));
  if (userId !== undefined) matching = matching.where('sessions.user_id', '=', userId);
  const page = matching.selectAll('sessions').orderBy('sessions.id', 'desc').limit(limit).offset(offset);
  const sessions = await page.execute();
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { sessions, total };
}

export const findSession = (db: Database, id: number, now: Date): Promise<SessionRow | undefined> =>
  present(db.query, idleSince(now)).selectAll('sessions').where('sessions.id', '=', id).executeTakeFirst();

interface NewSession {
  /** Read when its credentials were checked: if they have changed since, the session ends at once. */
  user: Pick<UserRow, 'id' | 'credentials_version' | 'email' | 'language'>;
  hash: string;
  maySetPassword: boolean;
  address: string;
  user_agent: string;
}

/** Begins a session of an account; undefined if the account has been removed. */
export const insertSession = (db: Database, made: NewSession, now: Date): Promise<SessionRow | undefined> =>
  db.transaction(async (trx) => {
    const { user, hash, maySetPassword, address, user_agent } = made;
    const time = toUtc(now);
    const see = trx.query.updateTable('users').set({ last_seen_utc: time }).where('id', '=', user.id).returning('id');
    // Of sessions that begin at the same time, one is the first.
    const isFirst = (await see.where('last_seen_utc', 'is', null).executeTakeFirst()) !== undefined;
    if (!isFirst && !(await see.executeTakeFirst())) return undefined;
    const row = await trx.query
      .insertInto('sessions')
      .values({
        ...{ user_id: user.id, hash, address, user_agent, credentials_version: user.credentials_version },
        may_set_password: maySetPassword ? 1 : 0,
        confirmed_utc: null,
        created_utc: time,
        last_seen_utc: time,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await noteDevice(trx, user, { session: row.id, address, user_agent, isFirst }, now);
    const newest = trx.query.selectFrom('sessions').select('id').where('user_id', '=', user.id);
    await trx.query
      .deleteFrom('sessions')
      .where('user_id', '=', user.id)
      .where('id', 'not in', newest.orderBy('id', 'desc').limit(MAX_SESSIONS))
      .execute();
    return row;
  });

/** Ends a session and returns it; undefined if it has already ended. */
export const removeSession = ({ query }: Database, id: number): Promise<SessionRow | undefined> =>
  query.deleteFrom('sessions').where('id', '=', id).returningAll().executeTakeFirst();

/**
 * Ends the sessions of all accounts, including those about to begin, and revokes sign-in links. Returns whether there
 * were any.
 */
export const endAllSessions = (db: Database, actor: Actor): Promise<boolean> =>
  db.transaction(async (trx) => {
    const { query } = trx;
    await query
      .updateTable('users')
      .set((eb) => ({ credentials_version: eb('credentials_version', '+', 1) }))
      .execute();
    const sessions = await query.deleteFrom('sessions').executeTakeFirstOrThrow();
    const links = await query.deleteFrom('sign_in_links').executeTakeFirstOrThrow();
    const removed = { sessions: sessions.numDeletedRows, sign_in_links: links.numDeletedRows };
    const fields = Object.entries(removed).filter(([, rows]) => rows > 0n);
    if (fields.length === 0) return false;
    await logCommand(
      trx,
      actor,
      fields.map(([field]) => ({ field, hidden: 'secret' })),
    );
    return true;
  });

/** Records the use of a session and of its account, at most once a minute. */
export async function recordUseOfSession(
  db: Database,
  { id: userId, session }: SessionWithOwner,
  now: Date,
): Promise<void> {
  const due = addSeconds(toUtc(now), -NOTE_INTERVAL);
  if (session.last_seen_utc > due) return;
  const seen = { last_seen_utc: toUtc(now) };
  await db.transaction(async ({ query }) => {
    await query
      .updateTable('sessions')
      .set(seen)
      .where('id', '=', session.id)
      .where('last_seen_utc', '<=', due)
      .execute();
    await query.updateTable('users').set(seen).where('id', '=', userId).execute();
  });
}

/** Records a re-authentication of a session. */
export const recordReauthentication = (db: Database, id: number, now: Date): Promise<void> =>
  db.transaction(async ({ query }) => {
    await query
      .updateTable('sessions')
      .set({ confirmed_utc: toUtc(now) })
      .where('id', '=', id)
      .execute();
  });

/** Deletes expired sessions and links, and old devices. */
export async function removeExpiredSessions(db: Database, now: Date): Promise<void> {
  const { query } = db;
  await removeOldDevices(db, now);
  await query.deleteFrom('sessions').where('last_seen_utc', '<=', idleSince(now)).execute();
  await query.deleteFrom('sign_in_links').where('expires_utc', '<=', toUtc(now)).execute();
}
