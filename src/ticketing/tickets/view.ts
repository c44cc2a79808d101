import type { Selectable } from 'kysely';
import { type Event, getEvents } from '../../calendar/events/store.ts';
import { globalId } from '../../calendar/posts/view.ts';
import type { AttendeesTable, Provider } from '../../db/tables/ticketing.ts';
import { eventScope, isInScope, mayManageTickets } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { revisionOf } from '../../http/core/revisions.ts';
import type { Urls } from '../../http/core/urls.ts';
import { dateDetails, localDay, toUtc } from '../../lib/dates/dates.ts';
import { amountText, formatMoney, type MoneyFormat, numberOf, siteMoney } from '../../lib/money/money.ts';
import { paragraphs } from '../../lib/text/html.ts';
import { loadTranslations, type Translations } from '../../platform/translations/store.ts';
import { findPassDates } from '../passes/pass-dates.ts';
import { getSitePrices, type SitePrices } from '../prices/site-prices.ts';
import { optionsOf } from '../prices/ticket-options.ts';
import { type Availability, findAvailability } from '../seats/seats.ts';
import type { AttendeeView } from './attendee-schema.ts';
import type { TicketView } from './schema.ts';
import { DEFAULT_PER_ORDER, isDiscounted, type Ticket } from './store.ts';
import { areTicketsLocked } from './visibility.ts';

type Attendee = Selectable<AttendeesTable>;

/**
 * Loads the attendees of tickets, except archived ones, with their rendered form. Attendees import tickets, so `app.ts`
 * passes this to the endpoints of tickets.
 */
export type LoadTicketAttendees = (
  ctx: RequestContext,
  ticketIds: readonly number[],
) => Promise<{ rows: Attendee[]; views: AttendeeView[] }>;

interface TicketRenderOptions {
  /** Event password of the request, already counted by `admitPassword`. */
  password?: string;
  /** Adds the members for viewers who may change a ticket. */
  withEditing?: boolean;
}

/** Present if it differs from the default. Unknown to clients of the reference. */
export const maxPerOrderOf = (
  { max_per_order }: Pick<Ticket, 'max_per_order'>,
  { isReference }: Urls,
): Pick<TicketView, 'max_per_order'> => (isReference || max_per_order === DEFAULT_PER_ORDER ? {} : { max_per_order });

/** Members of a series pass. Unknown to clients of the reference. */
const passOf = (
  { pass_id }: Pick<Ticket, 'pass_id'>,
  { ctx, passDates }: TicketRelations,
): Pick<TicketView, 'scope' | 'pass'> =>
  ctx.urls.isReference || pass_id === null
    ? {}
    : { scope: 'series', pass: { id: pass_id, dates: passDates.get(pass_id)?.length ?? 0 } };

/** Related data needed to render tickets. */
interface TicketRelations {
  ctx: RequestContext;
  format: MoneyFormat;
  /** Current date of the site. */
  today: string;
  availability: ReadonlyMap<number, Availability>;
  /** By ticket; only tickets whose attendees the viewer may see. */
  attendees: ReadonlyMap<number, readonly Attendee[]>;
  attendeeViews: ReadonlyMap<number, readonly AttendeeView[]>;
  /** Coming dates of series passes. */
  passDates: ReadonlyMap<number, readonly unknown[]>;
  taxRates: SitePrices['taxRates'];
  texts: Translations;
}

/**
 * Renders tickets with a constant number of queries. A ticket whose event needs a password that the viewer does not
 * have is redacted. Must not be called inside a transaction.
 */
export async function renderTickets(
  tickets: readonly Ticket[],
  ctx: RequestContext,
  loadAttendees: LoadTicketAttendees,
  { password, withEditing = false }: TicketRenderOptions = {},
): Promise<unknown[]> {
  const found = await getEvents(ctx.context.db, [...new Set(tickets.map(({ event_id }) => event_id))]);
  const events = new Map(found.map((event) => [event.id, event]));
  const relations = await loadRelations(tickets, { events, ctx, loadAttendees });
  return tickets.map((ticket) => {
    const event = events.get(ticket.event_id);
    if (event === undefined || areTicketsLocked(event, ctx.viewer, password)) return redactedTicket(ticket.provider);
    const mayChange = mayManageTickets(ctx.viewer, event);
    return renderTicket(ticket, relations, { mayChange, withEditing: withEditing && mayChange });
  });
}

