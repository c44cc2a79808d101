import type { Database } from '../../db/database.ts';
import { can, mayRead, type Viewer } from '../../http/auth.ts';
import type { Ticket } from '../tickets/stock.ts';

/** Those of some tickets that a caller may buy: priced, not deleted, and published like the event they are for. */
export async function findSellable(db: Database, ids: readonly number[], viewer: Viewer): Promise<Map<number, Ticket>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .selectAll('tickets')
    .select(['events.status as event_status', 'events.author_id as event_author_id'])
    .where('tickets.id', 'in', [...new Set(ids)])
    .where('tickets.is_deleted', '=', 0)
    .where('tickets.provider', '=', 'tc')
    .where('events.status', '<>', 'trash')
    .execute();
  const sellable = rows.filter(
    ({ status, event_status, event_author_id }) =>
      (status === 'publish' || can(viewer, 'manage_tickets')) &&
      mayRead(viewer, { status: event_status, author_id: event_author_id }),
  );
  return new Map(sellable.map(({ event_status: _status, event_author_id: _author, ...ticket }) => [ticket.id, ticket]));
}
