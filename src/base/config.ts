import { join } from 'node:path';
import type { DatabaseAddress } from '../db/database.ts';
import type { MapTiles } from '../lib/map-tiles.ts';
import { SETTINGS, type SettingValues, settingsSchema, VARIABLES } from './settings.ts';

/** Settings that are combined into other members. */
type Parts =
  | 'databaseUrl'
  | 'databasePool'
  | 'databaseTimeout'
  | 'mapTiles'
  | 'mapAttribution'
  | 'repliesPerAddress'
  | 'isCheckInLimited'
  | 'checkInBuffer';

export interface Config extends Readonly<Omit<SettingValues, Parts | 'languages'>> {
  /** The first one is the language of the records' own texts. */
  languages: readonly string[];
  database: DatabaseAddress;
  /** Absent if pages have no maps. */
  mapTiles?: MapTiles;
  checkInWindow: { isOn: boolean; buffer: number };
  /** Cost parameter N of scrypt for account passwords; a power of two. */
  passwordCost: number;
  timeouts: Timeouts;
  /** Settings present in the environment, by variable; null for secrets. */
  given: Readonly<Record<string, string | null>>;
}

/** Timeouts in milliseconds. Constants, because no operator needs other values. */
interface Timeouts {
  /** Time from the connection or the first byte of a request to the end of its headers. */
  headers: number;
  /** Base timeout of a body. Its length adds time according to `bytesPerSecond`. */
  body: number;
  bytesPerSecond: number;
  /** Idle time between two requests. Longer than in common proxies, so that the proxy closes first. */
  idle: number;
  /** Time without traffic in either direction during a request, such as a client that stopped reading. */
  stalled: number;
  /** Total time of one request to a payment service. */
  gateway: number;
  /** Total time for fetching all images of a write: look-ups, redirects and downloads. */
  images: number;
}

/** Connection timeouts allow for phones on slow networks. */
const TIMEOUTS: Timeouts = {
  headers: 10_000,
  body: 30_000,
  bytesPerSecond: 32 * 1024,
  idle: 65_000,
  stalled: 60_000,
  gateway: 10_000,
  images: 5000,
};

/** An invalid setting. The message is one sentence that names the variable. */
export class ConfigError extends Error {
  readonly variable: string;
  constructor(variable: string, problem: string) {
    super(`${variable} ${problem}`);
    this.variable = variable;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Environment of this process. No other module reads `process.env`. */
export const environment: Environment = process.env;

/**
 * Turns an environment into a configuration, which is frozen: many requests read it. Empty variables count as not set.
 * @throws {ConfigError} for the first invalid variable.
 */
export function readConfig(env: Environment): Config {
  const values = readValues(env);
  if (values.smtp && values.url === undefined)
    throw new ConfigError('MARQUEE_SMTP_URL', 'needs MARQUEE_URL: the links in mails begin with it.');
  const { databaseUrl, databasePool, databaseTimeout, repliesPerAddress, ...rest } = values;
  const { mapTiles, mapAttribution, isCheckInLimited, checkInBuffer, ...single } = rest;
  return deepFreeze({
    ...single,
    database: databaseOf(values),
    mapTiles: mapTiles && { ...mapTiles, attribution: mapAttribution },
    freePlaces: withOldName(single.freePlaces, repliesPerAddress, env),
    checkInWindow: { isOn: isCheckInLimited, buffer: checkInBuffer },
    passwordCost: 2 ** 15,
    timeouts: TIMEOUTS,
    given: givenSettings(env),
  });
}

/** Freezes an object with all plain objects and lists in it. */
function deepFreeze<T>(value: T): T {
  if (isPlain(value)) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) || (value instanceof Object && Object.getPrototypeOf(value) === Object.prototype);

function readValues(env: Environment): SettingValues {
  const texts = [...VARIABLES].map(([member, name]) => [member, text(env, name)]);
  const result = settingsSchema.safeParse(Object.fromEntries(texts));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ConfigError(VARIABLES.get(String(issue?.path[0])) ?? '', issue?.message ?? '');
}

const text = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

function givenSettings(env: Environment): Config['given'] {
  const given = SETTINGS.flatMap(({ name, isSecret }): [string, string | null][] => {
    const value = text(env, name);
    return value === undefined ? [] : [[name, isSecret ? null : value]];
  });
  return Object.fromEntries(given);
}

function databaseOf({ databaseUrl, databasePool, databaseTimeout, data, workers }: SettingValues): DatabaseAddress {
  if (databaseUrl === undefined) return { kind: 'sqlite', file: join(data, 'marquee.db') };
  if (databaseUrl.kind === 'sqlite') return databaseUrl;
  return { ...databaseUrl, pool: databasePool ?? poolFor(workers), timeout: Math.round(databaseTimeout * 1000) };
}

/**
 * Default number of connections per process, and the limit for all processes together: PostgreSQL allows 100 by
 * default.
 */
const POOL = 6;
const ALL_POOLS = 60;

const poolFor = (workers: number): number => Math.max(1, Math.min(POOL, Math.floor(ALL_POOLS / workers)));

/** Accepts the old name of the first limit, which may repeat the new one but not contradict it. */
function withOldName(limits: Config['freePlaces'], old: number | undefined, env: Environment): Config['freePlaces'] {
  const name = 'MARQUEE_FREE_PER_ADDRESS';
  const oldName = 'MARQUEE_REPLIES_PER_ADDRESS';
  if (old === undefined) return limits;
  if (text(env, name) !== undefined && old !== limits.perAddress)
    throw new ConfigError(oldName, `is ${old}, but ${name} is ${limits.perAddress}; remove ${oldName}.`);
  return { ...limits, perAddress: old };
}
