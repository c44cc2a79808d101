import type { Context } from '../../base/context.ts';
import { CHOICE_VARIABLES, isGiven } from '../../base/site-config.ts';
import { currentCache } from '../../db/current-cache.ts';
import type { CachedData } from '../../db/data-cache.ts';
import type { Database } from '../../db/database.ts';
import {
  DOOR,
  type LegalLink,
  readSiteSettings,
  type SiteContact,
  type SiteTexts,
  type StoredPaymentMethod,
  type StoredSite,
} from '../../db/site-settings.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import { type MessageKey, translate } from '../../lib/i18n.ts';
import { siteSymbol } from '../../lib/money/money.ts';
import { DEFAULT_COLORS, type SiteColors, themeCss } from '../../lib/theme.ts';
import { findImages } from '../media/images.ts';
import { MANUAL, missingSettings, type PaymentGateway } from './payment-gateways.ts';

/** Payment method of the site, in one language. */
export interface PaymentMethod extends Omit<StoredPaymentMethod, 'gateway'> {
  name: string;
  /** Lines of plain text with instructions for the customer. */
  text: string;
  gateway: PaymentGateway;
  /** Whether the server has the settings of its gateway; other methods are not offered. */
  available: boolean;
}

/** Settings that are the same as stored, in any language. */
type SharedSetting =
  | 'cancellation'
  | 'address_words'
  | 'second_factor_roles'
  | 'collapse_series'
  | 'sends_reminders'
  | 'seller'
  | 'accepts_donations'
  | 'donation_amounts';

/** The settings of the site in one language. */
export interface Site extends Pick<StoredSite, SharedSetting> {
  revision: number;
  name: string;
  tagline: string;
  /** HTML; empty if the site has no such text. */
  about: string;
  terms: string;
  privacy: string;
  refunds: string;
  logo: MediaTable | null;
  colors: SiteColors;
  /** Style sheet of the colours; empty for the default ones. */
  theme: string;
  contact: SiteContact;
  legal_links: readonly LegalLink[];
  payment_ways: readonly PaymentMethod[];
  /** The first one is the language of the records' own texts. */
  languages: readonly string[];
  timezone: string;
  currency: string;
  currency_symbol: string;
  /** Settings fixed by the environment of the server. */
  fixed: readonly FixedSetting[];
}

/** Variables of settings that the environment may fix. */
export const VARIABLES = { name: 'MARQUEE_NAME', ...CHOICE_VARIABLES } as const;

export type FixedSetting = keyof typeof VARIABLES;

/** Settings fixed by the environment of this server. */
export const fixedSettings = (config: Context['config']): FixedSetting[] =>
  // Object.keys does not carry the key type.
  (Object.keys(VARIABLES) as FixedSetting[]).filter((setting) =>
    setting === 'name' ? config.siteName !== undefined : isGiven(config, setting),
  );

const DEFAULT_NAME = 'Marquee';

/** Names of common payment methods, unless the site names them. */
const STANDARD_METHODS: Readonly<Record<string, MessageKey>> = {
  [DOOR]: 'site.pay_door',
  transfer: 'site.pay_transfer',
  card: 'site.pay_card',
};

/** Gateway of free orders. */
export const FREE = 'free';
/** Reserved ids, not available for payment methods. */
export const RESERVED_PAYMENT_METHODS: ReadonlySet<string> = new Set([MANUAL, FREE]);

/** Whether a payment method needs no name. */
export const isStandardPaymentMethod = (id: string): boolean => Object.hasOwn(STANDARD_METHODS, id);

/** Stored settings, with values derived in every language. */
interface ReadSite {
  stored: StoredSite;
  colors: SiteColors;
  theme: string;
  logo: MediaTable | null;
}

const SITE_CACHE = new WeakMap<CachedData, Promise<ReadSite>>();

