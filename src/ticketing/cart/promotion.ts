import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Viewer } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import type { Discount, ListedLine } from '../prices/order-prices.ts';
import { findPriceRecord } from '../prices/price-records.ts';
import {
  discountOf,
  PROMOTION_REFUSALS,
  type Promotion,
  type PromotionRefusal,
  refusalAt,
  refusalFor,
} from '../prices/promotion-rules.ts';
import { isHidden } from '../tickets/visibility.ts';

/** The promotion code of a cart. */

export const cartPromotionSchema = z
  .object({
    code: z.string(),
    applies: z.boolean().describe('Whether it counts for the tickets of the cart now.'),
    reason: z.enum(PROMOTION_REFUSALS).optional().describe('Why it does not.'),
  })
  .meta({ id: 'CartPromotion', description: 'The promotion code of a cart.' });

/** A promotion, and its refusal for the content of a cart. */
export interface CartPromotion {
  promotion: Promotion;
  refusal: PromotionRefusal | undefined;
}

/** The promotion of a visitor's cart, if it still exists and may be used now. */
export async function findPromotionOfCart(
  { query }: Database,
  { tokenHash, now }: { tokenHash?: string; now: LocalTime },
): Promise<Promotion | undefined> {
  const found = await query
    .selectFrom('promotions')
    .innerJoin('carts', 'carts.promotion_id', 'promotions.id')
    .selectAll('promotions')
    .where('carts.token_hash', '=', tokenHash ?? '')
    .executeTakeFirst();
  return found && (refusalAt(found, now) ? undefined : found);
}

/** Items, except those of tickets that are hidden from the viewer and that the promotion does not open. */
export async function withoutHidden<T extends { ticket_id: number }>(
  { query }: Database,
  items: readonly T[],
  { viewer, promotion }: { viewer: Viewer; promotion: Promotion | null | undefined },
): Promise<T[]> {
  const ids = items.map(({ ticket_id }) => ticket_id);
  if (ids.length === 0) return [];
  const rows = await query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .select(['tickets.id', 'event_id', 'pass_id', 'requires_code', 'events.author_id', 'events.status'])
    .where('requires_code', '=', 1)
    .where('tickets.id', 'in', ids)
    .execute();
  const reader = { viewer, promotion: promotion ?? undefined };
  const hidden = new Set(
    rows
      .filter((row) => isHidden(row, { id: row.event_id, author_id: row.author_id, status: row.status }, reader))
      .map(({ id }) => id),
  );
  return items.filter(({ ticket_id }) => !hidden.has(ticket_id));
}

/** The promotion of a cart; undefined without one, and for one that is deleted. */
export async function findCartPromotion(
  db: Database,
  { id, lines }: { id: number | null; lines: readonly ListedLine[] },
  { now }: Pick<RequestContext, 'now'>,
): Promise<CartPromotion | undefined> {
  const promotion = id === null ? undefined : await findPriceRecord(db, 'promotions', id);
  return promotion && { promotion, refusal: refusalFor(promotion, lines, toUtc(now)) };
}

/** The discount of a cart, unless its promotion is refused. */
export const discountOfCart = (found: CartPromotion | undefined): Discount | undefined =>
  found && !found.refusal ? discountOf(found.promotion) : undefined;

export const renderCartPromotion = ({
  promotion: { code },
  refusal,
}: CartPromotion): z.output<typeof cartPromotionSchema> => ({
  code,
  applies: refusal === undefined,
  ...(refusal && { reason: refusal }),
});
