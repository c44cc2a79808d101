import type { Database } from '../db/database.ts';
import { isRole, type Role } from '../http/core/auth.ts';
import { isLocalTime, type LocalTime, toUtc } from '../lib/dates/dates.ts';
import { parsePrice, siteMoney } from '../lib/money/money.ts';
import { isRecord, membersOf } from '../lib/text/list.ts';
import { scalarText } from '../lib/text/scalar-text.ts';
import { insertAppPassword } from '../platform/users/credential-store.ts';
import type { InProcessContext } from '../platform/users/in-process-context.ts';
import { unmatchableHash } from '../platform/users/passwords.ts';
import { accountKey, insertUser } from '../platform/users/store.ts';
import { importAttendee } from '../ticketing/imports/import-attendee.ts';
import { importOrder } from '../ticketing/imports/import-order.ts';
import { ORDER_STATUSES, type OrderStatus } from '../ticketing/orders/statuses.ts';
import { getTickets } from '../ticketing/tickets/store.ts';
import type { NewChange } from './changes.ts';
import { type Draft, type Finding, idOf } from './drafts.ts';
import { findRecordIds } from './links.ts';

/** Writes accounts with hashes of passwords, and orders with their past money. No endpoint creates such records. */

/** Thrown for a record that cannot be imported, with the reason. */
export class Unimportable extends Error {
  readonly finding: Finding;
  constructor(finding: Finding) {
    super(finding.code);
    this.finding = finding;
  }
}

