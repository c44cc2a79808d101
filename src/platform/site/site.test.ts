import { describe, expect, it } from 'vitest';
import { png, upload } from '../../../test/fixtures.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { withHooks } from '../../../test/statements.ts';
import { usualOf } from '../../../test/thoroughness.ts';
import { DEFAULT_COLORS } from '../../lib/theme.ts';
import { getSite } from './settings.ts';

const BY_HAND = { gateway: 'manual', available: true };
const STRIPE = { stripeKey: 'sk_test_51abcDEF', stripeWebhookSecret: 'whsec_51abcDEF' };

describe.each(DATABASES)('the settings of the site on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, { siteName: undefined, languages: ['en', 'fr', 'de'] }, { isFreshEachTime: true });
  const read = async (query = {}) => (await server().ask('GET admin:/site', { query })).body;
  const patch = (body: object, query = {}) => server().ask('PATCH admin:/site', { as: 'administrator', body, query });
  const change = async (body: object, query = {}) => {
    const answer = await patch(body, query);
    expect(answer.text).toContain('"revision"');
    return answer.body;
  };
  const refusalOf = async (body: object) => {
    const { status, body: error } = await patch(body);
    return [status, error.code, ...Object.keys(error.data?.params ?? {})];
  };

  it('have defaults, which visitors may read', async () => {
    const { translations, ...site } = await read();
    expect(translations).toBeUndefined();
    expect(site).toEqual({
      revision: 1,
      url: 'http://localhost/',
      ...{ name: 'Marquee', tagline: '', about: '', terms: '', privacy: '', refunds: '' },
      ...{ logo: null, colors: DEFAULT_COLORS },
      contact: { email: '', phone: '', address: '' },
      legal_links: [],
      cancellation: { rule: 'free', hours_before: null },
      payment_ways: [{ id: 'door', name: 'Pay at the door', text: '', at_door: true, hold_hours: null, ...BY_HAND }],
      address_words: [],
      accepts_donations: false,
      donation_amounts: [],
      collapse_series: false,
      sends_reminders: false,
      sends_mail: false,
      languages: ['en', 'fr', 'de'],
      ...{ timezone: 'America/New_York', currency: 'USD', currency_symbol: '$' },
      invoices: false,
      fixed: ['languages', 'timezone'],
    });
    expect((await read({ i18n_language: 'de' })).payment_ways[0].name).toBe('Zahlung vor Ort');
  });

  usually(
    'have each series once in lists if that is chosen, until it is cleared or taken back by the log',
    async () => {
      expect(await change({ collapse_series: true })).toMatchObject({ collapse_series: true, revision: 2 });
      expect(await change({ tagline: 'Music' })).toMatchObject({ collapse_series: true, revision: 3 });
      expect(await change({ collapse_series: null })).toMatchObject({ collapse_series: false, revision: 4 });
      await change({ collapse_series: true });
      const as = 'administrator';
      const [entry] = (await server().ask('GET admin:/audit', { as, query: { kind: 'site' } })).body.audit;
      const { changes } = (await server().ask(`GET admin:/audit/${entry.id}`, { as })).body;
      expect(changes).toEqual([{ field: 'collapse_series', after: true }]);
      expect((await server().ask(`POST admin:/audit/${entry.id}/restore`, { as })).status).toBe(200);
      expect((await read()).collapse_series).toBe(false);
      expect(await refusalOf({ collapse_series: 'sometimes' })).toEqual([400, 'rest_invalid_param', 'collapse_series']);
    },
  );

  usually('change as sent, keep the rest, and count their revisions', async () => {
    const first = await change({ name: 'Harbour Hall', tagline: 'Music by the water', colors: { accent: '#005F73' } });
    expect(first).toMatchObject({
      revision: 2,
      name: 'Harbour Hall',
      colors: { ...DEFAULT_COLORS, accent: '#005f73' },
    });
    expect(first.translations).toEqual({ en: ['name', 'tagline'] });
    const contact = { email: 'hall@example.org', phone: '+1 506 555 0100', address: 'Quay 1\nMoncton' };
    expect(await change({ contact })).toMatchObject({ revision: 3, name: 'Harbour Hall', contact });
    expect(await change({ contact: { phone: null } })).toMatchObject({ contact: { ...contact, phone: '' } });
    expect(await change({ contact })).toMatchObject({ revision: 5 });
    expect(await change({ contact, name: 'Harbour Hall' })).toMatchObject({ revision: 5 });
    const cleared = await change({ name: null, contact: null, colors: { accent: null } });
    expect(cleared).toMatchObject({ name: 'Marquee', contact: { email: '', address: '' }, colors: DEFAULT_COLORS });
    expect(await read()).toMatchObject({ revision: 6, tagline: 'Music by the water' });
  });

  it('name the seller on invoices, for administrators only', async () => {
    const seller = {
      name: 'Hall Ltd',
      address: 'Quay 1\nMoncton',
      vat_number: 'DE123',
      note: 'No VAT.',
      prefix: 'HH-',
    };
    expect((await change({ seller })).seller).toEqual(seller);
    expect((await change({ seller: { note: null } })).seller).toEqual({ ...seller, note: '' });
    expect(await read()).not.toHaveProperty('seller');
    for (const prefix of ['hh-', 'ELEVEN-LONG', 'A B', 7])
      expect(await refusalOf({ seller: { prefix } })).toEqual([400, 'rest_invalid_param', 'seller']);
    const cleared = await change({ seller: null });
    expect(Object.values(cleared.seller)).toEqual(['', '', '', '', '']);
    const as = 'administrator';
    const [entry] = (await server().ask('GET admin:/audit', { as, query: { kind: 'site' } })).body.audit;
    expect((await server().ask(`POST admin:/audit/${entry.id}/restore`, { as })).status).toBe(200);
    expect((await change({ tagline: 'Restored' })).seller).toEqual({ ...seller, note: '' });
  });

  usually('have texts in each language, and fall back to the first language that has one', async () => {
    const links = [{ label: 'Imprint', url: 'https://example.org/imprint' }];
    await change({ tagline: 'Music', terms: 'One\n\nTwo', legal_links: links });
    await change({ tagline: 'Musique', legal_links: [] }, { i18n_language: 'fr' });
    await change({ about: 'Über uns' }, { i18n_language: 'de' });
    expect(await read({ i18n_language: 'fr' })).toMatchObject({
      tagline: 'Musique',
      terms: '<p>One</p>\n<p>Two</p>',
      about: 'Über uns',
      legal_links: links,
    });
    expect(await read()).toMatchObject({ tagline: 'Music', about: 'Über uns' });
    const { translations } = await change({ tagline: '' }, { i18n_language: 'fr' });
    expect(translations).toEqual({ de: ['about'], en: ['legal_links', 'tagline', 'terms'] });
    expect((await read({ i18n_language: 'fr' })).tagline).toBe('Music');
  });

  it('have payment methods, with texts in each language that stay while the method does', async () => {
    const transfer = { id: 'transfer', text: 'IBAN\nDE00', hold_hours: 72 };
    const gift = { id: 'gift-card', name: 'Gift card', hold_hours: 0 };
    await change({ payment_ways: [{ id: 'door' }, transfer, gift] });
    await change(
      { payment_ways: [{ id: 'gift-card', name: 'Bon cadeau' }, { id: 'transfer' }] },
      { i18n_language: 'fr' },
    );
    expect((await read()).payment_ways).toEqual([
      { id: 'gift-card', name: 'Gift card', text: '', at_door: false, hold_hours: 0, ...BY_HAND },
      { id: 'transfer', name: 'Bank transfer', text: 'IBAN\nDE00', at_door: false, hold_hours: 72, ...BY_HAND },
    ]);
    expect((await read({ i18n_language: 'fr' })).payment_ways).toEqual([
      { id: 'gift-card', name: 'Bon cadeau', text: '', at_door: false, hold_hours: 0, ...BY_HAND },
      { id: 'transfer', name: 'Virement bancaire', text: 'IBAN\nDE00', at_door: false, hold_hours: 72, ...BY_HAND },
    ]);
    await change({ payment_ways: [] });
    expect((await change({ payment_ways: [{ id: 'transfer' }] })).payment_ways[0]).toMatchObject({ text: '' });
    expect(await refusalOf({ payment_ways: [{ id: 'gift-card' }] })).toEqual([
      400,
      'rest_invalid_param',
      'payment_ways',
    ]);
  });

  usually('have payment methods with a gateway, if the server has its settings', async () => {
    const card = { id: 'card', gateway: 'stripe' };
    const refusal = await patch({ payment_ways: [card] });
    expect([refusal.status, refusal.body.data.params.payment_ways]).toEqual([
      400,
      'The gateway stripe of payment_ways needs settings that the server lacks: MARQUEE_STRIPE_KEY, MARQUEE_STRIPE_WEBHOOK_SECRET.',
    ]);
    server().restart({ stripeKey: STRIPE.stripeKey });
    expect((await patch({ payment_ways: [card] })).body.data.params.payment_ways).toMatch(
      /lacks: MARQUEE_STRIPE_WEBHOOK_SECRET\.$/,
    );
    server().restart(STRIPE);
    const { payment_ways, gateways } = await change({ payment_ways: [card, { id: 'transfer', gateway: 'transfer' }] });
    expect(payment_ways).toMatchObject([
      { id: 'card', name: 'Card', gateway: 'stripe', at_door: false, available: true },
      { id: 'transfer', gateway: 'transfer', available: true },
    ]);
    expect(gateways).toContainEqual({ id: 'stripe', missing: [] });
    expect((await read({ i18n_language: 'de' })).payment_ways[0].name).toBe('Kredit- oder Debitkarte');
    expect((await read()).gateways).toBeUndefined();
    // A method keeps what is not sent, also while the server lacks the settings.
    server().restart({});
    const kept = await change({ payment_ways: [{ id: 'card', text: 'Soon' }, { id: 'door' }] });
    expect(kept.payment_ways[0]).toMatchObject({ gateway: 'stripe', text: 'Soon', available: false });
    const cleared = await change({ payment_ways: [{ id: 'card', gateway: null }] });
    expect(cleared.payment_ways[0]).toMatchObject(BY_HAND);
  });

  usually('have no payment service for methods that are paid at the door', async () => {
    server().restart(STRIPE);
    const refusal = await patch({ payment_ways: [{ id: 'door', gateway: 'stripe' }] });
    expect([refusal.status, refusal.body.data.params.payment_ways]).toEqual([
      400,
      'The payment method door of payment_ways is paid at the door, which excludes the gateway stripe.',
    ]);
    await change({ payment_ways: [{ id: 'card', gateway: 'stripe' }] });
    expect(await refusalOf({ payment_ways: [{ id: 'card', at_door: true }] })).toEqual([
      400,
      'rest_invalid_param',
      'payment_ways',
    ]);
  });

  usually('have a rule of cancelling and words of former addresses', async () => {
    const rule = { rule: 'until', hours_before: 48 };
    const words = [
      { from: 'veranstaltung', to: 'event' },
      { from: 'événements/catégorie', to: 'events/category' },
    ];
    const sent = [{ from: '/Veranstaltung/', to: 'event' }, words[1]];
    expect(await change({ cancellation: rule, address_words: sent })).toMatchObject({
      cancellation: rule,
      address_words: words,
    });
    const { cancellation } = await change({ cancellation: { rule: 'never' } });
    expect(cancellation).toEqual({ rule: 'never', hours_before: null });
  });

  it('take the revision that a change is based on, of which one of several is made', async () => {
    const { ask } = server();
    const tag = (await ask('GET admin:/site')).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"r1-[\w-]{27}"$/);
    const send = (tagline: string, expected: string) =>
      ask('PATCH admin:/site', { as: 'administrator', body: { tagline }, headers: { 'if-match': expected } });
    const answers = await Promise.all(['One', 'Two', 'Three'].map((tagline) => send(tagline, tag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const { tagline } = await read();
    for (const { status, body } of answers) {
      if (status === 200) expect(body).toMatchObject({ tagline, revision: 2 });
      else expect(body).toMatchObject({ code: 'edit-conflict', data: { record: { tagline, revision: 2 } } });
    }
    expect((await send('Four', '"r1", W/"r2-x"')).body).toMatchObject({ tagline: 'Four', revision: 3 });
    expect((await send('Five', '*')).status).toBe(200);
    expect((await ask('PATCH admin:/site', { body: {}, headers: { 'if-match': '"r1"' } })).status).toBe(401);
  });

  usually('refuse colours that cannot be read, naming the pair and the ratio, and change nothing', async () => {
    const { status, body } = await patch({ tagline: 'New', colors: { accent: '#e07a9a', ink_dark: '#777777' } });
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
    expect(body.data.params.colors).toContain('accent/paper 2.78 (4.5)');
    expect(await read()).toMatchObject({ revision: 1, tagline: '', colors: DEFAULT_COLORS });
    await change({ colors: { ink: '#000000', paper: '#ffffff' } });
    // Judged together with the stored ones.
    expect(await refusalOf({ colors: { panel: '#333333' } })).toEqual([400, 'rest_invalid_param', 'colors']);
  });

  it('show the logo, which can be deleted only with force', async () => {
    const { ask } = server();
    const { id } = (await ask('POST admin:/media', { as: 'administrator', form: upload(await png(20, 20)) })).body;
    expect((await ask(`GET wp:/media/${id}`)).status).toBe(401);
    expect((await change({ logo: id })).logo).toMatchObject({
      id,
      width: 20,
      url: expect.stringContaining('/uploads/'),
    });
    expect((await ask(`GET wp:/media/${id}`)).status).toBe(200);
    const asked = await ask(`DELETE admin:/media/${id}`, { as: 'administrator' });
    expect([asked.status, asked.body.code]).toEqual([409, 'media-in-use']);
    await ask(`DELETE admin:/media/${id}`, { as: 'administrator', query: { force: true } });
    expect(await read()).toMatchObject({ logo: null, revision: 3 });
    expect(await refusalOf({ logo: id })).toEqual([400, 'rest_invalid_param', 'logo']);
    await change({ logo: null });
  });

  usually('leave to the environment what it decides', async () => {
    server().restart({ siteName: 'Town Hall', languages: ['en', 'fr', 'de'] });
    expect(await read()).toMatchObject({ name: 'Town Hall', fixed: expect.arrayContaining(['name', 'timezone']) });
    const { status, body } = await patch({ name: 'Mine', timezone: 'UTC', tagline: 'New' });
    expect([status, body.code]).toEqual([409, 'site-setting-fixed']);
    expect(body.message).toMatch(/name, timezone.*MARQUEE_NAME, MARQUEE_TIMEZONE/);
    expect((await read()).tagline).toBe('');
  });

  it('are in the index of the namespaces and on the pages', async () => {
    await change({ name: 'Fish & <b>Chips', tagline: 'Fresh' });
    const index = await (await server().request('/wp-json/')).json();
    expect(index).toMatchObject({ name: 'Fish & Chips', description: 'Fresh', timezone_string: 'America/New_York' });
    for (const path of ['/', '/docs', '/nowhere']) {
      const page = await (await server().request(path, { headers: { accept: 'text/html' } })).text();
      expect(page).toContain('Fish &amp; Chips');
    }
  });

  it('are read once for each version of the data', async () => {
    const statements: string[] = [];
    const { context } = server();
    const db = withHooks(context.db, { before: (sql) => void statements.push(sql) });
    const reads = () => statements.filter((sql) => /"site_(settings|texts)"/.test(sql)).length;
    await getSite({ ...context, db }, 'en');
    await Promise.all(['en', 'fr', 'de'].map((language) => getSite({ ...context, db }, language)));
    expect(reads()).toBe(2);
    await context.db.query
      .insertInto('site_texts')
      .values({ language: 'en', texts: '{"name":"Harbour Hall"}' })
      .execute();
    expect((await getSite({ ...context, db }, 'fr')).name).toBe('Harbour Hall');
    expect(reads()).toBe(4);
  });

  usually('keep markup out of all texts, and scripts out of the HTML', async () => {
    const evil = '<img src=x onerror=alert(1)><script>alert(1)</script>Hall';
    const site = await change({
      ...{ name: evil, tagline: evil, contact: { phone: '<b onclick=x>1</b><script>', address: `${evil}\n${evil}` } },
      legal_links: [{ label: evil, url: 'https://example.org/' }],
      payment_ways: [{ id: 'door', name: evil, text: evil }],
      terms: '<a href="javascript:alert(1)" onclick="x()">Terms</a><script>alert(1)</script><style>*{}</style>',
    });
    expect(site).toMatchObject({
      ...{ name: 'Hall', tagline: 'Hall', contact: { phone: '1', address: 'Hall\nHall' } },
      legal_links: [{ label: 'Hall' }],
      payment_ways: [{ id: 'door', name: 'Hall', text: 'Hall' }],
      terms: '<a>Terms</a>',
    });
  });

  const many = (length: number, item: (index: number) => object) =>
    Array.from({ length }, (_none, index) => item(index));
  it.each<[string, unknown]>([
    ['colors', { accent: 'red' }],
    ['colors', { accent: '#000;}body{display:none' }],
    ['colors', { accent: '#00000g' }],
    ['colors', { accent: '#123456\n' }],
    ['colors', { accent: ['#123456'] }],
    ['colors', { shadow: '#123456' }],
    ['colors', { constructor: '#123456' }],
    ['contact', { email: 'nobody' }],
    ['contact', { address: 'x'.repeat(501) }],
    ['contact', { fax: '1' }],
    ['legal_links', [{ label: 'Imprint', url: 'javascript:alert(1)' }]],
    ['legal_links', [{ label: 'Imprint', url: 'ftp://example.org' }]],
    ['legal_links', [{ label: 'Imprint', url: '//example.org' }]],
    ['legal_links', [{ label: '<b></b>', url: 'https://example.org' }]],
    ['legal_links', many(21, () => ({ label: 'Imprint', url: 'https://example.org' }))],
    ['cancellation', { rule: 'until' }],
    ['cancellation', { rule: 'until', hours_before: -1 }],
    ['cancellation', { rule: 'free', hours_before: 5 }],
    ['cancellation', { rule: 'always' }],
    ['payment_ways', [{ id: '__proto__', name: 'Evil' }]],
    ['payment_ways', [{ id: 'cash' }]],
    ['payment_ways', [{ id: 'manual', name: 'By hand' }]],
    ['payment_ways', [{ id: 'free', name: 'Nothing' }]],
    ['payment_ways', [{ id: 'door' }, { id: 'door' }]],
    ['payment_ways', [{ id: 'door', hold_hours: 8761 }]],
    ['payment_ways', [{ id: 'card', gateway: 'paypal' }]],
    ['payment_ways', [{ id: 'card', gateway: 'constructor' }]],
    ['payment_ways', many(11, (index) => ({ id: `way-${index}`, name: 'Way' }))],
    ['address_words', [{ from: 'evil/../..', to: 'event' }]],
    ['address_words', [{ from: 'a//b', to: 'event' }]],
    ['address_words', [{ from: 'event', to: 'events' }]],
    ['address_words', [{ from: 'soiree', to: '//evil.example' }]],
    ['address_words', many(51, (index) => ({ from: `word${index}`, to: 'event' }))],
    ['name', { en: 'Hall' }],
    ['tagline', 'x'.repeat(201)],
    ['logo', { id: 1 }],
  ])('refuse as %s: %j', async (name, value) => {
    expect(await refusalOf({ [name]: value })).toEqual([400, 'rest_invalid_param', name]);
  });

  usually('are changed by administrators only', async () => {
    const { ask } = server();
    const asEditor = await ask('PATCH admin:/site', { as: 'editor', body: { name: 'Mine', logo: 999 } });
    expect([asEditor.status, asEditor.body.code]).toEqual([403, 'rest_forbidden']);
    expect((await ask('PATCH admin:/site', { body: { name: 'Mine' } })).status).toBe(401);
    expect((await read()).revision).toBe(1);
  });

  it('lose no change of two at a time', async () => {
    const all = ['en', 'fr', 'de'].map((language) =>
      change({ tagline: `In ${language}` }, { i18n_language: language }),
    );
    await Promise.all(all);
    expect(await read()).toMatchObject({ revision: 4, tagline: 'In en' });
    expect(await read({ i18n_language: 'fr' })).toMatchObject({ tagline: 'In fr' });
  });
});
