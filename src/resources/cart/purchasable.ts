import type { Database } from '../../db/database.ts';
import { can, mayRead, type Viewer } from '../../http/auth.ts';
import type { GuardedContext } from '../../http/endpoint.ts';
import { admitPassword } from '../events/password.ts';
import { areTicketsLocked } from '../tickets/locked.ts';
import type { Ticket } from '../tickets/stock.ts';

interface Buyer {
  viewer: Viewer;
  /** Event password, which `admitPasswordFor` has counted. */
  password?: string;
  /** Whether the tickets were let into the cart before, so that no password is asked again. */
  isAdmitted?: boolean;
}

/** Those of some tickets that a caller may buy: priced, not deleted, and published like the event they are for. */
export async function findSellable(
  db: Database,
  ids: readonly number[],
  { viewer, password, isAdmitted = false }: Buyer,
): Promise<Map<number, Ticket>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .selectAll('tickets')
    .select(['events.status as event_status', 'events.trashed_from', 'events.author_id as event_author', 'password'])
    .where('tickets.id', 'in', [...new Set(ids)])
    .where('tickets.is_deleted', '=', 0)
    .where('tickets.provider', '=', 'tc')
    .where('events.status', '<>', 'trash')
    .execute();
  const found = rows.map(({ event_status, trashed_from, event_author, password: secret, ...ticket }) => ({
    ticket: ticket as Ticket,
    event: { id: ticket.event_id, status: event_status, trashed_from, author_id: event_author, password: secret },
  }));
  const sellable = found.filter(
    ({ ticket, event }) =>
      (ticket.status === 'publish' || can(viewer, 'manage_tickets')) &&
      (isAdmitted || !areTicketsLocked(event, viewer, password)) &&
      mayRead(viewer, event),
  );
  return new Map(sellable.map(({ ticket }) => [ticket.id, ticket]));
}

/**
 * Counts a password before it is compared with those of the events that some tickets are of. Never inside a
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
