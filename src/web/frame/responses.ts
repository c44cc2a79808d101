import type { z } from 'zod';
import type { eventEndpoints } from '../../calendar/events/endpoints/events.ts';
import type { oembedEndpoint } from '../../calendar/events/endpoints/oembed.ts';
import type { seriesDatesEndpoint, seriesWordsEndpoint } from '../../calendar/events/endpoints/series-dates.ts';
import type { eventDaysEndpoints } from '../../calendar/events/lists/days.ts';
import type { eventFeedEndpoint, feedEventEndpoint } from '../../calendar/events/lists/feed-endpoints.ts';
import type { eventNeighboursEndpoint } from '../../calendar/events/lists/neighbours.ts';
import type { LinkedRecord } from '../../calendar/linked-kinds/registry.ts';
import type { termSchema } from '../../calendar/terms/view.ts';
import type { AnyEndpoint, ResponseOf } from '../../http/core/endpoint.ts';
import type { ListOf } from '../../http/output/pagination.ts';
import type { LINKED_KINDS, LinkedKind } from '../../lib/linked-kinds.ts';
import type { siteEndpoints } from '../../platform/site/site.ts';
import type { cartEndpoints } from '../../ticketing/cart/cart.ts';
import type { customerInvoiceEndpoint } from '../../ticketing/invoices/customer-invoices.ts';
import type { myTicketsEndpoints } from '../../ticketing/mails/my-tickets.ts';
import type { customerOrderEndpoints } from '../../ticketing/orders/customer/customer-orders.ts';
import type { heldTicketEndpoints } from '../../ticketing/orders/customer/held-tickets.ts';
import type { customerPaymentEndpoints } from '../../ticketing/payments/customer-payments.ts';
import type { qrEndpoints } from '../../ticketing/qr/qr.ts';
import type { unsubscribeEndpoint } from '../../ticketing/reminders/optouts.ts';
import type { rsvpChoicesEndpoint, rsvpEndpoints } from '../../ticketing/rsvp/rsvp-endpoints.ts';
import type { ticketListEndpoint } from '../../ticketing/tickets/list.ts';
import type { TicketView } from '../../ticketing/tickets/schema.ts';

/** Endpoints of a list, or of a function that builds one or several. */
type Of<T> = T extends (...given: never[]) => infer Made ? Of<Made> : T extends readonly (infer One)[] ? One : T;

type PageEndpoint = Extract<
  Of<
    | typeof eventEndpoints
    | typeof eventDaysEndpoints
    | typeof eventFeedEndpoint
    | typeof feedEventEndpoint
    | typeof eventNeighboursEndpoint
    | typeof seriesDatesEndpoint
    | typeof seriesWordsEndpoint
    | typeof oembedEndpoint
    | typeof ticketListEndpoint
    | typeof cartEndpoints
    | typeof customerOrderEndpoints
    | typeof customerPaymentEndpoints
    | typeof customerInvoiceEndpoint
    | typeof myTicketsEndpoints
    | typeof heldTicketEndpoints
    | typeof qrEndpoints
    | typeof rsvpEndpoints
    | typeof rsvpChoicesEndpoint
    | typeof unsubscribeEndpoint
    | typeof siteEndpoints
  >,
  AnyEndpoint
>;

/** Successful responses of the endpoints that pages call, by name. */
export type Responses = { [E in PageEndpoint as E['name']]: ResponseOf<E> } & {
  [K in LinkedKind as `${Plural<K>}.list`]: ListOf<Plural<K>, LinkedRecord<K>>;
} & {
  [K in LinkedKind as `${Plural<K>}.read` | `${Plural<K>}.read_by_slug`]: LinkedRecord<K>;
} & {
  [K in 'categories' | 'tags' as `${K}.list`]: ListOf<K, Term>;
} & Record<'events.read_ical' | 'events.read_ical_by_slug', string> &
  Record<'held_tickets.google_wallet', { url: string }>;

type Plural<K extends LinkedKind> = (typeof LINKED_KINDS)[K]['plural'];

export type Event = Responses['events.read'];
export type Venue = LinkedRecord<'venue'>;
export type Organizer = LinkedRecord<'organizer'>;
export type Term = z.output<typeof termSchema>;
export type Ticket = TicketView;
export type ShownTicket = Responses['tickets.list']['tickets'][number];
export type Cart = Responses['cart.read'];
export type CustomerOrder = Responses['buyers_orders.read'];
export type HeldTicket = Responses['held_tickets.read'];
export type Neighbours = Responses['events.neighbours'];
export type PaymentWay = Responses['site.read']['payment_ways'][number];
