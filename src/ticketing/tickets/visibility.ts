import type { Event } from '../../calendar/events/store.ts';
import { mayRead, readableBy } from '../../calendar/posts/visibility.ts';
import type { Viewer } from '../../http/core/auth.ts';
import { isHidden } from './hidden.ts';
import type { Ticket } from './store.ts';

/** Tickets that a viewer may see. Undefined: every status except trash. */
export interface TicketVisibility {
  eventStatuses?: readonly string[];
  ticketStatuses?: readonly string[];
  /** If set, unpublished records match only for events of this account. */
  ownOf?: number;
}

/**
 * The meaning of the requested statuses for a viewer. Viewers who see published records only may name other statuses,
 * which then match nothing; unknown ones match nothing either.
 */
export function ticketVisibilityFor(
  viewer: Viewer,
  { post_status, status }: { post_status?: readonly string[]; status?: readonly string[] },
): TicketVisibility {
  const readable = readableBy(viewer);
  const meaningOf = (requested: readonly string[] | undefined): readonly string[] | undefined => {
    const isAny = requested === undefined || requested.includes('any');
    if (!readable.statuses) return isAny ? undefined : requested.filter((status) => status !== 'trash');
    return isAny || requested.includes('publish') ? readable.statuses : [];
  };
  return { eventStatuses: meaningOf(post_status), ticketStatuses: meaningOf(status), ownOf: readable.ownOf };
}

/** Whether a viewer without a code may see a ticket. */
export const maySeeTicket = (viewer: Viewer, ticket: Ticket, event: Event | undefined): boolean =>
  mayReadTicket(viewer, ticket, event) && !isHidden(ticket, event, { viewer });

/** Whether a viewer may see a ticket, as far as publication goes. */
export const mayReadTicket = (viewer: Viewer, ticket: Ticket, event: Event | undefined): event is Event =>
  event !== undefined &&
  mayRead(viewer, event) &&
  mayRead(viewer, { author_id: event.author_id, status: ticket.status });
