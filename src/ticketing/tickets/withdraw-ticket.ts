import { sql } from 'kysely';
import type { TicketMaker } from '../../calendar/events/ticketing.ts';
import { modifiedTimes } from '../../calendar/posts/post.ts';
import type { Database } from '../../db/database.ts';
import { logChange } from '../../platform/audit/log.ts';
import { isChosen } from '../passes/pass-dates.ts';
import { returnSeats, totalsOf } from '../seats/seat-counters.ts';
import { auditedTicket } from './audited.ts';
import type { Ticket } from './store.ts';
import { updateTicket } from './store.ts';

/**
 * Withdraws a ticket from sale and from carts, in the transaction of the caller, and the others of its series pass with
 * it. They are marked as deleted before they are removed from carts, so that no cart can take them in between.
 */
export async function withdrawTickets(
  db: Database,
  [ticket, ...others]: readonly [Ticket, ...Ticket[]],
  ctx: TicketMaker,
): Promise<void> {
  const markDeleted = (one: Ticket) => updateTicket(db, one, { is_deleted: 1, ...modifiedTimes(ctx) });
  await logChange(db, ctx.actor, { kind: auditedTicket, id: ticket.id }, () => markDeleted(ticket));
  for (const other of others) await markDeleted(other);
  const items = await db.query
    .deleteFrom('cart_items')
    .where(
      'ticket_id',
      'in',
      [ticket, ...others].map(({ id }) => id),
    )
    .returning(['ticket_id', 'quantity', 'pass_id'])
    .execute();
  await chooseOthers(db, [...new Set(items.flatMap((item) => (isChosen(item) ? (item.pass_id ?? []) : [])))]);
  await returnSeats(db, totalsOf(items), 'held');
}

/** Has passes in carts count by another of their dates, with the network of the cart, when the chosen one is withdrawn. */
async function chooseOthers(db: Database, withdrawn: readonly number[]): Promise<void> {
  if (withdrawn.length === 0) return;
  await sql`UPDATE cart_items SET pass_id = other.chosen,
      network = CASE WHEN cart_items.ticket_id = other.chosen THEN other.network ELSE '' END
    FROM (SELECT item.cart_id, item.pass_id, min(item.ticket_id) AS chosen, min(carts.network) AS network
      FROM cart_items AS item JOIN carts ON carts.id = item.cart_id
      WHERE item.pass_id IN (${sql.join(withdrawn)}) GROUP BY item.cart_id, item.pass_id) AS other
    WHERE cart_items.cart_id = other.cart_id AND cart_items.pass_id = other.pass_id`.execute(db.query);
}
