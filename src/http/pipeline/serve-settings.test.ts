import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/server.ts';
import { EVENING } from '../../../test/tickets.ts';

/** HTTP of sites with other languages, addresses and defaults. */

describe('a site in other languages', () => {
  const site = useTestServer('sqlite', { languages: ['pt-BR', 'fr-CA'] });
  it.each([
    ['pt-BR', {}, 200, 'pt-BR'],
    ['fr-CA', {}, 200, 'fr-CA'],
    ['en', {}, 400, 'pt-BR'],
    ['pt-br', { 'accept-language': 'fr' }, 400, 'fr-CA'],
    ['fr', { 'accept-language': 'fr-CA' }, 400, 'fr-CA'],
  ])('responds to i18n_language=%s with %j by %i in %s', async (i18n_language, headers, status, language) => {
    const answer = await site().ask('GET /venues', { query: { i18n_language }, headers });
    expect([answer.status, answer.headers.get('content-language')]).toEqual([status, language]);
    if (status === 400) expect(answer.body.data.params.i18n_language).toContain('pt-BR, fr-CA');
  });

  it('documents its languages in OPTIONS, the index and the OpenAPI document, for queries and bodies', async () => {
    const { ask } = site();
    const { body: options } = await ask('OPTIONS /tags');
    for (const { args } of options.endpoints) {
      expect(args.i18n_language).toMatchObject({ type: 'string', enum: ['pt-BR', 'fr-CA'], required: false });
    }
    const { routes } = (await ask('GET /')).body;
    expect(routes['/calendar/events/v1/tags'].endpoints).toEqual(options.endpoints);
    const { paths, components } = (await ask('GET /doc')).body;
    expect(components.schemas.Language).toMatchObject({ enum: ['pt-BR', 'fr-CA'] });
    const language = { $ref: '#/components/schemas/Language' };
    expect(components.parameters.i18n_language).toMatchObject({ in: 'query', schema: language });
    expect(paths['/tags'].parameters).toEqual([{ $ref: '#/components/parameters/i18n_language' }]);
    expect(components.schemas.TermInput.properties.i18n_language).toEqual(language);
  });

  it('uses French for Canadian French, and English for languages without messages', async () => {
    const message = async (language: string) =>
      (await site().ask('GET /nothing', { headers: { 'accept-language': language } })).body.message;
    expect(await message('fr-CA')).toContain('Il n’y a rien');
    expect(await message('pt')).toContain('There is nothing');
  });
});

describe('compression', () => {
  const server = useTestServer('sqlite');
  beforeAll(async () => {
    await server().make('POST /events', { ...EVENING, description: 'A long evening. '.repeat(200) });
  });

  const accept = { 'accept-encoding': 'gzip' };

  it.each([
    ['reads of visitors', 'GET /events', {}, 'gzip'],
    ['JSONP', 'GET /events?_jsonp=show', {}, 'gzip'],
    ['envelopes', 'GET /events?_envelope', {}, 'gzip'],
    ['their documents', 'GET /doc', {}, 'gzip'],
    ['answers to an account', 'GET /events', { as: 'editor' as const }, null],
    ['answers to a password', 'GET /events?password=some-word', {}, null],
    ['short answers', 'GET /events?_fields=total', {}, null],
  ])('applies to long public responses: %s', async (_what, call, asking, encoding) => {
    const { headers } = await server().ask(call, { ...asking, headers: accept });
    expect(headers.get('content-encoding')).toBe(encoding);
    expect(headers.get('vary')?.includes('Accept-Encoding')).toBe(encoding !== null);
  });
});

