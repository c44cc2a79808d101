import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, DATABASES, type TestServer, useTestServer } from '../../../../test/server.ts';

const SMALLEST = { title: 'Lantern Night', start_date: '2027-03-06 18:30:00', end_date: '2027-03-06 21:00:00' };

const digits = (year: string, month: string, day: string, hour: string, minutes: string) => ({
  year,
  month,
  day,
  hour,
  minutes,
  seconds: '00',
});

/** Every plain field of an event with a distinct value, as sent and as returned. */
const PLAIN: Record<string, [sent: unknown, shown: unknown]> = {
  title: ['Quay Concert', 'Quay Concert'],
  description: ['<p>Bring a <b>chair</b>.</p>', '<p>Bring a <b>chair</b>.</p>'],
  excerpt: ['Music on the water', 'Music on the water'],
  slug: ['by-the-quay', 'by-the-quay'],
  status: ['private', 'private'],
  date: ['2026-10-05 08:00:00', '2026-10-05 08:00:00'],
  timezone: ['Europe/Oslo', 'Europe/Oslo'],
  start_date: ['2027-06-01 19:00:00', '2027-06-01 19:00:00'],
  end_date: ['2027-06-01 22:00:00', '2027-06-01 22:00:00'],
  cost: ['20€', '20€'],
  website: ['https://quay.example/concert?a=1&b=2', 'https://quay.example/concert?a=1&b=2'],
  show_map: [true, true],
  show_map_link: [true, true],
  hide_from_listings: [true, true],
  sticky: [true, true],
  featured: [true, true],
};
const RICH = Object.fromEntries(Object.entries(PLAIN).map(([name, [sent]]) => [name, sent]));
const RICH_SHOWN = Object.fromEntries(Object.entries(PLAIN).map(([name, [, shown]]) => [name, shown]));

