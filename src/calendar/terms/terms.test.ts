import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Asking, DATABASES, useTestServer } from '../../../test/server.ts';

/** Behaviour common to categories and tags; categories.test.ts covers the tree. */
const KINDS = [
  { plural: 'categories', word: 'category', writer: 'author', reader: 'contributor', taxonomy: 'calendar_events_cat' },
  { plural: 'tags', word: 'tag', writer: 'editor', reader: 'author', taxonomy: 'post_tag' },
] as const;

const WALK = { title: 'Walk', start_date: '2027-02-01 10:00', end_date: '2027-02-01 12:00' };

describe.each(DATABASES)('on %s', (kind) => {
  describe.each(KINDS)('$plural', ({ plural, word, writer, reader, taxonomy }) => {
    const path = `/${plural}`;
    const root = `http://localhost/calendar/events/v1/${plural}`;
    /** A server of its own for each group. */
    const useServer = (options: Parameters<typeof useTestServer>[2] = {}) => {
      const server = useTestServer(kind, {}, options);
      return {
        server,
        create: (name: string, more: object = {}) => server().make(`POST ${path}`, { name, ...more }, 'editor'),
        remove: (id: number) => server().ask(`DELETE ${path}/${id}`, { as: 'editor' }),
        walkWith: (terms: unknown, more: object = {}) =>
          server().make('POST /events', { ...WALK, ...more, [plural]: terms }),
      };
    };

    describe('on an empty site', () => {
      const { server } = useServer();

      it('the list is empty', async () => {
        const { status, body, headers } = await server().ask(`GET ${path}`, { query: { hide_empty: false } });
        expect([status, body[plural], body.total, body.total_pages]).toEqual([200, [], 0, 0]);
        expect(body).not.toHaveProperty('next_rest_url');
        expect([headers.get('x-tec-total'), headers.get('x-tec-totalpages')]).toEqual(['0', '0']);
      });
    });

    describe('creating', () => {
      const { server, create, remove } = useServer();
      it('a new term has all members, links and an address', async () => {
        const body = { name: ' Ká & <b>É</b> ', description: 'On <i>foot</i><script>x</script>' };
        const answer = await server().ask(`POST ${path}`, { as: writer, body });
        expect(answer.status).toBe(201);
        const { id } = answer.body;
        expect(answer.headers.get('location')).toBe(`${root}/${id}`);
        expect(answer.body).toEqual({
          id,
          count: 0,
          description: 'On <i>foot</i>',
          name: 'Ká & É',
          slug: 'ka-e',
          taxonomy,
          ...(word === 'category' && { parent: 0 }),
          meta: [],
          revision: 1,
          url: `http://localhost/${word === 'category' ? 'events/category' : 'tag'}/ka-e/`,
          urls: { self: `${root}/${id}`, collection: root },
          _links: { self: [{ href: `${root}/${id}` }], collection: [{ href: root }] },
        });
        expect((await server().ask(`GET ${path}/${id}`)).body).toEqual(answer.body);
        await remove(id);
      });

      it.each([
        [{}, 'rest_missing_callback_param'],
        [{ name: '' }, 'rest_invalid_param'],
        [{ name: ' ' }, 'rest_invalid_param'],
        [{ name: '<b></b>' }, 'rest_invalid_param'],
        [{ name: 'x'.repeat(201) }, 'rest_invalid_param'],
        [{ name: ['x'] }, 'rest_invalid_param'],
        [{ name: 'x', slug: ' ' }, 'rest_invalid_param'],
        [{ name: 'x', description: {} }, 'rest_invalid_param'],
      ])('creating a term from %j responds with %s to every viewer', async (body, code) => {
        for (const as of ['editor', undefined] as const)
          expect(await server().ask(`POST ${path}`, { as, body })).toMatchObject({ status: 400, body: { code } });
      });

      it.each([
        [undefined, 401],
        ['subscriber', 403],
        [reader, 403],
        [writer, 201],
        ['administrator', 201],
      ] as const)('by %s: %i', async (as, status) => {
        const answer = await server().ask(`POST ${path}`, { as, body: { name: 'By role' } });
        expect(answer.status).toBe(status);
        if (status === 201) await remove(answer.body.id);
        else expect(answer.body.code).toBe('rest_forbidden');
      });

      it('a name can be used twice only with a slug of its own', async () => {
        const first = await create('Double');
        const again = await server().ask(`POST ${path}`, { as: 'editor', body: { name: 'Double' } });
        expect(again).toMatchObject({
          status: 400,
          body: { code: 'term_exists', data: { status: 400, term_id: first.id } },
        });
        const second = await create('Double', { slug: 'My Own Slug' });
        expect(second).toMatchObject({ name: 'Double', slug: 'my-own-slug' });
        const otherCase = await server().ask(`POST ${path}`, { as: 'editor', body: { name: 'DOUBLE' } });
        const expected = word === 'tag' ? { code: 'term_exists' } : { name: 'DOUBLE', slug: 'double-2' };
        expect(otherCase.body).toMatchObject(expected);
        for (const { id } of [first, second, otherCase.body]) if (id) await remove(id);
      });

      it('a slug that another term has is refused', async () => {
        const first = await create('Slugged', { slug: 'shared' });
        const second = await create('Other');
        for (const [call, body] of [
          [`POST ${path}`, { name: 'Third', slug: 'Shared' }],
          [`PATCH ${path}/${second.id}`, { slug: 'shared' }],
        ] as const)
          expect(await server().ask(call, { as: 'editor', body })).toMatchObject({
            status: 400,
            body: { code: 'duplicate_term_slug', data: { status: 400 } },
          });
        for (const { id } of [first, second]) await remove(id);
      });

      it('simultaneous requests for one name create one term', async () => {
        const ask = () => server().ask(`POST ${path}`, { as: 'editor', body: { name: 'Raced' } });
        const answers = await Promise.all([ask(), ask(), ask()]);
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
        for (const { body, status } of answers) if (status === 201) await remove(body.id);
      });
    });

    describe('changing', () => {
      const { server, create } = useServer({ isFreshEachTime: true });
      let id: number;
      beforeEach(async () => {
        id = (await create('Kept', { description: 'Words', slug: 'kept-slug' })).id;
      });
      const change = (body: object, as: Asking['as'] = writer) => server().ask(`PATCH ${path}/${id}`, { as, body });

      it.each(['POST', 'PUT', 'PATCH'])('%s changes what is sent and keeps the rest', async (method) => {
        const body = { name: `By ${method}` };
        const answer = await server().ask(`${method} ${path}/${id}`, { as: writer, body });
        expect(answer).toMatchObject({ status: 200, body: { id, ...body, slug: 'kept-slug', description: 'Words' } });
        expect(answer.body).toHaveProperty('_links');
        expect(answer.headers.get('location')).toBeNull();
      });

      it('a slug is normalized', async () => {
        expect((await change({ slug: 'Neu & Schön' })).body.slug).toBe('neu-schon');
        expect((await change({ slug: 'kept-slug' })).body.slug).toBe('kept-slug');
      });

      it('null clears the description', async () => {
        expect((await change({ description: '' })).body.description).toBe('');
      });

      it.each([{ name: '' }, { name: null }, { name: ' ' }])('a change to %j is refused', async (body) => {
        expect(await change(body)).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      });

      it('the name of another term is refused', async () => {
        await create('Neighbour');
        expect((await change({ name: 'Neighbour' })).body.code).toBe('term_exists');
        expect((await change({ name: 'Neighbour', slug: 'neighbour-b' })).status).toBe(200);
      });

      it.each([
        [undefined, 401],
        ['subscriber', 403],
        [reader, 403],
        [writer, 200],
      ] as const)('by %s: %i', async (as, status) => {
        for (const method of ['POST', 'PUT', 'PATCH'])
          expect((await server().ask(`${method} ${path}/${id}`, { as, body: {} })).status).toBe(status);
        if (status !== 200) expect((await server().ask(`DELETE ${path}/${id}`, { as })).status).toBe(status);
      });
    });

    describe('removing', () => {
      const { server, create, remove, walkWith } = useServer();
      it('a removed term is gone, also from its events', async () => {
        const { ask } = server();
        const { id } = await create('Gone');
        const walk = await walkWith([id]);
        expect(walk[plural]).toHaveLength(1);
        const removed = await ask(`DELETE ${path}/${id}`, { as: writer });
        expect(removed).toMatchObject({ status: 200, body: { id, count: 1, name: 'Gone' } });
        expect(removed.body).not.toHaveProperty('_links');
        expect((await ask(`GET /events/${walk.id}`)).body[plural]).toEqual([]);
        for (const method of ['GET', 'DELETE', 'PATCH'])
          expect(await ask(`${method} ${path}/${id}`, { as: 'editor' })).toMatchObject({
            status: 400,
            body: { code: 'rest_invalid_param', data: { params: { id: expect.any(String) } } },
          });
        await ask(`DELETE /events/${walk.id}`, { as: 'editor', query: { force: true } });
      });

      it('removing a term twice at the same time causes no fault', async () => {
        const { id } = await create('Raced away');
        const answers = await Promise.all([
          remove(id),
          remove(id),
          server().ask(`PATCH ${path}/${id}`, { as: 'editor', body: { description: 'x' } }),
        ]);
        for (const { status } of answers) expect([200, 400]).toContain(status);
      });

      it('a term is not found under the routes of another taxonomy', async () => {
        const { ask, make } = server();
        const other = word === 'tag' ? 'categories' : 'tags';
        const { id } = await make(`POST /${other}`, { name: 'Other kind' });
        for (const method of ['GET', 'DELETE'])
          expect((await ask(`${method} ${path}/${id}`, { as: 'editor' })).status).toBe(400);
        expect((await ask(`GET ${path}/0`)).status).toBe(400);
        expect((await ask(`GET ${path}/foo`)).status).toBe(404);
      });
    });

    describe('listing', () => {
      const { server, create, walkWith } = useServer();
      const ids: Record<string, number> = {};
      let walk: number;
      let draft: number;

      beforeAll(async () => {
        const names: [string, string, string][] = [
          ['banana', 'k-slug', 'd3'],
          ['Apple', 'm-slug', 'd1'],
          ['Éclair', 'a-slug', 'd2'],
          ['cherry', 'z-slug', 'd5'],
          ['eclair two', 'b-slug', 'd4'],
        ];
        for (const [name, slug, description] of names) ids[name] = (await create(name, { slug, description })).id;
        walk = (await walkWith(['Apple', 'banana'])).id;
        draft = (await walkWith(['Éclair'], { status: 'draft' })).id;
        await walkWith(['Apple']);
        await walkWith(['cherry'], { status: 'private' });
      });

      const names = async (query: Asking['query'] = {}, as?: Asking['as']): Promise<string[]> => {
        const { body } = await server().ask(`GET ${path}`, { query: { per_page: 50, ...query }, as });
        expect(body.total).toBe(body[plural].length);
        return body[plural].map(({ name }: { name: string }) => name);
      };
      const all = { hide_empty: false };
      const EVERY = ['Apple', 'banana', 'cherry', 'Éclair', 'eclair two'];

      it.each([
        [{}, ['Apple', 'banana']],
        [{ hide_empty: true }, ['Apple', 'banana']],
        [all, EVERY],
        [{ ...all, order: 'desc' }, [...EVERY].reverse()],
        [{ ...all, order: 'ASC' }, EVERY],
        [{ ...all, order: 'sideways' }, [...EVERY].reverse()],
        [{ ...all, orderby: 'id' }, ['banana', 'Apple', 'Éclair', 'cherry', 'eclair two']],
        [{ ...all, orderby: 'term_id', order: 'desc' }, ['eclair two', 'cherry', 'Éclair', 'Apple', 'banana']],
        [{ ...all, orderby: 'slug' }, ['Éclair', 'eclair two', 'banana', 'Apple', 'cherry']],
        [{ ...all, orderby: 'description' }, ['Apple', 'Éclair', 'banana', 'eclair two', 'cherry']],
        [{ ...all, orderby: 'count', order: 'desc' }, ['Apple', 'banana', 'Éclair', 'cherry', 'eclair two']],
        [{ ...all, orderby: 'rand' }, EVERY],
        [{ ...all, search: 'ECLAIR' }, ['Éclair', 'eclair two']],
        [{ ...all, search: 'slug z' }, ['cherry']],
        [{ ...all, search: 'nobody' }, []],
        [{ ...all, slug: 'A-SLUG' }, ['Éclair']],
        [{ ...all, slug: 'unknown' }, []],
        [{ ...all, include: 'cherry,m-slug', orderby: 'include' }, ['cherry', 'Apple']],
        [{ ...all, include: 'ÉCLAIR' }, ['Éclair']],
        [{ ...all, exclude: 'cherry,Apple' }, ['banana', 'Éclair', 'eclair two']],
        [{ ...all, include: 'cherry,Apple', exclude: 'cherry' }, ['Apple']],
        [{ hide_empty: 'no', search: 'cherry' }, ['cherry']],
      ])('the filter %j finds %j', async (query, expected) => {
        expect(await names(query)).toEqual(expected);
      });

      it('include takes one id or a list', async () => {
        const [apple, cherry] = [ids.Apple ?? 0, ids.cherry ?? 0];
        expect(await names({ ...all, include: apple })).toEqual(['Apple']);
        expect(await names({ ...all, include: `${cherry}, ${apple}`, orderby: 'include' })).toEqual([
          'cherry',
          'Apple',
        ]);
        expect(await names({ ...all, exclude: Object.values(ids).join(',') })).toEqual([]);
        expect(await names({ ...all, 'include[]': apple })).toEqual(['Apple']);
      });

      it('the filter event lists the terms of one event', async () => {
        expect(await names({ post: walk })).toEqual(['Apple', 'banana']);
        expect(await names({ event: walk, post: draft })).toEqual(['Apple', 'banana']);
        expect(await names({ ...all, event: draft }, 'editor')).toEqual(['Éclair']);
        for (const name of ['post', 'event'])
          for (const id of [draft, 99_999, 'x', 0, ''])
            expect(await server().ask(`GET ${path}`, { query: { [name]: id } })).toMatchObject({
              status: 400,
              body: { data: { params: { [name]: expect.any(String) } } },
            });
      });

      it.each([
        ['include', 'unknown'],
        ['include', 99_999],
        ['include', ''],
        ['exclude', 'cherry,99999'],
        ['order', ''],
        ['orderby', ''],
        ['search', ' '],
        ['slug', ''],
        ['hide_empty', 'perhaps'],
        ['page', 0],
        ['per_page', 'x'],
      ])('the filter %s=%s is refused', async (name, value) => {
        const { status, body } = await server().ask(`GET ${path}`, { query: { [name]: value } });
        expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', [name]]);
      });

      it('pages link to each other and keep every parameter', async () => {
        const page = (number: number) => server().ask(`GET ${path}`, { query: { ...all, per_page: 2, page: number } });
        const [first, second, third, past] = await Promise.all([1, 2, 3, 9].map(page));
        const link = (number: number) => `${root}/?page=${number}&per_page=2&hide_empty=0`;
        expect(first?.body).toMatchObject({ total: 5, total_pages: 3, rest_url: link(1), next_rest_url: link(2) });
        expect(first?.body).not.toHaveProperty('previous_rest_url');
        expect(second?.body).toMatchObject({ next_rest_url: link(3), previous_rest_url: link(1) });
        expect(third?.body).not.toHaveProperty('next_rest_url');
        expect(first?.body[plural][0]).not.toHaveProperty('_links');
        const seen = [first, second, third].flatMap((answer) =>
          answer?.body[plural].map(({ name }: { name: string }) => name),
        );
        expect(seen).toEqual(EVERY);
        expect(past).toMatchObject({ status: 200, body: { [plural]: [], total: 5, total_pages: 3 } });
        expect(past?.body).not.toHaveProperty('next_rest_url');
      });
    });

    describe('counting', () => {
      const { server, create, walkWith } = useServer();

      it('counts follow the published events of a term', async () => {
        const { ask } = server();
        const { id } = await create('banana');
        const { id: walk } = await walkWith(['Apple', 'banana']);
        const count = async () => (await ask(`GET ${path}/${id}`)).body.count;
        const change = (body: object) => ask(`PATCH /events/${walk}`, { as: 'editor', body });
        expect(await count()).toBe(1);
        await change({ status: 'draft' });
        expect(await count()).toBe(0);
        await change({ status: 'publish' });
        expect(await count()).toBe(1);
        await change({ [plural]: ['Apple'] });
        expect(await count()).toBe(0);
        await change({ [plural]: ['Apple', 'banana'] });
        await ask(`DELETE /events/${walk}`, { as: 'editor' });
        expect(await count()).toBe(0);
        await change({ status: 'publish' });
        expect(await count()).toBe(1);
        await ask(`DELETE /events/${walk}`, { as: 'editor', query: { force: true } });
        expect(await count()).toBe(0);
      });
    });
  });
});
