import type { Context } from '../../../base/context.ts';
import type { Database } from '../../../db/database.ts';
import { newRecordId } from '../../../db/record-ids.ts';
import { type LocalTime, toUtc, utcToLocal } from '../../../lib/dates/dates.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { findPassAttendees, lockHolder } from '../../attendees/pass-attendees.ts';
import { type Attendee, getAttendee, insertAttendees } from '../../attendees/store.ts';
import { findTransfers } from '../../attendees/transfers.ts';
import { enqueuePass, findCurrentPasses, findUncovered, PASS_JOB } from '../../passes/pass-tickets.ts';
import { SoldOut, takeSeats } from '../../seats/seat-counters.ts';
import { isCountedStatus } from '../../seats/seats.ts';
import { findTicket } from '../../tickets/store.ts';
import { CANCELLED_SEAT } from '../statuses.ts';
import { findItems, findOrder } from '../store.ts';
import { addDates } from './add-dates.ts';
import { findIncompletePasses, findMissingDates, type MissingDate } from './missing-dates.ts';

/** Gives the holders of series passes seats in occurrences that were added after their purchase. */

const BATCH = 200;

/** Gives a pass the tickets that it lacks, and its holders the seats that they miss, while seats are left. */
export const passJob = defineJob<{ pass: number }>({
  kind: PASS_JOB,
  async work(context, { pass }, { heartbeat }) {
    await addDates(context, pass);
    const { db } = context;
    const now = context.now();
    const full = new Set<number>();
    let after: MissingDate | undefined;
    do {
      const missing = await findMissingDates(db, pass, { now: toUtc(now), limit: BATCH, after, withSeats: true });
      for (const date of missing) {
        const { ticket_id } = date;
        if (ticket_id === null || full.has(ticket_id)) continue;
        if (!(await tryToGive(context, { ...date, ticket_id }))) full.add(ticket_id);
      }
      after = missing.length === BATCH ? missing.at(-1) : undefined;
      await heartbeat();
    } while (after);
    return undefined;
  },
});

interface WantedDate extends MissingDate {
  ticket_id: number;
}

/** @returns false if there is no seat left */
async function tryToGive(context: Context, date: WantedDate): Promise<boolean> {
  try {
    await context.db.transaction((trx) => giveDate(trx, date, context));
    return true;
  } catch (error) {
    if (error instanceof SoldOut) return false;
    throw error;
  }
}

/**
 * Adds an attendee for a date to a pass, unless it has been cancelled or extended meanwhile.
 * @throws {SoldOut}
 */
async function giveDate(db: Database, date: WantedDate, context: Pick<Context, 'config' | 'now'>): Promise<void> {
  const known = await getAttendee(db, date.holder);
  const { order_id } = known;
  if (order_id === null) return;
  await db.dialect.lockRow(db, { table: 'orders', id: order_id });
  await lockHolder(db, known);
  const order = await findOrder(db, order_id);
  const ticket = await findTicket(db, date.ticket_id);
  const like = await findSeat(db, date, toUtc(context.now()));
  if (!order || !isCountedStatus(order.status) || !ticket || !like) return;
  const id = await newRecordId(db, 'attendee');
  const date_utc = toUtc(context.now());
  const local = utcToLocal(date_utc, context.config.timezone);
  const { revision: _revision, ...columns } = like;
  await insertAttendees(db, [
    {
      ...columns,
      id,
      event_id: ticket.event_id,
      ticket_id: ticket.id,
      ticket_title: ticket.title,
      price: 0,
      date: local,
      date_utc,
      modified: local,
      modified_utc: date_utc,
      checked_in: 0,
      checkin_utc: '',
      checkin_source: '',
      checkin_author: 0,
      checkin_device: '',
    },
  ]);
  await copyTransfers(db, { from: like.id, to: id });
  await addToOrder(db, order_id, { ticket_id: ticket.id, event_id: ticket.event_id, like });
  await takeSeats(db, [{ ticket_id: ticket.id, quantity: 1 }], 'sold');
}

/**
 * A coming seat of the holder. Undefined if there is none, if the pass has the date by now, or if it was cancelled in
 * part.
 */
async function findSeat(
  db: Database,
  { holder, event_id }: MissingDate,
  now: LocalTime,
): Promise<Attendee | undefined> {
  const seats = (await findPassAttendees(db, [holder])).get(holder) ?? [];
  const isRefused = seats.some((seat) => seat.event_id === event_id || seat.attendance_status === CANCELLED_SEAT);
  if (isRefused) return undefined;
  const coming = seats.findLast(({ status, ends }) => status === 'publish' && ends > now);
  return coming && getAttendee(db, coming.id);
}

/** The former holders of a pass learn as little about the new date as about the others. */
async function copyTransfers(db: Database, { from, to }: { from: number; to: number }): Promise<void> {
  const rows = ((await findTransfers(db, [from])).get(from) ?? []).map(({ former_code, full_name, date_utc }) => ({
    attendee_id: to,
    former_code,
    full_name,
    date_utc,
  }));
  if (rows.length > 0) await db.query.insertInto('ticket_transfers').values(rows).execute();
}

/** Counts the date in the order; it costs nothing. */
async function addToOrder(
  db: Database,
  order_id: number,
  { ticket_id, event_id, like }: { ticket_id: number; event_id: number; like: Attendee },
): Promise<void> {
  const items = await findItems(db, order_id);
  const pass_id = items.find((item) => item.ticket_id === like.ticket_id)?.pass_id ?? null;
  await db.query
    .insertInto('order_items')
    .values({ order_id, ticket_id, event_id, quantity: 1, price: 0, pass_id })
    .onConflict((conflict) =>
      conflict
        .columns(['order_id', 'ticket_id', 'price'])
        .doUpdateSet((eb) => ({ quantity: eb('order_items.quantity', '+', 1) })),
    )
    .execute();
}

/** Adds the job for passes with missing dates: an occurrence may have been restored, published or enlarged. */
export async function extendPasses({ db, now }: Pick<Context, 'db' | 'now'>): Promise<number> {
  const moment = now();
  const passes = new Set(await findIncompletePasses(db, toUtc(moment)));
  for (const id of await findCurrentPasses(db, moment))
    if (!passes.has(id) && (await findUncovered(db, id, moment)).events.length > 0) passes.add(id);
  for (const id of passes) await enqueuePass(db, id, moment);
  return passes.size;
}
