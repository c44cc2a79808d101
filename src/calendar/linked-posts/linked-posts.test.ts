import { beforeAll, describe, expect, it } from 'vitest';
import { type Asking, DATABASES, useTestServer } from '../../../test/server.ts';
import { linkedPostKinds } from '../linked-kinds/registry.ts';

/** Common behaviour of all kinds; their own fields are tested in their own folders. */
const KINDS = Object.values(linkedPostKinds).map(({ plural, name, attributes }) => ({
  plural,
  word: name,
  /** An attribute that takes any line of text. */
  line: Object.keys(attributes).find((attribute) => attribute !== 'website') ?? '',
  website: Object.hasOwn(attributes, 'website') ? { website: 'https://example.org/a?b=c' } : {},
}));

const WALK = { title: 'Walk', start_date: '2027-02-01 10:00', end_date: '2027-02-01 12:00' };

describe.each(DATABASES)('on %s', (kind) => {
  describe.each(KINDS)('$plural', ({ plural, word, line, website }) => {
    const listPath = `GET /${plural}`;
    /** A server of its own for each group. */
    const useServer = () => {
      const server = useTestServer(kind);
      return {
        server,
        create: (name: string, more: object = {}, as: Asking['as'] = 'administrator') =>
          server().make(`POST /${plural}`, { [word]: name, ...more }, as),
        walkWith: (ids: number[], more: object = {}) =>
          server().make('POST /events', { ...WALK, ...more, [word]: ids }),
        purge: (id: number) => server().ask(`DELETE /${plural}/${id}`, { as: 'administrator', query: { force: true } }),
      };
    };

    describe('on an empty site', () => {
      const { server } = useServer();

      it('the list is empty', async () => {
        const { status, body, headers } = await server().ask(listPath);
        expect([status, body[plural], body.total, body.total_pages]).toEqual([200, [], 0, 0]);
        expect(body).not.toHaveProperty('next_rest_url');
        expect(body).not.toHaveProperty('previous_rest_url');
        expect([headers.get('x-tec-total'), headers.get('x-tec-totalpages')]).toEqual(['0', '0']);
      });
    });

    describe('creating', () => {
      const { server, create, purge } = useServer();
      it('a record needs nothing but a name', async () => {
        const { status, body } = await server().ask(`POST /${plural}`, {
          as: 'editor',
          body: { [word]: ' Old  Mill ' },
        });
        expect(status).toBe(201);
        expect(body).toEqual({
          id: expect.any(Number),
          author: String(server().userId('editor')),
          status: 'publish',
          date: '2026-11-21 12:00:00',
          date_utc: '2026-11-21 17:00:00',
          modified: '2026-11-21 12:00:00',
          modified_utc: '2026-11-21 17:00:00',
          revision: 1,
          url: `http://localhost/${word}/old-mill/`,
          [word]: 'Old Mill',
          slug: 'old-mill',
          global_id: `localhost?id=${body.id}`,
          global_id_lineage: [`localhost?id=${body.id}`],
          ...(word === 'venue' && { show_map: true, show_map_link: true }),
        });
        await purge(body.id);
      });

      it('a record takes every shared field', async () => {
        const body = await create('Rich', {
          author: server().userId('author'),
          date: '2026-01-02 03:04:05',
          description: 'One\n\nTwo <script>x</script><b onclick="x">bold</b>',
          [line]: '<i>555</i> 1',
          ...website,
          status: 'private',
        });
        expect(body).toMatchObject({
          author: String(server().userId('author')),
          date: '2026-01-02 03:04:05',
          date_utc: '2026-01-02 08:04:05',
          description: '<p>One</p>\n<p>Two <b>bold</b></p>',
          [line]: '555 1',
          ...website,
          status: 'private',
        });
        await purge(body.id);
      });

      it.each([
        [{ date: '1893456000' }, 'future', '2029-12-31 19:00:00', '2030-01-01 00:00:00'],
        [{ date_utc: '2030-01-01 00:00' }, 'future', '2029-12-31 19:00:00', '2030-01-01 00:00:00'],
        [
          { date: '2026-07-01 10:00', date_utc: '2026-07-01 10:00' },
          'publish',
          '2026-07-01 10:00:00',
          '2026-07-01 10:00:00',
        ],
        [{ date: '2026-07-01T10:00:00+02:00' }, 'publish', '2026-07-01 04:00:00', '2026-07-01 08:00:00'],
        [{ status: 'future' }, 'publish', '2026-11-21 12:00:00', '2026-11-21 17:00:00'],
        [{ status: 'draft' }, 'draft', '2026-11-21 12:00:00', '0000-00-00 00:00:00'],
      ])('a write of %j gives the status %s and the date %s', async (sent, status, date, date_utc) => {
        const body = await create('Dated', sent);
        expect(body).toMatchObject({ status, date, date_utc });
        await purge(body.id);
      });

      it('a second record of the same name is created beside the first', async () => {
        const first = await create('Namesake', { [line]: '1' });
        const second = await create('NAMESAKE', { [line]: '2' });
        expect([second.slug, second[line]]).toEqual(['namesake-2', '2']);
        expect((await server().ask(`GET /${plural}/${first.id}`)).body).toMatchObject({
          [word]: 'Namesake',
          [line]: '1',
        });
        for (const { id } of [first, second]) await purge(id);
      });

      it.each<[object, string]>([
        [{}, 'rest_missing_callback_param'],
        [{ [word]: null }, 'rest_missing_callback_param'],
        [{ [word]: '' }, 'rest_invalid_param'],
        [{ [word]: ' ' }, 'rest_invalid_param'],
        [{ [word]: '<b></b>' }, 'rest_invalid_param'],
        [{ [word]: ['x'] }, 'rest_invalid_param'],
        [{ [word]: 'x', author: 999 }, 'rest_invalid_param'],
        [{ [word]: 'x', author: 'ann' }, 'rest_invalid_param'],
        [{ [word]: 'x', date: 'soon-ish' }, 'rest_invalid_param'],
        [{ [word]: 'x', date_utc: '2027-02-30' }, 'rest_invalid_param'],
        [{ [word]: 'x', status: 'nope' }, 'rest_invalid_param'],
        ...Object.keys(website).flatMap((name) =>
          ['example.com', 'javascript:alert(1)'].map(
            (url) => [{ [word]: 'x', [name]: url }, 'rest_invalid_param'] as [object, string],
          ),
        ),
        [{ [word]: 'x', image: '12345' }, 'rest_invalid_param'],
      ])('creating a record from %j responds with %s to every viewer', async (body, code) => {
        const { ask } = server();
        for (const as of ['administrator', undefined] as const)
          expect(await ask(`POST /${plural}`, { as, body })).toMatchObject({ status: 400, body: { code } });
        expect((await ask(listPath, { as: 'administrator' })).body.total).toBe(0);
      });

      it.each([
        [undefined, undefined, 401, undefined],
        ['subscriber', undefined, 403, undefined],
        ['door', undefined, 403, undefined],
        ['contributor', undefined, 201, 'draft'],
        ['contributor', 'publish', 201, 'pending'],
        ['contributor', 'future', 201, 'pending'],
        ['contributor', 'private', 403, undefined],
        ['author', undefined, 201, 'publish'],
        ['author', 'private', 201, 'private'],
        ['editor', 'pending', 201, 'pending'],
      ] as const)(
        'creating by %s with the status %s responds with %i and the status %s',
        async (as, asked, status, given) => {
          const body = { [word]: 'By role', ...(asked && { status: asked }) };
          const answer = await server().ask(`POST /${plural}`, { as, body });
          expect([answer.status, answer.status === 201 ? answer.body.status : undefined]).toEqual([status, given]);
          if (status === 201) await purge(answer.body.id);
        },
      );

      it('only editors may name another author', async () => {
        const author = server().userId('subscriber');
        const sent = { as: 'author', body: { [word]: 'Ghost', author } } as const;
        expect(await server().ask(`POST /${plural}`, sent)).toMatchObject({
          status: 403,
          body: { code: 'rest_forbidden' },
        });
        const made = await create('Ghost', { author }, 'editor');
        expect(made.author).toBe(String(author));
        await purge(made.id);
      });
    });

    describe('reading', () => {
      const { server, create, purge } = useServer();
      let open: number;
      let draft: { id: number; slug: string };
      beforeAll(async () => {
        open = (await create('Öpen Mill', { description: 'Grain & flour' })).id;
        draft = await create('Drafted', { status: 'draft' }, 'contributor');
        return async () => {
          for (const id of [open, draft.id]) await purge(id);
        };
      });

      it.each(['by-slug/open-mill', 'by-slug/OPEN-Mill', 'by-slug/%C3%96pen%20Mill/'])(
        'a record is found by its slug in any spelling: %s',
        async (path) => {
          expect((await server().ask(`GET /${plural}/${path}`)).body).toMatchObject({ id: open, [word]: 'Öpen Mill' });
        },
      );

      it('a single read has JSON-LD, which lists leave out', async () => {
        const { ask } = server();
        expect((await ask(`GET /${plural}/${open}`)).body.json_ld).toMatchObject({
          '@context': 'http://schema.org',
          '@type': { venue: 'Place', organizer: 'Organization' }[word as string] ?? expect.any(String),
          name: 'Öpen Mill',
          description: 'Grain & flour',
        });
        expect((await ask(`GET /${plural}/${draft.id}`, { as: 'editor' })).body).not.toHaveProperty('json_ld');
        expect((await ask(listPath)).body[plural][0]).not.toHaveProperty('json_ld');
      });

      it.each([
        [undefined, 403],
        ['subscriber', 403],
        ['author', 403],
        ['contributor', 200],
        ['editor', 200],
        ['administrator', 200],
      ] as const)('reading a draft by %s responds with %i', async (as, status) => {
        for (const path of [`${draft.id}`, `by-slug/${draft.slug}`]) {
          const answer = await server().ask(`GET /${plural}/${path}`, { as });
          expect(answer.status).toBe(status);
          if (status === 403) expect(answer.body.code).toBe(`${word}-not-accessible`);
        }
      });

      it.each(['999', '0', '99999999999999999999', 'by-slug/nope'])(
        'a record that does not exist is refused: %s',
        async (path) => {
          const parameter = path.startsWith('by-slug') ? 'slug' : 'id';
          for (const method of ['GET', 'PATCH', 'DELETE'])
            expect(await server().ask(`${method} /${plural}/${path}`)).toMatchObject({
              status: 400,
              body: { code: 'rest_invalid_param', data: { params: { [parameter]: expect.any(String) } } },
            });
        },
      );

      it('a record is not found under the routes of another kind', async () => {
        const other =
          word === 'venue' ? { plural: 'organizers', word: 'organizer' } : { plural: 'venues', word: 'venue' };
        const { id } = await server().make(`POST /${other.plural}`, { [other.word]: 'Other' });
        expect((await server().ask(`GET /${plural}/${id}`)).status).toBe(400);
      });
    });

    describe('changing', () => {
      const { server, create, purge } = useServer();
      const full = { description: 'Words', [line]: '1', ...website };
      let id: number;
      beforeAll(async () => {
        id = (await create('Kept', full)).id;
        return () => purge(id);
      });
      const change = (body: object, as: Asking['as'] = 'editor') =>
        server().ask(`PATCH /${plural}/${id}`, { as, body });

      it.each(['POST', 'PUT', 'PATCH'])('%s changes what is sent and keeps the rest', async (method) => {
        const { ask, clock } = server();
        const before = (await ask(`GET /${plural}/${id}`)).body;
        clock.now = new Date(clock.now.getTime() + 60_000);
        const sent = { [line]: `by ${method}` };
        const { status, body } = await ask(`${method} /${plural}/by-slug/KEPT`, { as: 'editor', body: sent });
        const { json_ld: _ld, ...rest } = before;
        expect([status, body]).toEqual([
          200,
          {
            ...rest,
            ...sent,
            modified: body.modified,
            modified_utc: body.modified_utc,
            revision: before.revision + 1,
          },
        ]);
        expect(body.modified_utc > before.modified_utc).toBe(true);
      });

      it.each([null, ''])('%j clears a field', async (nothing) => {
        await change(full);
        const { body } = await change({ description: nothing, [line]: nothing, website: nothing, status: nothing });
        for (const name of Object.keys(full)) expect(body).not.toHaveProperty(name);
        expect(body).toMatchObject({ [word]: 'Kept', status: 'publish' });
      });

      it.each([null, '', ' ', '<i></i>'])('the name %j is refused', async (name) => {
        expect((await change({ [word]: name })).status).toBe(400);
      });

      it('a record keeps its address under a new name, also that of another record', async () => {
        const other = await create('Neighbour');
        expect((await change({ [word]: 'Neighbour' })).body).toMatchObject({ [word]: 'Neighbour', slug: 'kept' });
        await change({ [word]: 'Kept' });
        await purge(other.id);
      });

      it.each([
        [undefined, 401],
        ['subscriber', 403],
        ['contributor', 403],
        ['author', 403],
        ['editor', 200],
      ] as const)('a change by %s responds with %i, by id as by slug', async (as, status) => {
        for (const path of [String(id), 'by-slug/kept'])
          expect((await server().ask(`PUT /${plural}/${path}`, { as, body: {} })).status).toBe(status);
      });

      it('contributors may change their own record until it is published', async () => {
        const { ask } = server();
        const own = await create('Own', {}, 'contributor');
        const rename = () => ask(`PATCH /${plural}/${own.id}`, { as: 'contributor', body: { [word]: 'Mine' } });
        expect((await rename()).body).toMatchObject({ [word]: 'Mine', status: 'draft' });
        const asked = await ask(`PATCH /${plural}/${own.id}`, { as: 'contributor', body: { status: 'publish' } });
        expect(asked.body.status).toBe('pending');
        expect(
          (await ask(`PATCH /${plural}/${own.id}`, { as: 'editor', body: { status: 'publish' } })).body,
        ).toMatchObject({
          status: 'publish',
          date_utc: server().clock.now.toISOString().slice(0, 19).replace('T', ' '),
        });
        expect((await rename()).status).toBe(403);
        expect((await ask(`DELETE /${plural}/${own.id}`, { as: 'contributor' })).status).toBe(403);
        await purge(own.id);
      });

      it('a change with a bad field changes nothing', async () => {
        expect((await change({ [line]: 'lost', author: 999 })).status).toBe(400);
        expect((await server().ask(`GET /${plural}/${id}`)).body[line]).not.toBe('lost');
      });

      it('simultaneous changes of different fields are all kept', async () => {
        const all = await Promise.all([
          change({ [line]: 'together' }),
          change({ date: '2026-07-01 10:00:00' }),
          change({ description: 'together' }),
          server().ask(`DELETE /${plural}/${id}`, { as: 'editor' }),
        ]);
        expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        expect((await change({ status: 'publish' })).body).toMatchObject({
          [line]: 'together',
          date: '2026-07-01 10:00:00',
          description: expect.stringContaining('together'),
        });
      });

      it('changing a record while it is removed causes no fault', async () => {
        const gone = await create('Gone');
        const call = `/${plural}/${gone.id}`;
        const all = await Promise.all([
          purge(gone.id),
          server().ask(`PATCH ${call}`, { as: 'editor', body: { [line]: '1' } }),
          server().ask(`DELETE ${call}`, { as: 'editor' }),
          purge(gone.id),
        ]);
        for (const { status } of all) expect(status).toBeLessThan(500);
        expect((await server().ask(`GET ${call}`)).status).toBe(400);
      });
    });

    describe('removing', () => {
      const { server, create, walkWith, purge } = useServer();
      it('a record goes to the trash once and can be restored', async () => {
        const { ask, make } = server();
        const { id } = await create('Binned');
        const call = `/${plural}/${id}`;
        expect(await ask(`DELETE ${call}`)).toMatchObject({ status: 401 });
        const trashed = await ask(`DELETE ${call}`, { as: 'editor' });
        expect(trashed).toMatchObject({ status: 200, body: { id, status: 'trash', slug: 'binned__trashed' } });
        expect(trashed.body.url).toContain(`/?post_type=calendar_${word}&p=${id}`);
        const again = await ask(`DELETE ${call}`, { as: 'editor' });
        expect([again.status, again.body.code]).toEqual([410, `${word}-is-in-trash`]);
        expect((await ask(`GET ${call}`)).body.code).toBe(`${word}-not-accessible`);
        expect((await ask(`GET ${call}`, { as: 'editor' })).body.status).toBe('trash');
        expect((await ask(listPath, { as: 'editor' })).body.total).toBe(0);
        expect((await ask(listPath, { as: 'editor', query: { status: 'trash' } })).body.total).toBe(1);

        const successor = await create('Binned');
        expect(successor.slug).toBe('binned');
        expect(await make(`PATCH ${call}`, { status: 'publish' })).toMatchObject({
          status: 'publish',
          slug: 'binned-2',
        });
        for (const gone of [id, successor.id]) await purge(gone);
      });

      it('force removes a record permanently, with its id', async () => {
        const { id } = await create('Forced');
        expect((await purge(id)).body).toMatchObject({ id, status: 'publish', [word]: 'Forced' });
        expect((await purge(id)).status).toBe(400);
        expect((await create('Next')).id).toBeGreaterThan(id);
        await purge(id + 1);
      });

      it.each<Record<string, boolean>>([{}, { force: true }])(
        'removing a record takes it off its events and leaves their other links: %j',
        async (query) => {
          const { ask } = server();
          const [one, two] = [await create('One'), await create('Two')];
          const walk = await walkWith([one.id, two.id]);
          await ask(`DELETE /${plural}/${one.id}`, { as: 'editor', query });
          const left = (await ask(`GET /events/${walk.id}`)).body[word];
          expect([left].flat().map(({ id }: { id: number }) => id)).toEqual([two.id]);
          for (const { id } of [one, two]) await purge(id);
        },
      );
    });

    describe('listing', () => {
      const { server, create, walkWith } = useServer();
      const ids: Record<string, number> = {};
      let walk: number;
      let draftWalk: number;

      beforeAll(async () => {
        const names = ['zebra', 'Éclair', 'apple', 'Eclair', 'Banana'];
        for (const name of names) ids[name] = (await create(name, { description: `A ${name} from London town` })).id;
        ids.secret = (await create('secret', { status: 'draft' }, 'contributor')).id;
        ids.hidden = (await create('hidden', { status: 'private' })).id;
        walk = (await walkWith([ids.apple ?? 0, ids.hidden ?? 0])).id;
        draftWalk = (await walkWith([ids.zebra ?? 0], { status: 'draft' })).id;
        await walkWith([ids.Banana ?? 0], { start_date: '2020-01-01', end_date: '2020-01-02' });
        await walkWith([ids.Eclair ?? 0], { hide_from_listings: true });
        await walkWith([ids.Éclair ?? 0], { status: 'future', date: '2026-12-24 08:00:00' });
      });

      const names = async (query: Asking['query'] = {}, as?: Asking['as']): Promise<string[]> => {
        const { body } = await server().ask(listPath, { query: { per_page: 50, ...query }, as });
        expect(body.total).toBe(body[plural].length);
        return body[plural].map((item: Record<string, string>) => item[word]);
      };

      it('lists are sorted by name regardless of case and accents, then by id', async () => {
        expect(await names()).toEqual(['apple', 'Banana', 'Éclair', 'Eclair', 'zebra']);
      });

      it('pages link to each other and keep every parameter', async () => {
        const { ask } = server();
        const query = { per_page: 2, search: 'LONDON', i18n_language: 'fr' };
        const pages = [1, 2, 3].map((page) => ask(listPath, { query: { ...query, page } }));
        const [first, second, third] = await Promise.all(pages);
        const link = (page: number) =>
          `http://localhost/calendar/events/v1/${plural}/?page=${page}&per_page=2&search=LONDON&status=publish&i18n_language=fr`;
        expect(first?.body).toMatchObject({ total: 5, total_pages: 3, rest_url: link(1), next_rest_url: link(2) });
        expect(first?.body).not.toHaveProperty('previous_rest_url');
        expect(second?.body).toMatchObject({ next_rest_url: link(3), previous_rest_url: link(1) });
        expect(third?.body).not.toHaveProperty('next_rest_url');
        expect(third?.headers.get('x-tec-totalpages')).toBe('3');
        const seen = [first, second, third].flatMap((page) => page?.body[plural].map(({ id }: { id: number }) => id));
        expect(new Set(seen).size).toBe(5);
        const past = await ask(listPath, { query: { ...query, page: 4 } });
        expect([past.status, past.body.code]).toEqual([404, `${word}-archive-page-not-found`]);
      });

      it('a page has six records by default and a hundred at most', async () => {
        const { ask } = server();
        expect((await ask(listPath)).body.rest_url).toContain('per_page=6&');
        expect((await ask(listPath, { query: { per_page: 500 } })).body.rest_url).toContain('per_page=100&');
      });

      it.each([
        [{ search: 'éCLAIR' }, ['Éclair', 'Eclair']],
        [{ search: 'town apple' }, ['apple']],
        [{ search: 'apple banana' }, []],
        [{ search: '100%' }, []],
        [{ has_events: true }, ['apple', 'Banana', 'Eclair']],
        [{ has_events: 'no' }, ['Éclair', 'zebra']],
        [{ only_with_upcoming: true }, ['apple']],
        [{ only_with_upcoming: false }, ['apple', 'Banana', 'Éclair', 'Eclair', 'zebra']],
        [{ has_events: true, search: 'banana' }, ['Banana']],
      ])('the query %j finds %j', async (query, expected) => {
        expect(await names(query)).toEqual(expected);
      });

      it('the filter event lists the records of one event', async () => {
        expect(await names({ event: walk })).toEqual(['apple']);
        expect(await names({ event: walk }, 'editor')).toEqual(['apple', 'hidden']);
        expect(await names({ event: draftWalk }, 'editor')).toEqual(['zebra']);
        for (const event of [draftWalk, 99_999, 'x', 0, ids.apple ?? 0])
          expect(await server().ask(listPath, { query: { event } })).toMatchObject({
            status: 400,
            body: { data: { params: { event: expect.any(String) } } },
          });
      });

      it('only_with_upcoming counts drafts for users who may see them', async () => {
        expect(await names({ only_with_upcoming: true }, 'editor')).toEqual(['apple', 'Éclair', 'hidden', 'zebra']);
      });

      it('has_events counts scheduled events for users who may see them, but no drafts', async () => {
        const counted = ['apple', 'Banana', 'Éclair', 'Eclair', 'hidden'];
        expect(await names({ has_events: true }, 'editor')).toEqual(counted);
        expect(await names({ has_events: false }, 'editor')).toEqual(['secret', 'zebra']);
      });

      it.each([
        [undefined, {}, 5],
        ['subscriber', {}, 5],
        ['contributor', {}, 6],
        ['author', {}, 5],
        ['editor', {}, 7],
        ['contributor', { status: 'any' }, 6],
        ['contributor', { status: 'draft,private' }, 1],
        ['editor', { status: 'draft,private' }, 2],
        ['editor', { status: 'publish, draft' }, 6],
        [undefined, { status: 'publish' }, 5],
      ] as const)('a list for %s with %j has %i records', async (as, query, count) => {
        expect(await names(query, as)).toHaveLength(count);
      });

      it.each([
        [undefined, { status: 'draft' }],
        [undefined, { status: 'any' }],
        ['subscriber', { status: 'publish,draft' }],
        ['editor', { status: 'nope' }],
        ['editor', { status: '' }],
        [undefined, { page: 0 }],
        [undefined, { page: 'x' }],
        [undefined, { per_page: -1 }],
        [undefined, { per_page: 1.5 }],
        [undefined, { search: '' }],
        [undefined, { search: ' ' }],
        [undefined, { has_events: 'perhaps' }],
      ] as const)('a list for %s with %j is refused', async (as, query) => {
        const answer = await server().ask(listPath, { as, query });
        expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_param']);
        expect(Object.keys(answer.body.data.params)).toEqual(Object.keys(query));
      });

      it('links to other pages name the status that the viewer sees', async () => {
        const { body } = await server().ask(listPath, { as: 'contributor', query: { per_page: 2 } });
        expect(body.next_rest_url).toContain('status=any');
        const next = new URL(body.next_rest_url);
        const followed = await server().ask(listPath, {
          as: 'contributor',
          query: Object.fromEntries(next.searchParams),
        });
        expect(followed.body.total).toBe(body.total);
      });
    });
  });
});
