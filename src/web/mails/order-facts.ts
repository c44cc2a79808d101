import type { Context } from '../../base/context.ts';
import { type CalendarEvent, findCalendarEvents } from '../../calendar/events/lists/feed.ts';
import { ANONYMOUS } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { Urls } from '../../http/core/urls.ts';
import { getSite, type Site } from '../../platform/site/settings.ts';
import { codeContent } from '../../ticketing/attendees/qr-content.ts';
import { type Attendee, findAttendeesOfOrder } from '../../ticketing/attendees/store.ts';
import { type SignTicket, ticketSigner } from '../../ticketing/attendees/ticket-signature.ts';
import { renderCustomerOrder } from '../../ticketing/orders/customer/customer-view.ts';
import { findOrder, type Order } from '../../ticketing/orders/store.ts';
import { eventTickets } from '../../ticketing/tickets/event-tickets.ts';
import type { CustomerOrder } from '../frame/responses.ts';
import type { Wording } from '../frame/visit.ts';
import type { SheetFacts, SheetTicket } from '../paper/ticket-sheet.ts';
import { mailWording } from './event-facts.ts';

/** A ticket with a code. */
export type CodedTicket = SheetTicket;

/** An order as its mails state it, in the language of its customer. */
export interface OrderFacts extends Wording, Pick<SheetFacts, 'number' | 'unpaid'> {
  stored: Order;
  order: CustomerOrder;
  site: Site;
  /** Published events of its tickets, by start. */
  events: readonly CalendarEvent[];
  /** One for each code, in the order of the tickets. */
  tickets: readonly CodedTicket[];
  now: Date;
  /** Address of a page in the language of the customer. */
  link(url: string): string;
}

/**
 * Reads an order for a mail. Links begin with the configured address of the site, never with one that a request names.
 * @returns undefined for a deleted order
 */
export async function readOrderFacts(
  context: Context,
  { id, origin, language: asked }: { id: number; origin: string; language: string },
): Promise<OrderFacts | undefined> {
  const { config, db } = context;
  const stored = await findOrder(db, id);
  if (!stored) return undefined;
  const language = asked || (config.languages[0] ?? 'en');
  const now = context.now();
  const ctx: RequestContext = { context, viewer: ANONYMOUS, urls: new Urls(origin), language, now };
  const [order, attendees, site] = await Promise.all([
    renderCustomerOrder(ctx, stored),
    findAttendeesOfOrder(db, id),
    getSite(context, language),
  ]);
  const held = order.attendees.filter(({ status }) => status === 'publish');
  const eventIds = [...new Set(held.flatMap(({ event }) => event?.id ?? []))];
  const addresses = new Map(held.map(({ event }) => [event?.id, event?.online_url]));
  const found = await findCalendarEvents(ctx, eventIds, eventTickets);
  return {
    ...{ stored, order, site, now },
    events: found
      .map((event) => ({ ...event, online_url: addresses.get(event.id) }))
      .sort((a, b) => a.utc_start_date.localeCompare(b.utc_start_date) || a.id - b.id),
    tickets: codedTickets(order, attendees, { urls: ctx.urls, sign: await ticketSigner(context) }),
    number: order.number,
    unpaid: order.at_door ? order : undefined,
    ...mailWording(context, { language, origin, siteName: site.name }),
  };
}

/** The tickets with codes; all dates of a series pass have one. */
function codedTickets(
  { attendees: held }: CustomerOrder,
  attendees: readonly Attendee[],
  { urls, sign }: { urls: Urls; sign: SignTicket },
): CodedTicket[] {
  const rows = new Map(attendees.map((attendee) => [attendee.id, attendee]));
  const tickets = new Map<string, CodedTicket>();
  for (const { id, security_code: code, full_name = '', title, status, event, pass } of held) {
    const row = rows.get(id);
    if (!row || code === undefined || status !== 'publish') continue;
    const content = codeContent(row, urls, sign);
    const dates = pass && event ? [event] : [];
    const known = tickets.get(content);
    if (known) known.dates = [...known.dates, ...dates];
    else tickets.set(content, { content, code, holder: full_name, title, event, dates });
  }
  return [...tickets.values()].map((ticket) => ({ ...ticket, dates: sortedByStart(ticket.dates) }));
}

const sortedByStart = (events: CodedTicket['dates']): CodedTicket['dates'] =>
  events.toSorted((a, b) => a.utc_start_date.localeCompare(b.utc_start_date));
