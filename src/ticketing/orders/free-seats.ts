import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { can, type Viewer } from '../../http/core/auth.ts';
import type { GuardedContext, RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { networkOf } from '../../lib/addresses.ts';
import { addSeconds, type LocalTime, localDay, secondsBetween, toUtc } from '../../lib/dates/dates.ts';
import { secretHash } from '../../lib/hash.ts';
import { canonicalAddress } from '../../lib/text/email.ts';
import { LIMITS, pointsOf, tooMany } from '../../platform/limits/limits.ts';
import { isFreeSql } from '../tickets/store.ts';
import { lockMailbox, lockNetwork } from './seat-limits.ts';

/**
 * Limits on free seats, since a single client could otherwise take all of them. They apply per network and per mailbox
 * in 24 hours, to RSVPs and orders together. Rows of `free_places` are summed up as in seat-limits.ts; they stay when
 * seats are returned, so that taking others instead gains nothing. Free seats in carts count for their network as long
 * as they are held.
 */

/** Whether a viewer is exempt from limits per order and on free seats. */
export const isExemptFromSeatLimits = ({ viewer }: { viewer: Viewer }): boolean => can(viewer, 'manage_attendees');

/** The network under which free seats of a client count; empty behind an undeclared proxy. */
export const networkForFreeSeats = ({ client }: Pick<GuardedContext, 'client'>): string =>
  client.isShared ? '' : networkOf(client.address);

const limitsOf = ({ context: { config } }: RequestContext) => ({
  network: pointsOf('free-places-by-network', config),
  mailbox: pointsOf('free-places-by-mailbox', config),
});

interface Sum {
  /** Seats taken, and seats held by carts of a network. */
  places: number;
  /** Time from which the first of them no longer count; null if there are none. */
  ends: LocalTime | null;
}

/** @throws {ApiError} too-many-free-places */
function requireWithin(
  limit: number,
  { places, ends }: Sum,
  { wanted, now }: { wanted: number; now: LocalTime },
): void {
  if (places + wanted <= limit) return;
  const seconds = ends === null ? LIMITS['free-places-by-network'].window : secondsBetween(now, ends);
  throw tooMany('too-many-free-places', { limit, seconds, data: { available: Math.max(0, limit - places) } });
}

interface FreeTaking {
  /** Empty: the network limit applies to this order or RSVP alone. */
  network: string;
  /** E-mail address of the customer, which also counts the seats of other people. */
  email: string;
  places: number;
  /** Attendees of an RSVP, one per seat. */
  attendees?: readonly number[];
}

/**
 * Counts taken free seats, in the transaction of the sale and before its seats are taken.
 * @throws {ApiError} too-many-free-places
 */
export async function takeFreeSeats(db: Database, ctx: RequestContext, taking: FreeTaking): Promise<void> {
  const limits = limitsOf(ctx);
  if (taking.places === 0 || isExemptFromSeatLimits(ctx) || Math.min(limits.network, limits.mailbox) === Infinity)
    return;
  const { network } = taking;
  const now = toUtc(ctx.now);
  const mailbox = secretHash(canonicalAddress(taking.email));
  if (network !== '') await lockNetwork(db, network);
  await lockMailbox(db, mailbox);
  const attendees = taking.attendees && (await withoutCounted(db, taking.attendees, now));
  const wanted = attendees?.length ?? taking.places;
  if (wanted === 0) return;
  const ofNetwork = network === '' ? { places: 0, ends: null } : await sumOfNetwork(db, ctx, { network, except: 0 });
  requireWithin(limits.network, ofNetwork, { wanted, now });
  requireWithin(limits.mailbox, await sumOfMailbox(db, mailbox, now), { wanted, now });
  const expires_utc = addSeconds(now, LIMITS['free-places-by-network'].window);
  const row = { network, mailbox, expires_utc };
  await insertTaken(
    db,
    attendees?.map((attendee_id) => ({ ...row, attendee_id, places: 1 })) ?? [
      { ...row, attendee_id: null, places: wanted },
    ],
  );
}

type Taken = { network: string; mailbox: string; expires_utc: LocalTime; attendee_id: number | null; places: number };

async function insertTaken({ query }: Database, rows: readonly Taken[]): Promise<void> {
  await query
    .insertInto('free_places')
    .values([...rows])
    // Replaces an entry of an earlier day.
    .onConflict((conflict) =>
      conflict.column('attendee_id').doUpdateSet(({ ref }) => ({
        network: ref('excluded.network'),
        mailbox: ref('excluded.mailbox'),
        expires_utc: ref('excluded.expires_utc'),
      })),
    )
    .execute();
}

/** The attendees whose seats do not count yet: a seat that was returned and taken again counts once a day. */
async function withoutCounted({ query }: Database, ids: readonly number[], now: LocalTime): Promise<number[]> {
  const rows = await query
    .selectFrom('free_places')
    .select('attendee_id')
    .where('attendee_id', 'in', [...ids])
    .where('expires_utc', '>', now)
    .execute();
  const counted = new Set(rows.map(({ attendee_id }) => attendee_id));
  return ids.filter((id) => !counted.has(id));
}

interface CartPlaces {
  cartId: number;
  /** Empty: the limit applies to this cart alone. */
  network: string;
}

/**
 * Refuses a cart with more free seats than its network may take, after its items are written and before its seats are
 * taken.
 * @throws {ApiError} too-many-free-places
 */
export async function requireFreeSeatsInCart(
  db: Database,
  ctx: RequestContext,
  { cartId, network }: CartPlaces,
): Promise<void> {
  const limit = limitsOf(ctx).network;
  if (isExemptFromSeatLimits(ctx) || limit === Infinity) return;
  const wanted = await freePlacesIn(db, cartId, today(ctx));
  if (wanted === 0) return;
  if (network !== '') await lockNetwork(db, network);
  const taken = network === '' ? { places: 0, ends: null } : await sumOfNetwork(db, ctx, { network, except: cartId });
  requireWithin(limit, taken, { wanted, now: toUtc(ctx.now) });
}

const today = ({ context, now }: RequestContext): string => localDay(toUtc(now), context.config.timezone);

async function freePlacesIn({ query }: Database, cartId: number, day: string): Promise<number> {
  const { rows } = await sql<{ places: number }>`
    SELECT coalesce(sum(quantity), 0) AS places FROM cart_items JOIN tickets ON tickets.id = ticket_id
    WHERE cart_id = ${cartId} AND (cart_items.pass_id IS NULL OR cart_items.pass_id = ticket_id)
      AND ${isFreeSql(day)}`.execute(query);
  return Number(rows[0]?.places ?? 0);
}

/** Seats that a network has taken or holds in carts, except one cart. */
async function sumOfNetwork(
  { query }: Database,
  ctx: RequestContext,
  { network, except }: { network: string; except: number },
): Promise<Sum> {
  const now = toUtc(ctx.now);
  const { rows } = await sql<Sum>`SELECT coalesce(sum(places), 0) AS places, min(expires_utc) AS ends FROM (
    SELECT places, expires_utc FROM free_places
      WHERE network = ${network} AND network <> '' AND expires_utc > ${now}
    UNION ALL
    SELECT quantity, expires_utc FROM cart_items JOIN tickets ON tickets.id = ticket_id
      WHERE network = ${network} AND network <> '' AND expires_utc > ${now} AND cart_id <> ${except}
        AND ${isFreeSql(today(ctx))}) AS free`.execute(query);
  return sumIn(rows);
}

async function sumOfMailbox({ query }: Database, mailbox: string, now: LocalTime): Promise<Sum> {
  const { rows } = await sql<Sum>`SELECT coalesce(sum(places), 0) AS places, min(expires_utc) AS ends
    FROM free_places WHERE mailbox = ${mailbox} AND expires_utc > ${now}`.execute(query);
  return sumIn(rows);
}

const sumIn = ([row]: readonly Sum[]): Sum => ({ places: Number(row?.places ?? 0), ends: row?.ends ?? null });

/** Runs work that takes free seats; a refusal because of the limit is counted after its transaction is rolled back. */
export async function countRefusal<T>({ limits }: Pick<GuardedContext, 'limits'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'too-many-free-places') await limits.countRefusal('free-places');
    throw error;
  }
}

/** Deletes expired rows, and rows from a clock that was ahead of any process. */
export async function removeExpiredFreeSeats({ query }: Database, now: LocalTime): Promise<void> {
  const latest = addSeconds(now, 2 * LIMITS['free-places-by-network'].window);
  await query
    .deleteFrom('free_places')
    .where(({ or, eb }) => or([eb('expires_utc', '<=', now), eb('expires_utc', '>', latest)]))
    .execute();
}
