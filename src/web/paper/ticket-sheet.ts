import { modeOf } from '../../calendar/events/attendance.ts';
import type { CalendarEvent } from '../../calendar/events/lists/feed.ts';
import { dateFormats } from '../../lib/dates/date-format.ts';
import type { PaperFact, PaperTicket, TicketSheet } from '../../lib/paper/sheets.ts';
import type { HeldEvent } from '../../ticketing/orders/held-ticket.ts';
import { addressLines, venuesOf } from '../cards/place.ts';
import type { Wording } from '../frame/visit.ts';
import { whenOf } from '../shop/ticket.ts';
import { unpaidText, validUntil } from '../shop/ticket-state.ts';

/** Tickets for paper. They may be passed on, so they have neither links to the order or the ticket nor its keys. */

/** A ticket with a code. */
export interface SheetTicket {
  /** Content of its QR code. */
  content: string;
  code: string;
  /** Empty if the reader may not know the name. */
  holder: string;
  title: string;
  event: HeldEvent | null;
  /** Events of a series pass, by start; empty for other tickets. */
  dates: readonly HeldEvent[];
}

/** Tickets of an order, or one, in the language of their reader. */
export interface SheetFacts extends Wording {
  /** Published events of the tickets. */
  events: readonly CalendarEvent[];
  tickets: readonly SheetTicket[];
  /** Number of the order; absent for an RSVP. */
  number?: string | undefined;
  /** Amount to be paid at the door, and until when the places are kept. */
  unpaid?: { total: { minor: number }; currency: string; expires_utc: string | null } | undefined;
}

export function ticketSheet(given: SheetFacts): TicketSheet {
  const { t, language, config, tickets } = given;
  // With the year: paper is kept.
  const facts = { ...given, dates: dateFormats(language, '') };
  const titles = [...new Set(tickets.flatMap(({ event }) => event?.title ?? []))];
  return {
    kind: 'tickets',
    language,
    title: t('mail.tickets_subject', { event: titles.slice(0, 3).join(', ') }),
    siteName: config.siteName,
    replaced: t('paper.replaced'),
    tickets: tickets.map((ticket) => paperTicket(ticket, facts)),
  };
}

function paperTicket({ content, code, holder, title, event, dates }: SheetTicket, facts: SheetFacts): PaperTicket {
  const { t, number } = facts;
  const shown = facts.events.find(({ id }) => id === event?.id);
  const when = event && dates.length === 0 ? whenOf({ event }, facts) : undefined;
  const places = shown ? placesOf(shown, facts) : [];
  return {
    event: event?.title ?? title,
    warnings: [...statusOf(shown, facts), ...unpaidLines(facts)],
    facts: [
      ...(when === undefined ? [] : [{ label: t('event.when'), lines: [when], isMain: true }]),
      ...(places.length === 0 ? [] : [{ label: t('ticket.where'), lines: places }]),
    ],
    holder: [
      ...(holder === '' ? [] : [{ label: t('ticket.name'), lines: [holder], isMain: true }]),
      { label: t('cart.ticket'), lines: [title] },
      ...(number === undefined ? [] : [{ label: t('invoice.order'), lines: [number] }]),
    ] satisfies PaperFact[],
    content,
    code,
    alt: t('ticket.code_of', { name: holder || title }),
    ...(dates.length > 0 && {
      dates: { heading: t('pass.heading'), lines: dateLines(dates, facts) },
    }),
    notes: [t('paper.bring')],
  };
}

/** Dates on one page. */
const MAX_DATES = 48;

function dateLines(dates: readonly HeldEvent[], facts: SheetFacts): string[] {
  const shown = dates.length > MAX_DATES ? dates.slice(0, MAX_DATES - 1) : dates;
  const lines = shown.map((event) => whenOf({ event }, facts) ?? '');
  const count = dates.length - shown.length;
  return count > 0 ? [...lines, facts.t('mail.more_dates', { count })] : lines;
}

/** Names and addresses of the venues, or that the event is online. */
function placesOf(event: CalendarEvent, { t }: SheetFacts): string[] {
  const lines = venuesOf(event).flatMap((venue) => [venue.venue, ...addressLines(venue)]);
  return modeOf(event) === 'online' && lines.length === 0 ? [t('event.online')] : lines;
}

function statusOf(event: CalendarEvent | undefined, { t }: SheetFacts): string[] {
  const status = event?.event_status ?? 'scheduled';
  return status === 'scheduled' ? [] : [t(`status.${status}`)];
}

function unpaidLines(facts: SheetFacts): string[] {
  const { unpaid } = facts;
  return unpaid ? [unpaidText(unpaid, facts), ...[validUntil(facts, unpaid.expires_utc) ?? []].flat()] : [];
}
