import { resolve } from 'node:path';
import { z } from 'zod';
import { limitSettings } from './limit-settings.ts';
import { documented, type Setting, setting } from './setting.ts';
import {
  admin,
  checkInKey,
  currency,
  databaseUrl,
  domainName,
  imageHost,
  languages,
  list,
  MEBIBYTE,
  mailbox,
  mapAttribution,
  mapTiles,
  mebibytes,
  metricsToken,
  number,
  OPEN_STREET_MAP,
  oneOf,
  origin,
  proxy,
  selector,
  serviceAddress,
  siteSecret,
  smtpServer,
  stripeKey,
  stripeWebhookSecret,
  timezone,
  whole,
  workers,
} from './setting-values.ts';

/** Settings by member of the configuration, in the order of the documentation. */
const settings = {
  port: setting('MARQUEE_PORT', 'Port the server listens on.', whole(0, 65_535).prefault('8080')),
  host: setting(
    'MARQUEE_HOST',
    'Address the server listens on. `0.0.0.0` for every interface.',
    z.string().prefault('127.0.0.1'),
  ),
  workers: setting(
    'MARQUEE_WORKERS',
    'Number of processes that serve requests, 1 to 256, or `auto` for one per available processor.',
    workers.prefault('1'),
  ),
  jobs: setting(
    'MARQUEE_JOBS',
    'Background jobs: `on` runs them alongside requests, `off` leaves them to other processes, `only` serves no requests.',
    oneOf(['on', 'off', 'only']).prefault('on'),
  ),
  data: setting(
    'MARQUEE_DATA',
    'Folder of the SQLite database and of uploaded images.',
    z
      .string()
      .transform((folder) => resolve(folder))
      .prefault('./data'),
  ),
  databaseUrl: setting(
    'MARQUEE_DATABASE_URL',
    'A `postgres://` URL to use PostgreSQL, or `sqlite:FILE` for another SQLite file.',
    databaseUrl.optional(),
    { preset: 'marquee.db in MARQUEE_DATA', isSecret: true },
  ),
  databasePool: setting(
    'MARQUEE_DATABASE_POOL',
    'PostgreSQL connections per process, 1 to 100.',
    whole(1, 100).optional(),
    { preset: '6, fewer with more than 10 workers' },
  ),
  databaseTimeout: setting(
    'MARQUEE_DATABASE_TIMEOUT',
    'Timeout of a PostgreSQL statement in seconds, 1 to 600.',
    number(1, 600).prefault('15'),
  ),
  admin: setting(
    'MARQUEE_ADMIN',
    '`name:password` of the first administrator, created while there are no accounts.',
    admin.optional(),
    { preset: 'admin with a generated password, printed once', isSecret: true },
  ),
  secret: setting(
    'MARQUEE_SECRET',
    'Secret for the links to orders, at least 32 characters. The same for all processes.',
    siteSecret.optional(),
    { preset: 'generated at the first start and stored in the database', isSecret: true },
  ),
  timezone: setting(
    'MARQUEE_TIMEZONE',
    'Time zone of the site: an IANA name, or an offset such as `UTC+2`.',
    timezone,
    { preset: 'the [site settings](site.md), else UTC' },
  ),
  url: setting(
    'MARQUEE_URL',
    'Public address of the site, such as `https://events.example.org`. Every URL in a response begins with it.',
    origin().optional(),
    { preset: 'taken from the request' },
  ),
  siteName: setting('MARQUEE_NAME', 'Name of the site, in all languages.', z.string().optional(), {
    preset: 'the name in the [site settings](site.md)',
  }),
  languages: setting('MARQUEE_LANGUAGES', 'Content languages, the default first.', languages, {
    preset: 'the [site settings](site.md), else en,fr',
  }),
  perPage: setting(
    'MARQUEE_PER_PAGE',
    'Default number of items per page of a list, 1 to 100.',
    whole(1, 100).prefault('6'),
  ),
  qrApiKey: setting('MARQUEE_QR_API_KEY', 'Key with which a scanner app checks people in.', checkInKey.optional(), {
    preset: 'none',
    isSecret: true,
  }),
  logLevel: setting(
    'MARQUEE_LOG_LEVEL',
    'One of fatal, error, warn, info, debug, trace, silent.',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).prefault('info'),
  ),
  trustProxy: setting(
    'MARQUEE_TRUST_PROXY',
    'Addresses or networks of proxies whose `X-Forwarded-*` headers count, such as `10.0.0.0/8,::1`. `loopback` for this machine.',
    list(proxy),
    { preset: 'none' },
  ),
  corsOrigins: setting(
    'MARQUEE_CORS_ORIGINS',
    'Further origins whose pages may send credentials, such as `https://shop.example.org`.',
    list(origin()),
    { preset: 'none' },
  ),
  imageHosts: setting(
    'MARQUEE_IMAGE_HOSTS',
    'Hosts with private addresses from which images and calendars may be fetched: `host` for the ports 80 and 443, or `host:port`. For development.',
    list(imageHost),
    { preset: 'none' },
  ),
  maxBodyBytes: setting(
    'MARQUEE_MAX_BODY',
    'Maximum request body in MiB, except for uploads.',
    mebibytes().prefault('1'),
  ),
  maxUploadBytes: setting('MARQUEE_MAX_UPLOAD', 'Maximum size of an image in MiB.', mebibytes().prefault('10')),
  importBytes: setting(
    'MARQUEE_IMPORT_MB',
    'Maximum size in MiB of a file that the console imports; larger ones need the command.',
    whole(1, 10_240)
      .transform((size) => size * MEBIBYTE)
      .prefault('200'),
  ),
  cacheBytes: setting(
    'MARQUEE_CACHE_MB',
    'Size of the response cache of each process in MiB. 0 for none.',
    whole(0, 65_536)
      .transform((size) => size * MEBIBYTE)
      .prefault('64'),
  ),
  geoRadius: setting(
    'MARQUEE_GEO_RADIUS',
    'Search radius of `geoloc_lat` and `geoloc_lng` in kilometres.',
    number(0.1, 20_000).prefault('25'),
  ),
  mapTiles: setting(
    'MARQUEE_MAP_TILES',
    'URL template of map tiles, such as `https://tile.example.org/{z}/{x}/{y}.png`.',
    mapTiles.optional(),
    { preset: 'none: pages have no maps' },
  ),
  mapAttribution: setting(
    'MARQUEE_MAP_ATTRIBUTION',
    'Attribution shown below maps: a text, optionally followed by the address that it links to.',
    mapAttribution.prefault(OPEN_STREET_MAP),
  ),
  currency: setting('MARQUEE_CURRENCY', 'Currency of ticket prices, by its ISO 4217 code.', currency, {
    preset: 'the [site settings](site.md), else USD',
  }),
  currencySymbol: setting(
    'MARQUEE_CURRENCY_SYMBOL',
    'Currency symbol of prices, and of costs entered without one.',
    z.string().optional(),
    { preset: 'the [site settings](site.md), else the symbol of the currency' },
  ),
  cartHold: setting(
    'MARQUEE_CART_HOLD',
    'Minutes for which a cart holds its places after the last change, 1 to 1440.',
    whole(1, 1440).prefault('15'),
  ),
  orderHold: setting(
    'MARQUEE_ORDER_HOLD',
    'Minutes after which an unpaid order expires and frees its places. 0 for never.',
    whole(0, 525_600).prefault('1440'),
  ),
  payWithin: setting(
    'MARQUEE_PAY_WITHIN',
    'Minutes for which an order keeps its places while its customer pays at a payment service, 31 to 1440.',
    whole(31, 1440).prefault('35'),
  ),
  transferDays: setting(
    'MARQUEE_TRANSFER_DAYS',
    'Days for which an order keeps its places while its customer pays by bank transfer, unless the payment method says otherwise, 1 to 60.',
    whole(1, 60).prefault('7'),
  ),
  latePayment: setting(
    'MARQUEE_LATE_PAYMENT',
    'Handling of payments that arrive after the places of their order were released: `retake` takes the places again if all are free and otherwise refunds the payment, `refund` refunds it, `ask` leaves the decision to staff.',
    oneOf(['retake', 'refund', 'ask']).prefault('retake'),
  ),
  invoices: setting(
    'MARQUEE_INVOICES',
    '[Invoices](invoices.md) of orders: `paid` issues them when orders are paid, `placed` also when orders are placed that are to be paid by bank transfer. `off` issues none.',
    oneOf(['off', 'paid', 'placed']).prefault('off'),
  ),
  stripeKey: setting(
    'MARQUEE_STRIPE_KEY',
    'Secret or restricted key of the Stripe account that takes [payments](payments.md).',
    stripeKey.optional(),
    { preset: 'none', isSecret: true },
  ),
  stripeWebhookSecret: setting(
    'MARQUEE_STRIPE_WEBHOOK_SECRET',
    'Signing secret of the webhook endpoint at Stripe.',
    stripeWebhookSecret.optional(),
    { preset: 'none', isSecret: true },
  ),
  stripeUrl: setting(
    'MARQUEE_STRIPE_URL',
    'Address of the interface of Stripe, for proxies and tests: https, or http on this machine.',
    serviceAddress.prefault('https://api.stripe.com'),
  ),
  smtp: setting(
    'MARQUEE_SMTP_URL',
    'Server that sends [mails](mail.md), such as `smtp://USER:PASSWORD@mail.example.org:587`; `smtps://` for encryption from the first byte. Needs MARQUEE_URL.',
    smtpServer.optional(),
    { preset: 'none: mails are kept', isSecret: true },
  ),
  mailFrom: setting(
    'MARQUEE_MAIL_FROM',
    'Sender of mails, such as `Harbour Hall <tickets@example.org>`.',
    mailbox.optional(),
    { preset: 'noreply at the host of MARQUEE_URL' },
  ),
  mailReplyTo: setting('MARQUEE_MAIL_REPLY_TO', 'Address for replies to mails.', mailbox.optional(), {
    preset: 'the e-mail address in the [site settings](site.md)',
  }),
  mailRate: setting(
    'MARQUEE_MAIL_RATE',
    'Maximum number of mails per second, 1 to 1000.',
    whole(1, 1000).prefault('20'),
  ),
  dkimKey: setting(
    'MARQUEE_DKIM_KEY',
    'File with the private key (PEM) that signs mails for the domain of their sender.',
    z.string().optional(),
    { preset: 'none: mails are not signed here' },
  ),
  dkimSelector: setting(
    'MARQUEE_DKIM_SELECTOR',
    'Selector of the key: its public half is published at SELECTOR._domainkey.DOMAIN.',
    selector.prefault('marquee'),
  ),
  font: setting(
    'MARQUEE_FONT',
    'File of a font (TTF or OTF) for [documents](tickets.md#on-paper-and-in-wallets) with letters that DejaVu Sans lacks, such as Chinese ones.',
    z.string().optional(),
    { preset: 'none' },
  ),
  applePass: setting(
    'MARQUEE_APPLE_PASS',
    'Folder with the certificates for [Apple Wallet](wallets.md).',
    z.string().optional(),
    { preset: 'none: not offered' },
  ),
  googleWallet: setting(
    'MARQUEE_GOOGLE_WALLET',
    'Folder with the key for [Google Wallet](wallets.md).',
    z.string().optional(),
    { preset: 'none: not offered' },
  ),
  bounceDomain: setting(
    'MARQUEE_BOUNCE_DOMAIN',
    'Domain for the envelope senders of mails, by which mails that [come back](mail.md#mails-that-come-back) are recognised.',
    domainName.optional(),
    { preset: 'none: returned mails arrive at the address of MARQUEE_MAIL_FROM' },
  ),
  retainAudit: setting(
    'MARQUEE_RETAIN_AUDIT',
    'Days before entries of the audit log are deleted, 1 to 36500.',
    whole(1, 36_500).prefault('400'),
  ),
  ...limitSettings,
  isCheckInLimited: setting(
    'MARQUEE_CHECKIN_ONLY_DURING_EVENT',
    '`yes` refuses check-in by QR code before and after the event.',
    oneOf(['yes', 'no'])
      .transform((given) => given === 'yes')
      .prefault('no'),
  ),
  checkInBuffer: setting(
    'MARQUEE_CHECKIN_BUFFER',
    'Minutes before and after an event during which check-in is still possible.',
    whole(0, 10_080).prefault('0'),
  ),
  maxConnections: setting(
    'MARQUEE_MAX_CONNECTIONS',
    'Maximum number of open connections, 10 to 100000. Further ones are closed at once.',
    whole(10, 100_000).prefault('5000'),
  ),
  maxDelay: setting(
    'MARQUEE_MAX_DELAY',
    'Milliseconds a request may wait in the queue before new ones get 503. 0 for no limit.',
    whole(0, 60_000).prefault('1000'),
  ),
  metricsToken: setting(
    'MARQUEE_METRICS_TOKEN',
    'Bearer token for reading `/metrics` from anywhere, at least 16 characters.',
    metricsToken.optional(),
    { preset: 'none', isSecret: true },
  ),
};

/** Values of all settings, by member of the configuration. */
export type SettingValues = z.output<typeof settingsSchema>;

/** Documentation of every setting, in the order of `docs/settings.md`. */
export const SETTINGS: readonly Setting[] = Object.values(settings).map(documented);

/** Schema of the environment; every member is a text. */
export const settingsSchema = z.object(settings);

/** Environment variable of each member of the schema. */
export const VARIABLES = new Map(Object.keys(settings).map((member, index) => [member, SETTINGS[index]?.name ?? '']));
