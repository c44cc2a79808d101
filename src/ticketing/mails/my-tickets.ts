import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { endpoint } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { email } from '../../http/input/schemas.ts';
import { addSeconds, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { canonicalAddress } from '../../lib/text/email.ts';
import { fold } from '../../lib/text/text.ts';
import { mailboxHash, queueMail } from '../../platform/mails/outbox.ts';
import { isAdmitted } from '../attendees/admission.ts';
import type { Attendee } from '../attendees/store.ts';
import { getOrders, type Order } from '../orders/store.ts';
import { isCountedStatus } from '../tickets/seats/seats.ts';

/**
 * "Send me my tickets": a mail with links to the current orders of an address. The response, and the work before it, are the
 * same for every address: orders are looked up when the mail is rendered.
 */

/** Mails of this kind that a mailbox gets within a day; further requests change nothing, and the response does not tell. */
export const MAX_PER_DAY = 5;
const DAY = 86_400;
/** Seconds in which repeated requests make one mail. */
const SLOT = 300;

/** All visitors count together. */
const EVERYONE = { client: { address: '', isShared: true }, cart: 'everyone' } as const;

const send = endpoint({
  namespace: 'tickets',
  methods: ['POST'],
  path: '/my-tickets',
  name: 'my_tickets.send',
  summary: 'Send the links to current orders to their address',
  description:
    'The mail is sent if there are current orders or tickets of the address. The response does not tell whether there are.',
  input: { email: email('The address that was given for the orders.') },
  required: ['email'],
  body: 'MyTicketsInput',
  answers: { 202: z.object({ accepted: z.literal(true) }).meta({ id: 'MyTicketsAnswer' }) },
  errors: ['rest_missing_callback_param', 'too-many-requests', 'mail-not-configured'],
  idempotency: 'recorded',
  counted: 'ticket-mails',
  async handle(ctx, { email: to }) {
    const { context, language, now, limits } = ctx;
    if (!context.config.smtp) throw new ApiError('mail-not-configured');
    await limits.countRequest('all-ticket-mails', EVERYONE);
    await context.db.transaction((trx) => queueMyTickets(trx, { to, language, now }));
    return { status: 202, body: { accepted: true }, headers: PRIVATE_NO_STORE };
  },
});

async function queueMyTickets(
  db: Database,
  { to, language, now }: { to: string; language: string; now: Date },
): Promise<void> {
  const mailbox = mailboxHash(to);
  const { count } = await db.query
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('mailbox', '=', mailbox)
    .where('kind', '=', 'my_tickets')
    .where('created_utc', '>', addSeconds(toUtc(now), -DAY))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_PER_DAY) return;
  const slot = Math.floor(now.getTime() / 1000 / SLOT);
  await queueMail(db, {
    ...{ kind: 'my_tickets', key: `my-tickets-${mailbox}-${slot}`, to, language, now },
    ...{ record_kind: 'mailbox', record_id: 0 },
  });
}

/** Orders and single tickets in a mail. */
const MAX_LISTED = 30;

/** Orders of an address with events to come, the latest first. */
export async function findCurrentOrders(db: Database, to: string, now: LocalTime): Promise<Order[]> {
  const { query } = db;
  const named = await query
    .selectFrom('orders')
    .select('id')
    .where(sql`lower(purchaser_email)`, '=', sql`lower(${to.trim()})`)
    .orderBy('id', 'desc')
    .limit(10 * MAX_LISTED)
    .execute();
  // Other spellings of the mailbox, by the mails that orders wrote.
  const mailed = await query
    .selectFrom('mails')
    .select('record_id as id')
    .distinct()
    .where('mailbox', '=', mailboxHash(to))
    .where('record_kind', '=', 'order')
    .orderBy('record_id', 'desc')
    .limit(10 * MAX_LISTED)
    .execute();
  const ids = [...new Set([...named, ...mailed].map(({ id }) => id))];
  if (ids.length === 0) return [];
  const current = await query
    .selectFrom('attendees')
    .innerJoin('events', 'events.id', 'attendees.event_id')
    .select('attendees.order_id')
    .distinct()
    .where('attendees.order_id', 'in', ids)
    .where('attendees.status', '=', 'publish')
    .where('events.status', '!=', 'trash')
    .where('events.utc_end_date', '>', now)
    .execute();
  const orders = await getOrders(
    db,
    current.flatMap(({ order_id }) => order_id ?? []),
  );
  const canonical = canonicalAddress(to);
  return [...orders.values()]
    .filter(({ status, purchaser_email }) => isCountedStatus(status) && canonicalAddress(purchaser_email) === canonical)
    .sort((a, b) => b.id - a.id)
    .slice(0, MAX_LISTED);
}

/** Tickets of an address that belong to no order of it: replies, and those that others transferred to it. */
export async function findCurrentTickets(db: Database, to: string, now: LocalTime): Promise<Attendee[]> {
  const { query } = db;
  const tickets = query
    .selectFrom('attendees')
    .innerJoin('events', 'events.id', 'attendees.event_id')
    .selectAll('attendees')
    .where('attendees.email_key', '=', fold(to.trim()))
    .where('attendees.status', '=', 'publish')
    .where('events.status', '!=', 'trash')
    .where('events.utc_end_date', '>', now)
    .orderBy('attendees.id', 'desc')
    .limit(MAX_LISTED);
  const replies = await tickets.where(sql<boolean>`attendees.provider = 'rsvp'`).execute();
  const given = await tickets
    .where('attendees.id', 'in', query.selectFrom('ticket_transfers').select('attendee_id').distinct())
    .execute();
  const all = new Map([...replies, ...given].map((attendee) => [attendee.pass_id ?? attendee.id, attendee]));
  return [...all.values()].filter(isAdmitted).slice(0, MAX_LISTED);
}

export const myTicketsEndpoints = [send];