interface RelationSources {
  events: ReadonlyMap<number, Event>;
  ctx: RequestContext;
  loadAttendees: LoadTicketAttendees;
}

async function loadRelations(
  tickets: readonly Ticket[],
  { events, ctx, loadAttendees }: RelationSources,
): Promise<TicketRelations> {
  const { db, config } = ctx.context;
  const now = toUtc(ctx.now);
  const scope = eventScope(ctx.viewer, 'read_attendees');
  const readable = tickets.filter(({ event_id }) => isInScope(scope, events.get(event_id))).map(({ id }) => id);
  const attendees = await loadAttendees(ctx, readable);
  const none = readable.map((id): [number, never[]] => [id, []]);
  return {
    ctx,
    format: siteMoney(config),
    today: localDay(now, config.timezone),
    availability: await findAvailability(
      db,
      tickets.map(({ id }) => id),
      now,
    ),
    texts: await loadTranslations(
      ctx,
      tickets.map(({ id }) => ({ kind: 'ticket', id })),
    ),
    passDates: await findPassDates(
      db,
      tickets.map(({ pass_id }) => pass_id),
      now,
    ),
    taxRates: (await getSitePrices(ctx.context)).taxRates,
    attendees: new Map([...none, ...Map.groupBy(attendees.rows, ({ ticket_id }) => ticket_id)]),
    attendeeViews: Map.groupBy(attendees.views, ({ ticket_id }) => ticket_id),
  };
}

function renderTicket(
  stored: Ticket,
  relations: TicketRelations,
  { mayChange, withEditing }: { mayChange: boolean; withEditing: boolean },
): TicketView {
  const { urls } = relations.ctx;
  const ticket = relations.texts.show('ticket', stored);
  const translations = mayChange ? relations.texts.coverage('ticket', stored) : undefined;
  const availability = availabilityFor(ticket, relations);
  const from = join(ticket.start_date, ticket.start_time);
  const until = join(ticket.end_date, ticket.end_time);
  return {
    description: paragraphs(ticket.description),
    capacity: ticket.mode === '' ? '' : availability.capacity,
    on_sale: ticket.provider === 'tc' ? isDiscounted(ticket, relations.today) : null,
    iac: ticket.iac,
    price_suffix: null,
    post_id: ticket.event_id,
    provider: ticket.provider,
    id: ticket.id,
    type: 'default',
    ...globalId(ticket.id, urls, ticket.provider),
    author: String(ticket.author_id),
    status: ticket.status,
    date: ticket.date,
    date_utc: ticket.date_utc,
    modified: ticket.modified,
    modified_utc: ticket.modified_utc,
    ...revisionOf(ticket, urls),
    title: ticket.title,
    image: false,
    available_from: from,
    available_from_details: dateDetails(from),
    available_until: until,
    available_until_details: dateDetails(until),
    capacity_details: capacityDetails(ticket, availability, relations.attendees.has(ticket.id)),
    is_available: availability.available !== 0,
    ...costOf(ticket, relations.format),
    supports_attendee_information: false,
    attendees: [...(relations.attendeeViews.get(ticket.id) ?? [])],
    ...attendanceReports(ticket, relations.attendees.get(ticket.id)),
    ...maxPerOrderOf(ticket, urls),
    ...optionsOf(ticket, { taxRates: relations.taxRates, ...relations.ctx }),
    ...passOf(ticket, relations),
    rest_url: urls.rest('tickets', `/tickets/${ticket.id}`),
    ...(translations && { translations }),
    ...(withEditing && editingMembers(ticket, availability)),
  };
}

const join = (date: string, time: string): string => `${date} ${time}`.trim();

/** A ticket that was deleted meanwhile has no available seats. */
const availabilityFor = ({ id }: Ticket, { availability }: TicketRelations): Availability =>
  availability.get(id) ?? { capacity: 0, available: 0, held: 0, sold: 0 };

function capacityDetails(
  { mode }: Ticket,
  { capacity, available, sold, held }: Availability,
  isPrivileged: boolean,
): TicketView['capacity_details'] {
  const details = { available_percentage: percentage(available, capacity), available };
  if (!isPrivileged) return details;
  return { ...details, max: mode === '' ? 0 : capacity, sold, pending: held, global_stock_mode: mode };
}

function percentage(available: number, capacity: number): number {
  if (available === -1) return 100;
  if (capacity < 0) return available > 0 ? 100 : 0;
  return capacity === 0 ? 0 : Math.floor((100 * available) / capacity);
}

