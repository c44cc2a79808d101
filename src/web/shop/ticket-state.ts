import { utcToLocal } from '../../lib/dates/dates.ts';
import { isCancelled, statusBanner } from '../cards/event-status.ts';
import { priceInWords } from '../cards/price.ts';
import type { Html } from '../frame/html.ts';
import type { HeldTicket } from '../frame/responses.ts';
import type { Visit, Wording } from '../frame/visit.ts';

/** Validity of a ticket at the door. */
interface TicketState {
  kind: 'good' | 'warn' | 'bad' | 'info';
  textIn(visit: Visit): string;
}

/** Tests if the event of a ticket is cancelled. */
export const isEventOff = ({ event }: Pick<HeldTicket, 'event'>): boolean => event !== null && isCancelled(event);

/** Banners for the events of tickets that do not take place as planned, with their titles if there are other events. */
export function statusBanners(tickets: readonly HeldTicket[], visit: Visit): Html[] {
  const events = new Map(tickets.flatMap(({ event }) => (event ? [[event.id, event] as const] : [])));
  return [...events.values()].flatMap((event) => statusBanner(event, visit, events.size > 1) ?? []);
}

export function stateOf(ticket: HeldTicket): TicketState {
  const { status, checked_in, admits, provider, attendee_status, unpaid, transferred_utc } = ticket;
  if (status === 'trash') return { kind: 'bad', textIn: ({ t }) => t('ticket.cancelled') };
  if (transferred_utc !== undefined) return { kind: 'info', textIn: ({ t }) => t('ticket.transferred') };
  if (checked_in) return { kind: 'info', textIn: (visit) => usedText(ticket, visit) };
  const isOver = OVER.has(attendee_status);
  if (isEventOff(ticket) && (admits || !(isOver || provider === 'rsvp')))
    return { kind: 'bad', textIn: ({ t }) => t('ticket.event_cancelled') };
  if (admits) return { kind: 'good', textIn: ({ t }) => t('ticket.valid') };
  if (unpaid) return { kind: 'warn', textIn: ({ t }) => t('ticket.unpaid_state') };
  if (provider === 'rsvp') return { kind: 'info', textIn: ({ t }) => t('reply.declined') };
  return { kind: isOver ? 'bad' : 'warn', textIn: ({ t }) => t(isOver ? 'ticket.cancelled' : 'ticket.not_yet') };
}

/** Statuses of orders that will not be completed. */
const OVER: ReadonlySet<string> = new Set(['denied', 'not-completed', 'refunded', 'reversed', 'voided']);

/** Time of the check-in in the time zone of the event. */
function usedText({ checkin_utc, event }: HeldTicket, { t, dates, localTime }: Visit): string {
  if (checkin_utc === null) return t('ticket.used');
  const local = event ? utcToLocal(checkin_utc, event.timezone) : localTime(checkin_utc);
  return t('ticket.used_at', { time: dates.time(local) });
}

interface Unpaid {
  total: { minor: number };
  currency: string;
}

/** Amount of an order to be paid at the door, in the language of the page. */
export const unpaidText = ({ total, currency }: Unpaid, visit: Wording): string =>
  visit.t('ticket.unpaid', { total: priceInWords(total.minor, visit, currency) });

/** The same on a single ticket, whose own price may be less. */
export const unpaidOrderText = ({ total, currency }: Unpaid, visit: Visit): string =>
  visit.t('ticket.unpaid_order', { total: priceInWords(total.minor, visit, currency) });

/** Until when an unpaid ticket is valid; undefined without a limit. */
export function validUntil({ t, dates, localTime, zoneAt }: Wording, expires: string | null): string | undefined {
  if (expires === null) return undefined;
  const local = localTime(expires);
  return t('ticket.valid_until', { when: `${dates.range(local, local, false)} ${zoneAt(expires)}` });
}
