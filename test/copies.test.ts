import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Role } from '../src/http/core/auth.ts';
import { png, upload } from './fixtures.ts';
import { type Answer, type Asking, DATABASES, type TestServer, useTestServer } from './server.ts';
import './properties.ts';
import { casesOn, effort, usualOf } from './thoroughness.ts';
import { deleteTicket, makeTicket } from './tickets.ts';

/** Programs read a record, change a member and send all of it back. */

type Body = Answer['body'];

let serial = 0;
const fresh = (word: string) => `${word} ${++serial}`;
const EVENING = { start_date: '2027-03-06 18:30:00', end_date: '2027-03-06 21:00:00' };

async function makeImage({ ask }: TestServer): Promise<number> {
  const { body } = await ask('POST admin:/media', { as: 'administrator', form: upload(await png(40, 30)) });
  return body.id;
}

const images = new WeakMap<TestServer, Promise<number>>();

/** An image that all records of a server share. */
function imageOf(server: TestServer): Promise<number> {
  const image = images.get(server) ?? makeImage(server);
  images.set(server, image);
  return image;
}

/** The number of changes that the audit log has. */
const logged = async ({ ask }: TestServer): Promise<number> =>
  (await ask('GET admin:/audit', { as: 'administrator', query: { per_page: 1 } })).body.total;

/** An event of the author with everything that an event shows, at records of the administrator. */
async function makeFullEvent(server: TestServer, fields: object = {}): Promise<Body> {
  const { make } = server;
  const image = await imageOf(server);
  const venue = await make('POST /venues', {
    ...{ venue: fresh('Hall'), description: 'Red <b>brick</b>\n\nwith a tower', image, address: '4 Mill Lane' },
    ...{ city: 'Salem', country: 'United States', state: 'MA', zip: '01970', phone: '555 0101' },
    ...{ website: 'https://hall.example', geo_lat: 42.5, geo_lng: -70.9, show_map: false },
  });
  const organizer = await make('POST /organizers', { organizer: fresh('Club'), email: 'club@example.test', image });
  const parent = await make('POST /categories', { name: fresh('Outdoors') });
  const category = await make('POST /categories', { name: fresh('Walks'), parent: parent.id, color: '#00aa33' });
  const tag = await make('POST /tags', { name: fresh('family') });
  const event = await make(
    'POST /events',
    {
      ...EVENING,
      ...{ title: fresh('Lantern & <i>Walk</i>'), description: 'Bring a lantern.\n\nAnd <em>boots</em>', image },
      ...{ excerpt: 'By night\nby foot', timezone: 'Europe/Paris', cost: '$5 - 10', website: 'https://walk.example' },
      ...{ venue: venue.id, organizer: [organizer.id], categories: [category.id, parent.id], tags: [tag.id] },
      ...{ featured: true, sticky: true, show_map: true, event_status: 'rescheduled', event_status_reason: 'Storm' },
      ...{
        attendance_mode: 'mixed',
        online_url: 'https://stream.example/1',
        door_time: '18:00',
        accessibility: 'Lift',
      },
      ...fields,
    },
    'author',
  );
  return event;
}

/** A record as lists show it, without the fields that only single reads have. */
async function readBack({ ask }: TestServer, path: string, asking: Asking): Promise<Body> {
  const { status, body } = await ask(`GET ${path}`, asking);
  if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
  return body;
}

