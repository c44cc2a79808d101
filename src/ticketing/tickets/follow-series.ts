import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { leaveToOthers } from '../../calendar/events/series/make-occurrences.ts';
import { lockSeriesOf } from '../../calendar/events/series/own-changes.ts';
import { type Scope, scopeOf } from '../../calendar/events/series/scope.ts';
import { findOccurrence, findOccurrences, lockSeries } from '../../calendar/events/series/series-store.ts';
import { type Event, findEvent, getEvents } from '../../calendar/events/store.ts';
import type { TicketMaker } from '../../calendar/events/ticketing.ts';
import type { Database } from '../../db/database.ts';
import { mayManageTickets } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { defineJob, type JobDefinition, NotYet } from '../../platform/jobs/job.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { applyTicketChange, namesakes, type TicketChange, type TicketState } from './ticket-change.ts';

/** Changes of a ticket of an occurrence that also apply to later or to all coming ones of its series. */

const TICKETS_JOB = 'series.tickets';

/** Follows a write of a ticket, in its transaction. */
export interface TicketFollower {
  /** Before the ticket is read. */
  prepare(db: Database): Promise<void>;
  follow(db: Database, states: { before?: TicketState; after?: TicketState }): Promise<void>;
}

/** The follower of a write with a scope; undefined if the write is for one event alone. */
export function followerOf(input: { scope?: Scope }, event: Event, ctx: RequestContext): TicketFollower | undefined {
  const scope = scopeOf(input, event, ctx);
  if (scope === 'this') return undefined;
  return {
    async prepare(db) {
      await lockSeriesOf(db, event.id);
      await catchUp(db, event.id, ctx);
    },
    async follow(db, { before, after }) {
      const occurrence = await findOccurrence(db, event.id);
      if (!occurrence) return;
      const named = (before ?? after)?.ticket;
      if (named) await refuseNamesakes(db, event.id, { named, after: after?.ticket });
      const range = { series: occurrence.series_id, since: scope === 'following' ? occurrence.recurrence_id : '' };
      const others = (await comingEvents(db, range, ctx.now)).filter((id) => id !== event.id);
      const events = await getEvents(db, others);
      if (!events.every((one) => mayManageTickets(ctx.viewer, one))) throw new ApiError('forbidden');
      const { start_date, utc_start_date } = event;
      const change: TicketChange = { from: { start_date, utc_start_date }, before, after };
      await enqueue(db, {
        kind: TICKETS_JOB,
        payload: { ...range, change: JSON.stringify(change) },
        now: ctx.now,
        record: { kind: 'series', id: occurrence.series_id },
      });
    },
  };
}

/** Tickets of the other events are found by their names. */
async function refuseNamesakes(
  db: Database,
  eventId: number,
  { named, after }: { named: TicketState['ticket']; after?: TicketState['ticket'] },
): Promise<void> {
  const others = [...(await namesakes(db, eventId, named)), ...(after ? await namesakes(db, eventId, after) : [])];
  if (others.some(({ id }) => id !== named.id)) throw invalidParam('scope', 'param.series_ticket');
}

interface Range {
  series: number;
  /** First day, or empty for all. */
  since: string;
}

async function comingEvents(db: Database, { series, since }: Range, now: Date): Promise<number[]> {
  const utcNow = toUtc(now);
  return (await findOccurrences(db, series))
    .filter(({ status, utc_start_date }) => status !== 'trash' && utc_start_date > utcNow)
    .filter(({ recurrence_id }) => recurrence_id >= since)
    .map(({ event_id }) => event_id);
}

interface Payload extends Readonly<Record<string, number | string>> {
  series: number;
  since: string;
  change: string;
}

interface Tried {
  /** JSON: ids of the events in which the change has failed. Later changes wait for its first attempt only. */
  failed?: string;
}

/** Changes of a series that are still to be applied, the earliest first. */
const pendingOf = ({ query }: Database, series: number) =>
  query
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('kind', '=', TICKETS_JOB)
    .where('record_id', '=', series)
    .where('state', '<>', sql.lit('dead'))
    .orderBy('id')
    .execute();

/**
 * Adds the pending changes of a series for the series that continues it, in the transaction of the split, which has the
 * lock of the first one.
 */
export async function continueChanges(
  db: Database,
  { from, to, now }: { from: number; to: number; now: Date },
): Promise<void> {
  for (const { payload } of await pendingOf(db, from)) {
    const change = { ...(JSON.parse(payload) as Payload), series: to };
    await enqueue(db, { kind: TICKETS_JOB, payload: change, now, record: { kind: 'series', id: to } });
  }
}