function costOf(ticket: Ticket, format: MoneyFormat): Pick<TicketView, 'cost' | 'cost_details' | 'sale_price_data'> {
  return {
    cost: formatMoney(ticket.price, format),
    cost_details: {
      currency_symbol: format.symbol,
      currency_position: format.position,
      values: [numberOf(ticket.price, format.decimals)],
      suffix: null,
      currency_decimal_separator: format.decimalSeparator,
      currency_decimal_numbers: format.decimals,
      currency_thousand_separator: format.thousandsSeparator,
    },
    sale_price_data: ticket.provider === 'tc' ? discountOf(ticket, format) : [],
  };
}

const discountOf = ({ sale_price, sale_price_start, sale_price_end }: Ticket, { decimals }: MoneyFormat) => ({
  enabled: sale_price === null ? ('' as const) : ('1' as const),
  sale_price: sale_price === null ? '' : amountText(sale_price, decimals),
  start_date: sale_price_start,
  end_date: sale_price_end,
});

function attendanceReports(
  { provider }: Ticket,
  attendees: readonly Attendee[] | undefined,
): Pick<TicketView, 'rsvp' | 'checkin'> {
  if (!attendees) return {};
  const total = attendees.length;
  const checkedIn = attendees.filter(({ checked_in }) => checked_in === 1).length;
  const going = attendees.filter(({ attendance_status }) => attendance_status === 'yes').length;
  const share = total === 0 ? 100 : Math.ceil((100 * checkedIn) / total);
  return {
    ...(provider === 'rsvp' && { rsvp: { rsvp_going: going, rsvp_not_going: total - going } }),
    checkin: {
      checked_in: checkedIn,
      unchecked_in: total - checkedIn,
      checked_in_percentage: share,
      unchecked_in_percentage: 100 - share,
    },
  };
}

const editingMembers = (ticket: Ticket, { available, sold, held }: Availability) => ({
  capacity_type: ticket.mode === '' || available === -1 ? 'unlimited' : ticket.mode,
  sku: ticket.provider === 'rsvp' ? null : ticket.sku,
  available_from_start_time: ticket.start_time,
  available_from_end_time: ticket.end_time,
  // Clients of the reference expect 0 without a limit.
  totals: { stock: Math.max(0, available), sold, pending: held },
});

/** Members of a ticket that are always present. */
type PublicMember = Exclude<
  { [K in keyof TicketView]-?: undefined extends TicketView[K] ? never : K }[keyof TicketView],
  undefined
>;

/** Placeholder for any text. */
const TEXT = 'No Access';
const DATE_DETAILS = { year: 0, month: 0, day: 0, hour: 0, minutes: 0, seconds: 0 };

/**
 * Placeholder for a ticket whose event needs a password that the viewer does not have: all members of a ticket, numbers
 * as 0, flags as null, texts as `No Access`. Constant, so that nothing in it depends on the ticket except the provider,
 * which API clients recognise by `on_sale` and `sale_price_data`.
 */
const redactedTicket = (provider: Provider) =>
  ({
    description: TEXT,
    capacity: 0,
    on_sale: provider === 'tc' ? null : TEXT,
    iac: TEXT,
    price_suffix: TEXT,
    post_id: 0,
    provider: TEXT,
    id: 0,
    type: TEXT,
    global_id: TEXT,
    global_id_lineage: [TEXT],
    author: 0,
    status: TEXT,
    date: TEXT,
    date_utc: TEXT,
    modified: TEXT,
    modified_utc: TEXT,
    title: TEXT,
    image: null,
    available_from: TEXT,
    available_from_details: DATE_DETAILS,
    available_until: TEXT,
    available_until_details: DATE_DETAILS,
    capacity_details: { available_percentage: 0, available: 0 },
    is_available: null,
    cost: TEXT,
    cost_details: {
      currency_symbol: TEXT,
      currency_position: TEXT,
      values: [0],
      suffix: TEXT,
      currency_decimal_separator: TEXT,
      currency_decimal_numbers: 0,
      currency_thousand_separator: TEXT,
    },
    sale_price_data: provider === 'tc' ? { enabled: TEXT, sale_price: TEXT, start_date: TEXT, end_date: TEXT } : [],
    supports_attendee_information: null,
    attendees: [],
    rest_url: TEXT,
  }) satisfies Record<PublicMember, unknown>;
