import { ApiError } from '../../http/core/errors.ts';
import type { Event, HeldTicket } from '../frame/responses.ts';
import { NotFound, orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

/** Ticket, by the id of its attendee and the token of its page. */
export interface TicketAddress {
  id: string;
  token: string;
}

export const pathOf = ({ id, token }: TicketAddress): string => `/ticket/${id}/${encodeURIComponent(token)}/`;

/** Headers of requests for the holder of a ticket. */
export const asHolder = ({ token }: TicketAddress) => ({ 'X-Ticket-Token': token });

export const readTicket = (visit: Visit, address: TicketAddress): Promise<HeldTicket> =>
  orNotFound(visit.ask('held_tickets.read', { id: address.id }, { 'x-ticket-token': address.token }));

/** Tests for a security code, which addresses of tickets had instead of a token. */
export const isCode = (secret: string): boolean => /^(?:[0-9a-f]{10}){1,2}$/.test(secret);

/** Tests for the form of a token. */
export const isTicketToken = (secret: string): boolean => /^[0-9a-f]{32}$/.test(secret);

export const isTransferred = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'ticket-transferred';

/** Event of a ticket, if visitors may see it. */
export const eventOf = async ({ ask }: Visit, { event }: Pick<HeldTicket, 'event'>): Promise<Event | undefined> =>
  event === null
    ? undefined
    : orNotFound(ask('events.read', { id: event.id })).catch((error: unknown) => {
        if (error instanceof NotFound || error instanceof ApiError) return undefined;
        throw error;
      });
