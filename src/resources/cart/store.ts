import { type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { CartItemsTable } from '../../db/tables.ts';
import type { LocalTime } from '../../lib/dates.ts';

export type CartItem = Selectable<CartItemsTable>;

/** What was said for the attendees of each ticket, one object for each seat. */
export type CartMeta = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

export interface Cart {
  id: number;
  meta: CartMeta;
  /** The network that its places count for; empty for none. */
  network: string;
  /** Whether its visitor took everything out, so that nothing in it can have expired. */
  isEmptied: boolean;
}

// The column is written by `updateMeta` only.
const readMeta = (text: string): CartMeta => JSON.parse(text) as CartMeta;

/**
 * What a visitor sees in the cart: places that are held, of tickets and events that are still there.
 * @param now UTC
 */
export async function findCartContent(
  db: Database,
  tokenHash: string,
  now: LocalTime,
): Promise<{ items: Pick<CartItem, 'ticket_id' | 'event_id' | 'quantity' | 'optout'>[]; meta: CartMeta }> {
  const rows = await db.query
    .selectFrom('carts')
    .innerJoin('cart_items as item', 'item.cart_id', 'carts.id')
    .innerJoin('tickets', 'tickets.id', 'item.ticket_id')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .select(['carts.meta', 'item.ticket_id', 'item.event_id', 'item.quantity', 'item.optout'])
    .where('carts.token_hash', '=', tokenHash)
    .where('item.expires_utc', '>', now)
    .where('tickets.is_deleted', '=', 0)
    .where('events.status', '<>', 'trash')
    .orderBy('item.position')
    .orderBy('item.ticket_id')
    .execute();
  return { items: rows, meta: readMeta(rows[0]?.meta ?? '{}') };
}

/**
 * The cart of a token, locked until the transaction ends, so that what one visitor does at the same time happens one
 * after the other. `expires` is until when the cart is remembered from now on.
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
    .returning(['id', 'meta', 'network', 'is_emptied'])
    .executeTakeFirst();
  return row && { id: row.id, meta: readMeta(row.meta), network: row.network, isEmptied: row.is_emptied === 1 };
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
  return { id, meta: {}, network: row.network, isEmptied: false };
}

/** Notes that a locked cart has items, which count for a network. */
export async function fillCart(db: Database, id: number, network: string): Promise<void> {
  await db.query.updateTable('carts').set({ network, is_emptied: 0 }).where('id', '=', id).execute();
}

/** Notes that a locked cart has no items any more: it keeps its token, counts for nobody, and forgets what was said. */
export async function emptyCart(db: Database, id: number): Promise<void> {
  await db.query.updateTable('carts').set({ network: '', meta: '{}', is_emptied: 1 }).where('id', '=', id).execute();
}

/**
 * Clears the networks of carts that no longer hold places.
 * @param expiry that of a cart whose holds end now
 */
export async function forgetNetworks(db: Database, expiry: LocalTime): Promise<void> {
  await db.query
    .updateTable('carts')
    .set({ network: '' })
    .where('network', '<>', sql.lit(''))
    .where('expires_utc', '<=', expiry)
    .execute();
}

export async function updateMeta(db: Database, id: number, meta: string): Promise<void> {
  await db.query.updateTable('carts').set({ meta }).where('id', '=', id).execute();
}

/**
 * Takes all items out of a cart, in their order. Whoever deletes an item disposes of the places it holds: this, or the
 * sweep that gives them back.
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

/** Removes a cart whose items are claimed. */
export async function removeCart(db: Database, id: number): Promise<void> {
  await db.query.deleteFrom('carts').where('id', '=', id).execute();
}

/** Removes carts that are empty and past their time. */
export async function removeExpiredCarts(db: Database, now: LocalTime): Promise<void> {
  await db.query
    .deleteFrom('carts')
    .where('expires_utc', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('cart_items').select('cart_id').whereRef('cart_items.cart_id', '=', 'carts.id'))),
    )
    .execute();
}
