import type { Context } from '../base/context.ts';
import type { Database } from '../db/database.ts';
import { addSeconds, type LocalTime, toUtc } from '../lib/dates/dates.ts';

/** Leases in the database, which let only one of several processes do certain work. */

/** Seconds until another process takes over from one that died. */
export const LEASE = 30;
/** Seconds before its end at which a lease is renewed: few writes, and enough time for a retry. */
const RENEWAL = 15;
/** Seconds by which clocks of processes may differ; a lease that ends even later was taken with a wrong clock. */
const MAX_SKEW = 60;

export interface Lease {
  /** Takes or renews the lease if necessary; returns whether this process has it. */
  hold(): Promise<boolean>;
  /** Releases the lease, so that another process can take it at once. */
  release(): Promise<void>;
}

type LeaseContext = Pick<Context, 'db' | 'now' | 'random'>;

/** A lease that its process keeps by renewing it. */
export function createLease({ db, now, random }: LeaseContext, name: string): Lease {
  const holder = random(8).toString('hex');
  let held: LocalTime = '';
  let renewal: Promise<boolean> | undefined;
  const renew = async () => {
    const utc = toUtc(now());
    held = (await takeLease(db, { name, holder, utc })) ? addSeconds(utc, LEASE) : '';
    return held !== '';
  };
  return {
    async hold() {
      const utc = toUtc(now());
      if (held > addSeconds(utc, RENEWAL) && held <= addSeconds(utc, LEASE)) return true;
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      return renewal;
    },
    async release() {
      if (held === '') return;
      held = '';
      await db.transaction(({ query }) =>
        query.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute(),
      );
    },
  };
}

/** Reads first, since processes without the lease try often. */
async function takeLease(
  db: Database,
  { name, holder, utc }: { name: string; holder: string; utc: LocalTime },
): Promise<boolean> {
  const until = addSeconds(utc, LEASE);
  const latest = addSeconds(until, MAX_SKEW);
  const present = await db.query.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst();
  if (present && present.holder !== holder && present.until_utc > utc && present.until_utc <= latest) return false;
  const taken = await db.transaction(({ query }) =>
    query
      .insertInto('leases')
      .values({ name, holder, until_utc: until, next_utc: utc })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ holder, until_utc: until })
          .where((eb) =>
            eb.or([
              eb('leases.holder', '=', holder),
              eb('leases.until_utc', '<=', utc),
              eb('leases.until_utc', '>', latest),
            ]),
          ),
      )
      .returning('name')
      .executeTakeFirst(),
  );
  return taken !== undefined;
}

/** Seconds after which rare work whose process died is tried again. */
const RETRY = 300;

/**
 * Runs work if its last successful run, in any process, began at least `seconds` ago. Only for a process with a lease.
 * Returns whether it was due.
 */
export async function inTurn(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { name, seconds }: { name: string; seconds: number },
  work: () => Promise<unknown>,
): Promise<boolean> {
  const utc = toUtc(now());
  const next = addSeconds(utc, seconds);
  const present = await db.query.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst();
  if (present && present.next_utc > utc && present.next_utc <= next) return false;
  await setNext(db, name, addSeconds(utc, RETRY));
  await work();
  await setNext(db, name, next);
  return true;
}

const setNext = (db: Database, name: string, next_utc: LocalTime) =>
  db.transaction(({ query }) =>
    query
      .insertInto('leases')
      .values({ name, holder: '', until_utc: next_utc, next_utc })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ next_utc }))
      .execute(),
  );
