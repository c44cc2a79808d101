import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../db/database.ts';
import { type ChosenSettings, readSiteChoices } from '../db/site-settings.ts';
import { coalesce } from '../lib/coalesce.ts';
import type { DataVersion } from '../lib/data-version.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { PRESETS } from './setting-values.ts';

/** Settings that the site may choose if the environment does not set them, with their variables. */
export const CHOICE_VARIABLES = {
  languages: 'MARQUEE_LANGUAGES',
  timezone: 'MARQUEE_TIMEZONE',
  currency: 'MARQUEE_CURRENCY',
  currency_symbol: 'MARQUEE_CURRENCY_SYMBOL',
} as const;

type Choice = keyof typeof CHOICE_VARIABLES;

/** Tests if the environment sets a value. */
export const isGiven = ({ given }: Pick<Config, 'given'>, choice: Choice): boolean =>
  Object.hasOwn(given, CHOICE_VARIABLES[choice]);

/**
 * Merges the choices of the site into a configuration. The environment comes first, then the choice, then the default.
 */
export function withChoices(config: Config, choices: ChosenSettings): Config {
  const languages = isGiven(config, 'languages') ? config.languages : (choices.languages ?? PRESETS.languages);
  return Object.freeze({
    ...config,
    languages: Object.freeze([...languages]),
    timezone: isGiven(config, 'timezone') ? config.timezone : (choices.timezone ?? PRESETS.timezone),
    currency: isGiven(config, 'currency') ? config.currency : (choices.currency ?? PRESETS.currency),
    currencySymbol: isGiven(config, 'currency_symbol') ? config.currencySymbol : (choices.currency_symbol ?? undefined),
  });
}

/** Reads the current choices of the site into the configuration. */
export const chosenConfig = async (config: Config, db: Database): Promise<Config> =>
  withChoices(config, await readSiteChoices(db));

/** Context with the current choices, for work that follows a choice in the same transaction. */
export const withPresentChoices = async <C extends Pick<Context, 'config' | 'db'>>(context: C): Promise<C> => ({
  ...context,
  config: await chosenConfig(context.config, context.db),
});

/** Snapshot of the site's configuration. */
export interface PresentSite {
  /** Context with the choices of the site. It never changes; a later choice creates another one. */
  context: Context;
  /** Revision of the site settings. */
  revision: number;
  /** Data version of the snapshot; undefined if the database did not respond. */
  version: DataVersion | undefined;
}

/** Looks up the data version and the choices of the site for each request. */
export interface SiteLookup {
  /** Calls back with the result of a look-up that begins after the call. Requests share look-ups. Never fails. */
  now(receive: (site: PresentSite) => void): void;
  /** Like `now`, but resolves with the last snapshot if the database is slow. */
  resolve(): Promise<PresentSite>;
  /** Last snapshot, without a look-up. */
  last(): PresentSite;
  /** True if the database is slow or has just failed. */
  isHeldUp(): boolean;
}

/** Milliseconds that a request waits for a look-up. */
const PATIENCE = 500;
/** Milliseconds after a failed look-up during which requests do not wait for one. */
const RETRY_AFTER = 1000;

/**
 * Creates the look-up of a process. A confirmed change of the settings applies to every later request, in all
 * processes, since the choices are read again for each version of the data.
 * @param server context of the process, with the environment in its configuration
 */
export function createSiteLookup(server: Context): SiteLookup {
  let last: PresentSite = { context: server, revision: 0, version: undefined };
  let startedAt: number | undefined;
  let failedAt: number | undefined;
  const look = async (): Promise<PresentSite> => {
    startedAt = performance.now();
    try {
      const version = await server.db.dialect.dataVersion(server.db);
      if (version.calendar !== last.version?.calendar) last = { ...last, ...(await readChoices(server, last)) };
      server.db.memory.begin(version.calendar);
      last = { ...last, version };
      return last;
    } catch {
      failedAt = performance.now();
      return { ...last, version: undefined };
    } finally {
      startedAt = undefined;
    }
  };
  const now = coalesce(look);
  return {
    now,
    resolve() {
      const { promise, resolve } = Promise.withResolvers<PresentSite>();
      const timer = setTimeout(() => resolve({ ...last, version: undefined }), PATIENCE);
      now((site) => {
        clearTimeout(timer);
        resolve(site);
      });
      return promise;
    },
    last: () => last,
    isHeldUp() {
      if (failedAt === undefined && startedAt === undefined) return false;
      const time = performance.now();
      if (startedAt !== undefined && time - startedAt > PATIENCE) return true;
      return failedAt !== undefined && time - failedAt < RETRY_AFTER;
    },
  };
}

async function readChoices(server: Context, last: PresentSite): Promise<Pick<PresentSite, 'context' | 'revision'>> {
  const choices = await readSiteChoices(server.db);
  const { revision } = choices;
  if (revision === last.revision) return last;
  const config = withChoices(server.config, choices);
  const isSame = isDeepStrictEqual(config, last.context.config);
  return { context: isSame ? last.context : { ...server, config }, revision };
}
