import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';

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
      organizer: expect.objectContaining({ '@type': 'Person', name: 'Lantern Society', telephone: '+1 617' }),
      offers: {
        '@type': 'Offer',
        price: '15 – 25',
        url: 'http://localhost/event/lantern-night/',
        category: 'primary',
        availability: 'https://schema.org/InStock',
        validFrom: '2026-11-21T17:00:00+00:00',
      },
      performer: 'Organization',
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
    ['20€', '20'],
    ['0$', '0'],
    ['Free', 'free'],
    [['5', '10', '7'], '5 – 10'],
  ])('renders the cost %j as %s', async (cost, price) => {
    const made = await server().make('POST /events', { ...BASE, cost });
    expect((await server().ask(`GET /events/${made.id}`)).body.json_ld.offers.price).toBe(price);
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
