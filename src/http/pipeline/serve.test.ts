import { beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';

const ALL = 'GET, DELETE, POST, PUT, PATCH';

describe.each(DATABASES)('HTTP on %s', (kind) => {
  const server = useTestServer(kind, { corsOrigins: ['https://shop.test'], maxBodyBytes: 4096 });
  let venue: number;

  beforeAll(async () => {
    const made = await server().make('POST /venues', { venue: 'Mill', city: 'Salem', phone: '1' });
    venue = made.id;
    for (const name of ['Barn', 'Hall']) await server().make('POST /venues', { venue: name });
  });

  describe('routes', () => {
    it.each([
      ['GET /VENUES', 200],
      ['GET /venues/', 200],
      ['GET /venues//', 200],
      ['GET /venues/abc', 404],
      ['GET /venues/-1', 404],
      ['GET /nothing', 404],
      ['PUT /venues', 404],
      ['DELETE /venues', 404],
      ['PATCH /categories', 404],
    ])('%s: %i', async (call, status) => {
      const answer = await server().ask(call);
      expect(answer.status).toBe(status);
      if (status === 404) {
        expect(answer.body).toMatchObject({ code: 'rest_no_route', data: { status } });
        expect(answer.headers.get('allow')).toBeNull();
      }
    });

    it.each([
      ['/calendar', 200],
      ['/wp-json/calendar', 200],
      ['/wp-json/tribe', 200],
      ['/tribe', 404],
      ['/wp-json/other', 404],
      ['/api/calendar', 404],
    ])('respond under %s: %i', async (prefix, status) => {
      const answer = await server().ask('GET /venues', { prefix, query: { per_page: 1 } });
      expect(answer.status).toBe(status);
      if (status === 200)
        expect(answer.body.next_rest_url).toMatch(new RegExp(`^http://localhost${prefix}/events/v1/venues/\\?page=2&`));
      else expect(answer.body.code).toBe('rest_no_route');
    });

    it.each(['/wp-json', '/wp-json/'])('are announced at %s', async (path) => {
      const response = await server().request(path);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({
        name: 'Marquee',
        timezone_string: 'America/New_York',
        namespaces: expect.arrayContaining(['calendar/events/v1', 'tribe/events/v1']),
      });
    });

    it('keep the vocabulary of the prefix', async () => {
      const { id } = await server().make('POST /categories', { name: 'Vocabulary' });
      const word = async (prefix: string) => (await server().ask(`GET /categories/${id}`, { prefix })).body.taxonomy;
      expect(await word('/calendar')).toBe('calendar_events_cat');
      expect(await word('/wp-json/tribe')).toBe('tribe_events_cat');
    });

    it('give the path precedence over the body and the query', async () => {
      const { ask } = server();
      expect((await ask(`GET /venues/${venue}`, { query: { id: 999 } })).body.id).toBe(venue);
      const changed = await ask(`PATCH /venues/${venue}`, { as: 'editor', body: { id: 999, phone: '2' } });
      expect(changed.body).toMatchObject({ id: venue, phone: '2' });
    });
  });

  describe('the method', () => {
    it.each([
      ['GET', { query: { _method: 'PATCH', phone: 'by query' } }, 'by query'],
      ['POST', { query: { _method: 'patch', phone: 'lower case' } }, 'lower case'],
      ['POST', { headers: { 'x-http-method-override': 'PUT' }, body: { phone: 'by header' } }, 'by header'],
      [
        'DELETE',
        { query: { _method: 'PATCH' }, headers: { 'x-http-method-override': 'GET' }, body: { phone: 'query first' } },
        'query first',
      ],
    ])('of a %s can be overridden: %j', async (method, asking, phone) => {
      const answer = await server().ask(`${method} /venues/${venue}`, { ...asking, as: 'editor' });
      expect([answer.status, answer.body.phone]).toEqual([200, phone]);
    });

    it('of a POST can be overridden with GET', async () => {
      const answer = await server().ask('POST /venues', { query: { _method: 'GET' } });
      expect(answer.body.total).toBe(3);
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    });

    it('that does not exist matches no route', async () => {
      expect((await server().ask('GET /venues', { query: { _method: 'FETCH' } })).status).toBe(404);
    });

    it('that writes is never cached', async () => {
      const headers = { 'if-none-match': '*' };
      const query = { _method: 'PATCH', phone: '3' };
      const answer = await server().ask(`GET /venues/${venue}`, { as: 'editor', query, headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('etag')).toBeNull();
    });

    it('HEAD returns the headers of GET without a body', async () => {
      const { ask } = server();
      const [get, head] = [await ask('GET /venues'), await ask('HEAD /venues')];
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['content-type', 'etag', 'x-tec-total', 'x-tec-totalpages', 'allow', 'cache-control'])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      expect((await ask('HEAD /venues/999')).status).toBe(400);
    });
  });

  describe('OPTIONS', () => {
    it('describes a route, whatever its parameters', async () => {
      const { status, body } = await server().ask('OPTIONS /venues', { query: { page: 0 } });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        namespace: 'calendar/events/v1',
        methods: ['GET', 'POST'],
        endpoints: [
          { methods: ['GET'], args: { page: { type: 'integer', required: false, description: expect.any(String) } } },
          { methods: ['POST'], args: { venue: { type: 'string', required: true } } },
        ],
        _links: { self: [{ href: 'http://localhost/calendar/events/v1/venues' }] },
      });
    });

    it('has no link to a pattern', async () => {
      expect((await server().ask('OPTIONS /venues/1')).body).not.toHaveProperty('_links');
    });

    it('returns an empty list for an unknown route', async () => {
      const { status, body, headers } = await server().ask('OPTIONS /nothing');
      expect([status, body, headers.get('allow')]).toEqual([200, [], null]);
    });
  });

  describe('Allow', () => {
    const allowed = async (call: string, as?: 'editor' | 'contributor' | 'subscriber') =>
      (await server().ask(call, { as })).headers.get('allow');

    it.each(['GET', 'OPTIONS'])('of %s lists the methods that the viewer may use', async (verb) => {
      const own = await server().make('POST /venues', { venue: `Own ${verb}`, status: 'draft' }, 'contributor');
      expect(await allowed(`${verb} /venues`)).toBe('GET');
      expect(await allowed(`${verb} /venues`, 'subscriber')).toBe('GET');
      expect(await allowed(`${verb} /venues`, 'contributor')).toBe('GET, POST');
      expect(await allowed(`${verb} /venues/${venue}`)).toBe('GET');
      expect(await allowed(`${verb} /venues/${venue}`, 'contributor')).toBe('GET');
      expect(await allowed(`${verb} /venues/${venue}`, 'editor')).toBe(ALL);
      expect(await allowed(`${verb} /venues/by-slug/mill`, 'editor')).toBe(ALL);
      expect(await allowed(`${verb} /venues/${own.id}`, 'contributor')).toBe(ALL);
      expect(await allowed(`${verb} /categories/1`, 'contributor')).toBe('GET');
      await server().ask(`DELETE /venues/${own.id}`, { as: 'editor', query: { force: true } });
    });

    it('is also present in refusals', async () => {
      const answer = await server().ask(`PATCH /venues/${venue}`, { as: 'contributor', body: {} });
      expect([answer.status, answer.headers.get('allow')]).toEqual([403, 'GET']);
    });
  });

  describe('bodies', () => {
    const send = (body: string, type: string, call = 'POST /venues') => {
      const [method, path] = call.split(' ');
      return server().request(`/calendar/events/v1${path}`, { method, body, headers: { 'content-type': type } });
    };

    it('that are invalid JSON are refused before parameters and rights are checked', async () => {
      const response = await send('{"venue":', 'application/json');
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        code: 'rest_invalid_json',
        message: expect.any(String),
        data: {
          status: 400,
          json_error_code: 4,
          json_error_message: expect.any(String),
          request_id: response.headers.get('x-request-id'),
        },
      });
    });

    it('over the limit get 413', async () => {
      const response = await send(JSON.stringify({ venue: 'x'.repeat(5000) }), 'application/json');
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ code: 'rest_body_too_large', data: { status: 413 } });
    });

    it.each([
      ['application/x-www-form-urlencoded', 'venue=Form'],
      ['application/json; charset=utf-8', '{"venue":"Form"}'],
    ])('of type %s are parsed', async (type, body) => {
      expect((await send(body, type)).status).toBe(401);
    });

    it.each(['text/plain', 'application/xml'])('of type %s are ignored', async (type) => {
      expect(await (await send('{"venue":"x"}', type)).json()).toMatchObject({
        code: 'rest_missing_callback_param',
        data: { params: ['venue'] },
      });
    });

    it('may be a multipart form, and the query counts too', async () => {
      const form = new FormData();
      form.set('venue', 'By form');
      const { ask } = server();
      const made = [
        await ask('POST /venues', { as: 'editor', form }),
        await ask('POST /venues', { as: 'editor', query: { venue: 'By query' } }),
        await ask('POST /venues', { as: 'editor', query: { venue: 'By query' }, body: { venue: null, city: 'X' } }),
      ];
      expect(made.map(({ body }) => body.venue)).toEqual(['By form', 'By query', 'By query']);
      for (const { body } of made) await ask(`DELETE /venues/${body.id}`, { as: 'editor', query: { force: true } });
    });
  });

  describe('text that no database can store', () => {
    it('is stored without invalid characters', async () => {
      const { ask, make } = server();
      const made = await make('POST /venues', { venue: 'Nul\0l', city: '\ud800\0x', description: 'a\0b' });
      expect(made).toMatchObject({ venue: 'Null', city: '\ufffdx', description: expect.stringContaining('ab') });
      await ask(`DELETE /venues/${made.id}`, { as: 'editor', query: { force: true } });
    });

    it.each([
      ['/categories?include=a%00b', 400],
      ['/categories?slug=a%00b', 200],
      ['/venues?search=a%00b', 200],
      ['/venues?status=%00', 400],
      ['/venues/by-slug/%00', 400],
      ['/venues/by-slug/a%00', 400],
      ['/events?categories=%00,b', 400],
    ])('finds nothing: %s', async (path, status) => {
      expect((await server().request(`/calendar/events/v1${path}`)).status).toBe(status);
    });
  });

  describe('presentation', () => {
    it('keeps the requested fields, and complete errors', async () => {
      const { ask } = server();
      expect((await ask('GET /venues', { query: { _fields: 'total,venues.id' } })).body).toEqual({
        total: 3,
        venues: [],
      });
      expect((await ask(`GET /venues/${venue}`, { query: { _fields: 'city' } })).body).toEqual({ city: 'Salem' });
      expect((await ask('GET /venues/999', { query: { _fields: 'code' } })).body).toHaveProperty('data');
    });

    it('puts the response into an envelope', async () => {
      const { ask } = server();
      const list = await ask('GET /venues', { query: { _envelope: '' } });
      expect(list.body).toMatchObject({
        status: 200,
        body: { total: 3 },
        headers: { 'X-TEC-Total': 3, 'X-TEC-TotalPages': 1, Allow: 'GET' },
      });
      expect(list.headers.get('x-tec-total')).toBeNull();
      const error = await ask('GET /venues/999', { query: { _envelope: 1 } });
      expect(error).toMatchObject({ status: 200, body: { status: 400, body: { code: 'rest_invalid_param' } } });
      expect(error.headers.get('cache-control')).toBe('private, no-cache');
    });

    it('indents if requested', async () => {
      const { text } = await server().ask(`GET /venues/${venue}`, { query: { _pretty: '', _fields: 'city' } });
      expect(text).toBe('{\n  "city": "Salem"\n}');
    });

    it('wraps the response in a callback', async () => {
      const query = { _jsonp: 'site.walk', _fields: 'city' };
      const { text, headers } = await server().ask(`GET /venues/${venue}`, { query });
      expect(text).toBe('/**/site.walk({"city":"Salem"})');
      expect(headers.get('content-type')).toBe('application/javascript; charset=UTF-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    });

    it('refuses an invalid callback name before doing anything', async () => {
      const query = { _jsonp: 'alert(1)', phone: 'changed' };
      const answer = await server().ask(`POST /venues/${venue}`, { as: 'editor', query });
      expect(answer).toMatchObject({ status: 400, body: { code: 'rest_callback_invalid' } });
      expect((await server().ask(`GET /venues/${venue}`)).body.phone).not.toBe('changed');
    });
  });

  describe('headers', () => {
    it('are the same in every response', async () => {
      const { headers } = await server().ask('GET /venues');
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/json; charset=UTF-8',
        'x-robots-tag': 'noindex',
        'x-content-type-options': 'nosniff',
        link: '<http://localhost/>; rel="https://api.w.org/"',
        'content-language': 'en',
        'x-tec-total': '3',
        'x-tec-totalpages': '1',
      });
    });

    it('lead to the root of the prefix', async () => {
      const { headers } = await server().ask('GET /venues', { prefix: '/wp-json/tribe' });
      expect(headers.get('link')).toBe('<http://localhost/wp-json/>; rel="https://api.w.org/"');
    });

    const OWN = 'http://localhost';
    it.each([
      [undefined, false, null, null],
      ['https://any.test', false, 'https://any.test', null],
      ['https://any.test', true, null, null],
      ['null', false, 'null', null],
      ['https://shop.test', false, 'https://shop.test', 'true'],
      ['https://shop.test', true, 'https://shop.test', 'true'],
      ['https://shop.test.evil.test', true, null, null],
      [OWN, true, OWN, 'true'],
      [`https://${'x'.repeat(292)}`, false, `https://${'x'.repeat(292)}`, null],
      [`https://${'x'.repeat(293)}`, false, null, null],
    ])('for Origin %s, cookies %s, allow %s with credentials %s', async (origin, hasCookie, allowed, credentials) => {
      const headers = { ...(origin && { origin }), ...(hasCookie && { cookie: 'marquee-cart=x' }) };
      for (const call of ['GET /venues', 'OPTIONS /venues', 'GET /nothing']) {
        const answer = await server().ask(call, { headers });
        expect(answer.headers.get('access-control-allow-origin')).toBe(allowed);
        expect(answer.headers.get('access-control-allow-credentials')).toBe(credentials);
        expect(answer.headers.get('access-control-expose-headers')).toContain('X-TEC-Total');
        expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
        expect(answer.headers.get('vary')).toContain('Origin');
        const methods = allowed && 'OPTIONS, GET, POST, PUT, PATCH, DELETE';
        expect(answer.headers.get('access-control-allow-methods')).toBe(methods);
      }
    });
  });

  describe('caching', () => {
    it('lets shared caches keep public responses briefly', async () => {
      const { headers } = await server().ask('GET /venues');
      expect(headers.get('cache-control')).toMatch(/^public, max-age=0, s-maxage=\d{1,2}$/);
      expect(headers.get('vary')).toContain('Authorization');
    });

    it.each([
      ['GET /venues', { as: 'subscriber' }],
      ['GET /venues/999', {}],
      ['POST /venues', {}],
    ] as const)('keeps %s %j private', async (call, asking) => {
      expect((await server().ask(call, asking)).headers.get('cache-control')).toBe('private, no-cache');
    });

    it('responds with 304 for a matching tag, which changes with the response', async () => {
      const { ask } = server();
      const read = (tag?: string) => ask(`GET /venues/${venue}`, { headers: tag ? { 'if-none-match': tag } : {} });
      const first = await read();
      const tag = first.headers.get('etag') ?? '';
      expect(tag).toMatch(/^"[^"]+"$/);
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await read(known);
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
        expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
      }
      expect((await read('"other"')).status).toBe(200);
      await ask(`PATCH /venues/${venue}`, { as: 'editor', body: { phone: 'new number' } });
      expect((await read(tag)).status).toBe(200);
    });
  });

  describe('languages', () => {
    it.each([
      [{}, {}, 'en', 'There is nothing at this address'],
      [{ i18n_language: 'fr' }, {}, 'fr', ''],
      [{}, { 'accept-language': 'de, fr;q=0.9, en;q=0.1' }, 'fr', ''],
      [{ i18n_language: 'en' }, { 'accept-language': 'fr' }, 'en', 'There is nothing at this address'],
    ])('of %j and %j is %s', async (query, headers, language, message) => {
      const answer = await server().ask('GET /nothing', { query, headers });
      expect(answer.headers.get('content-language')).toBe(language);
      expect(answer.body.message).toContain(message);
      if (language === 'fr') expect(answer.body.message).not.toContain('There is');
    });

    it('may be named in the body', async () => {
      const answer = await server().ask(`PATCH /venues/999`, { as: 'editor', body: { i18n_language: 'fr' } });
      expect(answer.headers.get('content-language')).toBe('fr');
    });

    it('vary the response by Accept-Language only where it decides', async () => {
      const { ask } = server();
      expect((await ask('GET /venues')).headers.get('vary')).toContain('Accept-Language');
      const named = await ask('GET /venues', { query: { i18n_language: 'fr' } });
      expect(named.headers.get('vary')).not.toContain('Accept-Language');
    });
  });
});
