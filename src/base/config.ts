import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { DatabaseAddress } from '../db/database.ts';
import { readHostEntry } from '../lib/addresses.ts';
import { isZone } from '../lib/dates/dates.ts';
import { languageTag } from '../lib/i18n.ts';
import { type MapTiles, originOfTiles, readAttribution } from '../lib/map-tiles.ts';
import { isCurrencyCode, symbolOf } from '../lib/money/money.ts';
import { isAccountName } from '../lib/text/account-name.ts';

export interface Config {
  host: string;
  port: number;
  /** Processes that serve; with several, one more starts them. */
  workers: number;
  /** Absolute path of the folder that holds the SQLite file and the uploaded images. */
  data: string;
  database: DatabaseAddress;
  /** The first administrator; generated and printed once when absent. */
  admin?: { name: string; password: string };
  /** From which keys are derived; made and kept in the database when absent. */
  secret?: string;
  /** IANA name or manual offset such as `UTC+2`. */
  timezone: string;
  /** Origin of every URL in an answer, without a trailing slash; taken from the request when absent. */
  url?: string;
  /** Content languages, the default first; tags of BCP 47 in their usual letter case. */
  languages: string[];
  perPage: number;
  qrApiKey?: string;
  logLevel: string;
  /** Addresses and networks of trusted proxies; `loopback` for this machine. */
  trustProxy: string[];
  corsOrigins: string[];
  /** Hosts that images may be fetched from despite a non-public address. */
  imageHosts: string[];
  /** Bytes. */
  maxBodyBytes: number;
  maxUploadBytes: number;
  /** Bytes of answers that each process remembers; 0 for none. */
  cacheBytes: number;
  /** Kilometres around `geoloc_lat`, `geoloc_lng`. */
  geoRadius: number;
  /** Absent: pages have no maps. */
  mapTiles?: MapTiles;
  /** ISO 4217, three capital letters. */
  currency: string;
  currencySymbol: string;
  /** Minutes a cart holds its seats after its last change. */
  cartHold: number;
  /** Minutes an unpaid order keeps its seats; 0 for ever. */
  orderHold: number;
  /** Days for which the audit log is kept. */
  retainAudit: number;
  /** Wrong secrets in 15 minutes; 0 for no limit. */
  secretGuesses: { perAddress: number; perAccount: number };
  /** Limits for callers without an account, by address; 0 for no limit. */
  heldPerAddress: number;
  keptPerAddress: number;
  cartsPerAddress: number;
  openOrders: { perAddress: number; perEmail: number };
  /** Per minute. */
  cartRate: { writes: number; checkouts: number };
  /** Places without a price in 24 hours. */
  freePlaces: { perAddress: number; perEmail: number };
  /** Per minute. */
  heavyReads: number;
  checkInWindow: { isOn: boolean; buffer: number };
  /** Absent: the settings of the site have the name. */
  siteName?: string;
  /** Concurrent connections; further ones are refused. */
  maxConnections: number;
  /** Event-loop delay in milliseconds above which new requests are refused; 0 for no limit. */
  maxDelay: number;
  /** Token that gives access to `/metrics` from anywhere. */
  metricsToken?: string;
  /** Cost parameter N of scrypt for account passwords; a power of two. */
  passwordCost: number;
  timeouts: Timeouts;
  /** The settings that the environment has, by the names of their variables; null for secrets. */
  given: Readonly<Record<string, string | null>>;
}

/** Timeouts in milliseconds. Constants, because no operator needs other values. */
interface Timeouts {
  /** From the connection or the first byte of a request to the end of its headers. */
  headers: number;
  /** Base timeout of a body, plus the time its length takes at `bytesPerSecond`. */
  body: number;
  bytesPerSecond: number;
  /** Idle time between two requests: longer than proxies keep connections, so that the proxy closes first. */
  idle: number;
  /** No traffic in either direction during a request, as when the client has stopped reading. */
  stalled: number;
  /** For all images of a write that are fetched from other servers: look-ups, redirects and downloads. */
  images: number;
}

