import { ApiError } from '../../../http/core/errors.ts';
import { checkRevision } from '../../../http/core/revisions.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import { type Event, findEvent } from '../store.ts';
import { lockSeriesOf } from './own-changes.ts';
import { endedBefore, type Following } from './scope.ts';
import { findOccurrence, findOccurrences, findSeries } from './series-store.ts';
import { changeSeries, continueWork } from './series-writes.ts';

/**
 * Moves an occurrence and later ones, or all that are to come, to the trash: the series ends before it, or as a whole.
 * @throws {OutdatedRevision} if the occurrence has been edited since it was read
 */
export async function trashFrom(event: Event, { ctx, tickets, scope, confirmHolders }: Following): Promise<void> {
  const { db } = ctx.context;
  const seriesId = await db.transaction(async (trx) => {
    await lockSeriesOf(trx, event.id);
    const current = await findEvent(trx, event.id);
    const occurrence = await findOccurrence(trx, event.id);
    const series = occurrence && (await findSeries(trx, occurrence.series_id));
    if (!current || !series) throw new ApiError('rest-event-not-found');
    checkRevision(ctx, current);
    const [first] = await findOccurrences(trx, series.id);
    const isWhole = scope === 'all' || first?.event_id === event.id;
    const values = isWhole ? { status: 'trash' as const } : await endedBefore(series, occurrence.recurrence_id);
    // `If-Match` names the revision of the event, which is checked above.
    const within = { ...ctx, context: { ...ctx.context, db: trx }, expectedRevisions: undefined };
    await changeSeries(series.id, { ctx: within, tickets, values, confirmHolders });
    return series.id;
  });
  await continueWork(seriesId, { ctx, tickets });
}

/** Whether a coming event stays because a place of it was sold after the request had counted none. */
export async function isKept(event: Event, { ctx, tickets, confirmHolders }: Following): Promise<boolean> {
  if (confirmHolders || event.utc_start_date <= toUtc(ctx.now)) return false;
  const { holders, held } = await tickets.countHolders(ctx.context.db, [event.id]);
  return holders + held > 0;
}
