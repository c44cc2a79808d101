import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { makeTicket } from '../../../test/tickets.ts';

const BASE = { title: 'Lantern & Night', start_date: '2027-03-06 18:30:00', end_date: '2027-03-14 21:00:00' };

describe.each(DATABASES)('JSON-LD of events on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });

  it('includes all known data', async () => {
    const { make, ask } = server();
    const made = await make('POST /events', {
      ...BASE,
      description: '<p>Long words</p>',
      excerpt: '<p>Bring a <b>lantern</b> &amp; a friend</p>',
      cost: '$15 - $25',
      venue: {
        venue: 'Harbour Hall',
        address: '12 Quay St',
        city: 'Boston',
        country: 'United States',
        state: 'MA',
        zip: '02110',
        geo_lat: 42.36,
        geo_lng: -71.05,
      },
      organizer: [{ organizer: 'Lantern Society', phone: '+1 617' }, { organizer: 'City Council' }],
    });
    const { body } = await ask(`GET /events/${made.id}`);
    expect(body.json_ld).toEqual({
      '@context': 'http://schema.org',
      inLanguage: 'en',
      '@type': 'Event',
      name: 'Lantern & Night',
      description: 'Bring a lantern & a friend',
      url: 'http://localhost/event/lantern-night/',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      eventStatus: 'https://schema.org/EventScheduled',
      startDate: '2027-03-06T18:30:00-05:00',
      endDate: '2027-03-14T21:00:00-04:00',
      location: expect.objectContaining({
        '@type': 'Place',
        name: 'Harbour Hall',
        address: {
          '@type': 'PostalAddress',
          streetAddress: '12 Quay St',
          addressLocality: 'Boston',
          addressRegion: 'MA',
          postalCode: '02110',
          addressCountry: 'United States',
        },
        geo: { '@type': 'GeoCoordinates', latitude: 42.36, longitude: -71.05 },
      }),
      organizer: expect.objectContaining({ '@type': 'Organization', name: 'Lantern Society', telephone: '+1 617' }),
      offers: {
        '@type': 'Offer',
        price: '15',
        priceCurrency: 'USD',
        url: 'http://localhost/event/lantern-night/',
        category: 'primary',
        availability: 'https://schema.org/InStock',
        validFrom: '2026-11-21T17:00:00+00:00',
      },
    });
    expect(body.json_ld.location).not.toHaveProperty('@context');
    expect(body.json_ld.organizer).not.toHaveProperty('@context');
  });

  it('leaves out unknown data', async () => {
    const { make, ask } = server();
    const made = await make('POST /events', { ...BASE, description: 'Only <i>this</i>' });
    const { json_ld } = (await ask(`GET /events/${made.id}`)).body;
    expect(json_ld.description).toBe('Only this');
    for (const name of ['image', 'location', 'organizer', 'offers']) expect(json_ld).not.toHaveProperty(name);
  });

  it.each([
    ['20€', '20', 'EUR'],
    ['0$', '0', 'USD'],
    ['Free', '0', 'USD'],
    [['5', '10', '7'], '5', 'USD'],
    ['£8.50 - £12', '8.5', 'GBP'],
    ['70 zł', undefined, undefined],
  ])('offers the cost %j for %s %s', async (cost, price, priceCurrency) => {
    const made = await server().make('POST /events', { ...BASE, cost });
    const { offers } = (await server().ask(`GET /events/${made.id}`)).body.json_ld;
    expect([offers.price, offers.priceCurrency]).toEqual([price, priceCurrency]);
  });

  it('gives the days of an all-day event without times', async () => {
    const made = await server().make('POST /events', { ...BASE, all_day: true });
    const { json_ld } = (await server().ask(`GET /events/${made.id}`)).body;
    expect([json_ld.startDate, json_ld.endDate]).toEqual(['2027-03-06', '2027-03-14']);
  });

  it('says which tickets are on sale, which later, and which no longer', async () => {
    const { id } = await server().make('POST /events', BASE);
    const day = (start_date: string, end_date: string) => ({ start_date, end_date });
    const own = { ticket: { mode: 'own', capacity: 5 } };
    const add = (name: string, fields: object) => makeTicket(server(), id, { name, price: '5', ...fields });
    await add('A', own);
    await add('B', { ...own, ...day('2027-01-01', '2027-02-01') });
    await add('C', { ...own, ...day('2026-01-01', '2026-02-01') });
    await add('D', { ticket: { mode: 'own', capacity: 0 } });
    const offered = async () => {
      const { offers } = (await server().ask(`GET /events/${id}`)).body.json_ld;
      return offers.map(({ availability }: { availability: string }) => availability.split('/').pop());
    };
    expect(await offered()).toEqual(['InStock', 'PreOrder', 'SoldOut', 'SoldOut']);
    await server().make(`PATCH /events/${id}`, { event_status: 'cancelled' });
    expect(await offered()).toEqual(['SoldOut', 'SoldOut', 'SoldOut', 'SoldOut']);
  });

  it('is in single reads of published events only, and nowhere inside them', async () => {
    const { make, ask } = server();
    const links = { venue: { venue: 'V' }, organizer: { organizer: 'O' } };
    const made = await make('POST /events', { ...BASE, ...links });
    const changed = await make(`PATCH /events/${made.id}`, {});
    const [listed] = (await ask('GET /events', { query: { include: made.id } })).body.events;
    const read = (await ask(`GET /events/${made.id}`)).body;
    for (const body of [made, changed, listed, listed.venue, listed.organizer[0], read.venue, read.organizer[0]])
      expect(body).not.toHaveProperty('json_ld');
    expect(await make(`DELETE /events/${made.id}`, undefined)).not.toHaveProperty('json_ld');
    for (const status of ['draft', 'pending', 'private', 'future']) {
      const { id } = await make('POST /events', { ...BASE, status, date: '2027-01-01' });
      const { body } = await ask(`GET /events/${id}`, { as: 'editor' });
      expect([body.status, 'json_ld' in body]).toEqual([status, false]);
    }
  });
});
