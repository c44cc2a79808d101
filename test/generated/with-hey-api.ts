import { client } from './generated/hey-api/client.gen.ts';
import {
  cartCheckout,
  cartSavePut,
  eventsCreate,
  eventsList,
  eventsUpdate,
  noncesCreate,
  organizersUpdate,
  qrScan,
  tagsRead,
  tagsUpdate,
  ticketsCreate,
  ticketsRead,
  venuesUpdate,
} from './generated/hey-api/sdk.gen.ts';
import type { Checkout, Event, EventInput, Ticket, TicketStock } from './generated/hey-api/types.gen.ts';

/** A program with what hey-api generates. */

client.setConfig({
  baseUrl: 'http://127.0.0.1:8080',
  auth: ({ scheme }) => (scheme === 'basic' ? 'admin:correct-horse' : undefined),
});

/** Titles and towns of what is coming up. */
async function upcoming(category: string): Promise<string[]> {
  const query = { ends_after: 'now', categories: [category], featured: true, per_page: 20 };
  const { data } = await eventsList({ query, throwOnError: true });
  return data.events.map(({ title, venue, start_date_details }) => {
    const place = Array.isArray(venue) ? venue[0] : venue;
    return `${start_date_details.year} ${title}, ${place?.city ?? 'somewhere'}`;
  });
}

async function createEvent(): Promise<Event> {
  const body: EventInput = {
    title: 'Lantern Night',
    start_date: '2027-03-06 18:30',
    end_date: '2027-03-06 21:00',
    venue: { venue: 'Mascaret Park', city: 'Moncton', geo_lat: 46.1, geo_lng: -64.8 },
    organizer: [{ organizer: 'City of Tides', email: 'tides@example.org' }],
    categories: ['Outdoors', 'Walks'],
    featured: true,
  };
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const { data } = await eventsCreate({ body, headers, throwOnError: true });
  return data;
}

/** Records are read, changed and sent back whole, with the records inside them. */
async function sendBack(event: Event): Promise<Event> {
  for (const organizer of event.organizer) {
    await organizersUpdate({ path: { id: organizer.id }, body: { ...organizer, phone: '555 0101' } });
  }
  for (const venue of [event.venue].flat()) {
    await venuesUpdate({ path: { id: venue.id }, body: { ...venue, city: 'Dieppe' } });
  }
  for (const { id } of event.tags) {
    const { data: tag } = await tagsRead({ path: { id }, throwOnError: true });
    await tagsUpdate({ path: { id }, body: { ...tag, description: 'Out of doors' } });
  }
  await eventsCreate({ body: { ...event, title: 'Copy' } });
  const { data } = await eventsUpdate({
    path: { id: event.id },
    body: { ...event, title: 'Walk' },
    throwOnError: true,
  });
  return data;
}

async function addTicket(event: number): Promise<Ticket> {
  const wanted = { action: 'add_ticket_nonce', post_id: event } as const;
  const { data: token } = await noncesCreate({ body: wanted, throwOnError: true });
  const ticket: TicketStock = { mode: 'own', capacity: 80, sale_price: { checked: true, price: 9 } };
  const body = { post_id: event, add_ticket_nonce: token.nonce, provider: 'tc', name: 'Seat', price: '12.50', ticket };
  const { data } = await ticketsCreate({ body, throwOnError: true });
  return data;
}

async function buy(ticket_id: number): Promise<Checkout> {
  const tickets = [{ ticket_id, quantity: 2 }];
  const { response } = await cartSavePut({ body: { provider: 'tickets-commerce', tickets }, throwOnError: true });
  const token = response.headers.get('X-Cart-Token') ?? undefined;
  const headers = { 'X-Cart-Token': token, 'Idempotency-Key': crypto.randomUUID() };
  const purchaser = { name: 'Ada Lovelace', email: 'ada@example.org' };
  const { data } = await cartCheckout({ body: { purchaser, payment: 'manual' }, headers, throwOnError: true });
  return data;
}

/** The account may check in, so no key is needed. */
async function checkIn({ attendees }: Checkout): Promise<string> {
  const [first] = attendees;
  // An order that is not paid yet may have tickets without codes.
  if (!first?.security_code) return 'nobody';
  const { data, error } = await qrScan({ body: { ticket_id: first.id, security_code: first.security_code } });
  if (data) return `${data.attendee.title ?? data.attendee.id} is in`;
  return error && 'msg' in error ? error.msg : (error?.message ?? 'nothing was answered');
}

const event = await sendBack(await createEvent());
const ticket = await addTicket(event.id);
const { data: listed } = await ticketsRead({ path: { id: ticket.id }, throwOnError: true });
console.log(await upcoming('outdoors'), listed.title, listed.capacity_details.available);
console.log(await checkIn(await buy(ticket.id)));
