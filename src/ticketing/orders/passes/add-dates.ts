import type { Context } from '../../../base/context.ts';
import { lockSeries } from '../../../calendar/events/series/series-store.ts';
import { getEvents } from '../../../calendar/events/store.ts';
import type { Database } from '../../../db/database.ts';
import { findTranslations } from '../../../platform/translations/store.ts';
import { findUncovered } from '../../passes/pass-tickets.ts';
import { copyTicket } from '../../tickets/copy.ts';
import type { Ticket } from '../../tickets/store.ts';
import { findSharedSeats, findTicket, setSharedCapacity } from '../../tickets/store.ts';

/** Gives a pass tickets in coming events of its series that have none, like the one in its last event. */
export const addDates = (context: Context, passId: number): Promise<void> =>
  context.db.transaction(async (db) => {
    const now = context.now();
    // Most passes miss nothing, and need no lock.
    const { series, events: sought } = await findUncovered(db, passId, now);
    if (sought.length === 0) return;
    for (const id of series) await lockSeries(db, id);
    for (const id of sought.toSorted((a, b) => a - b)) await db.dialect.lock(db, `tickets-${id}`);
    const { events } = await findUncovered(db, passId, now);
    const like = await findLast(db, passId);
    const [from] = like ? await getEvents(db, [like.event_id]) : [];
    if (!like || !from) return;
    const copied = { ticket: like, translations: await findTranslations(db, { kind: 'ticket', id: like.id }) };
    const shared = await findSharedSeats(db, from.id);
    const maker = { context: { ...context, db }, now };
    for (const to of await getEvents(
      db,
      events.filter((id) => sought.includes(id)),
    )) {
      if (shared && !(await findSharedSeats(db, to.id))) await setSharedCapacity(db, to.id, shared.capacity);
      await copyTicket(db, copied, { from, to, maker });
    }
  });

async function findLast(db: Database, passId: number): Promise<Ticket | undefined> {
  const row = await db.query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .select('tickets.id')
    .where('pass_id', '=', passId)
    .where('is_deleted', '=', 0)
    .orderBy('utc_start_date', 'desc')
    .orderBy('tickets.id', 'desc')
    .executeTakeFirst();
  return row && findTicket(db, row.id);
}
