import { availableParallelism } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, ConfigError, readConfig } from './config.ts';
import { SETTINGS } from './settings.ts';
import { withChoices } from './site-config.ts';

const MIB = 1024 * 1024;

const SMTP = { port: 587, secure: false, isPlain: false, login: undefined };

/** Variable, its value, and the resulting member of the configuration. */
const GOOD: [string, string, Partial<Config>][] = [
  ['MARQUEE_PORT', '8081', { port: 8081 }],
  ['MARQUEE_PORT', ' 0 ', { port: 0 }],
  ['MARQUEE_HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['MARQUEE_JOBS', 'only', { jobs: 'only' }],
  ['MARQUEE_WORKERS', '256', { workers: 256 }],
  ['MARQUEE_WORKERS', 'auto', { workers: Math.min(availableParallelism(), 256) }],
  [
    'MARQUEE_DATA',
    '/srv/marquee',
    { data: '/srv/marquee', database: { kind: 'sqlite', file: '/srv/marquee/marquee.db' } },
  ],
  ['MARQUEE_DATA', 'there', { data: resolve('there') }],
  [
    'MARQUEE_DATABASE_URL',
    'postgres://u:p@db/m',
    { database: { kind: 'postgres', url: 'postgres://u:p@db/m', pool: 6 } },
  ],
  [
    'MARQUEE_DATABASE_URL',
    'postgresql://db/m',
    { database: { kind: 'postgres', url: 'postgresql://db/m', pool: 6, timeout: 15_000 } },
  ],
  ['MARQUEE_DATABASE_URL', 'sqlite:/srv/a.db', { database: { kind: 'sqlite', file: '/srv/a.db' } }],
  ['MARQUEE_DATABASE_URL', 'sqlite:///srv/a.db', { database: { kind: 'sqlite', file: '/srv/a.db' } }],
  ['MARQUEE_DATABASE_URL', 'sqlite:a.db', { database: { kind: 'sqlite', file: resolve('a.db') } }],
  ['MARQUEE_ADMIN', 'ann:long enough', { admin: { name: 'ann', password: 'long enough' } }],
  ['MARQUEE_ADMIN', 'ann:with:colons', { admin: { name: 'ann', password: 'with:colons' } }],
  ['MARQUEE_SECRET', 'of-thirty-two-characters-exactly', { secret: 'of-thirty-two-characters-exactly' }],
  ['MARQUEE_TIMEZONE', 'Europe/Paris', { timezone: 'Europe/Paris' }],
  ['MARQUEE_TIMEZONE', 'UTC+2', { timezone: 'UTC+2' }],
  ['MARQUEE_URL', 'https://events.example.org/', { url: 'https://events.example.org' }],
  ['MARQUEE_URL', 'http://localhost:8080', { url: 'http://localhost:8080' }],
  ['MARQUEE_NAME', 'Town Hall', { siteName: 'Town Hall' }],
  ['MARQUEE_LANGUAGES', 'fr, en,de', { languages: ['fr', 'en', 'de'] }],
  ['MARQUEE_LANGUAGES', 'PT-br,zh-hant,EN', { languages: ['pt-BR', 'zh-Hant', 'en'] }],
  ['MARQUEE_PER_PAGE', '100', { perPage: 100 }],
  ['MARQUEE_QR_API_KEY', 'a1b2c3d4', { qrApiKey: 'a1b2c3d4' }],
  ['MARQUEE_LOG_LEVEL', 'debug', { logLevel: 'debug' }],
  [
    'MARQUEE_TRUST_PROXY',
    'loopback, 10.0.0.0/8,::1, 2001:db8::/32',
    { trustProxy: ['loopback', '10.0.0.0/8', '::1', '2001:db8::/32'] },
  ],
  [
    'MARQUEE_CORS_ORIGINS',
    'https://a.test, http://b.test:81/',
    { corsOrigins: ['https://a.test', 'http://b.test:81'] },
  ],
  [
    'MARQUEE_IMAGE_HOSTS',
    'localhost, 127.0.0.1:81,::1, [::1]:81',
    { imageHosts: ['localhost', '127.0.0.1:81', '::1', '[::1]:81'] },
  ],
  ['MARQUEE_MAX_BODY', '0.5', { maxBodyBytes: MIB / 2 }],
  ['MARQUEE_MAX_UPLOAD', '20', { maxUploadBytes: 20 * MIB }],
  ['MARQUEE_IMPORT_MB', '500', { importBytes: 500 * MIB }],
  ['MARQUEE_CACHE_MB', '0', { cacheBytes: 0 }],
  ['MARQUEE_GEO_RADIUS', '12.5', { geoRadius: 12.5 }],
  [
    'MARQUEE_MAP_TILES',
    'https://Tile.example.org:8443/{z}/{x}/{y}{r}.png?key=1',
    {
      mapTiles: {
        template: 'https://Tile.example.org:8443/{z}/{x}/{y}{r}.png?key=1',
        origin: 'https://tile.example.org:8443',
        attribution: { text: '© OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' },
      },
    },
  ],
  ['MARQUEE_MAP_ATTRIBUTION', '© City of Lisbon', { mapTiles: undefined }],
  ['MARQUEE_CURRENCY', 'EUR', { currency: 'EUR', currencySymbol: undefined }],
  ['MARQUEE_CURRENCY_SYMBOL', 'Fr.', { currencySymbol: 'Fr.' }],
  ['MARQUEE_CART_HOLD', '30', { cartHold: 30 }],
  ['MARQUEE_ORDER_HOLD', '0', { orderHold: 0 }],
  ['MARQUEE_PAY_WITHIN', '1440', { payWithin: 1440 }],
  ['MARQUEE_TRANSFER_DAYS', '60', { transferDays: 60 }],
  ['MARQUEE_LATE_PAYMENT', 'ask', { latePayment: 'ask' }],
  ['MARQUEE_INVOICES', 'placed', { invoices: 'placed' }],
  ['MARQUEE_STRIPE_KEY', 'sk_test_51abcDEF', { stripeKey: 'sk_test_51abcDEF' }],
  ['MARQUEE_STRIPE_KEY', 'rk_live_51abcDEF', { stripeKey: 'rk_live_51abcDEF' }],
  ['MARQUEE_STRIPE_WEBHOOK_SECRET', 'whsec_51abcDEF', { stripeWebhookSecret: 'whsec_51abcDEF' }],
  ['MARQUEE_STRIPE_URL', 'http://127.0.0.1:4242/', { stripeUrl: 'http://127.0.0.1:4242' }],
  ['MARQUEE_STRIPE_URL', 'http://[::1]:4242', { stripeUrl: 'http://[::1]:4242' }],
  ['MARQUEE_STRIPE_URL', 'https://stripe.proxy.example', { stripeUrl: 'https://stripe.proxy.example' }],
  [
    'MARQUEE_SMTP_URL',
    'smtp://ann%40b.test:p%3Aw@mail.b.test',
    {
      smtp: {
        ...{ host: 'mail.b.test', port: 587, secure: false, isPlain: false },
        login: { user: 'ann@b.test', password: 'p:w' },
      },
    },
  ],
  ['MARQUEE_SMTP_URL', 'smtps://b.test', { smtp: { ...SMTP, host: 'b.test', port: 465, secure: true } }],
  ['MARQUEE_SMTP_URL', 'smtp://[::1]:25', { smtp: { ...SMTP, host: '::1', port: 25, isPlain: true } }],
  ['MARQUEE_SMTP_URL', 'smtp://relay:25?tls=off', { smtp: { ...SMTP, host: 'relay', port: 25, isPlain: true } }],
  ['MARQUEE_MAIL_FROM', 'a@b.test', { mailFrom: { name: '', address: 'a@b.test' } }],
  ['MARQUEE_MAIL_FROM', 'Harbour Hall <a@b.test>', { mailFrom: { name: 'Harbour Hall', address: 'a@b.test' } }],
  ['MARQUEE_MAIL_REPLY_TO', 'a@b.test', { mailReplyTo: { name: '', address: 'a@b.test' } }],
  ['MARQUEE_MAIL_RATE', '1000', { mailRate: 1000 }],
  ['MARQUEE_DKIM_KEY', '/run/secrets/dkim.pem', { dkimKey: '/run/secrets/dkim.pem' }],
  ['MARQUEE_DKIM_SELECTOR', '2026-a', { dkimSelector: '2026-a' }],
  ['MARQUEE_BOUNCE_DOMAIN', 'bounces.example.org', { bounceDomain: 'bounces.example.org' }],
  ['MARQUEE_MAILED_LINKS', '3,0', { mailedLinks: { perMailbox: 3, perAddress: 0 } }],
  ['MARQUEE_RETAIN_AUDIT', '90', { retainAudit: 90 }],
  ['MARQUEE_SECRET_GUESSES', '500, 0', { secretGuesses: { perAddress: 500, perAccount: 0 } }],
  ['MARQUEE_HELD_PER_ADDRESS', '0', { heldPerAddress: 0 }],
  ['MARQUEE_KEPT_PER_ADDRESS', '0', { keptPerAddress: 0 }],
  ['MARQUEE_CARTS_PER_ADDRESS', '7', { cartsPerAddress: 7 }],
  ['MARQUEE_OPEN_ORDERS', '0,0', { openOrders: { perAddress: 0, perEmail: 0 } }],
  ['MARQUEE_FONT', '/fonts/NotoSans.ttf', { font: '/fonts/NotoSans.ttf' }],
  ['MARQUEE_APPLE_PASS', '/run/secrets/apple', { applePass: '/run/secrets/apple' }],
  ['MARQUEE_GOOGLE_WALLET', '/run/secrets/google', { googleWallet: '/run/secrets/google' }],
  ['MARQUEE_TICKET_MAILS', '20,1000', { ticketMails: { perAddress: 20, overall: 1000 } }],
  ['MARQUEE_CART_RATE', '600,200', { cartRate: { writes: 600, checkouts: 200 } }],
  ['MARQUEE_FREE_PER_ADDRESS', '100,10', { freePlaces: { perAddress: 100, perEmail: 10 } }],
  ['MARQUEE_REPLIES_PER_ADDRESS', '0', { freePlaces: { perAddress: 0, perEmail: 50 } }],
  ['MARQUEE_HEAVY_READS', '0', { heavyReads: 0 }],
  ['MARQUEE_MAIL_COPIES', '5,10', { mailCopies: { perMail: 5, perMailbox: 10 } }],
  ['MARQUEE_STAFF_MAILS', '50,0', { staffMails: { copies: 50, others: 0 } }],
  ['MARQUEE_SERIES_EVENTS', '100', { seriesEvents: 100 }],
  ['MARQUEE_CHECKIN_ONLY_DURING_EVENT', 'yes', { checkInWindow: { isOn: true, buffer: 0 } }],
  ['MARQUEE_CHECKIN_BUFFER', '20', { checkInWindow: { isOn: false, buffer: 20 } }],
  ['MARQUEE_DATABASE_POOL', '12', {}],
  ['MARQUEE_DATABASE_TIMEOUT', '2.5', {}],
  ['MARQUEE_MAX_CONNECTIONS', '200', { maxConnections: 200 }],
  ['MARQUEE_MAX_DELAY', '0', { maxDelay: 0 }],
  ['MARQUEE_METRICS_TOKEN', 'sixteen-letters.', { metricsToken: 'sixteen-letters.' }],
];

const BAD: [string, ...string[]][] = [
  ['MARQUEE_PORT', '-1', '65536', 'eighty', '80.5', '1e9'],
  ['MARQUEE_JOBS', 'yes', 'ON', '1'],
  ['MARQUEE_WORKERS', '0', '-1', '1.5', '257', '1e2', '0x2', 'many', 'AUTO'],
  ['MARQUEE_DATABASE_URL', 'mysql://db/m', 'a.db', 'sqlite:', 'postgres://[broken'],
  ['MARQUEE_DATABASE_POOL', '0', '101', '1.5', 'many'],
  ['MARQUEE_ADMIN', 'ann', 'ann:', ':long enough', 'ann:short', '<b>ann</b>:long enough', 'a\u202enn:long enough'],
  ['MARQUEE_DATABASE_TIMEOUT', '0', '601', 'never'],
  ['MARQUEE_SECRET', 'of thirty-one characters, sadly'],
  ['MARQUEE_TIMEZONE', 'Mars/Base', 'UTC+99'],
  [
    'MARQUEE_URL',
    'events.example.org',
    'ftp://a.test',
    'https://a.test/path',
    'https://a.test?x',
    'https://u:p@a.test',
  ],
  ['MARQUEE_LANGUAGES', 'english', 'e', 'en,../x', 'en_US', 'fr-', 'en,,fr', ',', 'en,fr,en', 'pt-BR,pt-br'],
  ['MARQUEE_PER_PAGE', '0', '101', 'six', '2.5'],
  ['MARQUEE_LOG_LEVEL', 'loud', 'INFO'],
  [
    'MARQUEE_TRUST_PROXY',
    'true',
    '1',
    'proxy.internal',
    '10.0.0.0/33',
    '10.0.0.0/x',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '300.1.1.1',
    '::1/129',
    'fe80::1%eth0',
    '10.0.0.1,nonsense',
  ],
  ['MARQUEE_CORS_ORIGINS', '*', 'a.test', 'https://a.test,b'],
  ['MARQUEE_MAX_BODY', '0', '-1', 'big', '2000'],
  ['MARQUEE_MAX_UPLOAD', '0', '-1', 'big', '2000'],
  ['MARQUEE_IMPORT_MB', '0', '-1', '1.5', 'big', '20000'],
  ['MARQUEE_CACHE_MB', '-1', '1.5', 'big', '65537'],
  ['MARQUEE_GEO_RADIUS', '0', '-5', 'far', '30000'],
  [
    'MARQUEE_MAP_TILES',
    'https://tile.example.org/',
    'https://tile.example.org/{z}/{x}.png',
    'https://{s}.tile.example.org/{z}/{x}/{y}.png',
    'https://tile.example.org/{s}/{z}/{x}/{y}.png',
    '/tiles/{z}/{x}/{y}.png',
    'ftp://tile.example.org/{z}/{x}/{y}.png',
    'https://name:password@tile.example.org/{z}/{x}/{y}.png',
    'https://tile;script-src.example.org/{z}/{x}/{y}.png',
    'https://[::1]/{z}/{x}/{y}.png',
  ],
  ['MARQUEE_MAP_ATTRIBUTION', 'https://lisbon.example'],
  ['MARQUEE_CURRENCY', 'EURO', 'eur', '€'],
  ['MARQUEE_CART_HOLD', '0', '1441', '2.5', 'soon'],
  ['MARQUEE_ORDER_HOLD', '-1', '525601', 'ever'],
  ['MARQUEE_PAY_WITHIN', '30', '1441', 'ever'],
  ['MARQUEE_TRANSFER_DAYS', '0', '61', '1.5'],
  ['MARQUEE_LATE_PAYMENT', 'keep', 'Retake', 'ask,refund'],
  ['MARQUEE_INVOICES', 'on', 'Paid', 'paid,placed'],
  ['MARQUEE_STRIPE_KEY', 'sk_test_', 'pk_test_51abcDEF', 'sk_test_51abc DEF', 'whsec_51abcDEF'],
  [
    'MARQUEE_SMTP_URL',
    'mail.b.test',
    'http://b.test',
    'smtp://',
    'smtp://b.test/path',
    'smtp://b.test?tls=no',
    // Links in mails need an address.
    'smtp://b.test',
  ],
  ['MARQUEE_MAIL_FROM', 'b.test', 'a@b.test, c@d.test', 'A <a@b.test> <c@d.test>', 'A "B" <a@b.test>'],
  ['MARQUEE_MAIL_REPLY_TO', 'b.test', '<a@b.test', 'a b@c.test'],
  ['MARQUEE_MAIL_RATE', '0', '1001', '1.5'],
  ['MARQUEE_DKIM_SELECTOR', '-a', 'a b', '.'],
  ['MARQUEE_STRIPE_WEBHOOK_SECRET', 'whsec_', 'sk_test_51abcDEF', '51abcDEF1234'],
  [
    'MARQUEE_STRIPE_URL',
    'http://stripe.proxy.example',
    'http://127.0.0.1.example',
    'http://10.0.0.1:4242',
    'https://api.stripe.com/v1',
    'https://u:p@api.stripe.com',
    'ftp://127.0.0.1',
  ],
  ['MARQUEE_RETAIN_AUDIT', '0', '36501', 'ever'],
  ['MARQUEE_QR_API_KEY', '4821', 'a1b2c3d'],
  ['MARQUEE_SECRET_GUESSES', '50', '50,', '-1,5', '50,10,1', '5.5,1', '50,1000001'],
  ['MARQUEE_HELD_PER_ADDRESS', '-1', '1.5', 'many'],
  ['MARQUEE_KEPT_PER_ADDRESS', '-1', 'all'],
  ['MARQUEE_CARTS_PER_ADDRESS', '-1', '1000001'],
  ['MARQUEE_OPEN_ORDERS', '20', 'a,b'],
  ['MARQUEE_CART_RATE', '60', '60;20'],
  ['MARQUEE_TICKET_MAILS', '10', '10,-1'],
  ['MARQUEE_MAILED_LINKS', '5', '5,-1', 'a,b'],
  ['MARQUEE_MAIL_COPIES', '5', '5,-1'],
  ['MARQUEE_STAFF_MAILS', '5', '5,-1'],
  ['MARQUEE_BOUNCE_DOMAIN', 'bounces@example.org', 'https://example.org', '-example.org'],
  ['MARQUEE_FREE_PER_ADDRESS', '50', '50,', '-1,5', '50;50', '50,1000001'],
  ['MARQUEE_REPLIES_PER_ADDRESS', '-1', '1.5', 'many'],
  ['MARQUEE_CHECKIN_ONLY_DURING_EVENT', 'maybe', '1'],
  [
    'MARQUEE_IMAGE_HOSTS',
    'http://a.test',
    'a.test/x',
    'a.test:0',
    'a.test:65536',
    'a.test:http',
    '[::1',
    '*.a.test',
    'u@a.test',
  ],
  ['MARQUEE_HEAVY_READS', '-1', '1000001', '1.5', 'many'],
  ['MARQUEE_SERIES_EVENTS', '-1', '1000001', '1.5', 'many'],
  ['MARQUEE_CHECKIN_BUFFER', '-1', '10081', 'long'],
  ['MARQUEE_MAX_CONNECTIONS', '9', '100001', 'all'],
  ['MARQUEE_MAX_DELAY', '-1', '60001', '0.5', 'long'],
  ['MARQUEE_METRICS_TOKEN', 'short', 'fifteen-letters', 'sixteen letters with spaces'],
];

describe('readConfig', () => {
  it('reads every setting', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      workers: 1,
      timezone: 'UTC',
      languages: ['en', 'fr'],
      perPage: 6,
      logLevel: 'info',
      trustProxy: [],
      corsOrigins: [],
      imageHosts: [],
      maxBodyBytes: MIB,
      maxUploadBytes: 10 * MIB,
      geoRadius: 25,
      currencySymbol: undefined,
      database: { kind: 'sqlite', file: resolve('data/marquee.db') },
    });
    expect(isAbsolute(readConfig({}).data)).toBe(true);
    expect(readConfig({})).toMatchObject({ url: undefined, admin: undefined, qrApiKey: undefined });
  });

  it.each(GOOD)('reads %s=%s', (name, value, expected) => {
    expect(readConfig({ MARQUEE_URL: 'https://b.test', [name]: value })).toMatchObject(expected);
  });

  it.each(BAD.flatMap(([name, ...values]) => values.map((value) => [name, value] as const)))(
    'refuses %s=%s with a sentence that names the variable',
    (name, value) => {
      const read = () => readConfig({ [name]: value });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(expect.objectContaining({ variable: name }));
      expect(read).toThrow(new RegExp(`^${name} [^\\n]+\\.$`));
    },
  );

  it('returns values that cannot change, nested ones included', () => {
    const config = withChoices(readConfig({}), {
      revision: 1,
      languages: ['en', 'de'],
      timezone: null,
      currency: null,
      currency_symbol: null,
    });
    expect(() => Object.assign(config, { perPage: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.languages, ['fr'])).toThrow(TypeError);
    expect(() => Object.assign(config.cartRate, { writes: 0 })).toThrow(TypeError);
  });

  it('treats an empty variable as unset', () => {
    const empty = Object.fromEntries(SETTINGS.map(({ name }) => [name, ' ']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it('accepts the old name of the limit on free places unless it contradicts the new one', () => {
    const env = { MARQUEE_FREE_PER_ADDRESS: '70,30' };
    const read = (old: string) => readConfig({ ...env, MARQUEE_REPLIES_PER_ADDRESS: old }).freePlaces;
    expect(readConfig({}).freePlaces).toEqual({ perAddress: 50, perEmail: 50 });
    expect(readConfig({ MARQUEE_REPLIES_PER_ADDRESS: '9' }).freePlaces).toEqual({ perAddress: 9, perEmail: 50 });
    expect(read('70')).toEqual({ perAddress: 70, perEmail: 30 });
    for (const other of ['0', '50'])
      expect(() => read(other)).toThrow(
        `MARQUEE_REPLIES_PER_ADDRESS is ${other}, but MARQUEE_FREE_PER_ADDRESS is 70; remove`,
      );
  });

  it('passes the pool size and the timeout in milliseconds to PostgreSQL', () => {
    const own = { MARQUEE_DATABASE_POOL: '12', MARQUEE_DATABASE_TIMEOUT: '2.5' };
    const env = { MARQUEE_DATABASE_URL: 'postgres://db/m', ...own };
    expect(readConfig(env).database).toMatchObject({ pool: 12, timeout: 2500 });
  });

  it.each([
    ['1', 6],
    ['10', 6],
    ['16', 3],
    ['256', 1],
  ])('divides the connections to PostgreSQL among %s workers: %i each', (workers, pool) => {
    const env = { MARQUEE_DATABASE_URL: 'postgres://db/m', MARQUEE_WORKERS: workers };
    expect(readConfig(env).database).toMatchObject({ pool });
    expect(readConfig({ ...env, MARQUEE_DATABASE_POOL: '9' }).database).toMatchObject({ pool: 9 });
  });

  it.each([
    ['© City of Lisbon', { text: '© City of Lisbon' }],
    ['© Lisbon, javascript:alert(1)', { text: '© Lisbon, javascript:alert(1)' }],
    ['© City of Lisbon  https://lisbon.example/maps', { text: '© City of Lisbon', url: 'https://lisbon.example/maps' }],
  ])('reads the attribution of maps: %s', (given, attribution) => {
    const env = { MARQUEE_MAP_TILES: 'https://a.test/{z}/{x}/{y}.png', MARQUEE_MAP_ATTRIBUTION: given };
    expect(readConfig(env).mapTiles).toMatchObject({ attribution });
  });

  it('leaves passwords out of messages', () => {
    expect(() => readConfig({ MARQUEE_ADMIN: 'ann:short' })).toThrow(/^(?!.*short)/);
    expect(() => readConfig({ MARQUEE_SECRET: 'short' })).toThrow(/^(?!.*short)/);
    expect(() => readConfig({ MARQUEE_STRIPE_KEY: 'pk_live_short' })).toThrow(/^(?!.*short)/);
    expect(() => readConfig({ MARQUEE_STRIPE_WEBHOOK_SECRET: 'short' })).toThrow(/^(?!.*short)/);
    expect(() => readConfig({ MARQUEE_SMTP_URL: 'smtp://a:short@b.test/path' })).toThrow(/^(?!.*short)/);
    expect(() => readConfig({ MARQUEE_MAP_TILES: 'https://a.test/?key=short' })).toThrow(/^(?!.*short)/);
    expect(() => readConfig({ MARQUEE_DATABASE_URL: 'postgres://u:secret@[broken' })).toThrow(/^(?!.*secret)/);
  });
});

/** Settings whose preset is a description of the default. */
const IN_WORDS = [
  'MARQUEE_DATABASE_URL',
  'MARQUEE_DATABASE_POOL',
  'MARQUEE_ADMIN',
  'MARQUEE_SECRET',
  'MARQUEE_URL',
  'MARQUEE_NAME',
  'MARQUEE_QR_API_KEY',
  'MARQUEE_TRUST_PROXY',
  'MARQUEE_CORS_ORIGINS',
  'MARQUEE_IMAGE_HOSTS',
  'MARQUEE_MAP_TILES',
  'MARQUEE_TIMEZONE',
  'MARQUEE_LANGUAGES',
  'MARQUEE_CURRENCY',
  'MARQUEE_CURRENCY_SYMBOL',
  'MARQUEE_REPLIES_PER_ADDRESS',
  'MARQUEE_METRICS_TOKEN',
  'MARQUEE_STRIPE_KEY',
  'MARQUEE_STRIPE_WEBHOOK_SECRET',
  'MARQUEE_SMTP_URL',
  'MARQUEE_MAIL_FROM',
  'MARQUEE_MAIL_REPLY_TO',
  'MARQUEE_DKIM_KEY',
  'MARQUEE_BOUNCE_DOMAIN',
  'MARQUEE_FONT',
  'MARQUEE_APPLE_PASS',
  'MARQUEE_GOOGLE_WALLET',
];

describe('SETTINGS', () => {
  it.each(SETTINGS.filter(({ name }) => !IN_WORDS.includes(name)))('document the default of $name', (setting) => {
    // Only PostgreSQL has a connection pool.
    const env = { MARQUEE_DATABASE_URL: 'postgres://db/m' };
    const preset = readConfig({ ...env, [setting.name]: setting.preset });
    expect({ ...preset, given: {} }).toEqual({ ...readConfig(env), given: {} });
  });

  it('list the variables of the environment without the values of secrets', () => {
    const env = { MARQUEE_DATABASE_URL: 'postgres://ada:sesame@db/m', MARQUEE_PORT: '81', MARQUEE_URL: ' ' };
    expect(readConfig(env).given).toEqual({ MARQUEE_DATABASE_URL: null, MARQUEE_PORT: '81' });
  });

  it('each have a test above, with good and bad values', () => {
    const free = ['MARQUEE_HOST', 'MARQUEE_DATA', 'MARQUEE_NAME', 'MARQUEE_CURRENCY_SYMBOL'];
    const files = ['MARQUEE_DKIM_KEY', 'MARQUEE_FONT', 'MARQUEE_APPLE_PASS', 'MARQUEE_GOOGLE_WALLET'];
    const names = SETTINGS.map(({ name }) => name).sort();
    expect([...new Set(GOOD.map(([name]) => name))].sort()).toEqual(names);
    expect([...BAD.map(([name]) => name), ...free, ...files].sort()).toEqual(names);
  });
});
