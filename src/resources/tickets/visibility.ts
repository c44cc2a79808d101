import { can, mayRead, type Viewer } from '../../http/auth.ts';
import type { Event } from '../events/store.ts';
import type { Ticket } from './stock.ts';

/** Which tickets of a list the caller gets to see. Undefined: every status except trash. */
export interface TicketVisibility {
  eventStatuses?: readonly string[];
  ticketStatuses?: readonly string[];
  /** With this, what is not published counts only for events of this account. */
  ownOf?: number;
}

interface Asked {
  post_status?: readonly string[];
  status?: readonly string[];
}

/**
 * What the statuses of a request mean for a caller. Those who see only what is published may name others, which then
 * match nothing; unknown ones match nothing either.
 */
export function ticketVisibilityFor(viewer: Viewer, { post_status, status }: Asked): TicketVisibility {
  const meant = (asked: readonly string[] | undefined): readonly string[] | undefined => {
    const isAny = asked === undefined || asked.includes('any');
    if (can(viewer, 'read_own')) return isAny ? undefined : asked.filter((status) => status !== 'trash');
    return isAny || asked.includes('publish') ? ['publish'] : [];
  };
  const ownOf = can(viewer, 'read_own') && !can(viewer, 'read_others') ? viewer.account?.id : undefined;
  return { eventStatuses: meant(post_status), ticketStatuses: meant(status), ownOf };
}

/** Whether a caller may see a ticket, as far as publication goes. */
export const mayReadTicket = (viewer: Viewer, ticket: Ticket, event: Event | undefined): event is Event =>
  event !== undefined &&
  event.status !== 'trash' &&
  mayRead(viewer, event) &&
  mayRead(viewer, { author_id: event.author_id, status: ticket.status });
