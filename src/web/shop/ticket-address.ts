import { ApiError } from '../../http/core/errors.ts';
import type { Event, HeldTicket } from '../frame/responses.ts';
import { NotFound, orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

/** Ticket, by the id of its attendee and its security code. */
export interface TicketAddress {
  id: string;
  code: string;
}

export const pathOf = ({ id, code }: TicketAddress): string => `/ticket/${id}/${encodeURIComponent(code)}/`;

export const readTicket = ({ ask }: Visit, { id, code }: TicketAddress): Promise<HeldTicket> =>
  orNotFound(ask('held_tickets.read', { id, security_code: code }));

/** Event of a ticket, if visitors may see it. */
export const eventOf = async ({ ask }: Visit, { event }: HeldTicket): Promise<Event | undefined> =>
  event === null
    ? undefined
    : orNotFound(ask('events.read', { id: event.id })).catch((error: unknown) => {
        if (error instanceof NotFound || error instanceof ApiError) return undefined;
        throw error;
      });