/** Applies the earlier changes that have not reached an event, so that the next one is made after them. */
async function catchUp(db: Database, eventId: number, ctx: RequestContext): Promise<void> {
  const [event, occurrence] = [await findEvent(db, eventId), await findOccurrence(db, eventId)];
  if (!event || !occurrence) return;
  const { series_id, recurrence_id } = occurrence;
  const pending = (await pendingOf(db, series_id)).filter(({ payload }) => recurrence_id >= readPayload(payload).since);
  // An event in which a change fails can be changed all the same.
  await db.transaction((trx) => applyPending(trx, pending, { to: event, maker: ctx })).catch(() => undefined);
}

interface Pending {
  id: number;
  payload: string;
}

const readPayload = (text: string) => JSON.parse(text) as Payload & Tried;

/** Ids of the events in which a change has failed; undefined if it has not been tried in all. */
const failedIn = ({ payload }: Pick<Pending, 'payload'>): number[] | undefined => {
  const { failed } = readPayload(payload);
  return failed === undefined ? undefined : (JSON.parse(failed) as number[]);
};

/** Applies pending changes to an event, the earliest first, except those that were applied to it before. */
async function applyPending(
  db: Database,
  pending: readonly Pending[],
  { to, maker }: { to: Event; maker: TicketMaker },
): Promise<void> {
  for (const job of pending) {
    const failed = failedIn(job);
    if (failed && !failed.includes(to.id)) continue;
    await applyTicketChange(db, JSON.parse(readPayload(job.payload).change) as TicketChange, { to, maker });
    if (failed)
      await noteFailed(
        db,
        job,
        failed.filter((id) => id !== to.id),
      );
  }
}

/** Notes the only events that a change is still to be applied to. */
async function noteFailed({ query }: Database, { id, payload }: Pending, failed: readonly number[]): Promise<void> {
  const noted = JSON.stringify({ ...readPayload(payload), failed: JSON.stringify(failed) });
  await query.updateTable('jobs').set({ payload: noted }).where('id', '=', id).execute();
}

interface Attempt {
  context: Context;
  series: number;
  jobId: number;
}

/**
 * Applies a change to one event, after earlier ones that have failed in it.
 * @returns whether anything changed
 */
const applyTo = ({ context, series, jobId }: Attempt, eventId: number): Promise<boolean> =>
  context.db.transaction(async (db) => {
    // Pending changes of an event are read and noted under its lock.
    await db.dialect.lock(db, `tickets-${eventId}`);
    const to = await findEvent(db, eventId);
    const pending = (await pendingOf(db, series)).filter(({ id }) => id <= jobId);
    const own = pending.find(({ id }) => id === jobId);
    if (!to || to.status === 'trash' || !own || failedIn(own)?.includes(eventId) === false) return false;
    const maker = { context: { ...context, db }, now: context.now() };
    await applyPending(
      db,
      pending.filter((job) => job !== own),
      { to, maker },
    );
    return applyTicketChange(db, JSON.parse(readPayload(own.payload).change) as TicketChange, { to, maker });
  });

/** Notes the events in which an attempt has failed, except those to which a later change has applied it meanwhile. */
const noteFailures = ({ context, series, jobId }: Attempt, events: readonly number[]): Promise<void> =>
  context.db.transaction(async (db) => {
    await lockSeries(db, series);
    for (const event of events.toSorted((a, b) => a - b)) await db.dialect.lock(db, `tickets-${event}`);
    const own = (await pendingOf(db, series)).find(({ id }) => id === jobId);
    if (own)
      await noteFailed(
        db,
        own,
        events.filter((event) => failedIn(own)?.includes(event) !== false),
      );
  });

/** Like `applyTo`, but collects failures. */
async function attemptEvent(attempt: Attempt, event: number, failures: Map<number, unknown>): Promise<boolean> {
  try {
    return await applyTo(attempt, event);
  } catch (err) {
    failures.set(event, err);
    return false;
  }
}

/**
 * Applies a change of a ticket to the other events, after earlier changes; every event is a transaction. An event in
 * which it fails keeps back neither the others nor later changes.
 */
export const seriesTicketsJob: JobDefinition = defineJob<Payload>({
  kind: TICKETS_JOB,
  async work(context, { series, since }, { id, heartbeat }) {
    const pending = await pendingOf(context.db, series);
    if (pending.some((job) => job.id < id && !failedIn(job))) throw new NotYet(2);
    const attempt = { context, series, jobId: id };
    const failures = new Map<number, unknown>();
    // Repeats until a pass changes nothing: meanwhile, events may have been copied from one that was not reached
    // before.
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const eventId of await comingEvents(context.db, { series, since }, context.now())) {
        if (failures.has(eventId)) continue;
        const began = performance.now();
        if (await attemptEvent(attempt, eventId, failures)) isChanged = true;
        await heartbeat();
        await leaveToOthers(began);
      }
    }
    if (failures.size === 0) return undefined;
    await noteFailures(attempt, [...failures.keys()]);
    throw failures.values().next().value;
  },
});
