import { admitPassword } from '../../calendar/events/access.ts';
import { mayRead } from '../../calendar/posts/visibility.ts';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { Provider } from '../../db/tables/ticketing.ts';
import { can, type Viewer } from '../../http/core/auth.ts';
import type { GuardedContext } from '../../http/core/endpoint.ts';
import type { ApiError } from '../../http/core/errors.ts';
import { type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import type { Promotion } from '../prices/promotion-rules.ts';
import { expiredSeats, SHARED_SEATS, withCounts } from '../seats/seats.ts';
import { statusRefusal } from '../tickets/sale-window.ts';
import type { CountedTicket } from '../tickets/store.ts';
import { areTicketsLocked, isHidden } from '../tickets/visibility.ts';

interface Customer {
  viewer: Viewer;
  now: Date;
  /** Event password, already counted by `admitPasswordFor`. */
  password?: string;
  /** Default: `tc`. */
  provider?: Provider;
  /** Whether the tickets are already in the cart, so that no password is needed. */
  isAdmitted?: boolean;
  /** Reads the promotion that may open hidden tickets; called only if some tickets are hidden or missing. */
  findPromotion?: () => Promise<Promotion | undefined>;
}

/** A ticket that the viewer may buy unless the status of its event closes the sale. */
export interface Purchasable extends CountedTicket {
  /** Refusal because of that status. */
  refusal: ApiError | undefined;
  /** Start and end of its event, UTC. */
  event_starts: LocalTime;
  event_ends: LocalTime;
}

const ticketsWithEvents = byIds((query, ids, provider: Provider, now: string) =>
  query
    .selectFrom('tickets as t')
    .innerJoin('events', 'events.id', 't.event_id')
    .leftJoin('event_stock as s', 's.event_id', 't.event_id')
    .selectAll('t')
    .select([...SHARED_SEATS, ...expiredSeats(now)])
    .select([
      'events.status as post_status',
      'event_status',
      'sale_stays_open',
      'utc_start_date as event_starts',
      'utc_end_date as event_ends',
      'trashed_from',
      'events.author_id as event_author',
      'password',
    ])
    .where('t.id', 'in', ids)
    .where('t.is_deleted', '=', 0)
    .where('t.provider', '=', provider),
);

/**
 * The tickets of a provider that the viewer may buy or RSVP to: not deleted, not hidden, and published, as are their
 * events.
 */
export async function findPurchasable(
  db: Database,
  ids: readonly number[],
  { viewer, now, password, provider = 'tc', isAdmitted = false, findPromotion }: Customer,
): Promise<Map<number, Purchasable>> {
  const rows = await ticketsWithEvents(db, ids, provider, toUtc(now));
  // Missing tickets take as long as hidden ones.
  const isAnyUnknown = rows.length < new Set(ids).size || rows.some(({ requires_code }) => requires_code === 1);
  const promotion = isAnyUnknown ? await findPromotion?.() : undefined;
  const found = rows
    .map(withCounts)
    .map(({ post_status, event_status, sale_stays_open, trashed_from, event_author, ...row }) => {
      const { password: secret, ...ticket } = row;
      const refusal = statusRefusal(ticket, { event_status, sale_stays_open });
      return {
        ticket: { ...ticket, refusal },
        event: { id: ticket.event_id, status: post_status, trashed_from, author_id: event_author, password: secret },
      };
    });
  const purchasable = found.filter(
    ({ ticket, event }) =>
      (ticket.status === 'publish' || can(viewer, 'manage_tickets')) &&
      (isAdmitted || !areTicketsLocked(event, viewer, password)) &&
      !isHidden(ticket, event, { viewer, promotion }) &&
      mayRead(viewer, event),
  );
  return new Map(purchasable.map(({ ticket }) => [ticket.id, ticket]));
}

/**
 * Counts a password attempt before the password is compared with the events of the tickets. Must not be called inside a
 * transaction.
 * @throws {ApiError} too_many_attempts
 */
export async function admitPasswordFor(
  ids: readonly number[],
  password: string | undefined,
  ctx: GuardedContext,
): Promise<void> {
  if (password === undefined || ids.length === 0) return;
  const events = await ctx.context.db.query
    .selectFrom('events')
    .select(['id', 'password', 'author_id', 'status', 'trashed_from'])
    .where('password', '<>', '')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('tickets')
        .select('event_id')
        .where('id', 'in', [...new Set(ids)]),
    )
    .orderBy('id')
    .execute();
  await admitPassword(ctx, password, events);
}