const without = (body: Answer['body'], names: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

describe.each(DATABASES)('events on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });

  describe('a minimal event', () => {
    let made: Answer['body'];
    /** The event as visitors see it. */
    let published: Answer['body'];
    beforeEach(async () => {
      made = await server().make('POST /events', SMALLEST, 'author');
      const { attendance: _, ...rest } = made;
      published = rest;
    });

    it('is returned with all members', () => {
      const { id } = made;
      const author = server().userId('author');
      expect(made).toEqual({
        id,
        global_id: `localhost?id=${id}`,
        global_id_lineage: [`localhost?id=${id}`],
        author: String(author),
        status: 'publish',
        date: '2026-11-21 12:00:00',
        date_utc: '2026-11-21 17:00:00',
        modified: '2026-11-21 12:00:00',
        modified_utc: '2026-11-21 17:00:00',
        revision: 1,
        url: 'http://localhost/event/lantern-night/',
        rest_url: `http://localhost/calendar/events/v1/events/${id}`,
        title: 'Lantern Night',
        description: '',
        excerpt: '',
        slug: 'lantern-night',
        image: false,
        all_day: false,
        start_date: '2027-03-06 18:30:00',
        start_date_details: digits('2027', '03', '06', '18', '30'),
        end_date: '2027-03-06 21:00:00',
        end_date_details: digits('2027', '03', '06', '21', '00'),
        utc_start_date: '2027-03-06 23:30:00',
        utc_start_date_details: digits('2027', '03', '06', '23', '30'),
        utc_end_date: '2027-03-07 02:00:00',
        utc_end_date_details: digits('2027', '03', '07', '02', '00'),
        timezone: 'America/New_York',
        timezone_abbr: 'EST',
        cost: '',
        cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
        website: '',
        show_map: false,
        show_map_link: false,
        hide_from_listings: false,
        sticky: false,
        featured: false,
        event_status: 'scheduled',
        event_status_reason: '',
        previous_start_date: null,
        categories: [],
        tags: [],
        venue: [],
        organizer: [],
        custom_fields: [],
        ticketed: false,
        attendance: { total_attendees: 0, checked_in: 0, not_checked_in: 0, declined: 0 },
      });
    });

    it('is the same by id and by slug, with JSON-LD', async () => {
      const byId = await server().ask(`GET /events/${made.id}`);
      const bySlug = await server().ask('GET /events/by-slug/Lantern-NIGHT');
      expect(byId.status).toBe(200);
      expect(byId.body).toEqual({ ...published, json_ld: expect.objectContaining({ '@type': 'Event' }) });
      expect(bySlug.body).toEqual(byId.body);
    });

    it('is the same in the list', async () => {
      const { body } = await server().ask('GET /events', { query: { include: made.id } });
      expect(body.events).toEqual([published]);
    });
  });

  it('accept all fields at once and return them', async () => {
    const { make, userId } = server();
    const category = await make('POST /categories', { name: 'Festivals' });
    const made = await make('POST /events', {
      ...RICH,
      author: userId('contributor'),
      categories: [category.id, 'Open air'],
      tags: 'water,free entry',
      venue: { venue: 'Harbour Hall', address: '12 Quay St', city: 'Boston', country: 'United States', state: 'MA' },
      organizer: [{ organizer: 'Lantern Society', email: 'hi@lantern.example' }, { organizer: 'City Council' }],
    });
    expect(made).toMatchObject({
      ...RICH_SHOWN,
      author: String(userId('contributor')),
      date_utc: '2026-10-05 12:00:00',
      timezone_abbr: 'CEST',
      utc_start_date: '2027-06-01 17:00:00',
      utc_end_date: '2027-06-01 20:00:00',
      cost_details: { currency_symbol: '€', currency_position: 'postfix', values: ['20'] },
      venue: { venue: 'Harbour Hall', city: 'Boston', stateprovince: 'MA', status: 'publish' },
    });
    expect(made.categories.map((term: { name: string }) => term.name)).toEqual(['Festivals', 'Open air']);
    expect(made.tags.map((term: { name: string }) => term.name)).toEqual(['free entry', 'water']);
    expect(made.organizer).toMatchObject([
      { organizer: 'Lantern Society', email: 'hi@lantern.example' },
      { organizer: 'City Council' },
    ]);
  });

  it('keep their duration when clocks skip their start, in every write', async () => {
    const { make } = server();
    const moved = { start_date: '2027-03-14 03:30:00', end_date: '2027-03-14 04:30:00' };
    const times = { start_date: '2027-03-14 02:30', end_date: '2027-03-14 03:30' };
    const made = await make('POST /events', { title: 'Night walk', ...times });
    expect(made).toMatchObject({
      ...moved,
      utc_start_date: '2027-03-14 07:30:00',
      utc_end_date: '2027-03-14 08:30:00',
    });
    const before = { start_date: '2027-03-14 01:00', end_date: '2027-03-14 03:30' };
    await make(`PATCH /events/${made.id}`, before);
    expect(await make(`PATCH /events/${made.id}`, { start_date: times.start_date })).toMatchObject(moved);
    await make(`PATCH /events/${made.id}`, before);
    const french = await make(`PATCH /events/${made.id}?i18n_language=fr`, { title: 'Balade', ...times });
    expect(french).toMatchObject({ title: 'Balade', ...moved });
    const later = await make(`PATCH /events/${made.id}`, { ...times, end_date: '2027-03-14 05:00' });
    expect(later).toMatchObject({ start_date: moved.start_date, end_date: '2027-03-14 05:00:00' });
  });

  it('ignore read-only and unknown fields', async () => {
    const generated = {
      url: 'https://evil.example/',
      rest_url: 'https://evil.example/',
      utc_start_date: '2001-01-01 00:00:00',
      utc_end_date: '2001-01-01 00:00:00',
      start_date_details: { year: '2001' },
      end_date_details: { year: '2001' },
      timezone_abbr: 'XXX',
      cost_details: { values: ['7'] },
      modified: '2001-01-01 00:00:00',
      global_id: 'x',
      id: 1,
      ticketed: true,
      json_ld: {},
      no_such_field: 1,
    };
    const { make } = server();
    const plain = await make('POST /events', { ...SMALLEST, slug: 'plain' });
    const made = await make('POST /events', { ...SMALLEST, ...generated, slug: 'plain-too' });
    const own = ['id', 'global_id', 'global_id_lineage', 'rest_url', 'slug', 'url'];
    expect(without(made, own)).toEqual(without(plain, own));
    expect(made).toMatchObject({
      global_id: `localhost?id=${made.id}`,
      url: 'http://localhost/event/plain-too/',
      rest_url: `http://localhost/calendar/events/v1/events/${made.id}`,
    });
    const changed = await make(`PATCH /events/${made.id}`, generated);
    expect(changed).toEqual(made);
  });

  it.each([
    ['urlencoded', (fields: [string, string][]): URLSearchParams | FormData => new URLSearchParams(fields)],
    [
      'multipart',
      (fields: [string, string][]): URLSearchParams | FormData => {
        const form = new FormData();
        for (const [name, value] of fields) form.append(name, value);
        return form;
      },
    ],
  ])('accept a form, %s', async (_name, formOf) => {
    const { ask } = server();
    const form = formOf([
      ['title', 'From a form'],
      ['start_date', '2027-04-01 10:00'],
      ['end_date', '2027-04-01 11:00'],
      ['featured', 'true'],
      ['sticky', 'off'],
      ['categories[]', 'Forms'],
      ['categories[]', 'Papers, all'],
      ['tags', 'one,two'],
      ['venue[venue]', 'Form Hall'],
      ['venue[city]', 'Salem'],
      ['organizer[0][organizer]', 'First'],
      ['organizer[1][organizer]', 'Second'],
      ['cost[0]', '0$'],
      ['cost[1]', '30$'],
    ]);
    const answer = await ask('POST /events', { as: 'administrator', form });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      title: 'From a form',
      start_date: '2027-04-01 10:00:00',
      featured: true,
      sticky: false,
      categories: [{ name: 'Forms' }, { name: 'Papers, all' }],
      tags: [{ name: 'one' }, { name: 'two' }],
      venue: { venue: 'Form Hall', city: 'Salem' },
      organizer: [{ organizer: 'First' }, { organizer: 'Second' }],
      cost: 'Free – 30$',
    });
    const changed = await ask(`PUT /events/${answer.body.id}`, {
      as: 'administrator',
      form: formOf([
        ['venue', ''],
        ['organizer[]', ''],
        ['tags', ''],
        ['description', ''],
      ]),
    });
    expect(changed.body).toMatchObject({ venue: [], organizer: [], tags: [], categories: [{}, {}] });
  });

  describe('an update', () => {
    const rich = async (server: TestServer) =>
      server.make('POST /events', {
        ...RICH,
        slug: undefined,
        venue: { venue: 'Harbour Hall' },
        organizer: [{ organizer: 'Lantern Society' }],
        categories: ['Festivals'],
        tags: ['water'],
      });
    it('without fields changes nothing, not even the time of modification', async () => {
      const { make, clock } = server();
      const before = await rich(server());
      const start = clock.now;
      clock.now = new Date(start.getTime() + 3600_000);
      const after = await make(`PATCH /events/${before.id}`, {});
      clock.now = start;
      expect(after).toEqual(before);
    });

    /** Each field alone: the value sent, and the resulting members of the response. */
    const CHANGES: [field: string, value: unknown, follow: string[]][] = [
      ['title', 'Another title', []],
      ['description', 'Other words', []],
      ['excerpt', 'In short', []],
      ['slug', 'another-slug', ['url']],
      // Published events count towards the counts of their terms.
      ['status', 'publish', ['categories', 'tags']],
      ['date', '2026-09-01 10:00:00', ['date_utc']],
      ['date_utc', '2026-09-01 10:00:00', ['date']],
      [
        'timezone',
        'Asia/Tokyo',
        ['timezone_abbr', ...['start', 'end'].flatMap((edge) => [`utc_${edge}_date`, `utc_${edge}_date_details`])],
      ],
      ['start_date', '2027-06-01 18:00:00', ['start_date_details', 'utc_start_date', 'utc_start_date_details']],
      ['end_date', '2027-06-02 01:00:00', ['end_date_details', 'utc_end_date', 'utc_end_date_details']],
      [
        'all_day',
        true,
        ['start', 'end'].flatMap((edge) => [edge, `utc_${edge}`].flatMap((at) => [`${at}_date`, `${at}_date_details`])),
      ],
      ['cost', '7', ['cost_details']],
      ['website', 'https://other.example/', []],
      ['show_map', false, []],
      ['show_map_link', false, []],
      ['hide_from_listings', false, []],
      ['sticky', false, []],
      ['featured', false, []],
      ['venue', { venue: 'Town Green' }, []],
      ['organizer', [{ organizer: 'City Council' }], []],
      ['categories', ['Markets'], []],
      ['tags', ['dry'], []],
    ];

    it.each(CHANGES)('of %s alone leaves the rest as it is', async (field, value, follow) => {
      const before = await rich(server());
      const after = await server().make(`PATCH /events/${before.id}`, { [field]: value });
      expect(after[field]).not.toEqual(before[field]);
      const changing = [field, 'revision', ...follow];
      for (const name of follow) expect([name, after[name]]).not.toEqual([name, before[name]]);
      expect(without(after, changing)).toEqual(without(before, changing));
    });

    it.each(['POST', 'PUT', 'PATCH'])('works alike by %s, by id and by slug', async (method) => {
      const { make, ask } = server();
      const before = await rich(server());
      const byId = await ask(`${method} /events/${before.id}`, { as: 'editor', body: { excerpt: 'by id' } });
      expect(byId).toMatchObject({ status: 200, body: { id: before.id, excerpt: 'by id', title: before.title } });
      const bySlug = await ask(`${method} /events/by-slug/${before.slug}`, { as: 'editor', body: { sticky: false } });
      expect(bySlug.body).toEqual({ ...byId.body, sticky: false, revision: 3 });
      await make(`DELETE /events/by-slug/${before.slug}`, undefined);
    });

    it('by slug renames by the slug of the body', async () => {
      const { make, ask } = server();
      await make('POST /events', { ...SMALLEST, slug: 'old-name' });
      expect(await make('PATCH /events/by-slug/old-name', { slug: 'New Name' })).toMatchObject({ slug: 'new-name' });
      expect((await ask('GET /events/by-slug/new-name')).body.title).toBe('Lantern Night');
      expect(await ask('GET /events/by-slug/old-name')).toMatchObject({ status: 400 });
    });

    it('changes the event of the path, whatever id or slug the body and the query have', async () => {
      const { make, ask } = server();
      const [one, two] = [await make('POST /events', SMALLEST), await make('POST /events', SMALLEST)];
      const changed = await ask(`PATCH /events/${one.id}`, {
        as: 'editor',
        body: { id: two.id, title: 'Mine' },
        query: { id: two.id },
      });
      expect(changed.body).toMatchObject({ id: one.id, title: 'Mine' });
      expect((await ask(`GET /events/by-slug/${one.slug}`, { query: { slug: two.slug } })).body.id).toBe(one.id);
      expect((await ask(`GET /events/${two.id}`)).body.title).toBe('Lantern Night');
    });

    it('of the title never changes the slug; a cleared slug is made from the title again', async () => {
      const { make } = server();
      const made = await make('POST /events', { ...SMALLEST, slug: 'first' });
      expect(await make(`PATCH /events/${made.id}`, { title: 'Renamed' })).toMatchObject({ slug: 'first' });
      expect(await make(`PATCH /events/${made.id}`, { slug: '' })).toMatchObject({ slug: 'renamed' });
    });
  });

  describe('slugs', () => {
    it('get a number appended when another event has them, in any status', async () => {
      const { make } = server();
      const named = (status: string) => make('POST /events', { ...SMALLEST, title: 'Twice told', status });
      expect((await named('private')).slug).toBe('twice-told');
      expect((await named('publish')).slug).toBe('twice-told-2');
      expect((await named('publish')).slug).toBe('twice-told-3');
    });

    it('are made when a draft is published', async () => {
      const { make } = server();
      const draft = await make('POST /events', { ...SMALLEST, title: 'Not yet', status: 'draft' });
      expect(draft).toMatchObject({ slug: '', url: `http://localhost/?post_type=calendar_events&p=${draft.id}` });
      const shown = await make(`PATCH /events/${draft.id}`, { status: 'publish' });
      expect(shown).toMatchObject({ slug: 'not-yet', url: 'http://localhost/event/not-yet/' });
    });

    it('of a draft never hide a published event of the same slug', async () => {
      const { make, ask } = server();
      const draft = await make('POST /events', { ...SMALLEST, status: 'draft' }, 'contributor');
      const shown = await make('POST /events', { ...SMALLEST, slug: 'shared-slug' });
      expect(await make(`PATCH /events/${draft.id}`, { slug: 'shared-slug' }, 'contributor')).toMatchObject({
        slug: 'shared-slug',
      });
      expect((await ask('GET /events/by-slug/shared-slug')).body).toMatchObject({ id: shown.id });
      expect(await make(`PATCH /events/${draft.id}`, { status: 'publish' })).toMatchObject({ slug: 'shared-slug-2' });
    });

    it('of other scripts are found both literally and encoded', async () => {
      const { make, ask } = server();
      const made = await make('POST /events', { ...SMALLEST, title: 'Праздник' });
      expect(made.slug).toMatch(/^(%[0-9a-f]{2})+$/);
      for (const slug of ['Праздник', encodeURIComponent('праздник')])
        expect((await ask(`GET /events/by-slug/${slug}`)).body.id).toBe(made.id);
    });
  });

  it.each([
    ['GET /events/0', 404, 'rest-event-not-found'],
    ['GET /events/999999', 404, 'rest-event-not-found'],
    ['PATCH /events/999999', 404, 'rest-event-not-found'],
    ['DELETE /events/999999', 404, 'rest-event-not-found'],
    ['GET /events/by-slug/nope', 400, 'rest_invalid_param'],
    ['DELETE /events/by-slug/nope', 400, 'rest_invalid_param'],
    ['PATCH /events/by-slug/nope', 404, 'rest-event-not-found'],
    ['GET /events/VENUE', 400, 'rest-invalid-event-id'],
    ['PATCH /events/VENUE', 400, 'rest-invalid-event-id'],
    ['DELETE /events/VENUE', 400, 'rest-invalid-event-id'],
    ['GET /events/abc', 404, 'rest_no_route'],
    ['PUT /events', 404, 'rest_no_route'],
    ['GET /events/by-slug/', 404, 'rest_no_route'],
  ])('responds to %s with %i %s', async (call, status, code) => {
    const { make, ask } = server();
    const venue = call.includes('VENUE') ? await make('POST /venues', { venue: 'Harbour Hall' }) : undefined;
    const answer = await ask(call.replace('VENUE', venue?.id), { as: 'administrator' });
    expect(answer).toMatchObject({ status, body: { code, data: { status } } });
    expect(answer.body.message.length).toBeGreaterThan(10);
  });
});