interface Owning {
  db: Database;
  ctx: InProcessContext;
  source: string;
  findings: Finding[];
  changes: NewChange[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const timeOr = (now: Date, value: unknown): LocalTime => (isLocalTime(value) ? value : toUtc(now));

/** Creates an account with the hash of its password at the source, under another name if this one is taken. */
export async function writeAccount({ fields, id }: Draft, { db, ctx, findings }: Owning): Promise<number> {
  const role: Role = isRole(textOf(fields.role)) ? (fields.role as Role) : 'subscriber';
  const hash = textOf(fields.password_hash);
  const username = await freeName(db, textOf(fields.username));
  if (username !== fields.username)
    findings.push({ code: 'account-renamed', detail: `${textOf(fields.username)} → ${username}` });
  const isFree = !(await isTaken(db, textOf(fields.email)));
  if (!isFree) findings.push({ code: 'address-taken', detail: textOf(fields.username) });
  const user = await insertUser(
    db,
    {
      ...{ username, role, email: isFree ? textOf(fields.email) : await freeAddress(db, id) },
      password_hash: hash === '' ? unmatchableHash(ctx.context) : hash,
      created_utc: timeOr(ctx.now, fields.created_utc),
    },
    ctx.actor,
  );
  for (const one of (membersOf(fields.app_passwords) ?? []).filter(isRecord)) {
    const seconds = typeof one.created === 'number' ? one.created : 0;
    const created = seconds > 0 ? new Date(seconds * 1000) : ctx.now;
    const created_utc = toUtc(Number.isNaN(created.getTime()) ? ctx.now : created);
    const values = { user_id: user.id, name: textOf(one.name), hash: textOf(one.hash), created_utc };
    await insertAppPassword(db, values, ctx.actor);
  }
  return user.id;
}

/** Whether another account has a text as its name or address. */
async function isTaken(db: Database, text: string): Promise<boolean> {
  const key = accountKey(text);
  const found = await db.query
    .selectFrom('users')
    .select('id')
    .where((eb) => eb.or([eb('username_key', '=', key), eb('email_key', '=', key)]))
    .executeTakeFirst();
  return found !== undefined;
}

async function freeName(db: Database, name: string): Promise<string> {
  let free = name;
  for (let number = 2; await isTaken(db, free); number++) free = `${name.slice(0, 50)}-${number}`;
  return free;
}

async function freeAddress(db: Database, id: number): Promise<string> {
  let free = `user-${id}@localhost`;
  for (let number = 2; await isTaken(db, free); number++) free = `user-${id}-${number}@localhost`;
  return free;
}

/** Creates an order with its money. Its places follow with their attendees. */
export async function writeOrder(draft: Draft, { db, ctx, source, findings, changes }: Owning): Promise<number> {
  const { fields } = draft;
  const { config } = ctx.context;
  const { decimals } = siteMoney(config);
  const currency = /^[A-Z]{3}$/.test(textOf(fields.currency)) ? textOf(fields.currency) : config.currency;
  const status = ORDER_STATUSES.find((one) => one === fields.status) ?? 'voided';
  const seats = await importableSeats(draft, { db, source });
  const seatsPrice = priceOfSeats(seats, status, decimals);
  const total = totalOf(draft, { seats, seatsPrice, decimals }, findings);
  // Without attendees, its places get the name of the customer; those of a paid order were given up at the source.
  const made = seats.length > 0 ? [] : await placesOf(draft, { db, source, decimals });
  if (seats.length === 0 && made.length === 0)
    throw new Unimportable({ code: 'order-without-places', detail: `${status} ${textOf(fields.total)}` });
  const isKept = status !== 'completed';
  const placesPrice = isKept ? sumOf(made.map(({ price }) => price)) : 0;
  const charge = total - seatsPrice - placesPrice;
  const date_utc = timeOr(ctx.now, fields.date_utc);
  const id = await importOrder(
    db,
    {
      ...{ keptId: draft.id, status, currency, total, date_utc, note: textOf(fields.gateway) },
      ...{ purchaser_name: textOf(fields.purchaser_name), purchaser_email: textOf(fields.purchaser_email) },
      ...(charge !== 0 && { charge: { title: textOf(fields.charge) || 'Imported', amount: charge } }),
    },
    ctx,
  );
  for (const { ticket, price } of made) {
    const place = await importAttendee(
      db,
      {
        ...{ ticket, status: isKept ? 'publish' : 'trash', optout: false, information: {}, date_utc, answer: 'yes' },
        ...{ full_name: textOf(fields.purchaser_name), email: textOf(fields.purchaser_email) },
        order: { id, isSettled: true, status, price, currency },
      },
      { ...ctx, keptId: undefined },
    );
    const former = { isSettled: true };
    changes.push({ kind: 'attendee', record_id: place.id, foreign_id: 0, action: 'created', revision: 1, former });
  }
  if (made.length > 0) findings.push({ code: 'places-made', detail: String(made.length) });
  return id;
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** A price in minor units; 0 if it cannot be read. */
const priceOf = (price: unknown, decimals: number): number => parsePrice(scalarText(price) || '0', decimals) ?? 0;

type ForeignSeat = Record<string, unknown>;

/**
 * Seats of an order whose tickets were imported.
 * @throws {Unimportable} if some of their attendees were imported before
 */
async function importableSeats(
  { fields }: Draft,
  { db, source }: Pick<Owning, 'db' | 'source'>,
): Promise<ForeignSeat[]> {
  const seats = (membersOf(fields.seats) ?? []).filter(isRecord);
  const foreignTickets = seats.map(({ ticket }) => idOf(ticket));
  const foreignIds = seats.map(({ id }) => idOf(id));
  const tickets = await findRecordIds(db, source, 'ticket', foreignTickets);
  const known = await findRecordIds(db, source, 'attendee', foreignIds);
  // These come from a running site, which does not reveal the orders of attendees: their money is booked already.
  if (known.size > 0) throw new Unimportable({ code: 'order-known', detail: [...known.keys()].join(', ') });
  return seats.filter(({ ticket }) => tickets.has(idOf(ticket)));
}

/** Statuses in which the price excludes places that were given up one by one. */
const WITHOUT_TRASHED: readonly OrderStatus[] = ['completed', 'pending', 'action-req', 'approved'];

const priceOfSeats = (seats: readonly ForeignSeat[], status: OrderStatus, decimals: number): number =>
  sumOf(
    seats
      .filter(({ isTrashed }) => isTrashed !== true || !WITHOUT_TRASHED.includes(status))
      .map(({ price }) => priceOf(price, decimals)),
  );

/** The total of an order at its source, in minor units; the price of its seats if it cannot be read. */
function totalOf(
  { fields }: Draft,
  { seats, seatsPrice, decimals }: { seats: readonly ForeignSeat[]; seatsPrice: number; decimals: number },
  findings: Finding[],
): number {
  const told = parsePrice(textOf(fields.total) || '0', decimals);
  if (told === undefined) findings.push({ code: 'price', detail: textOf(fields.total).slice(0, 40) });
  const total = told ?? seatsPrice;
  if (seats.length > 0 && total !== seatsPrice)
    findings.push({ code: 'order-differs', detail: [textOf(fields.total), textOf(fields.charge)].join(' ').trim() });
  return total;
}

/** Places that an order names, one by one, as far as their tickets were imported. */
async function placesOf(
  { fields }: Draft,
  { db, source, decimals }: Pick<Owning, 'db' | 'source'> & { decimals: number },
) {
  const items = (membersOf(fields.items) ?? []).filter(isRecord);
  const foreign = items.map(({ ticket }) => idOf(ticket));
  const ids = await findRecordIds(db, source, 'ticket', foreign);
  const tickets = await getTickets(db, [...new Set(ids.values())]);
  return items.flatMap((item) => {
    const ticket = tickets.get(ids.get(idOf(item.ticket)) ?? 0);
    return ticket
      ? Array.from({ length: typeof item.quantity === 'number' ? item.quantity : 0 }, () => ({
          ticket,
          price: priceOf(item.price, decimals),
        }))
      : [];
  });
}
