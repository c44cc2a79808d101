import type { z } from 'zod';
import type { BriefEvent } from '../../calendar/events/render-event.ts';
import type { eventSchema } from '../../calendar/events/view.ts';
import type { termSchema } from '../../calendar/terms/view.ts';
import type { QueryValue } from '../../http/core/urls.ts';
import type { Image } from '../../platform/media/images.ts';
import type { siteSchema } from '../../platform/site/view.ts';
import type { buyersOrderSchema } from '../../ticketing/orders/buyer-view.ts';
import type { heldTicketSchema } from '../../ticketing/orders/held-ticket.ts';
import type { ticketSchema } from '../../ticketing/tickets/schema.ts';

/** Response bodies of the endpoints that pages call. Empty members of venues and organizers are omitted. */

export type { Image };
export type TermBody = z.output<typeof termSchema>;
export type TicketBody = z.output<typeof ticketSchema>;

interface LinkedPostBody {
  id: number;
  url: string;
  modified_utc: string;
  slug: string;
  description?: string;
  image?: Image;
  website?: string;
  phone?: string;
  json_ld?: Record<string, unknown>;
}

export interface VenueBody extends LinkedPostBody {
  venue: string;
  address?: string;
  city?: string;
  state?: string;
  province?: string;
  stateprovince?: string;
  zip?: string;
  country?: string;
  geo_lat?: number;
  geo_lng?: number;
  show_map: boolean;
  show_map_link: boolean;
}

export interface OrganizerBody extends LinkedPostBody {
  organizer: string;
  email?: string;
}

export type { BriefEvent };

/** Events of several days. `totals` has the number of events that start on a day, if some are omitted. */
export interface EventsOfDays<T> {
  events: T[];
  /** Number of events on these days. */
  total: number;
  totals: ReadonlyMap<string, number>;
}

/** Events before and after one, by start. */
export interface Neighbours {
  before?: BriefEvent;
  after?: BriefEvent;
}

export interface EventBody extends Omit<z.output<typeof eventSchema>, 'venue' | 'organizer'> {
  venue: VenueBody | VenueBody[];
  organizer: OrganizerBody[];
}

/** Event as in lists, with its `SEQUENCE` for iCalendar. */
export interface CalendarBody extends EventBody {
  ical_sequence: number;
}

/** Events of a feed, before formatting. */
export interface EventFeed {
  /** In order of start; rendered on demand, so that a long feed does not delay other requests. */
  events: Iterable<CalendarBody> | AsyncIterable<CalendarBody>;
  /** Number of these events. */
  count: number;
  /** Number of matching events. */
  total: number;
  /** Latest published of them, newest first. */
  latest(): Promise<CalendarBody[]>;
  /** Calendar part of the `UID` of its events. */
  calendarId: string;
  /** Filters, as repeated in links. */
  params: Record<string, QueryValue>;
  /** See `EndpointResponse`. */
  freshUntil?: number;
}

interface ListBody {
  total: number;
  total_pages: number;
  rest_url: string;
}

interface AmountBody {
  minor: number;
  formatted: string;
}

export interface CartBody {
  tickets: {
    ticket_id: number;
    quantity: number;
    post_id: number;
    title: string;
    price: AmountBody;
    subtotal: AmountBody;
    max_per_order?: number;
  }[];
  held_until_utc?: string;
  totals?: { quantity: number; total: AmountBody };
}

export type HeldTicketBody = z.output<typeof heldTicketSchema>;
export type OrderBody = z.output<typeof buyersOrderSchema>;
type SiteBody = z.output<typeof siteSchema>;
export type PaymentWayBody = SiteBody['payment_ways'][number];

/** Response body of each endpoint called by pages. */
export interface Bodies {
  'events.list': ListBody & { events: EventBody[] };
  'events.feed': EventFeed;
  'events.feed_event': CalendarBody;
  /** Events in full, unless `brief` is requested. */
  'events.days': EventsOfDays<unknown>;
  'events.neighbours': Neighbours;
  'events.read': EventBody;
  'events.read_ical': string;
  'events.read_ical_by_slug': string;
  'events.read_by_slug': EventBody;
  'venues.list': ListBody & { venues: VenueBody[] };
  'venues.read': VenueBody;
  'venues.read_by_slug': VenueBody;
  'organizers.list': ListBody & { organizers: OrganizerBody[] };
  'organizers.read': OrganizerBody;
  'organizers.read_by_slug': OrganizerBody;
  'categories.list': ListBody & { categories: TermBody[] };
  'tags.list': ListBody & { tags: TermBody[] };
  'events.oembed': object;
  'cart.read': CartBody;
  'buyers_orders.read': OrderBody;
  'held_tickets.read': HeldTicketBody;
  /** Content of the QR code, for viewers who may see it. */
  'qr.read': { content?: string };
  /** Ids of tickets that accept "no". */
  'replies.choices': { declinable: number[] };
  'site.read': SiteBody;
  'tickets.list': ListBody & { tickets: TicketBody[] };
}
