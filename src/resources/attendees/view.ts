import { z } from 'zod';
import type { RequestContext } from '../../http/endpoint.ts';
import { link, localTime, utcTime } from '../../http/output.ts';
import { dateDetails, utcToWall } from '../../lib/dates.ts';
import { formatAmount, type MoneyFormat, plainAmount, siteMoney } from '../../lib/money.ts';
import { plainAnswers } from '../../lib/plain-answers.ts';
import { dateDetailsSchema } from '../posts/detail-schemas.ts';
import { getTranslatedTickets } from '../tickets/store.ts';
import { loadTranslations } from '../translations/store.ts';
import { NO_INFORMATION } from './new-attendee.ts';
import type { Attendee, HeldTicket, Holder } from './store.ts';
import { mayReadAttendees } from './visibility.ts';

const id = z.int().min(1);

const currencySchema = z
  .object({
    symbol: z.string(),
    placement: z.enum(['prefix', 'postfix']),
    decimal_point: z.string(),
    thousands_sep: z.string(),
    number_of_decimals: z.int(),
  })
  .meta({ id: 'CurrencyConfig', description: 'How amounts are written.' });

const attendeeTicketSchema = z
  .object({
    id,
    title: z.string(),
    description: z.string(),
    raw_price: z.string().describe('Plain number; empty for RSVP.'),
    formatted_price: z.string().describe('With all decimals, without a symbol.'),
    currency_config: currencySchema,
    start_sale: z.string().describe('First day of sale, or empty.'),
    end_sale: z.string().describe('Last day of sale, or empty.'),
  })
  .meta({ id: 'AttendeeTicket', description: 'The ticket of an attendee.' });

const checkinDetailsSchema = z
  .object({
    date: localTime,
    date_details: dateDetailsSchema,
    source: z.enum(['site', 'app']).describe('`app` for a scanned code.'),
    author: z.int().describe('Account that checked the attendee in; 0 for the app.'),
  })
  .meta({ id: 'CheckinDetails', description: 'The last check-in.' });

const paymentSchema = z
  .object({
    provider: z.string(),
    price: z.string().describe('What was paid for the place; empty for nothing.'),
    currency: z.string().describe('Symbol.'),
    date: localTime,
    date_details: dateDetailsSchema,
  })
  .meta({ id: 'PaymentDetails', description: 'What was paid.' });

/** An attendee, in full or without what is for privileged callers; made by `renderAttendees`. */
export const attendeeSchema = z
  .object({
    id,
    post_id: id,
    ticket_id: id,
    global_id: z.string(),
    global_id_lineage: z.array(z.string()),
    author: z.string().describe('Id of the account that made the attendee, as text.'),
    status: z.string().describe('`publish`, or `trash` once archived.'),
    date: localTime,
    date_utc: utcTime,
    modified: localTime,
    modified_utc: utcTime,
    rest_url: link,
    ticket: attendeeTicketSchema,
    title: z.string().optional().describe('Name. Absent for people who opted out, except for privileged callers.'),
    optout: z.boolean().describe('Whether the attendee is left out of public lists.'),
    provider: z.enum(['rsvp', 'tc']).optional().describe('This and what follows is for privileged callers.'),
    order: z.int().optional().describe('Id of the order; of the attendee for RSVP.'),
    sku: z.literal('').optional().describe('Always empty: the ticket has one.'),
    email: z.string().optional(),
    checked_in: z.boolean().optional(),
    checkin_details: z.union([z.literal(false), checkinDetailsSchema]).optional(),
    is_subscribed: z.boolean().optional(),
    is_purchaser: z.boolean().optional(),
    rsvp_going: z.boolean().optional().describe('RSVP only.'),
    payment: paymentSchema.optional().describe('Paid tickets only.'),
    information: z
      .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
      .optional()
      .describe('Answers to the questions of the registration, when there are any; plain text in keys and values.'),
  })
  .meta({ id: 'Attendee', description: 'A person on the list of an event.' });

export type AttendeeView = z.output<typeof attendeeSchema>;

/**
 * Renders attendees for the caller, with two queries for all of their tickets. Not to be called inside a transaction.
 */
export async function renderAttendees(attendees: readonly Attendee[], ctx: RequestContext): Promise<AttendeeView[]> {
  const ids = attendees.map(({ ticket_id }) => ticket_id);
  const tickets = await getTranslatedTickets(ctx, ids);
  const format = siteMoney(ctx.context.config);
  return attendees.map((attendee) => {
    const privileged = mayReadAttendees(ctx.viewer, attendee.event_id);
    return show({ attendee, ticket: tickets.get(attendee.ticket_id) }, { ctx, format, privileged });
  });
}

/** The holder of a ticket, as privileged callers see them. */
export async function renderHolder({ attendee, ticket }: Holder, ctx: RequestContext): Promise<AttendeeView> {
  const texts = await loadTranslations(ctx, [{ kind: 'ticket', id: ticket.id }]);
  const options = { ctx, format: siteMoney(ctx.context.config), privileged: true };
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
    raw_price: isPriced ? plainAmount(price, format.decimals) : '',
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

function checkinDetails(attendee: Attendee, timezone: string): AttendeeView['checkin_details'] {
  if (attendee.checked_in === 0) return false;
  const date = utcToWall(attendee.checkin_utc, timezone);
  // check-in.ts writes nothing else.
  const source = attendee.checkin_source as 'site' | 'app';
  return { date, date_details: dateDetails(date), source, author: attendee.checkin_author };
}

function paymentOf({ provider, price, date }: Attendee, format: MoneyFormat): AttendeeView['payment'] {
  return {
    provider,
    price: price === 0 ? '' : plainAmount(price, format.decimals),
    currency: format.symbol,
    date,
    date_details: dateDetails(date),
  };
}
