import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { GuardedContext, RequestContext } from '../../http/core/endpoint.ts';
import { networkOf } from '../../lib/addresses.ts';
import { addSeconds, type LocalTime, secondsBetween, toUtc } from '../../lib/dates/dates.ts';
import { secretHash } from '../../lib/hash.ts';
import { canonicalAddress } from '../../lib/text/email.ts';
import { pointsOf, tooMany } from '../../platform/limits/limits.ts';
import { visitorExpiry } from './unpaid-expiry.ts';

/**
 * Limits on the seats of clients without an account. They are sums of rows, read under a lock of the network (and then
 * of the mailbox) after the transaction has written everything but the seat counters, so that concurrent requests, even
 * in other processes, see each other's rows. A series pass counts once: it takes one seat in each hall.
 */

/** Whether limits on seats apply to a viewer. */
export const isLimited = ({ viewer }: Pick<RequestContext, 'viewer'>): boolean => viewer.account === undefined;

/** The network under which a cart of the client counts; empty for accounts, and behind an undeclared proxy. */
export const networkOfCart = ({ viewer, client }: Pick<GuardedContext, 'viewer' | 'client'>): string =>
  isLimited({ viewer }) && !client.isShared ? networkOf(client.address) : '';

interface CartGrowth {
  cartId: number;
  /** Empty: the limit applies to this cart alone. */
  network: string;
  /** Seats of the cart after the write, and the increase of the network's sum by the write. */
  seats: number;
  growth: number;
  /** Whether the cart did not count for this network before. */
  isNew: boolean;
}

/**
 * Refuses a cart over the limit, after its items are written and before its seats are taken.
 * @throws {ApiError} too-many-carts, too-many-places-held
 */
export async function requireCartWithinLimits(db: Database, ctx: RequestContext, cart: CartGrowth): Promise<void> {
  const { config } = ctx.context;
  const limits = { seats: pointsOf('held-places', config), carts: pointsOf('open-carts', config) };
  if (!isLimited(ctx) || cart.growth <= 0 || Math.min(limits.seats, limits.carts) === Infinity) return;
  const now = toUtc(ctx.now);
  const hold = config.cartHold * 60;
  if (cart.network === '') {
    if (cart.seats > limits.seats) throw tooMany('too-many-places-held', { limit: limits.seats, seconds: hold });
    return;
  }
  await lockNetwork(db, cart.network);
  const { held, carts, ends } = await sumOf(db, { network: cart.network, except: cart.cartId, now });
  const seconds = ends === null ? hold : secondsBetween(now, ends);
  if (cart.isNew && carts > limits.carts) throw tooMany('too-many-carts', { limit: limits.carts, seconds });
  if (held <= limits.seats) return;
  const available = Math.max(0, limits.seats - held + cart.growth);
  throw tooMany('too-many-places-held', { limit: limits.seats, seconds, data: { available } });
}

export const lockNetwork = (db: Database, network: string): Promise<void> => db.dialect.lock(db, `network-${network}`);

/** @param hash hash of the canonical address */
export const lockMailbox = (db: Database, hash: string): Promise<void> => db.dialect.lock(db, `mailbox-${hash}`);

interface Sum {
  /** Seats in carts and in unpaid orders. */
  held: number;
  /** Carts that hold seats, or did until the last sweep. */
  carts: number;
  /** Earliest expiry of the others; null if there are none. */
  ends: LocalTime | null;
}

/** One statement without `count`, so that PostgreSQL keeps its plan. */
async function sumOf(
  db: Database,
  { network, except, now }: { network: string; except: number; now: LocalTime },
): Promise<Sum> {
  const { rows } = await sql<{
    held: number;
    carts: number;
    ends: LocalTime | null;
    ordered: number;
    order_ends: LocalTime | null;
  }>`
    SELECT coalesce(sum(quantity), 0) AS held, min(CASE WHEN cart_id <> ${except} THEN expires_utc END) AS ends,
      (SELECT coalesce(sum(1), 0) FROM carts WHERE network = ${network} AND network <> '') AS carts,
      (SELECT coalesce(sum(quantity - cancelled), 0) FROM orders JOIN order_items ON order_id = orders.id
        WHERE network = ${network} AND network <> '' AND (pass_id IS NULL OR pass_id = ticket_id)) AS ordered,
      (SELECT min(expires_utc) FROM orders WHERE network = ${network} AND network <> '') AS order_ends
    FROM cart_items WHERE network = ${network} AND network <> '' AND expires_utc > ${now}`.execute(db.query);
  const [row] = rows;
  if (!row) throw new Error('a sum gave no row');
  const ends = [row.ends, row.order_ends].filter((end) => end !== null).sort();
  return { held: Number(row.held) + Number(row.ordered), carts: Number(row.carts), ends: ends[0] ?? null };
}

