import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import { findEvent, updateEvent, valuesOf } from '../calendar/events/store.ts';
import type { Database } from '../db/database.ts';
import { type LocalTime, toUtc } from '../lib/dates/dates.ts';

const BATCH = 100;

/** Publishes every scheduled record whose publication date has passed. Safe to run in several processes at once. */
export async function publishScheduled({ db, now }: Pick<Context, 'db' | 'now'>): Promise<number> {
  const today = toUtc(now());
  const due = await db.query
    .selectFrom('events')
    .select('id')
    .where('status', '=', sql.lit('future'))
    .where('date_utc', '<=', today)
    .limit(BATCH)
    .execute();
  for (const { id } of due) {
    await db.transaction(async (trx) => {
      await trx.dialect.lock(trx, `post-${id}`);
      const event = await findEvent(trx, id);
      if (event?.status === 'future')
        await updateEvent(trx, event, { values: { ...valuesOf(event), status: 'publish' }, links: {} });
    });
  }
  return due.length + (await publishDuePosts(db, today));
}

/** Reads first: on PostgreSQL an update without matches would count as a change of the calendar. */
async function publishDuePosts(db: Database, today: LocalTime): Promise<number> {
  const due = await db.query
    .selectFrom('linked_posts')
    .select('id')
    .where('status', '=', sql.lit('future'))
    .where('date_utc', '<=', today)
    .limit(1)
    .executeTakeFirst();
  if (!due) return 0;
  const { numUpdatedRows } = await db.query
    .updateTable('linked_posts')
    .set({ status: 'publish' })
    .where('status', '=', sql.lit('future'))
    .where('date_utc', '<=', today)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