describe.each(DATABASES)('a record that was read and is sent back on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, { languages: ['en', 'fr', 'de'] });

  /** Sends a copy back and expects that nothing has happened. */
  async function expectUnchanged(path: string, asking: Asking, { method = 'PATCH', to = path } = {}): Promise<void> {
    const { ask } = server();
    const copy = await readBack(server(), path, asking);
    const before = await logged(server());
    const sent = await ask(`${method} ${to}`, { ...asking, body: copy });
    expect([sent.status, sent.text.slice(0, 500)]).toEqual([200, expect.any(String)]);
    expect(await readBack(server(), path, asking)).toEqual(copy);
    expect(await logged(server())).toBe(before);
  }

  const EVENTS: [name: string, fields: () => object | Promise<object>][] = [
    ['with everything', () => ({})],
    ['with nothing', () => ({ image: '', venue: [], organizer: [], categories: [], tags: [], cost: '', website: '' })],
    ['with several venues', async () => ({ venue: await venues(2), organizer: [] })],
    ['all day', () => ({ all_day: true })],
    ['with a password', () => ({ post_password: 'swordfish' })],
    ['that is a draft without a date of publication', () => ({ status: 'draft' })],
    ['that is scheduled', () => ({ date: '2027-01-01 08:00:00' })],
    ['that is private', () => ({ status: 'private' })],
    ['in the repeated hour', () => ({ start_date: '2027-10-31T02:30:00+01:00', end_date: '2027-10-31 03:30' })],
    ['that is free', () => ({ cost: 'Free' })],
    ['with a cost in another currency', () => ({ cost: ['€ 1.000,50', '20 €'] })],
    ['with HTML', () => ({ description: '<ul><li>a &lt; b</ul><p>x<br>y &amp; z' })],
    ['with line breaks in an inline element', () => ({ description: 'a <b>b\n\nc</b>\n\nd' })],
    ['with an address for everyone', () => ({ online_access: 'everyone' })],
    ['with a previous start', () => ({ previous_start_date: '2027-03-01 18:30:00' })],
  ];
  const venues = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => (await server().make('POST /venues', { venue: fresh('Room') })).id),
    );

  describe.each(casesOn<Role>(kind, ['administrator', 'editor', 'author']))('by the %s', (as) => {
    it.each(EVENTS)('an event %s stays as it is', async (_name, fields) => {
      const { id } = await makeFullEvent(server(), await fields());
      await expectUnchanged(`/events/${id}`, { as });
    });
  });

  it.each(['POST', 'PUT', 'PATCH'])('an event stays as it is by %s, by its id and by its slug', async (method) => {
    const { id, slug } = await makeFullEvent(server());
    await expectUnchanged(`/events/${id}`, { as: 'author' }, { method });
    await expectUnchanged(`/events/${id}`, { as: 'author' }, { method, to: `/events/by-slug/${slug}` });
    await expectUnchanged(`/events/by-slug/${slug}`, { as: 'author' }, { method });
  });

  it.each(['/wp-json/calendar', '/wp-json/tribe'])('an event stays as it is under %s', async (prefix) => {
    const { id, revision } = await makeFullEvent(server());
    await expectUnchanged(`/events/${id}`, { as: 'author', prefix });
    expect(await readBack(server(), `/events/${id}`, { as: 'author' })).toMatchObject({ revision });
  });

  usually('an event stays as it is when a client has moved its id to the path', async () => {
    const { id: moved, ...rest } = await makeFullEvent(server());
    expect(await server().make(`PATCH /events/${moved}`, rest)).toMatchObject(rest);
  });

  it('an event of a list stays as it is, also its own cost below that of its tickets', async () => {
    const { id } = await makeFullEvent(server(), { cost: 'By donation' });
    const ticket = await makeTicket(server(), id);
    const { body } = await server().ask('GET /events', { as: 'editor', query: { include: id } });
    const [copy] = body.events;
    const answer = await server().ask(`PATCH /events/${id}`, { as: 'editor', body: copy });
    expect([copy.cost, answer.body]).toEqual(['$10.00', copy]);
    await deleteTicket(server(), ticket.id, id);
    expect((await readBack(server(), `/events/${id}`, { as: 'author' })).cost).toBe('By donation');
  });

  it('an event whose password hides most of it keeps the hidden values', async () => {
    const { ask } = server();
    const event = await makeFullEvent(server(), { post_password: 'swordfish' });
    const { body } = await ask('GET /events', { query: { include: event.id } });
    const [masked] = body.events;
    expect(masked).toMatchObject({ description: '', venue: [], image: false });
    const answer = await ask(`PATCH /events/${event.id}`, { as: 'author', body: { ...masked, title: 'Renamed' } });
    const { description, venue, image, featured, tags, website } = event;
    expect(answer.body).toMatchObject({ title: 'Renamed', description, venue, image, featured, tags, website });
  });

  it.each(['venue', 'organizer'])('a %s stays as it is, by its id and by its slug', async (kind) => {
    const event = await makeFullEvent(server());
    const [{ id, slug }] = [event[kind]].flat();
    for (const to of [`/${kind}s/${id}`, `/${kind}s/by-slug/${slug}`]) {
      for (const method of ['POST', 'PUT', 'PATCH']) {
        await expectUnchanged(`/${kind}s/${id}`, { as: 'editor' }, { method, to });
      }
    }
    await expectUnchanged(`/${kind}s/${id}`, { as: 'editor', prefix: '/wp-json/tribe' });
  });

  it.each(['categories', 'tags'])('terms of %s stay as they are, as they are inside an event too', async (plural) => {
    const event = await makeFullEvent(server());
    for (const nested of event[plural]) {
      await expectUnchanged(`/${plural}/${nested.id}`, { as: 'editor' });
      const before = await readBack(server(), `/${plural}/${nested.id}`, { as: 'editor' });
      const answer = await server().ask(`PATCH /${plural}/${nested.id}`, { as: 'editor', body: nested });
      expect([answer.status, answer.body]).toEqual([200, before]);
    }
  });

  describe('with one member changed', () => {
    const CHANGES: [name: string, value: unknown, follow?: string[]][] = [
      ['title', 'Another'],
      ['description', '<p>Other words</p>'],
      ['start_date', '2027-03-06 19:00:00', ['previous_start_date', 'start_date_details', 'utc_start_date']],
      ['end_date', '2027-03-06 22:00:00', ['end_date_details', 'utc_end_date']],
      ['timezone', 'Asia/Tokyo', ['timezone_abbr', 'previous_start_date', 'utc_start_date', 'utc_end_date']],
      ['all_day', true, ['start_date', 'end_date', 'previous_start_date', 'utc_start_date', 'utc_end_date']],
      ['date', '2026-09-01 10:00:00', ['date_utc']],
      ['date_utc', '2026-09-01 10:00:00', ['date']],
      ['cost', '$7', ['cost_details']],
      ['image', false],
      ['slug', 'another-slug-of-a-copy', ['url']],
      ['featured', false],
      ['venue', []],
      ['website', ''],
    ];

    it.each(casesOn(kind, CHANGES))('only %s changes', async (name, value, follow = []) => {
      const event = await makeFullEvent(server());
      const copy = await readBack(server(), `/events/${event.id}`, { as: 'author' });
      const answer = await server().ask(`PATCH /events/${event.id}`, {
        as: 'author',
        body: { ...copy, [name]: value },
      });
      expect([answer.status, answer.body?.[name]]).toEqual([200, value]);
      const after = await readBack(server(), `/events/${event.id}`, { as: 'author' });
      const others = (body: Body) =>
        Object.fromEntries(
          Object.entries(body).filter(([key]) => {
            const isDerived = follow.some((one) => key.startsWith(one));
            return key !== name && !isDerived && !['revision', 'json_ld'].includes(key);
          }),
        );
      expect(others(after)).toEqual(others(copy));
      expect(after.revision).toBe(copy.revision + 1);
    });

    it('a draft is published now, and not at the time when it was written', async () => {
      const { clock, make } = server();
      const draft = await makeFullEvent(server(), { status: 'draft' });
      const start = clock.now;
      clock.now = new Date(start.getTime() + 3600_000);
      const published = await make(`PATCH /events/${draft.id}`, { ...draft, status: 'publish' });
      clock.now = start;
      expect(published).toMatchObject({ status: 'publish', date_utc: '2026-11-21 18:00:00' });
    });

    usually('one coordinate of a venue keeps the other', async () => {
      const { venue } = await makeFullEvent(server());
      const changed = await server().make(`PATCH /venues/${venue.id}`, { ...venue, geo_lat: 43 });
      expect(changed).toMatchObject({ geo_lat: 43, geo_lng: -70.9 });
    });

    usually('the region of a venue follows its state', async () => {
      const { venue } = await makeFullEvent(server());
      const changed = await server().make(`PATCH /venues/${venue.id}`, { ...venue, state: 'NH' });
      expect(changed).toMatchObject({ state: 'NH', stateprovince: 'NH' });
    });

    it('an event gets another slug by its slug', async () => {
      const event = await makeFullEvent(server());
      const body = { ...event, slug: fresh('moved').replace(' ', '-') };
      const answer = await server().make(`PUT /events/by-slug/${event.slug}`, body);
      expect(answer).toMatchObject({ id: event.id, slug: body.slug });
    });

    it('a category is renamed', async () => {
      const { categories } = await makeFullEvent(server());
      const copy = await readBack(server(), `/categories/${categories[0].id}`, { as: 'editor' });
      const name = fresh('Hikes');
      expect(await server().make(`PUT /categories/${copy.id}`, { ...copy, name })).toMatchObject({
        name,
        ...{ slug: copy.slug, parent: copy.parent, revision: copy.revision + 1 },
      });
    });

    usually('its members may be sent without its id, in the form in which they are shown', async () => {
      const full = await makeFullEvent(server());
      const { image, categories, tags, venue, organizer, author, date_utc } = full;
      const bare = await server().make('POST /events', { ...EVENING, title: fresh('Bare') });
      const sent = { image, categories, tags, venue, organizer, author, date_utc };
      expect(await server().make(`PATCH /events/${bare.id}`, sent)).toMatchObject({
        ...{ author, date_utc },
        image: { id: image.id },
        venue: { id: venue.id },
        organizer: [{ id: organizer[0].id }],
        categories: categories.map(({ id }: Body) => ({ id })),
        tags: tags.map(({ id }: Body) => ({ id })),
      });
      const draft = await server().make('POST /events', { ...EVENING, title: fresh('Draft'), status: 'draft' });
      expect(draft.date_utc).toBe('0000-00-00 00:00:00');
      const { date_utc: none } = draft;
      expect(await server().make(`PATCH /events/${draft.id}`, { date_utc: none })).toMatchObject({ date_utc: none });
    });

    it('a new event may be made from it', async () => {
      const full = await makeFullEvent(server());
      const copied = await server().make('POST /events', { ...full, title: fresh('Copied') }, 'author');
      expect(copied.id).not.toBe(full.id);
      expect(copied).toMatchObject({ venue: full.venue, organizer: full.organizer, image: full.image });
    });
  });

  describe('with records inside it', () => {
    const change = (event: Body, venue: object, as: Role) =>
      server().ask(`PATCH /events/${event.id}`, { as, body: { ...event, venue: { ...event.venue, ...venue } } });

    it.each<Role>(['administrator', 'editor'])('those that differ are changed by the %s', async (as) => {
      const { ask } = server();
      const event = await makeFullEvent(server());
      const answer = await change(event, { city: 'Lynn' }, as);
      expect(answer.body.venue).toEqual({
        ...event.venue,
        city: 'Lynn',
        ...{ revision: event.venue.revision + 1, modified: expect.any(String), modified_utc: expect.any(String) },
      });
      expect(answer.body.revision).toBe(event.revision);
      const query = { kind: 'venue', id: event.venue.id, action: 'changed' };
      const { body } = await ask('GET admin:/audit', { as: 'administrator', query });
      expect(body.audit).toMatchObject([{ record_id: event.venue.id, fields: ['city'] }]);
    });

    usually('records that differ may be changed by their own author, and by no one without the right', async () => {
      const { make } = server();
      const venue = await make('POST /venues', { venue: fresh('Own') }, 'author');
      const own = await makeFullEvent(server(), { venue: venue.id });
      expect((await change(own, { city: 'Lynn' }, 'author')).body.venue.city).toBe('Lynn');
      const other = await makeFullEvent(server());
      const refused = await change(other, { city: 'Lynn' }, 'author');
      expect(refused).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
      expect(refused.body.message).toMatch(/^This venue differs/);
      expect((await readBack(server(), `/events/${other.id}`, { as: 'author' })).venue).toEqual(other.venue);
    });

    usually('an older copy of a venue is refused, and one without a revision is not', async () => {
      const { make } = server();
      const event = await makeFullEvent(server());
      await make(`PATCH /venues/${event.venue.id}`, { phone: '555 0199' });
      for (const as of ['editor', 'author'] as const) {
        const refused = await server().ask(`PATCH /events/${event.id}`, { as, body: { ...event, title: 'Lost' } });
        expect(refused).toMatchObject({
          status: 412,
          body: {
            code: 'edit-conflict',
            data: { record: { id: event.id, title: event.title, venue: { phone: '555 0199' } } },
          },
        });
        expect(refused.body.message).toMatch(/^This venue has been changed/);
      }
      const created = await server().ask('POST /events', { as: 'editor', body: { ...event, title: fresh('New') } });
      expect(created).toMatchObject({ status: 412, body: { code: 'edit-conflict' } });
      expect(created.body.data).not.toHaveProperty('record');
      const { revision: _revision, ...venue } = event.venue;
      const overwritten = await server().ask(`PATCH /events/${event.id}`, { as: 'editor', body: { ...event, venue } });
      expect(overwritten.body.venue.phone).toBe('555 0101');
    });

    usually('an older copy of a venue is refused even if it says nothing else', async () => {
      const { make } = server();
      const venue = await make('POST /venues', { venue: fresh('Plain') });
      const event = await makeFullEvent(server(), { venue: venue.id });
      await make(`PATCH /venues/${venue.id}`, { phone: '555 0199' });
      expect((await change(event, {}, 'author')).status).toBe(412);
      expect((await change(event, { revision: 2 }, 'author')).status).toBe(200);
    });

    it('an older copy is refused for its age, not for an image that was deleted since', async () => {
      const { make, ask } = server();
      const venue = await make('POST /venues', { venue: fresh('Pictured'), image: await makeImage(server()) });
      const event = await makeFullEvent(server(), { venue: venue.id });
      await ask(`DELETE admin:/media/${venue.image.id}`, { as: 'administrator', query: { force: true } });
      expect((await change(event, {}, 'editor')).status).toBe(412);
    });

    usually('descriptions count against the limit only if they are written', async () => {
      const { make } = server();
      const description = 'word '.repeat(5000);
      const venue = await make('POST /venues', { venue: fresh('Long'), description });
      const event = await makeFullEvent(server(), { venue: venue.id });
      expect((await change(event, { city: 'Lynn' }, 'editor')).body.venue.city).toBe('Lynn');
      const answer = await change(event, { description: `${description}!`, revision: 2 }, 'editor');
      expect(answer).toMatchObject({
        status: 400,
        body: { data: { params: { venue: expect.stringContaining('20,000') } } },
      });
    });

    usually('one of several venues is changed, another is linked, and a new one is made', async () => {
      const { make } = server();
      const event = await makeFullEvent(server(), { venue: await venues(2) });
      const [first, second] = event.venue;
      const [third] = await venues(1);
      const venue = [{ ...second, city: 'Lynn' }, first, third, { venue: fresh('Made') }];
      const after = await make(`PATCH /events/${event.id}`, { ...event, venue });
      expect(after.venue).toMatchObject([
        { id: second.id, city: 'Lynn' },
        first,
        { id: third },
        { venue: venue.at(-1).venue },
      ]);
    });

    usually('a picture of a venue counts by its id', async () => {
      const event = await makeFullEvent(server());
      const image = await makeImage(server());
      expect((await change(event, { image: { ...event.venue.image, alt: 'x' } }, 'author')).status).toBe(200);
      expect((await change(event, { image: { id: image } }, 'editor')).body.venue.image.id).toBe(image);
      expect((await change(event, { image: false, revision: undefined }, 'editor')).body.venue).not.toHaveProperty(
        'image',
      );
    });

    it('a draft that its author may not read stays linked', async () => {
      const { make } = server();
      const event = await makeFullEvent(server());
      const hidden = await make('POST /venues', { venue: fresh('Hidden'), status: 'draft' });
      await make(`PATCH /events/${event.id}`, { venue: hidden.id });
      await expectUnchanged(`/events/${event.id}`, { as: 'author' });
      const other = await make('POST /events', { ...EVENING, title: fresh('Other') }, 'author');
      const refused = await server().ask(`PATCH /events/${other.id}`, {
        as: 'author',
        body: { venue: { id: hidden.id } },
      });
      expect(refused.status).toBe(400);
    });

    it.each([
      ['a field that is invalid', { website: 'no address' }],
      ['no name', { venue: '' }],
      ['an author that does not exist', { author: 999_999 }],
      ['the trash', { status: 'trash' }],
    ])('%s is refused', async (_name, venue) => {
      const event = await makeFullEvent(server());
      const refused = await change(event, venue, 'editor');
      expect(refused).toMatchObject({ status: 400, body: { data: { params: { venue: expect.any(String) } } } });
    });

    usually('nothing else is changed when one of them is refused', async () => {
      const event = await makeFullEvent(server());
      const before = await logged(server());
      const organizer = [{ ...event.organizer[0], phone: '1', revision: 99 }];
      const body = { ...event, title: 'Lost', venue: { ...event.venue, city: 'Lost' }, organizer };
      expect((await server().ask(`PATCH /events/${event.id}`, { as: 'editor', body })).status).toBe(412);
      expect(await readBack(server(), `/events/${event.id}`, { as: 'author' })).toMatchObject(event);
      expect(await logged(server())).toBe(before);
    });

    it('several events change the same venues at once, in any order', async () => {
      const { make } = server();
      const ids = await venues(3);
      const events = await Promise.all(
        [ids, ids.toReversed(), ids].map((venue) => make('POST /events', { ...EVENING, title: fresh('Row'), venue })),
      );
      const sent = await Promise.all(
        events.map(({ id, venue }, index) => {
          const changed = venue.map(({ revision: _revision, ...one }: Body) => ({ ...one, phone: `555 010${index}` }));
          return server().ask(`PATCH /events/${id}`, { as: 'editor', body: { venue: changed } });
        }),
      );
      expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
      const { venue } = await readBack(server(), `/events/${events[0].id}`, { as: 'editor' });
      expect(venue.map(({ revision }: Body) => revision)).toEqual([4, 4, 4]);
    });

    usually('what a venue is like is ignored under /wp-json/tribe', async () => {
      const { make, ask } = server();
      const event = await makeFullEvent(server());
      const body = { ...event, venue: { ...event.venue, city: 'Lynn', revision: 99, author: 'x' } };
      const answer = await ask(`PATCH /events/${event.id}`, { as: 'author', prefix: '/wp-json/tribe', body });
      expect([answer.status, answer.body.venue.city]).toEqual([200, 'Salem']);
      expect((await make(`PATCH /events/${event.id}`, {})).venue).toEqual(event.venue);
    });
  });

  describe('in another language', () => {
    const inFrench = { as: 'author' as const, query: { i18n_language: 'fr' } };

    usually('fallback texts do not become translations', async () => {
      const { id } = await makeFullEvent(server());
      await expectUnchanged(`/events/${id}`, inFrench);
      const copy = await readBack(server(), `/events/${id}`, inFrench);
      const { body } = await server().ask(`PATCH /events/${id}`, { ...inFrench, body: { ...copy, title: 'Marche' } });
      expect(body.translations.fr).toEqual(['title']);
      await expectUnchanged(`/events/${id}`, inFrench);
      await expectUnchanged(`/events/${id}`, { as: 'author' });
    });

    it('texts that are the same in both languages become translations when they are sent alone', async () => {
      const { id, title } = await makeFullEvent(server());
      const { body } = await server().ask(`PATCH /events/${id}`, { ...inFrench, body: { title } });
      expect(body.translations.fr).toEqual(['title']);
    });

    usually('texts that Accept-Language has chosen do not replace those of the first language', async () => {
      const { id, title } = await makeFullEvent(server());
      await server().ask(`PATCH /events/${id}`, { ...inFrench, body: { title: 'Marche' } });
      const browser = { as: 'author' as const, headers: { 'accept-language': 'fr' } };
      const copy = await readBack(server(), `/events/${id}`, browser);
      expect(copy.title).toBe('Marche');
      await server().ask(`PATCH /events/${id}`, { ...browser, body: { ...copy, featured: false } });
      expect(await readBack(server(), `/events/${id}`, { as: 'author' })).toMatchObject({ title, featured: false });
    });

    it('a venue inside an event is translated by a change', async () => {
      const { make, ask } = server();
      const event = await makeFullEvent(server());
      const copy = await readBack(server(), `/events/${event.id}`, { ...inFrench, as: 'editor' });
      const body = { ...copy, venue: { ...copy.venue, venue: 'Salle' } };
      await ask(`PATCH /events/${event.id}`, { ...inFrench, as: 'editor', body });
      expect(await make(`PATCH /venues/${event.venue.id}`, {})).toMatchObject({
        venue: event.venue.venue,
        translations: { fr: ['venue'] },
      });
    });
  });

  usually('is no copy for viewers without edit rights, nor with the id of another record', async () => {
    const { ask, make } = server();
    const event = await makeFullEvent(server());
    const other = await makeFullEvent(server());
    expect((await ask(`PATCH /events/${event.id}`, { body: { id: event.id, title: event.title } })).status).toBe(401);
    expect((await ask(`PATCH /events/${event.id}`, { as: 'contributor', body: event })).status).toBe(403);
    const { slug: _slug, ...content } = event;
    const moved = await make(`PATCH /events/${other.id}`, content);
    expect(moved).toMatchObject({ id: other.id, title: event.title, venue: event.venue, cost: event.cost });
  });

  describe('with random fields', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc
        .array(fc.constantFrom('<p>', '</p>', '<b>', '&amp;', '&', '<', '\n', '\n\n', 'a', ' ', '<br>', '<ul><li>'), {
          maxLength: 12,
        })
        .map((parts) => parts.join('')),
    );
    const name = text.map((value) => `x${value}`);
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const flag = maybe(fc.boolean());
    const event = fc.record({
      ...{ title: name, description: maybe(text), excerpt: maybe(text), event_status_reason: maybe(text) },
      cost: maybe(
        fc.oneof(
          text,
          fc.integer({ min: 0, max: 99 }),
          fc.array(fc.constantFrom('5', '$7', 'Free', '20 €', '1.000,50')),
        ),
      ),
      status: fc.constantFrom('publish', 'draft', 'pending', 'private', 'future'),
      timezone: maybe(fc.constantFrom('Europe/Paris', 'America/New_York', 'UTC+5:30', 'Asia/Tokyo')),
      start_date: fc.constantFrom(
        '2027-03-28 01:30',
        '2027-10-31 02:30',
        '2027-10-31T02:30:00+01:00',
        '2027-11-07T01:15-05:00',
      ),
      end_date: fc.constantFrom('2027-11-30 10:00', '2027-11-07T06:30:00Z'),
      ...{ all_day: flag, featured: flag, sticky: flag, show_map: flag, hide_from_listings: flag },
      event_status: maybe(fc.constantFrom('cancelled', 'rescheduled', 'moved_online')),
      venue: fc.array(fc.record({ venue: name, description: maybe(text), city: maybe(text), state: maybe(text) }), {
        maxLength: 2,
      }),
      organizer: fc.array(fc.record({ organizer: name, description: maybe(text) }), { maxLength: 2 }),
      tags: fc.array(fc.constantFrom('one', 'two', 'three'), { maxLength: 3 }),
    });

    it('stays as it is', async () => {
      const { ask } = server();
      await fc.assert(
        fc.asyncProperty(event, fc.constantFrom('en', 'fr'), async (fields, language) => {
          const made = await ask('POST /events', { as: 'editor', body: { ...fields, slug: fresh('random') } });
          fc.pre(made.status === 201);
          const query = { i18n_language: language };
          await expectUnchanged(`/events/${made.body.id}`, { as: 'editor', query });
          const { revision, description, excerpt } = made.body;
          const alone = await server().make(`PATCH /events/${made.body.id}`, { description, excerpt }, 'editor');
          expect(alone).toMatchObject({ revision, description, excerpt });
          for (const venue of [made.body.venue].flat())
            await expectUnchanged(`/venues/${venue.id}`, { as: 'editor', query });
        }),
        { numRuns: effort(30, 10) },
      );
    });
  });
});
