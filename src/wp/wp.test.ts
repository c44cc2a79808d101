import { beforeAll, describe, expect, it } from 'vitest';
import { png, upload } from '../../test/fixtures.ts';
import { type Answer, type Asking, DATABASES, useTestServer } from '../../test/server.ts';

const DATES = { _EventStartDate: '2027-02-01 18:00:00', _EventEndDate: '2027-02-01 21:00:00' };
const WALK = { title: 'Lantern walk', status: 'publish', meta: DATES };
const ROOT = 'http://localhost/wp-json/wp/v2';

describe.each(DATABASES)('wp/v2 on %s', (kind) => {
  const server = useTestServer(kind, { maxBodyBytes: 100_000, maxUploadBytes: 200_000 });
  let picture: Buffer<ArrayBuffer>;
  beforeAll(async () => {
    picture = await png(800, 600);
  });

  const ask = (call: string, asking: Asking = {}) => server().ask(call, asking);
  const idsOf = ({ body }: Answer): number[] => body.map(({ id }: { id: number }) => id);

  async function make(path: string, body: unknown): Promise<Answer['body']> {
    const answer = await ask(`POST wp:/${path}`, { as: 'editor', body });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return answer.body;
  }

  async function uploadRaw(body: string | Buffer<ArrayBuffer>, headers: Record<string, string>): Promise<Answer> {
    const authorization = `Basic ${btoa('author:author-password')}`;
    const response = await server().request('/wp-json/wp/v2/media', {
      method: 'POST',
      headers: { authorization, ...headers },
      body,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text), text };
  }

  describe('a program that copies events from elsewhere', () => {
    it('can check its credentials first', async () => {
      const stranger = await ask('GET wp:/users/me');
      expect([stranger.status, stranger.body.code]).toEqual([401, 'rest_not_logged_in']);
      const { body } = await ask('GET wp:/users/me', { as: 'author', query: { context: 'edit' } });
      expect(body).toMatchObject({ id: server().userId('author'), name: 'author', slug: 'author', roles: ['author'] });
      expect(body.capabilities).toMatchObject({ read: true, publish_tribe_events: true, upload_files: true });
      expect(body.capabilities).not.toHaveProperty('edit_others_tribe_events');
      const plain = await ask('GET wp:/users/me', { as: 'author' });
      expect(Object.keys(plain.body)).not.toEqual(expect.arrayContaining(['email']));
    });

    it('does not see the e-mail address of an account with a token of limited scope', async () => {
      const emailWith = async (scope: string) => {
        const { token } = await server().make('POST admin:/tokens', { name: scope, scopes: [scope] });
        const headers = { authorization: `Bearer ${token}` };
        return (await ask('GET wp:/users/me', { headers, query: { context: 'edit' } })).body.email;
      };
      expect([await emailWith('checkin'), await emailWith('read')]).toEqual([undefined, undefined]);
      expect(await emailWith('admin')).toBe('administrator@example.test');
    });

    it('finds or creates a term, and gets the id of an existing one', async () => {
      for (const path of ['tags', 'tribe_events_cat']) {
        const query = { search: 'Fish & chips', per_page: 100 };
        expect((await ask(`GET wp:/${path}`, { query })).body).toEqual([]);
        const made = await ask(`POST wp:/${path}`, { as: 'editor', body: { name: 'Fish &amp; chips' } });
        expect(made.status).toBe(201);
        const { id } = made.body;
        expect(made.headers.get('location')).toBe(`${ROOT}/${path}/${id}`);
        expect(made.body).toMatchObject({ name: 'Fish &amp; chips', slug: 'fish-chips', count: 0 });
        expect(made.body.taxonomy).toBe(path === 'tags' ? 'post_tag' : 'tribe_events_cat');
        const again = await ask(`POST wp:/${path}`, { as: 'editor', body: { name: 'Fish & chips' } });
        expect([again.status, again.body.code, again.body.data.term_id]).toEqual([400, 'term_exists', id]);
        expect(idsOf(await ask(`GET wp:/${path}`, { query }))).toEqual([id]);
        expect(idsOf(await ask(`GET wp:/${path}`, { query: { slug: 'none,fish-chips' } }))).toEqual([id]);
        const included = await ask(`GET wp:/${path}`, { query: { include: `${id},987654` } });
        expect([idsOf(included), included.headers.get('x-wp-total')]).toEqual([[id], '1']);
        expect((await ask(`GET wp:/${path}/${id}`)).body).toEqual(made.body);
        expect((await ask(`GET wp:/${path}/987654`)).body.code).toBe('rest_term_invalid');
      }
    });

    it('keeps the duration of an event when clocks skip its start', async () => {
      const times = { _EventStartDate: '2027-03-14 02:30:00', _EventEndDate: '2027-03-14 03:30:00' };
      const { id, meta } = await make('tribe_events', { title: 'Night walk', status: 'publish', meta: times });
      const moved = { _EventStartDate: '2027-03-14 03:30:00', _EventEndDate: '2027-03-14 04:30:00' };
      expect(meta).toMatchObject(moved);
      const change = (changed: object) => ask(`POST wp:/tribe_events/${id}`, { as: 'editor', body: { meta: changed } });
      await change({ ...times, _EventStartDate: '2027-03-14 01:00:00' });
      const { body } = await change({ _EventStartDate: times._EventStartDate });
      expect(body.meta).toMatchObject(moved);
    });

    it('creates a venue, an organizer and an event with everything it refers to', async () => {
      const { id: image } = (await ask('POST wp:/media', { as: 'editor', form: upload(picture) })).body;
      const venue = await make('tribe_venue', {
        title: 'Lantern Hall',
        content: 'Red brick',
        slug: 'the-hall',
        status: 'publish',
        featured_media: image,
        meta: {
          _VenueAddress: '4 Mill Lane',
          _VenueCity: 'Salem',
          _VenueShowMap: '0',
          _VenueLat: 42.5,
          _VenueLng: -70.9,
        },
      });
      expect(venue).toMatchObject({ slug: 'the-hall', featured_media: image, title: { raw: 'Lantern Hall' } });
      expect(venue.meta).toMatchObject({ _VenueCity: 'Salem', _VenueShowMap: false, _VenueLat: 42.5, _VenueZip: '' });
      const club = { title: 'Lantern Club', status: 'publish', meta: { _OrganizerEmail: 'club@example.test' } };
      const organizer = await make('tribe_organizer', club);
      const tag = await make('tags', { name: 'night' });
      const category = await make('tribe_events_cat', { name: 'Walks' });
      const event = await make('tribe_events', {
        title: { raw: 'Lanterns &#038; boots' },
        content: { raw: 'Bring a lantern.<script>alert(1)</script>\n\nAnd boots.' },
        excerpt: 'A walk by night',
        status: 'publish',
        slug: 'lanterns',
        featured_media: image,
        tags: [tag.id],
        tribe_events_cat: [category.id],
        meta: {
          ...DATES,
          _EventTimezone: 'Europe/Paris',
          _EventVenueID: venue.id,
          _EventOrganizerID: [organizer.id],
          _EventCost: '5',
          _EventCurrencySymbol: '€',
          _EventURL: 'https://walk.example',
          _EventAllDay: 'no',
          _EventOrigin: 'my-importer',
        },
      });
      expect(event).toEqual({
        id: event.id,
        date: '2026-11-21T12:00:00',
        date_gmt: '2026-11-21T17:00:00',
        guid: {
          rendered: `http://localhost/?post_type=tribe_events&amp;p=${event.id}`,
          raw: `http://localhost/?post_type=tribe_events&p=${event.id}`,
        },
        modified: '2026-11-21T12:00:00',
        modified_gmt: '2026-11-21T17:00:00',
        slug: 'lanterns',
        status: 'publish',
        type: 'tribe_events',
        link: 'http://localhost/event/lanterns/',
        title: { rendered: 'Lanterns &amp; boots', raw: 'Lanterns & boots' },
        content: {
          rendered: '<p>Bring a lantern.</p>\n<p>And boots.</p>',
          protected: false,
          raw: 'Bring a lantern.\n\nAnd boots.',
        },
        excerpt: { rendered: 'A walk by night', protected: false, raw: 'A walk by night' },
        author: server().userId('editor'),
        featured_media: image,
        comment_status: 'closed',
        ping_status: 'closed',
        template: '',
        meta: {
          ...DATES,
          _EventTimezone: 'Europe/Paris',
          _EventAllDay: false,
          _EventVenueID: [venue.id],
          _EventOrganizerID: [organizer.id],
          _EventURL: 'https://walk.example',
          _EventCost: '5',
          _EventShowMap: false,
          _EventShowMapLink: false,
          _EventHideFromUpcoming: false,
          _tribe_featured: false,
        },
        tags: [tag.id],
        tribe_events_cat: [category.id],
        _links: {
          self: [{ href: `${ROOT}/tribe_events/${event.id}` }],
          collection: [{ href: `${ROOT}/tribe_events` }],
          'wp:featuredmedia': [{ embeddable: true, href: `${ROOT}/media/${image}` }],
          'wp:term': [
            { taxonomy: 'post_tag', embeddable: true, href: `${ROOT}/tags?post=${event.id}` },
            { taxonomy: 'tribe_events_cat', embeddable: true, href: `${ROOT}/tribe_events_cat?post=${event.id}` },
          ],
        },
      });
      const native = await ask(`GET /events/${event.id}`);
      expect(native.body).toMatchObject({
        cost: '€5',
        utc_start_date: '2027-02-01 17:00:00',
        venue: { id: venue.id, address: '4 Mill Lane' },
        organizer: [{ id: organizer.id, email: 'club@example.test' }],
        website: 'https://walk.example',
      });
      expect(idsOf(await ask('GET wp:/tags', { query: { post: event.id } }))).toEqual([tag.id]);
    });

    it('finds earlier copies by slug, and changes only the fields it sends', async () => {
      const { id } = await make('tribe_events', { ...WALK, title: 'Once a year', content: 'Told', excerpt: 'Short' });
      const path = `wp:/tribe_events/${id}`;
      expect(idsOf(await ask('GET wp:/tribe_events', { query: { slug: 'ONCE-a-year' } }))).toEqual([id]);
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const { status, body } = await ask(`${method} ${path}`, { as: 'editor', body: { content: `By ${method}` } });
        expect([status, body.content.raw, body.excerpt.raw]).toEqual([200, `By ${method}`, 'Short']);
      }
      const form = new URLSearchParams({ 'title[raw]': 'Twice', 'meta[_EventEndDate]': '2027-02-02 01:00:00' });
      expect((await ask(`POST ${path}`, { as: 'editor', form })).body).toMatchObject({
        title: { raw: 'Twice' },
        slug: 'once-a-year',
        meta: { _EventStartDate: DATES._EventStartDate, _EventEndDate: '2027-02-02 01:00:00' },
      });
      const renamed = { slug: 'twice', excerpt: '', featured_media: 0, tags: [], password: 'sesame' };
      expect((await ask(`POST ${path}`, { as: 'editor', body: renamed })).body).toMatchObject({
        slug: 'twice',
        excerpt: { raw: '' },
        tags: [],
      });
      expect((await ask(`GET ${path}`)).body.content).toEqual({ rendered: '', protected: true });
    });

    it('changes nothing by sending back what it read', async () => {
      const made = await make('tribe_events', { ...WALK, title: "Rock 'n' <roll> & 5 < 6", content: 'One\n\nTwo' });
      const read = (await ask(`GET wp:/tribe_events/${made.id}`)).body;
      const body = (await ask(`PUT wp:/tribe_events/${made.id}`, { as: 'editor', body: read })).body;
      expect(body.title).toEqual(made.title);
      expect(body.content.rendered).toBe(made.content.rendered);
      expect(body.meta).toEqual(made.meta);
      const edited = (await ask(`PUT wp:/tribe_events/${made.id}`, { as: 'editor', body: made })).body;
      expect({ ...edited, modified: made.modified }).toEqual(made);
    });

    it('gets errors under the names it used, and nothing is stored', async () => {
      const wrong: [path: string, body: unknown, code: string, params: unknown][] = [
        [
          'tribe_events',
          { title: 'No dates', content: 'Told' },
          'rest_missing_callback_param',
          ['meta._EventStartDate', 'meta._EventEndDate'],
        ],
        ['tribe_events', { meta: DATES }, 'rest_missing_callback_param', ['title']],
        ['tribe_venue', { title: '' }, 'rest_missing_callback_param', ['title']],
        [
          'tribe_events',
          { ...WALK, meta: { ...DATES, _EventEndDate: '2026-01-01' } },
          'rest_invalid_param',
          {
            'meta._EventEndDate': expect.stringContaining('meta._EventEndDate'),
          },
        ],
        [
          'tribe_events',
          { ...WALK, meta: { ...DATES, _EventVenueID: 987654 } },
          'rest_invalid_param',
          {
            'meta._EventVenueID': expect.any(String),
          },
        ],
        [
          'tribe_events',
          { ...WALK, content: { raw: 7, rendered: [] }, tags: [987654], featured_media: 987654 },
          'rest_invalid_param',
          {
            tags: expect.any(String),
            featured_media: expect.any(String),
          },
        ],
        [
          'tribe_events',
          { ...WALK, title: { raw: ['x'] }, content: { raw: {} } },
          'rest_invalid_param',
          {
            title: expect.any(String),
            content: expect.any(String),
          },
        ],
        [
          'tribe_events',
          { ...WALK, title: `&lt;${'x'.repeat(30_000)}` },
          'rest_invalid_param',
          {
            title: expect.any(String),
          },
        ],
        [
          'tribe_events',
          { ...WALK, meta: { ...DATES, _EventCost: '1 '.repeat(20_000), _EventCurrencySymbol: '$'.repeat(50_000) } },
          'rest_invalid_param',
          { 'meta._EventCost': expect.any(String) },
        ],
        [
          'tribe_events',
          { ...WALK, title: '&lt;b&gt;&lt;/b&gt;' },
          'rest_invalid_param',
          { title: expect.any(String) },
        ],
      ];
      const count = async () =>
        (await ask('GET wp:/tribe_events', { as: 'editor', query: { status: 'any' } })).headers.get('x-wp-total');
      const before = await count();
      for (const [path, body, code, params] of wrong) {
        const answer = await ask(`POST wp:/${path}`, { as: 'editor', body });
        expect([answer.status, answer.body.code, answer.body.data.params]).toEqual([400, code, params]);
      }
      expect(await count()).toBe(before);
    });
  });

  describe('a program that reads public records', () => {
    it('reads all pages, by totals or by links', async () => {
      const made: number[] = [];
      const tag = await make('tags', { name: 'paged' });
      for (let day = 1; day <= 3; day += 1) {
        const meta = { _EventStartDate: `2027-05-0${day} 10:00`, _EventEndDate: `2027-05-0${day} 11:00` };
        made.push((await make('tribe_events', { ...WALK, title: `Day ${day}`, tags: [tag.id], meta })).id);
      }
      const query = { tags: tag.id, per_page: 2, status: 'publish' };
      const first = await ask('GET wp:/tribe_events', { query });
      expect([first.headers.get('x-wp-total'), first.headers.get('x-wp-totalpages')]).toEqual(['3', '2']);
      const next = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
      expect(next).toContain(`${ROOT}/tribe_events?`);
      const response = await server().request(next);
      const second = (await response.json()) as { id: number }[];
      expect([...idsOf(first), ...second.map(({ id }) => id)]).toEqual(made);
      expect(response.headers.get('link')).toMatch(/rel="https:\/\/api\.w\.org\/".*rel="prev"/);
      expect(response.headers.get('link')).not.toContain('rel="next"');
      const past = await ask('GET wp:/tribe_events', { query: { ...query, page: 3 } });
      expect([past.status, past.body.code]).toEqual([400, 'rest_post_invalid_page_number']);
      expect((await ask('GET wp:/tags', { query: { page: 99 } })).body).toEqual([]);
    });

    it('can select fields and embed related records', async () => {
      const { id: image } = (await ask('POST wp:/media', { as: 'editor', form: upload(picture, 'Old Mill.png') })).body;
      const category = await make('tribe_events_cat', { name: 'Embedded' });
      const shown = { featured_media: image, tribe_events_cat: [category.id] };
      const { id } = await make('tribe_events', { ...WALK, title: 'With a picture', ...shown });
      const some = await ask('GET wp:/tribe_events', {
        query: { include: id, _fields: 'id,title.rendered,__proto__.x' },
      });
      expect(some.body).toEqual([{ id, title: { rendered: 'With a picture' } }]);
      for (const path of [`tribe_events/${id}?_embed`, `tribe_events/${id}?_embed=wp:featuredmedia,wp:term`]) {
        const { _embedded } = (await ask(`GET wp:/${path}`)).body;
        expect(_embedded['wp:featuredmedia']).toMatchObject([
          { id: image, source_url: expect.stringContaining('/uploads/') },
        ]);
        expect(_embedded['wp:term']).toMatchObject([[], [{ id: category.id, name: 'Embedded' }]]);
      }
      expect((await ask(`GET wp:/tribe_events/${id}`, { query: { _embed: 'author' } })).body).not.toHaveProperty(
        '_embedded',
      );
      const media = await ask(`GET wp:/media/${image}`);
      expect(media.status).toBe(200);
      expect(media.body.media_details.sizes).toMatchObject({
        thumbnail: { width: 150, source_url: expect.stringMatching(/-150x150\.png$/) },
        full: { width: 800, height: 600, mime_type: 'image/png', source_url: media.body.source_url },
      });
      await ask(`PATCH /events/${id}`, { as: 'editor', body: { post_password: 'sesame' } });
      expect((await ask(`GET wp:/media/${image}`)).status).toBe(401);
    });

    it('sees a masked event until it sends the password', async () => {
      const tag = await make('tags', { name: 'secret' });
      const { id } = await make('tribe_events', {
        ...WALK,
        content: 'Told',
        excerpt: 'Said',
        tags: [tag.id],
        password: 'sesame',
      });
      for (const masked of [
        (await ask(`GET wp:/tribe_events/${id}`)).body,
        (await ask('GET wp:/tribe_events', { query: { include: id, _embed: true } })).body[0],
      ]) {
        expect(masked).toMatchObject({
          content: { rendered: '', protected: true },
          excerpt: { rendered: '', protected: true },
          ...{ tags: [], featured_media: 0 },
        });
        expect(JSON.stringify(masked)).not.toMatch(/Told|Said|secret/);
      }
      expect((await ask('GET wp:/tribe_events', { query: { tags: tag.id } })).body).toEqual([]);
      expect((await ask('GET wp:/tribe_events', { query: { search: 'Told', include: id } })).body).toEqual([]);
      expect((await ask('GET wp:/tags', { query: { post: id } })).body).toEqual([]);
      const query = { password: 'sesame' };
      expect((await ask(`GET wp:/tribe_events/${id}`, { query })).body.content).toEqual({
        rendered: 'Told',
        protected: false,
      });
      const wrong = await ask(`GET wp:/tribe_events/${id}`, { query: { password: 'wrong' } });
      expect([wrong.status, wrong.body.code]).toEqual([403, 'event-password-protected']);
    });

    it('sees neither drafts nor raw texts', async () => {
      const draft = await make('tribe_events', { title: 'Not yet', meta: DATES });
      expect(draft.status).toBe('draft');
      expect((await ask('GET wp:/tribe_events', { query: { include: draft.id } })).body).toEqual([]);
      expect((await ask('GET wp:/tribe_events', { as: 'editor', query: { include: draft.id } })).body).toEqual([]);
      const editor = { as: 'editor', query: { 'status[]': 'draft', include: draft.id, context: 'edit' } } as const;
      expect((await ask('GET wp:/tribe_events', editor)).body).toMatchObject([{ title: { raw: 'Not yet' } }]);
      for (const query of ['status=draft', 'status=any', 'context=none']) {
        expect((await ask(`GET wp:/tribe_events?${query}`)).status).toBe(400);
      }
      expect((await ask('GET wp:/tribe_events', { query: { context: 'edit' } })).body.code).toBe('rest_forbidden');
      const { id } = await make('tribe_venue', { title: 'Open', status: 'publish' });
      expect((await ask(`GET wp:/tribe_venue/${id}`, { query: { context: 'edit' } })).status).toBe(401);
      expect((await ask(`GET wp:/tribe_venue/${id}`)).body.title).toEqual({ rendered: 'Open' });
      expect((await ask('GET wp:/tribe_events/987654')).body.code).toBe('rest_post_invalid_id');
      expect((await ask(`GET wp:/tribe_events/${id}`)).body.code).toBe('rest_post_invalid_id');
    });

    it('gets no Link header of excessive length', async () => {
      for (const title of ['One', 'Two']) await make('tribe_venue', { title, status: 'publish' });
      const include = Array.from({ length: 900 }, (_, index) => index + 1).join();
      const { status, headers } = await ask('GET wp:/tribe_venue', { query: { include, per_page: 1 } });
      expect([status, Number(headers.get('x-wp-totalpages')) > 1]).toEqual([200, true]);
      expect(headers.get('link')).toBe('<http://localhost/wp-json/>; rel="https://api.w.org/"');
    });

    it.each([
      ['per_page', '1000'],
      ['per_page', '0'],
      ['include', Array.from({ length: 1001 }, (_, index) => index + 1).join()],
      ['slug', Array.from({ length: 201 }, (_, index) => `s${index}`).join()],
      ['tags', '987654'],
    ])('cannot send overlong lists or filters for unknown records: %s', async (name, value) => {
      const { status, body } = await ask('GET wp:/tribe_events', { query: { [name]: value } });
      expect([status, Object.keys(body.data.params)]).toEqual([400, [name]]);
    });
  });

  describe('a program that uploads an image', () => {
    const named = (name: string, type = 'image/png') => ({
      'content-disposition': `attachment; filename="${name}"`,
      'content-type': type,
    });

    it('sends it as a form or as the body itself, and finds it by its name', async () => {
      const form = await ask('POST wp:/media', { as: 'author', form: upload(picture, 'Old Barn.png') });
      const raw = await uploadRaw(picture, named('Old Barn.png'));
      const unknownType = await uploadRaw(picture, named('Old Barn.png', 'application/x-www-form-urlencoded'));
      for (const { status, body, headers } of [form, raw, unknownType]) {
        expect(status).toBe(201);
        expect(headers.get('location')).toBe(`${ROOT}/media/${body.id}`);
        expect(body).toMatchObject({ slug: 'old-barn', mime_type: 'image/png', author: server().userId('author') });
      }
      await uploadRaw(picture, named('Old Barn 2.png'));
      const found = await ask('GET wp:/media', { as: 'author', query: { slug: 'old-barn' } });
      expect(idsOf(found)).toEqual([unknownType, raw, form].map(({ body }) => body.id));
      expect((await ask('GET wp:/media', { as: 'author', query: { slug: 'old_barn' } })).body).toEqual([]);
      expect((await ask('GET wp:/media', { query: { slug: 'old-barn' } })).status).toBe(401);
    });

    it.each([
      '../../../etc/passwd.png',
      '..\\..\\evil.php.png',
      '/abs/olute.png',
      '%2e%2e%2f%2e%2e%2fx.png',
      `${'x'.repeat(5000)}.png`,
      '.png',
    ])('cannot choose where it is stored: %j', async (name) => {
      const { status, body } = await uploadRaw(picture, named(name));
      expect(status).toBe(201);
      expect(body.media_details.file).toMatch(/^2026\/11\/[a-z0-9_-]{1,60}-[0-9a-f]{12}\.png$/);
      expect((await server().request(body.source_url)).headers.get('content-type')).toBe('image/png');
    });

    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    it.each([
      ['an SVG as it is', svg, named('x.svg', 'image/svg+xml')],
      ['an SVG that says it is a PNG', svg, named('x.png')],
      ['a page that says it is a PNG', '<!doctype html><script>alert(1)</script>', named('x.png')],
      ['a page behind the first bytes of a GIF', 'GIF89a<script>alert(1)</script>', named('x.gif', 'image/gif')],
      ['nothing', '', named('x.png')],
      ['a body without a name', 'x', { 'content-type': 'image/png' }],
      ['a name that is empty', 'x', named('')],
    ])('is refused %s', async (_what, body, headers) => {
      const answer = await uploadRaw(body, headers);
      expect([answer.status, Object.keys(answer.body.data.params ?? {})]).toEqual([400, ['file']]);
    });

    it('gets 413 or 403 before an oversized or forbidden upload is read', async () => {
      const large = await uploadRaw(Buffer.alloc(200_001), named('x.png'));
      expect([large.status, large.body.code]).toEqual([413, 'rest_body_too_large']);
      const init = { method: 'POST', headers: named('x.png'), body: Buffer.alloc(100_001) };
      expect((await server().request('/wp-json/wp/v2/media', init)).status).toBe(413);
      const authorization = `Basic ${btoa('contributor:contributor-password')}`;
      expect((await uploadRaw(picture, { ...named('x.png'), authorization })).status).toBe(403);
    });

    it('cannot send a raw file to other routes', async () => {
      const { body } = await server().ask('POST admin:/media', {
        as: 'author',
        headers: named('x.png'),
        form: new URLSearchParams('x=1'),
      });
      expect(body.data.params).toHaveProperty('file');
    });
  });

  it('has its own prefix, and is in the index but not in the OpenAPI documents', async () => {
    const root = (await (await server().request('/wp-json/')).json()) as { namespaces: string[] };
    expect(root.namespaces.filter((name) => name === 'wp/v2')).toEqual(['wp/v2']);
    expect((await ask('GET wp:')).body.routes).toHaveProperty(['/wp/v2/tribe_events/(?P<id>\\d+)']);
    for (const path of ['/calendar/wp/v2/tags', '/wp/v2/tags', '/wp-json/wp/v1/tags', '/wp-json/wp/v2/posts']) {
      const response = await server().request(path);
      expect([path, response.status]).toEqual([path, 404]);
    }
  });

  it.each(['Fish & chips', 'Use &lt;b&gt;', 'AT&amp;T', '5 < 6'])(
    'accepts a title as it was read: %s',
    async (title) => {
      const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };
      const { id } = await server().make('POST /events', { title, ...dates });
      const editor = { as: 'editor', query: { context: 'edit' } } as const;
      const { body } = await ask(`GET wp:/tribe_events/${id}`, editor);
      await ask(`POST wp:/tribe_events/${id}`, { as: 'editor', body: { title: body.title } });
      expect((await ask(`GET /events/${id}`)).body.title).toBe(title);
    },
  );

  it('writes names in the language of the request', async () => {
    const { id } = await make('tribe_events', { ...WALK, title: 'Walk' });
    const query = { i18n_language: 'fr' };
    await ask(`POST wp:/tribe_events/${id}`, { as: 'editor', query, body: { title: 'Balade' } });
    const titleIn = async (i18n_language: string) =>
      (await ask(`GET wp:/tribe_events/${id}`, { query: { i18n_language } })).body.title.rendered;
    expect([await titleIn('en'), await titleIn('fr')]).toEqual(['Walk', 'Balade']);
  });
});
