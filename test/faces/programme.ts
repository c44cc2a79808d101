import { png, upload } from '../fixtures.ts';
import type { TestServer } from '../server.ts';
import { makeTicket } from '../tickets.ts';

/** Slugs of the events of `addProgramme`, by what is special about them; one needs encoding in addresses. */
export const SLUGS = {
  plain: 'jazz-on-the-quay',
  running: 'lanterns-of-the-world',
  wholeDay: 'market-day',
  cancelled: 'brass-at-dusk',
  postponed: 'open-air-cinema',
  online: 'talk-on-tides',
  soldOut: 'small-hall-session',
  replies: 'harbour-breakfast',
  past: 'old-rehearsal',
  protected: '会員の夕べ',
  draft: 'idea-for-spring',
  trashed: 'lost-and-found',
} as const;

export const PASSWORD = 'open sesame';

const SEATS = { name: 'Seat', price: '9', ticket: { mode: 'own', capacity: 80 } };

/**
 * Fills a calendar with an event in each of its states, a record of each kind, all with everything that pages show, and
 * the texts of the site.
 */
export async function addProgramme(server: TestServer): Promise<void> {
  const { make, ask } = server;
  const form = upload(await png(800, 600));
  const { id: image } = (await ask('POST admin:/media', { as: 'administrator', form })).body;
  await make('PATCH admin:/site', {
    ...{ about: '<h2>Who we are</h2><p>A hall.</p>', terms: '<p>No refunds.</p>', privacy: '<p>Nothing is kept.</p>' },
    contact: { email: 'hall@example.org', phone: '+1 555 0100', address: 'Quay 1\nBoston' },
    legal_links: [{ label: 'Imprint', url: 'https://example.org/imprint' }],
  });
  const music = await make('POST /categories', { name: 'Music', description: 'All that sounds' });
  const jazz = await make('POST /categories', { name: 'Jazz', parent: music.id });
  const walks = await make('POST /categories', { name: 'Walks' });
  const place = { address: '1 Quay', city: 'Boston', country: 'United States', geo_lat: 42.36, geo_lng: -71.05 };
  const venue = await make('POST /venues', {
    ...{ venue: 'Harbour Hall', ...place, phone: '+1 555 0101', website: 'https://hall.example', image },
    description: '<p>By the water.</p>',
  });
  const studio = await make('POST /venues', { venue: 'Studio', city: 'Cambridge' });
  const organizer = await make('POST /organizers', {
    ...{ organizer: 'Music Society', email: 'music@example.org', phone: '+1 555 0102', website: 'https://m.example' },
    ...{ image, description: '<p>Since 1950.</p>' },
  });
  const add = (slug: string, title: string, day: string, more: object = {}) =>
    make('POST /events', {
      ...{ slug, title, start_date: `${day} 18:30:00`, end_date: `${day} 21:00:00`, venue: venue.id },
      ...{ organizer: [organizer.id], categories: [jazz.id], tags: ['Evening'], ...more },
    });
  const plain = await add(SLUGS.plain, 'Jazz on the quay', '2026-12-12', {
    ...{ image, featured: true, cost: '$15 - $25', website: 'https://jazz.example' },
    description: '<h2>Programme</h2><p>Two <a href="https://quartet.example">quartets</a>.</p><ul><li>First</li></ul>',
  });
  await make(`PATCH /events/${plain.id}?i18n_language=fr`, { title: 'Jazz sur le quai' });
  await makeTicket(server, plain.id, { name: 'Adults', price: '15', ticket: { mode: 'own', capacity: 24 } });
  await add(SLUGS.running, 'Lanterns of the world', '2026-11-10', {
    ...{ end_date: '2026-12-10 18:00:00', categories: [walks.id], venue: studio.id, cost: '0' },
  });
  await add(SLUGS.wholeDay, 'Market day', '2026-11-21', { all_day: true, categories: [walks.id] });
  const cancelled = await add(SLUGS.cancelled, 'Brass at dusk', '2026-12-05', {
    ...{ event_status: 'cancelled', event_status_reason: 'The trumpet is ill.' },
  });
  await makeTicket(server, cancelled.id, SEATS);
  const postponed = await add(SLUGS.postponed, 'Open-air cinema', '2026-12-06', { event_status: 'postponed' });
  await makeTicket(server, postponed.id, SEATS);
  const talk = await add(SLUGS.online, 'Talk on tides', '2026-11-23', {
    event_status: 'moved_online',
    venue: studio.id,
  });
  await makeTicket(server, talk.id, SEATS);
  const soldOut = await add(SLUGS.soldOut, 'Small hall session', '2026-12-08');
  await makeTicket(server, soldOut.id, { name: 'Seat', price: '9', ticket: { mode: 'own', capacity: 0 } });
  const breakfast = await add(SLUGS.replies, 'Harbour breakfast', '2026-12-13');
  await makeTicket(server, breakfast.id, { ...SEATS, provider: 'rsvp', price: '' });
  const past = await add(SLUGS.past, 'Old rehearsal', '2026-11-07');
  await makeTicket(server, past.id, SEATS);
  await add(SLUGS.protected, 'Members’ evening', '2026-12-15', {
    post_password: PASSWORD,
    description: 'The code is 7.',
  });
  await add(SLUGS.draft, 'Idea for spring', '2026-12-16', { status: 'draft' });
  const { id } = await add(SLUGS.trashed, 'Lost and found', '2026-12-17');
  await make(`DELETE /events/${id}`, undefined);
}