/** Expiry of an unpaid order, and the network and mailbox under which it counts, if any. */
export interface UnpaidTerms {
  /** null for never. */
  expires_utc: LocalTime | null;
  network: string;
  email_key: string;
}

interface OrderGrowth {
  /** Network under which the order counts; empty for none. */
  network: string;
  /** E-mail address of the customer. */
  email: string;
  seats: number;
  /** Seats that the cart no longer holds, or holds for another network. */
  growth: number;
  /** Expiry; null for never. */
  expires: LocalTime | null;
  /** Whether it is paid at a gateway, which ends it soon. */
  isAtGateway: boolean;
}

/**
 * Refuses an unpaid order without an account when there are too many. It counts for the network of its cart, so that a
 * checkout from another network frees nothing.
 * @throws {ApiError} too-many-open-orders, too-many-places-held
 */
export async function requireOrderWithinLimits(
  db: Database,
  ctx: RequestContext,
  order: OrderGrowth,
): Promise<UnpaidTerms> {
  const { config } = ctx.context;
  const now = toUtc(ctx.now);
  const { network } = order;
  const email_key = canonicalAddress(order.email);
  const terms = { expires_utc: order.expires, network, email_key };
  const limits = {
    network: pointsOf('open-orders-by-network', config),
    mailbox: pointsOf('open-orders-by-mailbox', config),
    seats: pointsOf('held-places', config),
    kept: pointsOf('kept-places', config),
  };
  if (Math.min(...Object.values(limits)) === Infinity) return terms;
  if (network !== '') await lockNetwork(db, network);
  await lockMailbox(db, secretHash(email_key));
  const open = await openOrdersOf(db, terms);
  const seconds = (ends: LocalTime | null) => (ends === null ? config.cartHold * 60 : secondsBetween(now, ends));
  for (const by of ['network', 'mailbox'] as const) {
    const refusal = { limit: limits[by], seconds: seconds(open[`${by}_ends`]) };
    if (open[by] >= limits[by]) throw tooMany('too-many-open-orders', refusal);
  }
  const isKept = !order.isAtGateway && (order.expires === null || order.expires > visitorExpiry(now, config.orderHold));
  if (isKept && limits.kept < Infinity) {
    const [, later = ''] = [visitorExpiry(now, config.orderHold), addSeconds(now, config.payWithin * 60)].sort();
    const { kept, ends } = await keptPlaces(db, { network, later });
    const refusal = { limit: limits.kept, seconds: seconds(ends) };
    const available = Math.max(0, limits.kept - kept);
    if (order.seats > available) throw tooMany('too-many-places-held', { ...refusal, data: { available } });
  }
  if (order.growth === 0 || network === '' || limits.seats === Infinity) return terms;
  const { held, ends } = await sumOf(db, { network, except: 0, now });
  if (held + order.growth <= limits.seats) return terms;
  const available = Math.max(0, limits.seats - held);
  throw tooMany('too-many-places-held', { limit: limits.seats, seconds: seconds(ends), data: { available } });
}

/** Seats of the unpaid orders of a network that expire after a given time, or wait for money on its way. */
async function keptPlaces(
  db: Database,
  { network, later }: { network: string; later: LocalTime },
): Promise<{ kept: number; ends: LocalTime | null }> {
  const { rows } = await sql<{ kept: number; ends: LocalTime | null }>`
    SELECT coalesce(sum(quantity - cancelled), 0) AS kept, min(expires_utc) AS ends
    FROM orders JOIN order_items ON order_id = orders.id
    WHERE network = ${network} AND network <> '' AND (expires_utc IS NULL OR expires_utc > ${later} OR status <> 'pending')
      AND (pass_id IS NULL OR pass_id = ticket_id)`.execute(db.query);
  return { kept: Number(rows[0]?.kept ?? 0), ends: rows[0]?.ends ?? null };
}

interface OpenOrders {
  network: number;
  network_ends: LocalTime | null;
  mailbox: number;
  mailbox_ends: LocalTime | null;
}

async function openOrdersOf(db: Database, { network, email_key }: UnpaidTerms): Promise<OpenOrders> {
  const { rows } = await sql<OpenOrders>`SELECT
    (SELECT coalesce(sum(1), 0) FROM orders WHERE network = ${network} AND network <> '') AS network,
    (SELECT min(expires_utc) FROM orders WHERE network = ${network} AND network <> '') AS network_ends,
    (SELECT coalesce(sum(1), 0) FROM orders WHERE email_key = ${email_key} AND email_key <> '') AS mailbox,
    (SELECT min(expires_utc) FROM orders WHERE email_key = ${email_key} AND email_key <> '') AS mailbox_ends`.execute(
    db.query,
  );
  const [row] = rows;
  if (!row) throw new Error('a count gave no row');
  return { ...row, network: Number(row.network), mailbox: Number(row.mailbox) };
}
