import { sql } from 'kysely';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import { addSeconds, fromUtc, type LocalTime, toUtc } from '../../lib/dates/dates.ts';

interface Count {
  points: number;
  expires_utc: LocalTime;
}

interface LimiterOptions {
  /** Name of the limit and prefix of its keys. */
  name: string;
  points: number;
  /** Seconds from the first point. */
  window: number;
}

type Upsert = [key: string, points: number, msDuration: number, forceExpire?: boolean];

/**
 * Counts in the database, for all processes together, by the clock of the context. Its statements run in transactions
 * of their own, so that counts survive a rollback of the request: never call it inside a transaction. The library calls
 * the methods that begin with an underscore.
 */
export class DatabaseLimiter extends RateLimiterStoreAbstract {
  readonly #context: Pick<Context, 'db' | 'now'>;

  constructor(context: Pick<Context, 'db' | 'now'>, { name, points, window }: LimiterOptions) {
    super({ storeClient: context.db, keyPrefix: name, points, duration: window });
    this.#context = context;
  }

  /** Increments and returns the count in one statement, so that concurrent attempts get distinct numbers. */
  async _upsert(...[key, points, msDuration, forceExpire = false]: Upsert): Promise<Count> {
    const { db, now } = this.#context;
    const utc = toUtc(now());
    const seconds = Math.ceil(msDuration / 1000);
    if (points < 0) return this.#giveBack(key, -points, utc);
    const fresh = { key, points, expires_utc: addSeconds(utc, seconds) };
    // A window that ends later than possible began with a wrong clock; clocks of other processes may be slightly ahead.
    const isLive = forceExpire
      ? sql`FALSE`
      : sql`rate_limits.expires_utc > ${utc} AND rate_limits.expires_utc <= ${addSeconds(utc, 2 * seconds)}`;
    return db.transaction(async ({ query }) => {
      const { rows } = await sql<Count>`INSERT INTO rate_limits (key, points, expires_utc)
        VALUES (${fresh.key}, ${fresh.points}, ${fresh.expires_utc})
        ON CONFLICT (key) DO UPDATE SET
          points = CASE WHEN ${isLive} THEN rate_limits.points + excluded.points ELSE excluded.points END,
          expires_utc = CASE WHEN ${isLive} THEN rate_limits.expires_utc ELSE excluded.expires_utc END
        RETURNING points, expires_utc`.execute(query);
      return rows[0] ?? fresh;
    });
  }

  /** Does not decrement an expired or deleted count: that would allow an extra attempt in the next window. */
  async #giveBack(key: string, points: number, now: LocalTime): Promise<Count> {
    const row = await this.#context.db.transaction(({ query }) =>
      query
        .updateTable('rate_limits')
        .set((eb) => ({ points: eb('points', '-', points) }))
        .where('key', '=', key)
        .where('expires_utc', '>', now)
        .where('points', '>=', points)
        .returning(['points', 'expires_utc'])
        .executeTakeFirst(),
    );
    return row ?? { points: 0, expires_utc: now };
  }

  async _get(key: string): Promise<Count | null> {
    const { db, now } = this.#context;
    const row = await db.query
      .selectFrom('rate_limits')
      .select(['points', 'expires_utc'])
      .where('key', '=', key)
      .where('expires_utc', '>', toUtc(now()))
      .executeTakeFirst();
    return row ?? null;
  }

  async _delete(key: string): Promise<boolean> {
    return removeCount(this.#context.db, key);
  }

  _getRateLimiterRes(_key: string, changed: number, { points, expires_utc }: Count): RateLimiterRes {
    const left = fromUtc(expires_utc).getTime() - this.#context.now().getTime();
    return new RateLimiterRes(Math.max(0, this.points - points), Math.max(0, left), points, points === changed);
  }
}

/** Deletes the count of a key. Returns whether there was one. */
export async function removeCount(db: Database, key: string): Promise<boolean> {
  const removed = await db.transaction(({ query }) =>
    query.deleteFrom('rate_limits').where('key', '=', key).returning('key').executeTakeFirst(),
  );
  return removed !== undefined;
}

/** Deletes counts whose window has ended. */
export async function removeExpiredCounts(db: Database, now: LocalTime): Promise<void> {
  await db.query.deleteFrom('rate_limits').where('expires_utc', '<=', now).execute();
}

export async function removeAllCounts(db: Database): Promise<void> {
  await db.transaction(({ query }) => query.deleteFrom('rate_limits').execute());
}
