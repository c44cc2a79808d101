import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import type { CountRefusal, RefusedKind } from '../../http/core/limits.ts';
import { localDay, toUtc } from '../../lib/dates/dates.ts';

/** Counts of refusals by kind and day of the site, for all processes together. Nothing is kept of the refused. */

/** Counts refusals in transactions of their own, which the rollback of the refused request does not undo. */
export const createRefusalCounter =
  (context: Pick<Context, 'db' | 'now' | 'config'>): CountRefusal =>
  async (kind) => {
    // The site may choose another time zone while it runs.
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

/** How many requests were refused on a day of the site (`YYYY-MM-DD`). */
export async function countRefusals({ query }: Database, kind: RefusedKind, day: string): Promise<number> {
  const found = query.selectFrom('refusals').select('count').where('kind', '=', kind).where('day', '=', day);
  return Number((await found.executeTakeFirst())?.count ?? 0);
}

/** Deletes the counts of the days before one. */
export async function forgetRefusals({ query }: Database, day: string): Promise<void> {
  await query.deleteFrom('refusals').where('day', '<', day).execute();
}
