import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createClient } from '../packages/client/src/client.ts';
import type { ClientOptions } from '../packages/client/src/options.ts';
import { useTestServer } from './server.ts';

const KEY = 'a-key-of-the-front-door-0123456789';
const server = useTestServer('sqlite', { qrApiKey: KEY });
const ADMINISTRATOR = { username: 'administrator', password: 'administrator-password' };

/** A client of the test server. */
const clientOf = (options: Partial<ClientOptions> = {}) =>
  createClient({
    url: 'http://calendar.test',
    fetch: (url, init) => server().request(String(url), init),
    ...options,
  });

const DATES = { start_date: '2027-03-06 18:30', end_date: '2027-03-06 21:00' };

/** All items of a list. */
async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe.each([
  ['/calendar', 'Opening'],
  ['/wp-json/calendar', 'Matinee'],
  ['/wp-json/tribe', 'Finale'],
] as const)('the client under %s', (prefix, title) => {
  it('reads and writes, with links of that prefix', async () => {
    const staff = clientOf({ prefix, credentials: ADMINISTRATOR });
    const { id } = await staff.events.create({ ...DATES, title });
    const { events, rest_url } = await clientOf({ prefix }).events.list({ search: title });
    expect(events.map((event) => event.id)).toEqual([id]);
    expect(rest_url).toContain(`http://calendar.test${prefix}/events/v1/events`);
    expect(await staff.call('GET /admin/v1/me')).toMatchObject({ username: 'administrator' });
    const ticket = await staff.tickets.create({ post_id: id, provider: 'rsvp', name: 'Reply' });
    expect((await collect(staff.tickets.all({ include_post: [id] }))).map((one) => one.id)).toEqual([ticket.id]);
  });
});

/** Input for a record of each kind with this name. */
const named = (name: string) => ({
  events: { ...DATES, title: name },
  venues: { venue: name },
  organizers: { organizer: name },
  categories: { name },
  tags: { name },
});
const KINDS = Object.keys(named('')) as (keyof ReturnType<typeof named>)[];

