import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../../test/listen.ts';
import { DATABASES, useTestServer } from '../../test/server.ts';
import { EVENING, makeEvent, makeTicket } from '../../test/tickets.ts';
import { createApp } from '../app.ts';

const SITE = 'admin:/site';
const INDEX = '/wp-json/';

describe.each(DATABASES)('the configuration of the site on %s', (kind) => {
  const server = useTestServer(kind, { given: {} }, { isFreshEachTime: true });
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  const choose = (body: object) => server().ask(`PATCH ${SITE}`, { body, as: 'administrator' });
  const chosen = async (body: object) => {
    const answer = await choose(body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const zone = async (request: (path: string) => Response | Promise<Response> = server().request): Promise<string> => {
    const index = await (await request(INDEX)).json();
    return (index as { timezone_string: string }).timezone_string;
  };

  it('starts with the defaults, all of which the site may change', async () => {
    expect((await server().ask(`GET ${SITE}`)).body).toMatchObject({
      languages: ['en', 'fr'],
      timezone: 'UTC',
      currency: 'USD',
      currency_symbol: '$',
      fixed: [],
    });
  });

  it('applies from the next request, and null restores the default', async () => {
    const site = await chosen({ timezone: 'Europe/Paris', currency: 'EUR', languages: ['en', 'de'] });
    expect(site).toMatchObject({ timezone: 'Europe/Paris', currency: 'EUR', currency_symbol: '€', revision: 2 });
    expect(site.languages).toEqual(['en', 'de']);
    const id = await makeEvent(server(), EVENING);
    expect((await server().ask(`GET /events/${id}`)).body.timezone).toBe('Europe/Paris');
    expect(await zone()).toBe('Europe/Paris');
    expect((await server().request('/de/events/')).status).toBe(200);
    expect((await server().request('/fr/events/')).status).toBe(404);
    const german = await server().ask('GET /events', { query: { i18n_language: 'de' } });
    const french = await server().ask('GET /events', { query: { i18n_language: 'fr' } });
    expect([german.status, french.status]).toEqual([200, 400]);

    const reset = { timezone: null, currency: null, currency_symbol: 'US$', languages: null };
    expect(await chosen(reset)).toMatchObject({ timezone: 'UTC', currency: 'USD', currency_symbol: 'US$' });
    expect((await server().request('/fr/events/')).status).toBe(200);
    expect((await server().ask(`GET /events/${id}`)).body.timezone).toBe('Europe/Paris');
  });

  it('applies in the other processes too', async () => {
    const { context } = server();
    const other = createApp({ ...context });
    const ask = async (path: string) => other.request(path);
    expect(await zone(ask)).toBe('UTC');
    await chosen({ timezone: 'Asia/Tokyo' });
    expect(await zone(ask)).toBe('Asia/Tokyo');
    await chosen({ timezone: 'Europe/Rome' });
    expect(await zone(ask)).toBe('Europe/Rome');
  });

  it('is looked up once per request, also for an address that neither a page nor an endpoint knows', async () => {
    const { context } = server();
    const { db } = context;
    let lookups = 0;
    const dataVersion = async () => {
      lookups += 1;
      return db.dialect.dataVersion(db);
    };
    const app = createApp({ ...context, db: { ...db, dialect: { ...db.dialect, dataVersion } } });
    for (const path of ['/wp-json/', '/events/', '/nowhere/']) {
      lookups = 0;
      await app.request(path, { headers: { Accept: 'application/json' } });
      expect([path, lookups]).toEqual([path, 1]);
    }
  });

  it('drops cached responses in an earlier language', async () => {
    const listening = await listen(server().context);
    closing.push(listening.close);
    const languageFor = async (wanted: string) => {
      const path = '/calendar/events/v1/events?start_date=2027-01-01';
      let language: string | null = '';
      // The second request fills the cache, the third is served from it.
      for (let turn = 0; turn < 3; turn++) {
        const answer = await fetch(`${listening.address}${path}`, { headers: { 'Accept-Language': wanted } });
        await answer.text();
        language = answer.headers.get('content-language');
      }
      return language;
    };
    expect([await languageFor('de'), await languageFor('en')]).toEqual(['en', 'en']);
    await chosen({ languages: ['en', 'fr', 'de'] });
    expect([await languageFor('de'), await languageFor('en')]).toEqual(['de', 'en']);
    await chosen({ languages: ['en'] });
    expect([await languageFor('de'), await languageFor('fr')]).toEqual(['en', 'en']);
  });

  it('keeps the texts of a removed language', async () => {
    await chosen({ languages: ['en', 'de'] });
    const id = await makeEvent(server(), { title: 'Fair' });
    const german = { i18n_language: 'de' };
    await server().make(`PATCH /events/${id}`, { title: 'Jahrmarkt', ...german });
    await chosen({ languages: ['en'] });
    expect((await server().ask(`GET /events/${id}`)).body.title).toBe('Fair');
    await chosen({ languages: ['en', 'de'] });
    expect((await server().ask(`GET /events/${id}`, { query: german })).body.title).toBe('Jahrmarkt');
  });

  it('can change the first language only while there are no records', async () => {
    expect((await chosen({ languages: ['de', 'en'] })).languages).toEqual(['de', 'en']);
    await makeEvent(server(), { title: 'Jahrmarkt' });
    const refused = await choose({ languages: ['en', 'de'] });
    expect([refused.status, refused.body.data.details.languages.code]).toEqual([400, 'rest_invalid_param']);
    expect(refused.body.data.params.languages).toMatch(/^languages muss mit de beginnen: .*marquee first-language/);
    // null restores the default, which begins with English.
    expect((await choose({ languages: null })).status).toBe(400);
    expect((await chosen({ languages: ['de'] })).languages).toEqual(['de']);
  });

  it('cannot change the currency to one with other decimals while there are prices', async () => {
    expect((await chosen({ currency: 'JPY' })).currency_symbol).toBe('¥');
    await chosen({ currency: 'EUR' });
    const id = await makeEvent(server(), EVENING);
    await makeTicket(server(), id, { price: '15.00' });
    const refused = await choose({ currency: 'JPY' });
    expect([refused.status, refused.body.data.params.currency]).toEqual([
      400,
      'There are prices in EUR, so currency must be a currency with as many decimals.',
    ]);
    expect((await chosen({ currency: 'CHF' })).currency).toBe('CHF');
    expect((await server().ask(`GET /events/${id}`)).body.cost_details.values).toEqual(['15']);
  });

  it('can be restored from the audit log', async () => {
    await chosen({ timezone: 'Europe/Paris' });
    await chosen({ timezone: 'Asia/Tokyo' });
    const { audit } = (await server().ask('GET admin:/audit', { as: 'administrator' })).body;
    const latest = (await server().ask(`GET admin:/audit/${audit[0].id}`, { as: 'administrator' })).body;
    expect(latest.changes).toMatchObject([{ field: 'timezone', before: 'Europe/Paris', after: 'Asia/Tokyo' }]);
    await server().make(`POST admin:/audit/${latest.id}/restore`, {});
    expect(await zone()).toBe('Europe/Paris');
  });

  it.each([
    ['languages', []],
    ['languages', ['en', 'en']],
    ['languages', ['en', 'english please']],
    ['languages', ['en', 5]],
    ['languages', `${Array.from({ length: 21 }, (_, index) => `en-x-a${index}`)}`],
    ['languages', ['en', `en-x-${'abcdefgh-'.repeat(5)}a`]],
    ['timezone', 'Mars/Olympus'],
    ['currency', 'eur'],
    ['currency', 'XYZ'],
    ['currency', 5],
    ['currency_symbol', 'x'.repeat(11)],
  ])('refuses the %s %j', async (name, value) => {
    const { status, body } = await choose({ [name]: value });
    expect([status, body.code, Object.keys(body.data?.params ?? {})]).toEqual([400, 'rest_invalid_param', [name]]);
  });

  it('is refused where the environment decides', async () => {
    server().restart({ timezone: 'Europe/Berlin' });
    const { status, body } = await choose({ timezone: 'UTC' });
    expect([status, body.code]).toEqual([409, 'site-setting-fixed']);
    expect((await chosen({ currency: 'EUR' })).fixed).toEqual(['timezone']);
  });
});