/** Those of connections are chosen so that phones on slow networks stay within them. */
const TIMEOUTS: Timeouts = {
  headers: 10_000,
  body: 30_000,
  bytesPerSecond: 32 * 1024,
  idle: 65_000,
  stalled: 60_000,
  images: 5000,
};

/** What holds where neither the environment nor the site says anything. */
export const PRESETS = { timezone: 'UTC', languages: ['en', 'fr'], currency: 'USD' } as const;

/** An invalid setting. The message is one sentence that names the variable. */
export class ConfigError extends Error {
  readonly variable: string;
  constructor(variable: string, problem: string) {
    super(`${variable} ${problem}`);
    this.variable = variable;
  }
}

export interface Setting {
  name: string;
  /** Whether its value is for nobody's eyes. */
  isSecret?: true;
  /** The default, in words for readers. */
  preset: string;
  about: string;
}

/** Whose data nearly all maps are made of. */
const OPEN_STREET_MAP = '© OpenStreetMap contributors https://www.openstreetmap.org/copyright';

/** Every setting, in the order of the documentation. `docs/settings.md` is checked against it. */
export const SETTINGS: readonly Setting[] = [
  { name: 'MARQUEE_PORT', preset: '8080', about: 'Port the server listens on.' },
  { name: 'MARQUEE_HOST', preset: '127.0.0.1', about: 'Address the server listens on. `0.0.0.0` for every interface.' },
  {
    name: 'MARQUEE_WORKERS',
    preset: '1',
    about: 'Processes that serve requests, 1 to 256, or `auto`: as many as the machine can run at a time.',
  },
  { name: 'MARQUEE_DATA', preset: './data', about: 'Folder of the SQLite database and of uploaded images.' },
  {
    name: 'MARQUEE_DATABASE_URL',
    isSecret: true,
    preset: 'marquee.db in MARQUEE_DATA',
    about: 'A `postgres://` URL to use PostgreSQL, or `sqlite:FILE` for another SQLite file.',
  },
  {
    name: 'MARQUEE_DATABASE_POOL',
    preset: '6, and less with more than 10 workers',
    about: 'PostgreSQL connections of one process, 1 to 100.',
  },
  {
    name: 'MARQUEE_DATABASE_TIMEOUT',
    preset: '15',
    about: 'Seconds after which a server gives up a statement that PostgreSQL has not answered, 1 to 600.',
  },
  {
    name: 'MARQUEE_ADMIN',
    isSecret: true,
    preset: 'admin with a generated password, printed once',
    about: '`name:password` of the administrator who is created when there are no accounts yet.',
  },
  {
    name: 'MARQUEE_SECRET',
    isSecret: true,
    preset: 'made at the first start and kept in the database',
    about: 'Secret from which the links to orders are made, at least 32 characters. The same for all processes.',
  },
  {
    name: 'MARQUEE_TIMEZONE',
    preset: 'that of the [site settings](site.md), else UTC',
    about: 'Time zone of the site: an IANA name, or an offset such as `UTC+2`.',
  },
  {
    name: 'MARQUEE_URL',
    preset: 'taken from the request',
    about: 'Public address of the site, such as `https://events.example.org`. Every URL in an answer begins with it.',
  },
  {
    name: 'MARQUEE_NAME',
    preset: 'that of the [site settings](site.md)',
    about: 'Name of the site, in all languages.',
  },
  {
    name: 'MARQUEE_LANGUAGES',
    preset: 'those of the [site settings](site.md), else en,fr',
    about: 'Content languages, the default first.',
  },
  {
    name: 'MARQUEE_PER_PAGE',
    preset: '6',
    about: 'Items per page of a list when the request does not say, 1 to 100.',
  },
  {
    name: 'MARQUEE_QR_API_KEY',
    isSecret: true,
    preset: 'none',
    about: 'Key that lets a scanner check people in.',
  },
  { name: 'MARQUEE_LOG_LEVEL', preset: 'info', about: 'One of fatal, error, warn, info, debug, trace, silent.' },
  {
    name: 'MARQUEE_TRUST_PROXY',
    preset: 'none',
    about:
      'Addresses or networks of proxies whose `X-Forwarded-*` headers count, such as `10.0.0.0/8,::1`. `loopback` for this machine.',
  },
  {
    name: 'MARQUEE_CORS_ORIGINS',
    preset: 'none',
    about: 'Further origins whose browsers may send credentials, such as `https://shop.example.org`.',
  },
  {
    name: 'MARQUEE_IMAGE_HOSTS',
    preset: 'none',
    about:
      'Hosts that images may be fetched from although their addresses are private: `host` for the ports 80 and 443, or `host:port`. For development.',
  },
  { name: 'MARQUEE_MAX_BODY', preset: '1', about: 'Largest request body in MiB, uploads aside.' },
  { name: 'MARQUEE_MAX_UPLOAD', preset: '10', about: 'Largest image in MiB.' },
  {
    name: 'MARQUEE_CACHE_MB',
    preset: '64',
    about: 'MiB of answers that each process remembers while the data stay the same. 0 for none.',
  },
  {
    name: 'MARQUEE_GEO_RADIUS',
    preset: '25',
    about: 'Kilometres around a point that `geoloc_lat` and `geoloc_lng` reach.',
  },
  {
    name: 'MARQUEE_MAP_TILES',
    preset: 'none: pages have no maps',
    about: 'Address of the pictures of a map, such as `https://tile.example.org/{z}/{x}/{y}.png`.',
  },
  {
    name: 'MARQUEE_MAP_ATTRIBUTION',
    preset: OPEN_STREET_MAP,
    about: 'Whose map it is, shown below it: a text, and maybe the address that it links to.',
  },
  {
    name: 'MARQUEE_CURRENCY',
    preset: 'that of the [site settings](site.md), else USD',
    about: 'Currency of ticket prices, by its ISO 4217 code.',
  },
  {
    name: 'MARQUEE_CURRENCY_SYMBOL',
    preset: 'that of the [site settings](site.md), else that of the currency',
    about: 'Symbol of prices, and of a cost that was given without one.',
  },
  {
    name: 'MARQUEE_CART_HOLD',
    preset: '15',
    about: 'Minutes a cart holds its places after the last change, 1 to 1440.',
  },
  {
    name: 'MARQUEE_ORDER_HOLD',
    preset: '1440',
    about: 'Minutes an unpaid order keeps its places before it is given up. 0 keeps them until somebody decides.',
  },
  {
    name: 'MARQUEE_RETAIN_AUDIT',
    preset: '400',
    about: 'Days for which the audit log is kept, 1 to 36500.',
  },
  {
    name: 'MARQUEE_SECRET_GUESSES',
    preset: '50,10',
    about: 'Wrong secrets of one kind in 15 minutes, from one address and for one account. 0 for any number.',
  },
  {
    name: 'MARQUEE_HELD_PER_ADDRESS',
    preset: '200',
    about:
      'Places that callers without an account at one address may hold in carts and unpaid orders. 0 for any number.',
  },
  {
    name: 'MARQUEE_KEPT_PER_ADDRESS',
    preset: '20',
    about:
      'Places that callers without an account at one address may keep unpaid for more than 30 minutes. 0 for any number.',
  },
  {
    name: 'MARQUEE_CARTS_PER_ADDRESS',
    preset: '100',
    about: 'Carts that callers without an account at one address may keep open. 0 for any number.',
  },
  {
    name: 'MARQUEE_OPEN_ORDERS',
    preset: '20,3',
    about: 'Unpaid orders of callers without an account, from one address and by one e-mail address. 0 for any number.',
  },
  {
    name: 'MARQUEE_CART_RATE',
    preset: '60,20',
    about: 'Changes of carts and checkouts a minute of callers without an account at one address. 0 for any number.',
  },
  {
    name: 'MARQUEE_FREE_PER_ADDRESS',
    preset: '50,50',
    about:
      'Free places that one address, and one e-mail address, may take in 24 hours by replies and orders. 0 for any number.',
  },
  {
    name: 'MARQUEE_REPLIES_PER_ADDRESS',
    preset: 'the first number of MARQUEE_FREE_PER_ADDRESS',
    about: 'Old name of the first number of MARQUEE_FREE_PER_ADDRESS.',
  },
  {
    name: 'MARQUEE_HEAVY_READS',
    preset: '60',
    about:
      'Calendars of more than 100 events and drawn pictures a minute that are made for callers without an account at one address. 0 for any number.',
  },
  {
    name: 'MARQUEE_CHECKIN_ONLY_DURING_EVENT',
    preset: 'no',
    about: '`yes` refuses check-in by QR code outside the time of the event.',
  },
  {
    name: 'MARQUEE_CHECKIN_BUFFER',
    preset: '0',
    about: 'Minutes before and after an event that still count as its time.',
  },
  {
    name: 'MARQUEE_MAX_CONNECTIONS',
    preset: '5000',
    about: 'Connections at a time, 10 to 100000. Further ones are closed at once.',
  },
  {
    name: 'MARQUEE_MAX_DELAY',
    preset: '1000',
    about: 'Milliseconds a request may wait for its turn before new ones are answered with 503. 0 for any.',
  },
  {
    name: 'MARQUEE_METRICS_TOKEN',
    isSecret: true,
    preset: 'none',
    about: 'Bearer token that lets a program read `/metrics` from anywhere, at least 16 characters.',
  },
];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process. The only place that reads it. */
export const environment: Environment = process.env;

