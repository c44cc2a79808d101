import type { RequestContext } from '../../http/core/endpoint.ts';
import { revisionOf } from '../../http/core/revisions.ts';
import type { Urls } from '../../http/core/urls.ts';
import { dateDetails, utcToLocal } from '../../lib/dates/dates.ts';
import { formatAmount, type MoneyFormat, numberOf, siteMoney } from '../../lib/money/money.ts';
import { plainAnswers } from '../../lib/registration-answers.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import type { AttendeeView } from '../tickets/attendee-schema.ts';
import { eventRightTester } from '../tickets/event-scope.ts';
import { getTranslatedTickets } from '../tickets/store.ts';
import type { LoadTicketAttendees } from '../tickets/view.ts';
import { NO_INFORMATION } from './new-attendee.ts';
import { type Attendee, findAttendeesOfTickets, type HeldTicket, type Holder } from './store.ts';

/**
 * Renders attendees for the viewer, with a constant number of queries. Must not be called inside a transaction.
 */
export async function renderAttendees(attendees: readonly Attendee[], ctx: RequestContext): Promise<AttendeeView[]> {
  const ids = attendees.map(({ ticket_id }) => ticket_id);
  const tickets = await getTranslatedTickets(ctx, ids);
  const format = siteMoney(ctx.context.config);
  const eventIds = attendees.map(({ event_id }) => event_id);
  const isReadable = await eventRightTester(ctx, 'read_attendees', eventIds);
  return attendees.map((attendee) => {
    const privileged = isReadable(attendee.event_id);
    return show({ attendee, ticket: tickets.get(attendee.ticket_id) }, { ctx, format, privileged });
  });
}

/** Attendees of tickets, for ticket responses. */
export const loadTicketAttendees: LoadTicketAttendees = async (ctx, ticketIds) => {
  const rows = await findAttendeesOfTickets(ctx.context.db, ticketIds);
  return { rows, views: await renderAttendees(rows, ctx) };
};

/** The holder of a ticket, for privileged viewers. Must not be called inside a transaction. */
export async function renderHolder(
  { attendee, ticket }: Holder,
  ctx: RequestContext,
  privileged = true,
): Promise<AttendeeView> {
  const texts = await loadTranslations(ctx, [{ kind: 'ticket', id: ticket.id }]);
  const options = { ctx, format: siteMoney(ctx.context.config), privileged };
  return show({ attendee, ticket: texts.show('ticket', ticket) }, options);
}

interface Held {
  attendee: Attendee;
  ticket: HeldTicket | undefined;
}

interface RenderOptions {
  ctx: RequestContext;
  format: MoneyFormat;
  privileged: boolean;
}

const show = (holder: Held, options: RenderOptions): AttendeeView => ({
  ...publicMembers(holder, options),
  ...(options.privileged && privateMembers(holder.attendee, options)),
});

function publicMembers({ attendee, ticket }: Held, { ctx, format, privileged }: RenderOptions): AttendeeView {
  const { urls } = ctx;
  const globalId = urls.globalId(attendee.id, 'attendee');
  return {
    id: attendee.id,
    post_id: attendee.event_id,
    ticket_id: attendee.ticket_id,
    global_id: globalId,
    global_id_lineage: [globalId],
    author: String(attendee.author_id),
    status: attendee.status,
    date: attendee.date,
    date_utc: attendee.date_utc,
    modified: attendee.modified,
    modified_utc: attendee.modified_utc,
    ...revisionOf(attendee, urls),
    rest_url: urls.rest('tickets', `/attendees/${attendee.id}`),
    ticket: ticketOf(attendee, ticket, format),
    ...((privileged || attendee.optout === 0) && { title: attendee.full_name }),
    optout: attendee.optout === 1,
  };
}

function ticketOf(attendee: Attendee, ticket: HeldTicket | undefined, format: MoneyFormat): AttendeeView['ticket'] {
  const isPriced = attendee.provider === 'tc';
  const price = isPriced ? (ticket?.price ?? 0) : 0;
  return {
    id: attendee.ticket_id,
    title: ticket && ticket.is_deleted === 0 ? ticket.title : attendee.ticket_title,
    description: ticket?.description ?? '',
    raw_price: isPriced ? numberOf(price, format.decimals) : '',
    formatted_price: formatAmount(price, format),
    currency_config: {
      symbol: format.symbol,
      placement: format.position,
      decimal_point: format.decimalSeparator,
      thousands_sep: format.thousandsSeparator,
      number_of_decimals: format.decimals,
    },
    start_sale: ticket?.start_date ?? '',
    end_sale: ticket?.end_date ?? '',
  };
}

function privateMembers(attendee: Attendee, { ctx, format }: RenderOptions): Partial<AttendeeView> {
  const isRsvp = attendee.provider === 'rsvp';
  return {
    ...passOfAttendee(attendee, ctx.urls),
    provider: attendee.provider,
    order: attendee.order_id ?? attendee.id,
    sku: '',
    email: attendee.email,
    checked_in: attendee.checked_in === 1,
    checkin_details: checkinDetails(attendee, ctx.context.config.timezone),
    is_subscribed: false,
    is_purchaser: true,
    ...(isRsvp ? { rsvp_going: attendee.attendance_status === 'yes' } : { payment: paymentOf(attendee, format) }),
    // Rows of earlier versions have unsanitised answers.
    ...(attendee.information !== NO_INFORMATION && {
      information: plainAnswers(JSON.parse(attendee.information)).answers,
    }),
  };
}

/** `pass` of an attendee; clients of the reference do not get it. */
export const passOfAttendee = (
  { pass_id }: Pick<Attendee, 'pass_id'>,
  { isReference }: Urls,
): Pick<AttendeeView, 'pass'> => (isReference || pass_id === null ? {} : { pass: { id: pass_id } });

function checkinDetails(attendee: Attendee, timezone: string): AttendeeView['checkin_details'] {
  if (attendee.checked_in === 0) return false;
  const date = utcToLocal(attendee.checkin_utc, timezone);
  // check-in.ts writes no other values.
  const source = attendee.checkin_source as 'site' | 'app';
  return { date, date_details: dateDetails(date), source, author: attendee.checkin_author };
}

function paymentOf({ provider, price, date }: Attendee, format: MoneyFormat): AttendeeView['payment'] {
  return {
    provider,
    price: price === 0 ? '' : numberOf(price, format.decimals),
    currency: format.symbol,
    date,
    date_details: dateDetails(date),
  };
}
