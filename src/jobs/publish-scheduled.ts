import type { Context } from '../context.ts';
import { toUtc } from '../lib/dates.ts';
import { findEvent, updateEvent } from '../resources/events/store.ts';

const BATCH = 100;

/** Publishes every scheduled record whose publication date has come. Safe to run in several processes at once. */
export async function publishDue({ db, now }: Pick<Context, 'db' | 'now'>): Promise<number> {
  const today = toUtc(now());
  const due = await db.query
    .selectFrom('events')
    .select('id')
    .where('status', '=', 'future')
    .where('date_utc', '<=', today)
    .limit(BATCH)
    .execute();
  for (const { id } of due) {
    await db.transaction(async (trx) => {
      await trx.dialect.lock(trx, `post-${id}`);
      const event = await findEvent(trx, id);
      if (event?.status === 'future')
        await updateEvent(trx, event, { values: { ...event, status: 'publish' }, links: {} });
    });
  }
  const posts = await db.query
    .updateTable('linked_posts')
    .set({ status: 'publish' })
    .where('status', '=', 'future')
    .where('date_utc', '<=', today)
    .executeTakeFirst();
  return due.length + Number(posts.numUpdatedRows);
}