/**
 * Turns an environment into a configuration. Empty variables count as not set.
 * @throws {ConfigError} for the first invalid variable.
 */
export function readConfig(env: Environment): Config {
  const data = resolve(text(env, 'MARQUEE_DATA') ?? './data');
  const workers = workerCount(env);
  return {
    host: text(env, 'MARQUEE_HOST') ?? '127.0.0.1',
    port: integer(env, 'MARQUEE_PORT', { preset: 8080, from: 0, to: 65535 }),
    workers,
    data,
    database: database(env, { data, workers }),
    admin: admin(env),
    secret: siteSecret(env),
    timezone: zone(env),
    url: origin(env),
    languages: languages(env),
    perPage: integer(env, 'MARQUEE_PER_PAGE', { preset: 6, from: 1, to: 100 }),
    qrApiKey: checkInKey(env),
    logLevel: oneOf(env, 'MARQUEE_LOG_LEVEL', LOG_LEVELS) ?? 'info',
    trustProxy: proxies(env),
    corsOrigins: list(env, 'MARQUEE_CORS_ORIGINS').map((item) => requireOrigin('MARQUEE_CORS_ORIGINS', item)),
    imageHosts: imageHosts(env),
    maxBodyBytes: mebibytes(env, 'MARQUEE_MAX_BODY', 1),
    maxUploadBytes: mebibytes(env, 'MARQUEE_MAX_UPLOAD', 10),
    cacheBytes: integer(env, 'MARQUEE_CACHE_MB', { preset: 64, from: 0, to: 65_536 }) * 1024 * 1024,
    geoRadius: number(env, 'MARQUEE_GEO_RADIUS', { preset: 25, from: 0.1, to: 20_000 }),
    mapTiles: mapTiles(env),
    ...currency(env),
    cartHold: integer(env, 'MARQUEE_CART_HOLD', { preset: 15, from: 1, to: 1440 }),
    orderHold: integer(env, 'MARQUEE_ORDER_HOLD', { preset: 1440, from: 0, to: 525_600 }),
    retainAudit: integer(env, 'MARQUEE_RETAIN_AUDIT', { preset: 400, from: 1, to: 36_500 }),
    ...limits(env),
    checkInWindow: {
      isOn: oneOf(env, 'MARQUEE_CHECKIN_ONLY_DURING_EVENT', ['yes', 'no']) === 'yes',
      buffer: integer(env, 'MARQUEE_CHECKIN_BUFFER', { preset: 0, from: 0, to: 10_080 }),
    },
    siteName: text(env, 'MARQUEE_NAME'),
    maxConnections: integer(env, 'MARQUEE_MAX_CONNECTIONS', { preset: 5000, from: 10, to: 100_000 }),
    maxDelay: integer(env, 'MARQUEE_MAX_DELAY', { preset: 1000, from: 0, to: 60_000 }),
    metricsToken: metricsToken(env),
    passwordCost: 2 ** 15,
    timeouts: TIMEOUTS,
    given: givenSettings(env),
  };
}

