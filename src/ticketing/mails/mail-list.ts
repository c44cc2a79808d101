import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { MailStatus } from '../../db/tables/platform.ts';
import type { Tables } from '../../db/tables.ts';
import type { EventScope } from '../../http/core/auth.ts';
import type { MailKind } from '../../lib/mail-kinds.ts';
import { type Mail, mailboxHash } from '../../platform/mails/outbox.ts';
import { orderConditionsOf } from '../orders/order-scope.ts';
import { scopeConditions } from '../tickets/event-scope.ts';

/** Filters of a list of mails: absent members do not restrict. */
export interface MailFilter {
  status?: MailStatus;
  kind?: MailKind;
  /** Address, in any spelling of the mailbox. */
  to?: string;
  order?: number;
  /** Mails about this event, and about orders with places at it. */
  event?: number;
  /** Mails to this attendee, and about its order. */
  attendee?: number;
  /** Mails about these events, or about orders whose tickets and attendees all belong to them. */
  within: EventScope;
  /** Whether mails to accounts are included. */
  withAccounts: boolean;
}

/** Order that a mail is about; for a mail to the holder of a ticket, the order of the ticket. */
const orderOf: RawBuilder<number> = sql`CASE mails.record_kind WHEN 'order' THEN mails.record_id
  WHEN 'refund' THEN (SELECT refunds.order_id FROM refunds WHERE refunds.id = mails.record_id)
  WHEN 'payment' THEN (SELECT payments.order_id FROM payments WHERE payments.id = mails.record_id)
  ELSE (SELECT attendees.order_id FROM attendees WHERE attendees.id = mails.attendee_id) END`;

/** Whether a scope includes all events of the series pass to whose holder a mail goes; true for any other mail. */
const isPassWithin = (scope: EventScope): RawBuilder<SqlBool> =>
  sql`NOT EXISTS (SELECT 1 FROM attendees AS reader JOIN attendees AS line ON line.pass_id = reader.pass_id
    WHERE reader.id = mails.attendee_id AND mails.attendee_id > 0
      AND NOT (${sql.join(scopeConditions(scope, sql.ref('line.event_id')), sql` AND `)}))`;

const isWithin = (scope: EventScope): RawBuilder<SqlBool>[] => {
  if (scope === 'all') return [];
  const [ofEvent, ofOrder] = [scopeConditions(scope, sql.ref('mails.event_id')), orderConditionsOf(scope, orderOf)];
  return [
    sql`(mails.event_id > 0 AND ${sql.join(ofEvent, sql` AND `)}
      OR mails.event_id = 0 AND ${sql.join(ofOrder, sql` AND `)})`,
    isPassWithin(scope),
  ];
};

const matching = (
  { query }: Database,
  { status, kind, to, order, event, attendee, within, withAccounts }: MailFilter,
) =>
  query
    .selectFrom('mails')
    .where((eb: ExpressionBuilder<Tables, 'mails'>) =>
      eb.and([
        ...(status === undefined ? [] : [eb('status', '=', status)]),
        ...(kind === undefined ? [] : [eb('kind', '=', kind)]),
        ...(to === undefined ? [] : [eb('mailbox', '=', mailboxHash(to))]),
        ...(order === undefined ? [] : [isAbout(order, eb)]),
        ...(event === undefined ? [] : [eb.or([isOfEvent(event), isAboutEvent(event)])]),
        ...(attendee === undefined ? [] : [eb.or([isOfAttendee(attendee), isAboutAttendee(attendee)])]),
        ...(withAccounts ? [] : [eb('account_id', '=', 0)]),
        ...isWithin(within),
      ]),
    );

const isAbout = (order: number, eb: ExpressionBuilder<Tables, 'mails'>) =>
  eb.or([
    eb.and([eb('record_kind', '=', 'order'), eb('record_id', '=', order)]),
    eb.and([
      eb('record_kind', '=', 'refund'),
      eb('record_id', 'in', eb.selectFrom('refunds').select('refunds.id').where('refunds.order_id', '=', order)),
    ]),
    eb.and([
      eb('record_kind', '=', 'payment'),
      eb('record_id', 'in', eb.selectFrom('payments').select('payments.id').where('payments.order_id', '=', order)),
    ]),
    eb.and([
      eb('attendee_id', '>', 0),
      eb(
        'attendee_id',
        'in',
        eb.selectFrom('attendees').select('attendees.id').where('attendees.order_id', '=', order),
      ),
    ]),
  ]);

// Conditions for the partial indexes.
const isOfEvent = (event: number): RawBuilder<SqlBool> => sql`(mails.event_id > 0 AND mails.event_id = ${event})`;
const isOfAttendee = (attendee: number): RawBuilder<SqlBool> =>
  sql`(mails.attendee_id > 0 AND mails.attendee_id = ${attendee})`;

const isAboutEvent = (event: number): RawBuilder<SqlBool> =>
  sql`((mails.record_kind = 'event' AND mails.record_id = ${event})
    OR ${orderOf} IN (SELECT attendees.order_id FROM attendees WHERE attendees.event_id = ${event}))`;

const isAboutAttendee = (attendee: number): RawBuilder<SqlBool> =>
  sql`${orderOf} = (SELECT attendees.order_id FROM attendees WHERE attendees.id = ${attendee})`;

/** A mail with the id of its order. */
export type ListedMail = Mail & { order_id: number | null };

/** Id of the order that a mail is about; null for one without an order, or whose order is gone. */
export async function findOrderOfMail({ query }: Database, { id }: Pick<Mail, 'id'>): Promise<number | null> {
  const found = await query
    .selectFrom('mails')
    .select(orderOf.$castTo<number | null>().as('order_id'))
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.order_id ?? null;
}

/** The matching mails, latest first, and their total. */
export async function listMails(
  db: Database,
  filter: MailFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ mails: ListedMail[]; total: number }> {
  const found = matching(db, filter);
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const mails = await found
    .selectAll()
    .select(orderOf.$castTo<number | null>().as('order_id'))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { mails, total: Number(total) };
}
