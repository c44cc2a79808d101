import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi-typescript.d.ts';

/** A program with the types of openapi-typescript and the client of openapi-fetch. */

const client = createClient<paths>({
  baseUrl: 'http://127.0.0.1:8080',
  headers: { authorization: `Basic ${btoa('admin:correct-horse')}` },
});

type Schemas = components['schemas'];

function found<T>({ data, error }: { data?: T; error?: Schemas['Error'] }): T {
  if (data === undefined) throw new Error(error ? `${error.code}: ${error.message}` : 'nothing was answered');
  return data;
}

/** Titles and towns of what is coming up. */
async function upcoming(category: string): Promise<string[]> {
  const query = { ends_after: 'now', categories: [category], featured: true, per_page: 20 };
  const list = found(await client.GET('/calendar/events/v1/events', { params: { query } }));
  return list.events.map(({ title, venue, start_date_details }) => {
    const place = Array.isArray(venue) ? venue[0] : venue;
    return `${start_date_details.year} ${title}, ${place?.city ?? 'somewhere'}`;
  });
}

async function createEvent(): Promise<Schemas['Event']> {
  const body: Schemas['EventInput'] = {
    title: 'Lantern Night',
    start_date: '2027-03-06 18:30',
    end_date: '2027-03-06 21:00',
    venue: { venue: 'Mascaret Park', city: 'Moncton', geo_lat: 46.1, geo_lng: -64.8 },
    organizer: [{ organizer: 'City of Tides', email: 'tides@example.org' }],
    categories: ['Outdoors', 'Walks'],
    featured: true,
  };
  const header = { 'Idempotency-Key': crypto.randomUUID() };
  return found(await client.POST('/calendar/events/v1/events', { params: { header }, body }));
}

/** Records are read, changed and sent back whole, with the records inside them. */
async function sendBack(event: Schemas['Event'], header: { 'If-Match'?: string } = {}): Promise<Schemas['Event']> {
  const params = { header, path: { id: event.id } };
  const [organizer] = event.organizer;
  if (organizer) {
    const { id } = organizer;
    const body = { ...organizer, phone: '555 0101' };
    await client.PUT('/calendar/events/v1/organizers/{id}', { params: { path: { id } }, body });
  }
  for (const venue of [event.venue].flat()) {
    const { id, revision } = venue;
    const inside: Schemas['EventChange'] = { venue: { id, revision, phone: '555 0102' } };
    await client.PATCH('/calendar/events/v1/events/{id}', { params, body: inside });
    const body: Schemas['VenueChange'] = { ...venue, city: 'Dieppe' };
    await client.PATCH('/calendar/events/v1/venues/{id}', { params: { path: { id: venue.id } }, body });
  }
  for (const { id } of event.categories) {
    const category = found(await client.GET('/calendar/events/v1/categories/{id}', { params: { path: { id } } }));
    const body = { ...category, description: 'Out of doors' };
    await client.POST('/calendar/events/v1/categories/{id}', { params: { path: { id } }, body });
  }
  const copy = { ...event, title: 'Copy' };
  await client.POST('/calendar/events/v1/events', { body: copy });
  return found(await client.PATCH('/calendar/events/v1/events/{id}', { params, body: { ...event, title: 'Walk' } }));
}

async function addTicket(event: number): Promise<Schemas['Ticket']> {
  const wanted = { action: 'add_ticket_nonce', post_id: event } as const;
  const { nonce } = found(await client.POST('/calendar/tickets/v1/nonces', { body: wanted }));
  const ticket: Schemas['TicketStock'] = { mode: 'own', capacity: 80, sale_price: { checked: true, price: 9 } };
  const body = { post_id: event, add_ticket_nonce: nonce, provider: 'tc', name: 'Seat', price: '12.50', ticket };
  return found(await client.POST('/calendar/tickets/v1/tickets', { body }));
}

async function buy(ticket_id: number): Promise<Schemas['Checkout']> {
  const body = { provider: 'tickets-commerce', tickets: [{ ticket_id, quantity: 2 }] };
  const put = await client.PUT('/calendar/tickets/v1/cart', { body });
  const token = put.response.headers.get('X-Cart-Token') ?? undefined;
  const header = { 'X-Cart-Token': token, 'Idempotency-Key': crypto.randomUUID() };
  const purchaser = { name: 'Ada Lovelace', email: 'ada@example.org' };
  return found(
    await client.POST('/calendar/tickets/v1/cart/checkout', {
      params: { header },
      body: { purchaser, payment: 'manual' },
    }),
  );
}

async function checkIn({ attendees }: Schemas['Checkout'], api_key: string): Promise<string> {
  const [first] = attendees;
  // An order that is not paid yet may have tickets without codes.
  if (!first?.security_code) return 'nobody';
  const body = { api_key, ticket_id: first.id, security_code: first.security_code };
  const { data, error } = await client.POST('/calendar/tickets/v1/qr', { body });
  if (data) return `${data.attendee.title ?? data.attendee.id} is in`;
  return 'msg' in error ? error.msg : error.message;
}

const event = await sendBack(await createEvent());
const ticket = await addTicket(event.id);
const listed = found(await client.GET('/calendar/tickets/v1/tickets/{id}', { params: { path: { id: ticket.id } } }));
console.log(await upcoming('outdoors'), listed.title, listed.capacity_details.available);
console.log(await checkIn(await buy(ticket.id), 'door-key-of-the-site'));