describe('the client', () => {
  it.each(KINDS)('creates, reads, lists, changes and deletes %s', async (kind) => {
    // All five have the same methods; the inputs are those of the kind.
    const records = clientOf({ credentials: ADMINISTRATOR })[kind] as ReturnType<typeof clientOf>['categories'];
    const create = (name: string) => records.create(named(name)[kind] as { name: string });
    const first = await create('First');
    const second = await create('Second');
    const third = await create('Third');
    expect(await records.read(first.id)).toMatchObject({ id: first.id });
    expect(await records.update(first.id, { description: 'Changed' })).toMatchObject({ id: first.id });
    const query = { hide_empty: false, search: 'ir', per_page: 1 };
    expect(await records.list(query)).toMatchObject({ total: 2, total_pages: 2 });
    expect(await collect(records.pages(query))).toHaveLength(2);
    expect(await collect(records.all(query))).toMatchObject([{ id: first.id }, { id: third.id }]);
    expect(await records.delete(second.id)).toMatchObject({ id: second.id });
  });

  it('sends records back as they were read, and changed', async () => {
    const staff = clientOf({ credentials: ADMINISTRATOR });
    const event = await staff.events.create({
      ...{ ...DATES, title: 'Copied', cost: '5 - 10', categories: ['Copied'] },
      ...{ venue: { venue: 'Copied Hall' }, organizer: { organizer: 'Copied Band' } },
    });
    expect(await staff.events.update(event.id, event)).toEqual(event);
    expect(await staff.events.update(event.id, { ...event, title: 'Moved' })).toMatchObject({ title: 'Moved' });
    for (const venue of [event.venue].flat()) {
      expect(await staff.venues.update(venue.id, { ...venue, city: 'Dieppe' })).toMatchObject({ city: 'Dieppe' });
    }
    for (const organizer of event.organizer) {
      expect(await staff.organizers.update(organizer.id, { ...organizer, phone: '1' })).toMatchObject({ phone: '1' });
    }
    for (const { id } of event.categories) {
      const category = await staff.categories.read(id);
      expect(await staff.categories.update(id, { ...category, description: 'x' })).toMatchObject({ description: 'x' });
    }
    const outdated = staff.events.update(event.id, event);
    await expect(outdated).rejects.toMatchObject({ status: 412, code: 'edit-conflict' });
  });

  it('finds records by slug', async () => {
    const staff = clientOf({ credentials: ADMINISTRATOR });
    await staff.events.create({
      ...DATES,
      title: 'By Name',
      venue: { venue: 'Hall' },
      organizer: { organizer: 'Band' },
    });
    expect(await staff.events.readBySlug('by-name')).toMatchObject({ title: 'By Name' });
    expect(await staff.venues.readBySlug('hall')).toMatchObject({ venue: 'Hall' });
    expect(await staff.organizers.readBySlug('band')).toMatchObject({ organizer: 'Band' });
  });

  it('sells tickets, checks people in, and takes tickets off sale', async () => {
    const staff = clientOf({ credentials: ADMINISTRATOR });
    const { id: post_id } = await staff.events.create({ ...DATES, title: 'Sale' });
    const stock = { mode: 'own', capacity: 5 } as const;
    const ticket = await staff.tickets.create({ post_id, provider: 'tc', name: 'Adults', price: '20', ticket: stock });
    expect(await staff.tickets.read(ticket.id)).toMatchObject({ title: 'Adults' });

    const cart = clientOf().cart();
    await cart.save({ tickets: [{ ticket_id: ticket.id, quantity: 2 }] });
    expect((await cart.read()).tickets).toMatchObject([{ ticket_id: ticket.id, quantity: 2 }]);
    const { order } = await cart.checkout({ purchaser: { name: 'Ada Lovelace', email: 'ada@post.test' } });
    expect(await staff.orders.update(order.id, { status: 'completed' })).toMatchObject({ status: 'completed' });
    expect(await staff.orders.read(order.id)).toMatchObject({ id: order.id });
    expect(await collect(staff.orders.all())).toMatchObject([{ id: order.id }]);

    const guest = await staff.attendees.create({
      ticket_id: ticket.id,
      full_name: 'Mary Somerville',
      email: 'm@post.test',
    });
    await staff.attendees.update(guest.id, { full_name: 'Mary S.' });
    expect(await staff.attendees.read(guest.id)).toMatchObject({ title: 'Mary S.' });
    expect(await collect(staff.attendees.all({ post_id, per_page: 2 }))).toHaveLength(3);

    const door = clientOf({ checkInKey: KEY });
    const picture = await door.qr.picture(guest.id);
    expect(picture.type).toBe('image/png');
    expect(await sharp(await picture.arrayBuffer()).metadata()).toMatchObject({ format: 'png' });
    const { content = '' } = await door.qr.read(guest.id);
    const security_code = new URL(content).searchParams.get('security_code') ?? '';
    await door.qr.checkIn({ ticket_id: guest.id, security_code });
    expect(await door.attendees.read(guest.id)).toMatchObject({ checked_in: true });

    await staff.tickets.delete(ticket.id, { post_id });
    await expect(staff.tickets.read(ticket.id)).rejects.toMatchObject({ code: 'ticket-not-found' });
  });

  it('uploads images', async () => {
    const staff = clientOf({ credentials: ADMINISTRATOR });
    const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { id } = await staff.media.upload({ file: new File([new Uint8Array(image)], 'poster.png') });
    expect(await staff.media.read(id)).toMatchObject({ id });
    expect(await collect(staff.media.all())).toMatchObject([{ id }]);
    expect(await staff.media.delete(id)).toMatchObject({ id });
  });

  it('reads and writes in its language', async () => {
    const french = clientOf({ credentials: ADMINISTRATOR, language: 'fr' });
    const { id } = await french.events.create({ ...DATES, title: 'Lantern Night' }, { language: 'en' });
    await french.events.update(id, { title: 'La nuit des lanternes' });
    expect((await french.events.read(id)).title).toBe('La nuit des lanternes');
    expect((await clientOf().events.read(id)).title).toBe('Lantern Night');
    await expect(french.events.read(4711)).rejects.toThrow('événement');
  });
});