function givenSettings(env: Environment): Config['given'] {
  const given = SETTINGS.flatMap(({ name, isSecret }): [string, string | null][] => {
    const value = text(env, name);
    return value === undefined ? [] : [[name, isSecret ? null : value]];
  });
  return Object.fromEntries(given);
}

function text(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

function list(env: Environment, name: string): string[] {
  const items = text(env, name)?.split(',') ?? [];
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

interface Range {
  preset: number;
  from: number;
  to: number;
}

function number(env: Environment, name: string, { preset, from, to }: Range): number {
  const given = text(env, name);
  if (given === undefined) return preset;
  const value = Number(given);
  if (!(value >= from && value <= to))
    throw new ConfigError(name, `must be a number from ${from} to ${to}, not "${given}".`);
  return value;
}

function integer(env: Environment, name: string, range: Range): number {
  const value = number(env, name, range);
  if (!Number.isInteger(value)) throw new ConfigError(name, `must be a whole number, not "${value}".`);
  return value;
}

function limits(env: Environment) {
  const [perAddress, perAccount] = pair(env, 'MARQUEE_SECRET_GUESSES', [50, 10]);
  const [ordersPerAddress, perEmail] = pair(env, 'MARQUEE_OPEN_ORDERS', [20, 3]);
  const [writes, checkouts] = pair(env, 'MARQUEE_CART_RATE', [60, 20]);
  return {
    secretGuesses: { perAddress, perAccount },
    heldPerAddress: integer(env, 'MARQUEE_HELD_PER_ADDRESS', { preset: 200, from: 0, to: MAX_LIMIT }),
    keptPerAddress: integer(env, 'MARQUEE_KEPT_PER_ADDRESS', { preset: 20, from: 0, to: MAX_LIMIT }),
    cartsPerAddress: integer(env, 'MARQUEE_CARTS_PER_ADDRESS', { preset: 100, from: 0, to: MAX_LIMIT }),
    openOrders: { perAddress: ordersPerAddress, perEmail },
    cartRate: { writes, checkouts },
    freePlaces: freePlaces(env),
    heavyReads: integer(env, 'MARQUEE_HEAVY_READS', { preset: 60, from: 0, to: MAX_LIMIT }),
  };
}

/** The first number has an old name, which may stand alone or repeat it. */
function freePlaces(env: Environment): Config['freePlaces'] {
  const name = 'MARQUEE_FREE_PER_ADDRESS';
  const oldName = 'MARQUEE_REPLIES_PER_ADDRESS';
  const [perAddress, perEmail] = pair(env, name, [50, 50]);
  const old = integer(env, oldName, { preset: perAddress, from: 0, to: MAX_LIMIT });
  if (text(env, name) !== undefined && old !== perAddress)
    throw new ConfigError(oldName, `is ${old}, but ${name} says ${perAddress}; leave out ${oldName}.`);
  return { perAddress: old, perEmail };
}

const MAX_LIMIT = 1_000_000;

/** Two integers, such as `50,10`. */
function pair(env: Environment, name: string, preset: readonly [number, number]): readonly [number, number] {
  const given = text(env, name);
  if (given === undefined) return preset;
  const [, first, second] = /^(\d{1,7})\s*,\s*(\d{1,7})$/.exec(given) ?? [];
  const numbers = [Number(first), Number(second)] as const;
  if (numbers.every((number) => number <= MAX_LIMIT)) return numbers;
  throw new ConfigError(
    name,
    `must be two whole numbers up to ${MAX_LIMIT}, such as ${preset.join(',')}, not "${given}".`,
  );
}

const mebibytes = (env: Environment, name: string, preset: number): number =>
  Math.round(number(env, name, { preset, from: 0.01, to: 1024 }) * 1024 * 1024);

function oneOf(env: Environment, name: string, allowed: readonly string[]): string | undefined {
  const given = text(env, name);
  if (given === undefined || allowed.includes(given)) return given;
  throw new ConfigError(name, `must be one of ${allowed.join(', ')}, not "${given}".`);
}

const MAX_WORKERS = 256;

function workerCount(env: Environment): number {
  const name = 'MARQUEE_WORKERS';
  const given = text(env, name);
  if (given === undefined) return 1;
  if (given === 'auto') return Math.min(availableParallelism(), MAX_WORKERS);
  const count = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (count >= 1 && count <= MAX_WORKERS) return count;
  throw new ConfigError(name, `must be a whole number from 1 to ${MAX_WORKERS}, or auto, not "${given}".`);
}

/** Connections of one process by default, and of all of them together: PostgreSQL allows 100 by default. */
const POOL = 6;
const ALL_POOLS = 60;

function database(env: Environment, { data, workers }: Pick<Config, 'data' | 'workers'>): DatabaseAddress {
  const name = 'MARQUEE_DATABASE_URL';
  const preset = Math.max(1, Math.min(POOL, Math.floor(ALL_POOLS / workers)));
  const pool = integer(env, 'MARQUEE_DATABASE_POOL', { preset, from: 1, to: 100 });
  const seconds = number(env, 'MARQUEE_DATABASE_TIMEOUT', { preset: 15, from: 1, to: 600 });
  const given = text(env, name);
  if (given === undefined) return { kind: 'sqlite', file: join(data, 'marquee.db') };
  if (/^postgres(ql)?:\/\//.test(given)) {
    if (!URL.canParse(given)) throw new ConfigError(name, 'is not a valid URL.');
    return { kind: 'postgres', url: given, pool, timeout: Math.round(seconds * 1000) };
  }
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(given)?.[1];
  if (file === undefined) throw new ConfigError(name, 'must begin with postgres:// or sqlite:.');
  return { kind: 'sqlite', file: isAbsolute(file) ? file : resolve(file) };
}

function admin(env: Environment): Config['admin'] {
  const given = text(env, 'MARQUEE_ADMIN');
  if (given === undefined) return undefined;
  const [, name, password] = /^([^:]+):(.+)$/s.exec(given) ?? [];
  if (!name || !password) throw new ConfigError('MARQUEE_ADMIN', 'must have the form name:password.');
  if (!isAccountName(name)) {
    throw new ConfigError('MARQUEE_ADMIN', 'needs a name of 1 to 60 characters without control characters, < and >.');
  }
  if (password.length < 8) throw new ConfigError('MARQUEE_ADMIN', 'needs a password of at least 8 characters.');
  return { name, password };
}

/** Characters. Shorter keys could be guessed despite the rate limits. */
const MIN_KEY = 8;

function checkInKey(env: Environment): string | undefined {
  const given = text(env, 'MARQUEE_QR_API_KEY');
  if (given !== undefined && given.length < MIN_KEY)
    throw new ConfigError('MARQUEE_QR_API_KEY', `needs at least ${MIN_KEY} characters.`);
  return given;
}

/** The message omits the value: it is a secret, possibly correct but for a stray space. */
function metricsToken(env: Environment): string | undefined {
  const given = text(env, 'MARQUEE_METRICS_TOKEN');
  if (given === undefined || /^[\x21-\x7e]{16,}$/.test(given)) return given;
  throw new ConfigError('MARQUEE_METRICS_TOKEN', 'must have at least 16 characters, all of them ASCII without spaces.');
}

/** Characters: 128 bits in hexadecimal digits. */
const MIN_SECRET = 32;

/** The message omits the value. */
function siteSecret(env: Environment): string | undefined {
  const given = text(env, 'MARQUEE_SECRET');
  if (given !== undefined && given.length < MIN_SECRET)
    throw new ConfigError(
      'MARQUEE_SECRET',
      `needs at least ${MIN_SECRET} characters, such as those of "openssl rand -hex 32".`,
    );
  return given;
}

function zone(env: Environment): string {
  const given = text(env, 'MARQUEE_TIMEZONE') ?? PRESETS.timezone;
  if (!isZone(given)) throw new ConfigError('MARQUEE_TIMEZONE', `is not a known time zone: "${given}".`);
  return given;
}

function origin(env: Environment): string | undefined {
  const given = text(env, 'MARQUEE_URL');
  return given === undefined ? undefined : requireOrigin('MARQUEE_URL', given);
}

function requireOrigin(name: string, given: string): string {
  const url = URL.parse(given);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
  if (!isOrigin || url.username)
    throw new ConfigError(name, `must be an address such as https://events.example.org, not "${given}".`);
  return url.origin;
}

function proxies(env: Environment): string[] {
  const name = 'MARQUEE_TRUST_PROXY';
  const given = list(env, name);
  const wrong = given.find((item) => item !== 'loopback' && !isNetwork(item));
  if (wrong === undefined) return given;
  throw new ConfigError(name, `has "${wrong}", which is not an address, a network such as 10.0.0.0/8, or loopback.`);
}

function imageHosts(env: Environment): string[] {
  const name = 'MARQUEE_IMAGE_HOSTS';
  const given = list(env, name);
  const wrong = given.find((item) => readHostEntry(item) === undefined);
  if (wrong === undefined) return given;
  throw new ConfigError(name, `has "${wrong}", which is neither a host nor one with a port, such as [::1]:8080.`);
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

function mapTiles(env: Environment): MapTiles | undefined {
  const attribution = readAttribution(text(env, 'MARQUEE_MAP_ATTRIBUTION') ?? OPEN_STREET_MAP);
  if (!attribution) throw new ConfigError('MARQUEE_MAP_ATTRIBUTION', 'must be a text, maybe followed by an address.');
  const template = text(env, 'MARQUEE_MAP_TILES');
  if (template === undefined) return undefined;
  const origin = originOfTiles(template);
  // The message omits the value, which may have a key in it.
  if (origin !== undefined) return { template, origin, attribution };
  throw new ConfigError('MARQUEE_MAP_TILES', 'must be an address such as https://tile.example.org/{z}/{x}/{y}.png.');
}

function currency(env: Environment): Pick<Config, 'currency' | 'currencySymbol'> {
  const code = text(env, 'MARQUEE_CURRENCY') ?? PRESETS.currency;
  if (!isCurrencyCode(code)) {
    throw new ConfigError('MARQUEE_CURRENCY', `is not the code of a currency, such as USD or EUR: "${code}".`);
  }
  return { currency: code, currencySymbol: text(env, 'MARQUEE_CURRENCY_SYMBOL') ?? symbolOf(code) };
}

function languages(env: Environment): string[] {
  const name = 'MARQUEE_LANGUAGES';
  const given =
    text(env, name)
      ?.split(',')
      .map((item) => item.trim()) ?? PRESETS.languages;
  const tags = given.map((item) => {
    const tag = languageTag(item);
    if (tag === undefined)
      throw new ConfigError(name, `has "${item}", which is not a language tag such as fr or pt-BR.`);
    return tag;
  });
  const twice = tags.find((tag, index) => tags.indexOf(tag) < index);
  if (twice !== undefined) throw new ConfigError(name, `has ${twice} twice; once is enough.`);
  return tags;
}
