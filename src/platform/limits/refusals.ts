import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import type { CountRefusal, RefusedKind } from '../../http/core/limits.ts';
import { localDay, toUtc } from '../../lib/dates/dates.ts';

/** Counts refusals by kind and day of the site, for all processes together. Stores no data about the clients. */

/** Counts refusals in transactions of their own, which a rollback of the refused request does not undo. */
export const createRefusalCounter =
  (context: Pick<Context, 'db' | 'now' | 'config'>): CountRefusal =>
  async (kind) => {
    // The time zone of the site may change at run time.
    const row = { kind, day: localDay(toUtc(context.now()), context.config.timezone), count: 1 };
    await context.db.transaction(({ query }) =>
      query
        .insertInto('refusals')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['kind', 'day']).doUpdateSet((eb) => ({ count: eb('refusals.count', '+', 1) })),
        )
        .execute(),
    );
  };

/** Number of requests refused on a day of the site (`YYYY-MM-DD`). */
export async function countRefusals({ query }: Database, kind: RefusedKind, day: string): Promise<number> {
  const found = query.selectFrom('refusals').select('count').where('kind', '=', kind).where('day', '=', day);
  return Number((await found.executeTakeFirst())?.count ?? 0);
}

/** Deletes the counts of all days before the given one. */
export async function removeRefusalsBefore({ query }: Database, day: string): Promise<void> {
  await query.deleteFrom('refusals').where('day', '<', day).execute();
}
