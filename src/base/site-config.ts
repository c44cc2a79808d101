import type { DataState } from '../db/data-memory.ts';
import { stateOf } from '../db/data-state.ts';
import type { Database } from '../db/database.ts';
import { readSiteChoices, type SiteChoices } from '../db/site-settings.ts';
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

interface Settled {
  state: DataState;
  revision: number;
}

/** What the configuration of a context was made from, and the look-up of what it is to be made from now. */
interface Settling {
  settled?: Settled;
  /** Calls back once a look-up that began later than the call is over. */
  whenSettled(receive: () => void): void;
}

const SETTLING = new WeakMap<object, Settling>();

/** Milliseconds that a request waits for a database that holds up the look-up; then it takes the settings as they were. */
const PATIENCE = 500;

type Settleable = Pick<Context, 'config' | 'db'>;

/**
 * Replaces the configuration of a context if the site has chosen anew, in this process or another one. Whoever answers a
 * request awaits this first, so that a change that was answered holds for every request after it. Requests share their
 * look-ups, and the choices are read once for each version of the data. Never fails: what cannot be looked up stays.
 */
export function settleConfig(context: Settleable): Promise<void> {
  const settling = SETTLING.get(context) ?? startSettling(context);
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PATIENCE);
  settling.whenSettled(() => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}

function startSettling(context: Settleable): Settling {
  const whenSettled = sharedLookup(() => settle(context, settling).catch(() => undefined));
  const settling: Settling = { whenSettled };
  SETTLING.set(context, settling);
  return settling;
}

async function settle(context: Settleable, settling: Settling): Promise<void> {
  const state = await stateOf(context.db);
  const { settled } = settling;
  if (settled?.state === state) return;
  const choices = await readSiteChoices(context.db);
  if (choices.revision !== settled?.revision) context.config = withChoices(context.config, choices);
  settling.settled = { state, revision: choices.revision };
}
