import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../db/database.ts';
import { readSiteChoices, type SiteChoices } from '../db/site-settings.ts';
import type { DataVersion } from '../lib/data-version.ts';
import { symbolOf } from '../lib/money/money.ts';
import { sharedLookup } from '../lib/shared-lookup.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { PRESETS } from './setting-values.ts';

/** The settings that the site may choose as long as the environment of the server does not, by their variables. */
export const CHOICE_VARIABLES = {
  languages: 'MARQUEE_LANGUAGES',
  timezone: 'MARQUEE_TIMEZONE',
  currency: 'MARQUEE_CURRENCY',
  currency_symbol: 'MARQUEE_CURRENCY_SYMBOL',
} as const;

type Choice = keyof typeof CHOICE_VARIABLES;

/** Whether the environment decides a setting. */
export const isGiven = ({ given }: Pick<Config, 'given'>, choice: Choice): boolean =>
  Object.hasOwn(given, CHOICE_VARIABLES[choice]);

/** A configuration with what the site chooses: the environment comes first, then the choice, then the default. */
export function withChoices(config: Config, choices: SiteChoices): Config {
  const languages = isGiven(config, 'languages') ? config.languages : (choices.languages ?? PRESETS.languages);
  const currency = isGiven(config, 'currency') ? config.currency : (choices.currency ?? PRESETS.currency);
  return {
    ...config,
    languages: [...languages],
    timezone: isGiven(config, 'timezone') ? config.timezone : (choices.timezone ?? PRESETS.timezone),
    currency,
    currencySymbol: isGiven(config, 'currency_symbol')
      ? config.currencySymbol
      : (choices.currency_symbol ?? symbolOf(currency)),
  };
}

/** The configuration as the site chooses at present. */
export const chosenConfig = async (config: Config, db: Database): Promise<Config> =>
  withChoices(config, await readSiteChoices(db));

/** The same context with what the site chooses now: for what goes on after a choice, in its transaction. */
export const withPresentChoices = async <C extends Pick<Context, 'config' | 'db'>>(context: C): Promise<C> => ({
  ...context,
  config: await chosenConfig(context.config, context.db),
});

/** The site at one moment. */
export interface PresentSite {
  /** With what the site chooses. It never changes; a later choice makes another one. */
  context: Context;
  /** Revision of the settings of the site. */
  revision: number;
  /** Version of the data at that moment; undefined if the database did not answer. */
  version: DataVersion | undefined;
}

/** Looks up, for each request, the version of the data and what the site chooses in it. */
export interface SiteLookup {
  /** Calls back after a look-up that began later than the call. Requests share their look-ups. Never fails. */
  now(receive: (site: PresentSite) => void): void;
  /** The same, but the site as it was last if the database holds up the look-up. */
  resolve(): Promise<PresentSite>;
  /** The site as it was last, without a look-up. */
  last(): PresentSite;
  /** Whether the database is slow to answer or has just failed. */
  isHeldUp(): boolean;
}

/** Milliseconds that a request waits for a look-up. */
const PATIENCE = 500;
/** Milliseconds without waiting for look-ups after one that failed. */
const RETRY_AFTER = 1000;

/**
 * A change of the settings that was answered holds for every request after it, whichever process made it: the choices
 * are read once for each version of the data.
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
      last = { ...last, version };
      return last;
    } catch {
      failedAt = performance.now();
      return { ...last, version: undefined };
    } finally {
      startedAt = undefined;
    }
  };
  const now = sharedLookup(look);
  return {
    now,
    resolve() {
      const { promise, resolve } = Promise.withResolvers<PresentSite>();
      const timer = setTimeout(() => resolve(last), PATIENCE);
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