describe('the OpenAPI document of a namespace', () => {
  const server = useTestServer('sqlite', { perPage: 9, timezone: 'Pacific/Auckland' });
  const gzip = { 'accept-encoding': 'br, gzip' };

  it('is compressed on request', async () => {
    const { request } = server();
    const path = '/wp-json/tribe/events/v1/doc';
    const plain = await request(path);
    const zipped = await request(path, { headers: gzip });
    expect([plain, zipped].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
    expect([plain, zipped].map(({ headers }) => headers.get('vary'))).toEqual([
      expect.stringContaining('Accept-Encoding'),
      expect.stringContaining('Accept-Encoding'),
    ]);
    expect(gunzipSync(await zipped.arrayBuffer()).toString()).toBe(await plain.text());
    const tag = zipped.headers.get('etag') ?? '';
    expect((await request(path, { headers: { ...gzip, 'if-none-match': tag } })).status).toBe(304);
  });

  it('announces the defaults of the site and of the day, except for updates', async () => {
    const { ask, clock } = server();
    const announced = async () => {
      const { paths, components } = (await ask('GET /doc')).body;
      const dates = paths['/events'].get.parameters.filter(({ name }: { name?: string }) =>
        /^(start|end)_date$/.test(name ?? ''),
      );
      return {
        perPage: components.parameters.per_page.schema.default,
        dates: dates.map(({ schema }: { schema: { default: string } }) => schema.default),
        namespace: paths['/'].get.parameters[0].schema.default,
        created: components.schemas.EventInput.properties.all_day.default,
        changed: components.schemas.EventChange.properties.all_day.default,
      };
    };
    const first = await announced();
    expect(first).toEqual({
      perPage: 9,
      dates: ['2026-11-22 00:00:00', '2028-11-22 23:59:59'],
      namespace: 'calendar/events/v1',
      created: false,
      changed: undefined,
    });
    clock.now = new Date(clock.now.getTime() + 24 * 3600 * 1000);
    expect((await announced()).dates).toEqual(['2026-11-23 00:00:00', '2028-11-23 23:59:59']);
  });

  it('announces the defaults of the cart, whose PUT updates no record', async () => {
    const { components } = (await server().ask('GET tickets:/doc')).body;
    expect(components.schemas.CartInput.properties).toMatchObject({
      tickets: { default: null },
      meta: { default: null },
    });
  });

  it('announces the same defaults in the index, for updates too', async () => {
    const { ask } = server();
    const argsOf = async (namespace: string, pattern: string, method: string) => {
      const { routes } = (await ask(`GET ${namespace}:`)).body;
      const { endpoints } = routes[`/calendar/${namespace}/v1${pattern}`];
      return endpoints.find(({ methods }: { methods: string[] }) => methods.includes(method)).args;
    };
    expect(await argsOf('events', '', 'GET')).toMatchObject({
      namespace: { default: 'calendar/events/v1' },
      context: { default: 'view' },
    });
    expect(await argsOf('events', '/categories', 'GET')).toMatchObject({
      page: { default: 1 },
      per_page: { default: 9 },
      hide_empty: { default: 1 },
    });
    expect(await argsOf('events', '/events/(?P<id>\\d+)', 'PUT')).toMatchObject({
      all_day: { default: false },
      venue: { default: null },
    });
    expect(await argsOf('tickets', '/tickets/(?P<id>\\d+)', 'PATCH')).toMatchObject({
      name: { default: '' },
      show_description: { default: 'yes' },
    });
    expect(await argsOf('tickets', '/attendees', 'GET')).toMatchObject({
      order: { default: 'ASC' },
      orderby: { default: 'id' },
      order_status: { default: 'public' },
    });
    expect(await argsOf('tickets', '/cart', 'POST')).toMatchObject({
      tickets: { default: null },
      meta: { default: null },
    });
  });
});

describe('a server behind a proxy', () => {
  const trusting = useTestServer('sqlite', { trustProxy: ['loopback'] });
  const plain = useTestServer('sqlite');
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'events.test' };

  it('uses the address that the client requested', async () => {
    expect((await trusting().ask('GET /venues', { headers })).body.rest_url).toMatch(
      /^https:\/\/events\.test\/calendar\//,
    );
    expect((await plain().ask('GET /venues', { headers })).body.rest_url).toMatch(/^http:\/\/localhost\/calendar\//);
  });
});

describe('a server with MARQUEE_URL', () => {
  const server = useTestServer('sqlite', { url: 'https://events.test' });

  it('ignores the Host header', async () => {
    const response = await server().request('http://evil.test/calendar/events/v1/venues');
    expect((await response.json()) as unknown).toMatchObject({
      rest_url: expect.stringMatching(/^https:\/\/events\.test\//),
    });
  });
});
