import { type Database, inSavepoint } from '../../db/database.ts';
import { callByName } from '../../demo/create.ts';
import { ApiError, InvalidParams } from '../../http/core/errors.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { isRecord } from '../../lib/text/list.ts';
import type { InProcessContext } from '../../platform/users/in-process-context.ts';
import { eventTickets } from '../../ticketing/tickets/event-tickets.ts';
import { type Link, saveLink } from '../links.ts';
import { findRevision, IMPORT_REQUEST } from '../plan.ts';
import { changeSubscription, type Subscription } from './store.ts';

/** Withdraws events that a calendar no longer has: coming events without tickets become drafts. */

export interface Withdrawal {
  source: string;
  /** Id of an import: links that neither it nor a later one has seen are withdrawn. */
  before: number;
  ctx: InProcessContext;
  /** `draft`, from which they come back with the calendar, or `trash`. */
  to: 'draft' | 'trash';
}

/** Larger than the id of any import. */
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * Moves the coming events of a subscription to the trash before it ends. It is paused first, so that no read brings
 * them back. If this fails, it still exists, and repeating the call continues.
 */
export async function withdrawAll(
  { id, address }: Subscription,
  ctx: InProcessContext,
): Promise<{ withdrawn: number; sold: number }> {
  await changeSubscription(ctx.context.db, id, { is_paused: 1 });
  return withdrawGone({ source: address, before: ALL, ctx, to: 'trash' });
}

/** Number of links in a transaction. */
const BATCH = 20;

/** Withdraws events and series. Returns how many were withdrawn, and how many stay because of their tickets. */
export async function withdrawGone(withdrawal: Withdrawal): Promise<{ withdrawn: number; sold: number }> {
  const total = { withdrawn: 0, sold: 0 };
  const { db } = withdrawal.ctx.context;
  for (let after = { kind: '', foreign_id: 0 }; ; ) {
    const links = await goneLinks(db, withdrawal, after);
    if (links.length === 0) return total;
    const done = await db.transaction(async (trx) => {
      const counts = { withdrawn: 0, sold: 0 };
      await trx.dialect.lock(trx, `import-${withdrawal.source}`);
      for (const link of links) {
        const outcome = await withdraw(trx, link, withdrawal);
        if (outcome) counts[outcome] += 1;
      }
      return counts;
    });
    total.withdrawn += done.withdrawn;
    total.sold += done.sold;
    const last = links.at(-1);
    after = { kind: last?.kind ?? '', foreign_id: last?.foreign_id ?? 0 };
  }
}

function goneLinks(
  db: Database,
  { source, before }: Withdrawal,
  after: { kind: string; foreign_id: number },
): Promise<Link[]> {
  return db.query
    .selectFrom('import_links')
    .selectAll()
    .where('source', '=', source)
    .where('kind', 'in', ['event', 'series'])
    .where('record_id', 'is not', null)
    .where('import_id', '<', before)
    .where((eb) =>
      eb.or([
        eb('kind', '>', after.kind),
        eb.and([eb('kind', '=', after.kind), eb('foreign_id', '>', after.foreign_id)]),
      ]),
    )
    .orderBy('kind')
    .orderBy('foreign_id')
    .limit(BATCH)
    .execute();
}

async function withdraw(
  db: Database,
  link: Link,
  { ctx: outer, to, source }: Withdrawal,
): Promise<'withdrawn' | 'sold' | undefined> {
  const ctx: InProcessContext = {
    ...outer,
    context: { ...outer.context, db },
    ...(outer.actor && { actor: { ...outer.actor, requestId: `${IMPORT_REQUEST}withdrawal` } }),
  };
  const events = await comingEvents(db, link, toUtc(ctx.now));
  const [first] = events;
  if (first === undefined) return undefined;
  const { holders, held } = await eventTickets.countHolders(db, events);
  if (holders + held > 0) return 'sold';
  const isSeries = link.kind === 'series';
  const trashed = { id: isSeries ? link.record_id : first };
  try {
    await inSavepoint(db, async () => {
      if (to === 'trash') await callByName(isSeries ? ['series', 'delete'] : ['events', 'delete'], trashed, ctx);
      else
        await callByName(['events', 'update'], { id: first, status: 'draft', ...(isSeries && { scope: 'all' }) }, ctx);
    });
  } catch (error) {
    if (error instanceof ApiError || error instanceof InvalidParams) return undefined;
    throw error;
  }
  const { foreign_start: _start, ...rest } = link;
  const revision = (await findRevision(db, isSeries ? 'series' : 'event', Number(link.record_id))) ?? null;
  // The hash of the status is removed, so that an entry that comes back sets the status again.
  await saveLink(db, { ...rest, source, hash: '', fields: withoutStatus(link.fields), revision });
  return 'withdrawn';
}

function withoutStatus(fields: string): string {
  const parsed: unknown = JSON.parse(fields);
  const { status: _status, ...kept } = isRecord(parsed) ? parsed : {};
  return JSON.stringify(kept);
}

/**
 * Coming events of a link that are neither drafts nor in the trash, the next one first. A link to an event has none if
 * the event was changed here since the import, or belongs to a series.
 */
async function comingEvents(db: Database, { kind, record_id, revision }: Link, now: string): Promise<number[]> {
  const rows = db.query
    .selectFrom('events')
    .select(['id', 'revision', 'series_id'])
    .where('status', 'in', ['publish', 'future', 'pending', 'private'])
    .where('utc_end_date', '>', now)
    .orderBy('utc_start_date')
    .orderBy('id');
  if (kind === 'series') return (await rows.where('series_id', '=', record_id).execute()).map(({ id }) => id);
  const [event] = await rows.where('id', '=', Number(record_id)).execute();
  return event && event.series_id === null && event.revision === revision ? [event.id] : [];
}
