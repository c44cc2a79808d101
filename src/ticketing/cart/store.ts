import { type Selectable, sql } from 'kysely';
import { compiledOnce } from '../../db/compiled-statement.ts';
import type { Database } from '../../db/database.ts';
import type { CartItemsTable } from '../../db/tables/ticketing.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { isChosen } from '../passes/pass-dates.ts';
import type { PriceColumn, Ticket } from '../tickets/store.ts';

export type CartItem = Selectable<CartItemsTable>;

/** Answers for the attendees of each ticket, one object for each seat. */
export type CartMeta = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

export interface Cart {
  id: number;
  meta: CartMeta;
  /** Network under which its seats count; empty for none. */
  network: string;
  /** Whether its visitor emptied it, so that none of its items can have expired. */
  isEmptied: boolean;
  /** Promotion of the code that its visitor entered; null for none. */
  promotionId: number | null;
  /** Minor units; 0 for none. */
  donation: number;
}

/** An item with the displayed data of its ticket. A series pass is a single one. */
export type ShownItem = Pick<
  CartItem,
  'ticket_id' | 'event_id' | 'quantity' | 'optout' | 'expires_utc' | 'chosen_price'
> &
  Pick<Ticket, 'title' | 'max_per_order' | 'pass_id' | 'tax_rate_id' | 'requires_code' | 'min_price' | PriceColumn> & {
    /** Number of occurrences for which the cart holds seats of the pass. */
    dates: number;
  };

export interface CartContent {
  items: ShownItem[];
  meta: CartMeta;
  promotionId: number | null;
  donation: number;
}

// Only `updateMeta` writes the column.
const readMeta = (text: string): CartMeta => JSON.parse(text) as CartMeta;

/**
 * The visible content of a cart: held seats of tickets and events that still exist.
 * @param now UTC
 */
export async function findCartContent(db: Database, tokenHash: string, now: LocalTime): Promise<CartContent> {
  const rows = await contentByToken(db, tokenHash, now);
  const groups = Map.groupBy(rows, groupOf);
  const items = [...groups.values()].flatMap((group) => {
    const shown = group.find(isChosen) ?? group[0];
    return shown ? { ...shown, pass_id: shown.of_pass, dates: group.length } : [];
  });
  return {
    items,
    meta: readMeta(rows[0]?.meta ?? '{}'),
    promotionId: rows[0]?.promotion_id ?? null,
    donation: rows[0]?.donation ?? 0,
  };
}

/** Items of the same series pass are in one group; every other item is in a group of its own. */
export const groupOf = ({ ticket_id, pass_id }: Pick<CartItem, 'ticket_id' | 'pass_id'>): number =>
  pass_id ?? ticket_id;

const contentByToken = compiledOnce((query, tokenHash: string, now: LocalTime) =>
  query
    .selectFrom('carts')
    .innerJoin('cart_items as item', 'item.cart_id', 'carts.id')
    .innerJoin('tickets', 'tickets.id', 'item.ticket_id')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .select([
      'carts.promotion_id',
      'carts.donation',
      'carts.meta',
      'item.ticket_id',
      'item.event_id',
      'item.quantity',
      'item.optout',
      'item.expires_utc',
      'item.chosen_price',
    ])
    .select(['item.pass_id', 'tickets.pass_id as of_pass'])
    .select([
      'tickets.title',
      'max_per_order',
      'tax_rate_id',
      'requires_code',
      'min_price',
      'price',
      'sale_price',
      'sale_price_start',
      'sale_price_end',
    ])
    .where('carts.token_hash', '=', tokenHash)
    .where('item.expires_utc', '>', now)
    .where('tickets.is_deleted', '=', 0)
    .where('events.status', '<>', 'trash')
    .orderBy('item.position')
    .orderBy('item.ticket_id'),
);

/**
 * The cart of a token, locked until the transaction ends, so that concurrent requests of a visitor are serialised.
 * @param expires the new expiry of the cart
 */
