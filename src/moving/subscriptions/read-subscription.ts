import { toUtc } from '../../lib/dates/dates.ts';
import type { InProcessContext } from '../../platform/users/in-process-context.ts';
import { fetchCalendar } from '../ical/fetch-calendar.ts';
import { importCalendar } from '../ical/import-calendar.ts';
import { SourceError } from '../source.ts';
import { categoriesOf, noteFailure, noteSuccess, type Subscription } from './store.ts';
import { withdrawGone } from './withdraw.ts';

/** Reads a calendar that a site subscribes to. */

/**
 * Reads the calendar, and stores the result.
 * @returns a sentence about the problem; empty without one
 */
export async function readSubscription(subscription: Subscription, ctx: InProcessContext): Promise<string> {
  const { db } = ctx.context;
  const now = toUtc(ctx.now);
  try {
    return await readNow(subscription, ctx);
  } catch (error) {
    const isTheirs = error instanceof SourceError;
    const problem = isTheirs ? error.message : 'The import failed; the log of the server has the reason.';
    await noteFailure(db, subscription, { now, problem });
    if (!isTheirs) throw error;
    return problem;
  }
}

const EMPTY = 'The calendar has no events any more. Those of earlier reads stay.';
const CUT = 'The calendar is cut off, or has too many events. Those that it has were imported.';

async function readNow(subscription: Subscription, ctx: InProcessContext): Promise<string> {
  const { address, etag, status, import_id: previous } = subscription;
  const { db, config } = ctx.context;
  const now = toUtc(ctx.now);
  const fetched = await fetchCalendar(address, { config, etag });
  if (!fetched) {
    // An unchanged calendar confirms the last complete read.
    if (previous !== null) await withdrawGone({ source: address, before: previous, ctx, to: 'draft' });
    await noteSuccess(db, subscription, { now });
    return '';
  }
  const result = await importCalendar({
    ...{ ctx, text: fetched.text, source: address, status },
    categories: categoriesOf(subscription),
  });
  const isEmpty = Object.values(result.counts).every(({ event = 0, series = 0 }) => event + series === 0);
  const isWhole = result.isComplete && !isEmpty;
  const counts: Record<string, Record<string, number>> = { ...result.counts };
  // An event is withdrawn once two complete reads lack it.
  if (isWhole && previous !== null) {
    const { withdrawn, sold } = await withdrawGone({ source: address, before: previous, ctx, to: 'draft' });
    if (withdrawn > 0) counts.withdrawn = { event: withdrawn };
    if (sold > 0) counts.sold = { event: sold };
  }
  const problem = problemOf({ isWhole, isEmpty, hadEvents: previous !== null });
  await noteSuccess(db, subscription, {
    ...{ now, problem, counts: JSON.stringify(counts) },
    ...(isWhole && { etag: fetched.etag, import_id: result.id }),
  });
  return problem;
}

function problemOf({
  isWhole,
  isEmpty,
  hadEvents,
}: {
  isWhole: boolean;
  isEmpty: boolean;
  hadEvents: boolean;
}): string {
  if (isWhole) return '';
  if (!isEmpty) return CUT;
  return hadEvents ? EMPTY : '';
}
