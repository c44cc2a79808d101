import { utcToLocal } from '../../lib/dates/dates.ts';
import type { HeldTicket } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Validity of a ticket at the door. */
interface TicketState {
  kind: 'good' | 'warn' | 'bad' | 'info';
  textIn(visit: Visit): string;
}

export function stateOf(ticket: HeldTicket): TicketState {
  const { status, checked_in, security_code, provider, attendee_status } = ticket;
  if (status === 'trash') return { kind: 'bad', textIn: ({ t }) => t('ticket.cancelled') };
  if (checked_in) return { kind: 'info', textIn: (visit) => usedText(ticket, visit) };
  if (security_code !== undefined) return { kind: 'good', textIn: ({ t }) => t('ticket.valid') };
  if (provider === 'rsvp') return { kind: 'info', textIn: ({ t }) => t('reply.declined') };
  const isOver = OVER.has(attendee_status);
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