export async function lockCart(
  db: Database,
  tokenHash: string,
  { now, expires }: { now: LocalTime; expires: LocalTime },
): Promise<Cart | undefined> {
  const row = await db.query
    .updateTable('carts')
    .set({ expires_utc: expires })
    .where('token_hash', '=', tokenHash)
    .where('expires_utc', '>', now)
    .returning(['id', 'meta', 'network', 'is_emptied', 'promotion_id', 'donation'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, network, promotion_id: promotionId, donation } = row;
  return { id, meta: readMeta(row.meta), network, isEmptied: row.is_emptied === 1, promotionId, donation };
}

/**
 * Locks a cart until the transaction ends, and stops counting it for its network.
 * @returns whether it exists
 */
export async function lockCartById(db: Database, id: number): Promise<boolean> {
  const query = db.query.updateTable('carts').set({ network: '' }).where('id', '=', id);
  return (await query.returning('id').executeTakeFirst()) !== undefined;
}

export async function insertCart(
  db: Database,
  row: { token_hash: string; expires_utc: LocalTime; network: string },
): Promise<Cart> {
  const { id } = await db.query
    .insertInto('carts')
    .values({ ...row, meta: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, meta: {}, network: row.network, isEmptied: false, promotionId: null, donation: 0 };
}

/** Records that a locked cart has items, which count for a network. */
export async function markFilled(db: Database, id: number, network: string): Promise<void> {
  await db.query.updateTable('carts').set({ network, is_emptied: 0 }).where('id', '=', id).execute();
}

/** Records that a locked cart is empty: it keeps its token, but neither network, answers, promotion nor donation. */
export async function emptyCart(db: Database, id: number): Promise<void> {
  await db.query
    .updateTable('carts')
    .set({ network: '', meta: '{}', is_emptied: 1, promotion_id: null, donation: 0 })
    .where('id', '=', id)
    .execute();
}

/**
 * Clears the networks of carts that no longer hold seats.
 * @param expiry expiry of a cart whose holds expire now
 */
export async function clearNetworks(db: Database, expiry: LocalTime): Promise<void> {
  await db.query
    .updateTable('carts')
    .set({ network: '' })
    .where('network', '<>', sql.lit(''))
    .where('expires_utc', '<=', expiry)
    .execute();
}

/** Sets the promotion of a locked cart. */
export async function updatePromotion(db: Database, id: number, promotion_id: number | null): Promise<void> {
  await db.query.updateTable('carts').set({ promotion_id }).where('id', '=', id).execute();
}

/** Sets the donation of a locked cart, in minor units. */
export async function updateDonation(db: Database, id: number, donation: number): Promise<void> {
  await db.query.updateTable('carts').set({ donation }).where('id', '=', id).execute();
}

export async function updateMeta(db: Database, id: number, meta: string): Promise<void> {
  await db.query.updateTable('carts').set({ meta }).where('id', '=', id).execute();
}

/**
 * Deletes all items of a cart and returns them in order. The code that deletes an item must dispose of the seats it
 * holds: callers of this function, or `releaseExpired`.
 */
export async function claimItems(db: Database, cartId: number): Promise<CartItem[]> {
  const items = await db.query.deleteFrom('cart_items').where('cart_id', '=', cartId).returningAll().execute();
  return items.sort((a, b) => a.position - b.position || a.ticket_id - b.ticket_id);
}

export async function insertItems(db: Database, items: readonly CartItem[]): Promise<void> {
  if (items.length > 0)
    await db.query
      .insertInto('cart_items')
      .values([...items])
      .execute();
}

/** Removes a cart whose items have been claimed. */
export async function removeCart(db: Database, id: number): Promise<void> {
  await db.query.deleteFrom('carts').where('id', '=', id).execute();
}

/** Removes expired carts without items. */
export async function removeExpiredCarts(db: Database, now: LocalTime): Promise<void> {
  await db.query
    .deleteFrom('carts')
    .where('expires_utc', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('cart_items').select('cart_id').whereRef('cart_items.cart_id', '=', 'carts.id'))),
    )
    .execute();
}
