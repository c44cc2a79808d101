import type { Selectable, Updateable } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { SubscriptionsTable } from '../../db/tables/import.ts';
import { addSeconds, type LocalTime } from '../../lib/dates/dates.ts';
import type { Counts } from '../plan.ts';

/** Calendars that are read regularly. */

export type Subscription = Selectable<SubscriptionsTable>;

export const MIN_HOURS = 1;
export const MAX_HOURS = 168;
const HOUR = 3600;
/** Longest wait after failures, in hours. */
const MAX_WAIT = 24;

/** Subscribes to a calendar, or changes the choices of a subscription. Either is due at once. */
export const subscribe = (
  db: Database,
  {
    address,
    status,
    categories,
    hours,
    now,
  }: Pick<Subscription, 'address' | 'status' | 'hours'> & {
    categories: readonly string[];
    now: LocalTime;
  },
): Promise<Subscription> => {
  const choices = { status, hours, categories: JSON.stringify(categories), due_utc: now, etag: '' };
  return db.query
    .insertInto('subscriptions')
    .values({ address, ...choices, created_utc: now, checked_utc: null, succeeded_utc: null, import_id: null })
    .onConflict((conflict) => conflict.column('address').doUpdateSet(choices))
    .returningAll()
    .executeTakeFirstOrThrow();
};

export const listSubscriptions = (db: Database): Promise<Subscription[]> =>
  db.query.selectFrom('subscriptions').selectAll().orderBy('id').execute();

export const findSubscription = (db: Database, id: number): Promise<Subscription | undefined> =>
  db.query.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst();

export const findByAddress = (db: Database, address: string): Promise<Subscription | undefined> =>
  db.query.selectFrom('subscriptions').selectAll().where('address', '=', address).executeTakeFirst();

export async function changeSubscription(
  db: Database,
  id: number,
  changes: Updateable<SubscriptionsTable>,
): Promise<void> {
  // Kysely refuses an update without values.
  if (Object.keys(changes).length === 0) return;
  await db.query.updateTable('subscriptions').set(changes).where('id', '=', id).execute();
}

// Written by `subscribe` and `noteSuccess`.
export const categoriesOf = ({ categories }: Subscription): string[] => JSON.parse(categories) as string[];
export const countsOf = ({ counts }: Subscription): Counts => JSON.parse(counts) as Counts;

export async function removeSubscription(db: Database, id: number): Promise<void> {
  await db.query.deleteFrom('subscriptions').where('id', '=', id).execute();
}

export const findDue = (db: Database, now: LocalTime, limit: number): Promise<Subscription[]> =>
  db.query
    .selectFrom('subscriptions')
    .selectAll()
    .where('due_utc', '<=', now)
    .where('is_paused', '=', 0)
    .orderBy('due_utc')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Takes a subscription that is due; false if another process has taken it. */
export async function claim(db: Database, { id, due_utc, hours }: Subscription, now: LocalTime): Promise<boolean> {
  const taken = await db.query
    .updateTable('subscriptions')
    .set({ due_utc: addSeconds(now, hours * HOUR) })
    .where('id', '=', id)
    .where('due_utc', '=', due_utc)
    .where('is_paused', '=', 0)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Records a successful read; an unchanged calendar has no import. */
export async function noteSuccess(
  db: Database,
  { id, hours }: Subscription,
  { now, ...changes }: { now: LocalTime } & Partial<Pick<Subscription, 'etag' | 'counts' | 'import_id' | 'problem'>>,
): Promise<void> {
  const due_utc = addSeconds(now, hours * HOUR);
  await db.query
    .updateTable('subscriptions')
    .set({ problem: '', ...changes, checked_utc: now, succeeded_utc: now, failures: 0, due_utc })
    .where('id', '=', id)
    .execute();
}

/** Records a failed read. Each failure delays the next read more, up to a day. */
export async function noteFailure(
  db: Database,
  { id, hours, failures }: Subscription,
  { now, problem }: { now: LocalTime; problem: string },
): Promise<void> {
  const wait = Math.max(hours, Math.min(MAX_WAIT, hours * 2 ** Math.min(failures, 10)));
  await db.query
    .updateTable('subscriptions')
    .set({ problem, checked_utc: now, failures: failures + 1, due_utc: addSeconds(now, wait * HOUR) })
    .where('id', '=', id)
    .execute();
}