async function readSite(db: Database): Promise<ReadSite> {
  const stored = await readSiteSettings(db);
  const { logo_id } = stored;
  const logo = logo_id === null ? null : ((await findImages(db, [logo_id])).get(logo_id) ?? null);
  const colors = { ...DEFAULT_COLORS, ...stored.colors };
  return { stored, colors, theme: themeCss(colors), logo };
}

/** Cached per version of the data. */
async function cachedSite(context: Pick<Context, 'db' | 'version'>): Promise<ReadSite> {
  const state = await currentCache(context);
  const cached = SITE_CACHE.get(state);
  if (cached !== undefined) return cached;
  const reading = readSite(context.db);
  SITE_CACHE.set(state, reading);
  reading.catch(() => SITE_CACHE.delete(state));
  return reading;
}

/** The settings of the site in a language. Missing texts come from the first language that has them. */
export async function getSite(context: Pick<Context, 'config' | 'db' | 'version'>, language: string): Promise<Site> {
  const { config } = context;
  const { stored, logo, colors, theme } = await cachedSite(context);
  const { revision, contact, cancellation, payment_ways, address_words, second_factor_roles, collapse_series, seller } =
    stored;
  const { accepts_donations, donation_amounts, sends_reminders } = stored;
  const texts = textsIn(stored, [language, ...config.languages]);
  return {
    revision,
    name: nameIn(stored, config, language),
    tagline: texts.tagline ?? '',
    about: texts.about ?? '',
    terms: texts.terms ?? '',
    privacy: texts.privacy ?? '',
    refunds: texts.refunds ?? '',
    logo,
    colors,
    theme,
    contact: { email: '', phone: '', address: '', ...contact },
    legal_links: texts.legal_links ?? [],
    cancellation,
    payment_ways: payment_ways.map((way) => ({
      ...way,
      // `changeSite` stores no others.
      gateway: way.gateway as PaymentGateway,
      ...wayTexts(way.id, texts, language),
      available: missingSettings(config, way.gateway).length === 0,
    })),
    address_words,
    second_factor_roles,
    collapse_series,
    sends_reminders,
    seller,
    accepts_donations,
    donation_amounts,
    languages: config.languages,
    timezone: config.timezone,
    currency: config.currency,
    currency_symbol: siteSymbol(config),
    fixed: fixedSettings(config),
  };
}

/** The name of the site in a language. */
export const nameIn = (stored: StoredSite, config: Context['config'], language: string): string =>
  config.siteName ?? textsIn(stored, [language, ...config.languages]).name ?? DEFAULT_NAME;

/** Each text in the first of the given languages that has it. */
function textsIn({ texts }: StoredSite, languages: readonly string[]): SiteTexts {
  const own = languages
    .flatMap((language) => (Object.hasOwn(texts, language) ? (texts[language] ?? []) : []))
    .reverse();
  const ways = own.flatMap(({ payment_ways = {} }) => Object.entries(payment_ways));
  const byWay = Map.groupBy(ways, ([id]) => id);
  const merged = [...byWay].map(([id, entries]) => [id, Object.assign({}, ...entries.map(([, text]) => text))]);
  return { ...Object.assign({}, ...own), payment_ways: Object.fromEntries(merged) };
}

function wayTexts(
  id: string,
  { payment_ways = {} }: SiteTexts,
  language: string,
): Pick<PaymentMethod, 'name' | 'text'> {
  const own = Object.hasOwn(payment_ways, id) ? payment_ways[id] : undefined;
  const key = Object.hasOwn(STANDARD_METHODS, id) ? STANDARD_METHODS[id] : undefined;
  return { name: own?.name ?? (key ? translate(language, key) : id), text: own?.text ?? '' };
}

/** Names of the settings with a text of their own, by language. */
export async function findSiteTranslations(
  context: Pick<Context, 'db' | 'version'>,
): Promise<Record<string, string[]>> {
  const { stored } = await cachedSite(context);
  const named = Object.entries(stored.texts).map(([language, texts]) => [language, Object.keys(texts)] as const);
  return Object.fromEntries(
    named.filter(([, names]) => names.length > 0).map(([language, names]) => [language, [...names]]),
  );
}
