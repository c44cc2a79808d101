import type { ColorName } from '../lib/theme.ts';
import type { Database } from './database.ts';
import type { SiteSettingsTable } from './tables/platform.ts';

const LANGUAGE = 'language';
const CALENDAR_ID = 'calendar_id';

/** Serialises transactions that set or change the first language. */
export const lockFirstLanguage = (db: Database): Promise<void> => db.dialect.lock(db, 'marquee-language');

/** The language of the records' own texts; undefined before the first start of a server on the database. */
export async function findFirstLanguage(db: Database): Promise<string | undefined> {
  const row = await db.query.selectFrom('site').select('value').where('name', '=', LANGUAGE).executeTakeFirst();
  return row?.value;
}

/**
 * Random id of the calendar, created by migration 0015 and never changed. Part of the `UID` of events in feeds:
 * `EVENT_ID@CALENDAR_ID` stays the same on any host.
 */
export async function getCalendarId(db: Database): Promise<string> {
  const row = await db.query
    .selectFrom('site')
    .select('value')
    .where('name', '=', CALENDAR_ID)
    .executeTakeFirstOrThrow();
  return row.value;
}

export async function saveFirstLanguage(db: Database, value: string): Promise<void> {
  await db.query
    .insertInto('site')
    .values({ name: LANGUAGE, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

const WITH_TEXTS = ['events', 'linked_posts', 'terms', 'tickets'] as const;

async function isWithoutTexts({ query }: Database): Promise<boolean> {
  for (const table of WITH_TEXTS)
    if (await query.selectFrom(table).select('id').limit(1).executeTakeFirst()) return false;
  return true;
}

/**
 * Returns the language of the records' own texts. Stores and returns `preset` if none is stored or no record has texts
 * yet.
 */
export const ensureFirstLanguage = (db: Database, preset: string): Promise<string> =>
  db.transaction(async (trx) => {
    await lockFirstLanguage(trx);
    const settled = await findFirstLanguage(trx);
    if (settled !== undefined && (settled === preset || !(await isWithoutTexts(trx)))) return settled;
    await saveFirstLanguage(trx, preset);
    return preset;
  });

/** Rule for cancellation of orders by customers, applied by `platform/site/cancellation.ts`. */
export type CancellationRule = { rule: 'never' } | { rule: 'free' } | { rule: 'until'; hours_before: number };

export interface SiteContact {
  email: string;
  phone: string;
  /** Lines of plain text. */
  address: string;
}

/** Seller on invoices. */
export interface Seller {
  name: string;
  /** Lines of plain text. */
  address: string;
  vat_number: string;
  /** Note on invoices, such as the reason why no tax is charged. */
  note: string;
  /** Prefix of invoice numbers. */
  prefix: string;
}

/** Data of a customer for invoices; each text is empty if unknown. */
export interface Billing {
  company: string;
  vat_number: string;
  /** Lines of plain text. */
  address: string;
}

export interface LegalLink {
  label: string;
  url: string;
}

export interface StoredPaymentMethod {
  id: string;
  /** Whether the customer pays at the door: tickets have codes before the order is paid. */
  at_door: boolean;
  /**
   * Hours that an unpaid order keeps its seats; 0 for no limit, null for the setting of the server. At the door: hours
   * before the start at which it expires, null for the end of the event.
   */
  hold_hours: number | null;
  /** Gateway, one of `platform/site/payment-gateways.ts`. */
  gateway: string;
}

/** Id of payment at the door, the payment method of a new site. */
export const DOOR = 'door';

type EarlierPaymentMethod = Pick<StoredPaymentMethod, 'id' | 'hold_hours'> & Partial<StoredPaymentMethod>;

/**
 * Adds members that methods stored by earlier versions lack. Before `at_door` existed, payment at the door with
 * `hold_hours` expired that many hours after the order.
 */
const withDefaults = ({
  id,
  hold_hours,
  at_door = id === DOOR && hold_hours === null,
  gateway = 'manual',
}: EarlierPaymentMethod): StoredPaymentMethod => ({ id, at_door, hold_hours, gateway });

/** Replacement of a path on a former site by one on this site. Both lack leading and trailing slashes. */
export interface PathAlias {
  from: string;
  to: string;
}

/** Texts of the site in one language; an absent text does not exist in that language. */
export interface SiteTexts {
  name?: string;
  tagline?: string;
  /** HTML. */
  about?: string;
  terms?: string;
  privacy?: string;
  refunds?: string;
  legal_links?: readonly LegalLink[];
  /** Texts of the payment methods, by id. */
  payment_ways?: Readonly<Record<string, { name?: string; text?: string }>>;
}

/** Settings that the site chooses unless the environment of the server sets them; null for the default. */
export interface ChosenSettings {
  revision: number;
  /** The first one is the language of the records' own texts. */
  languages: readonly string[] | null;
  /** IANA name or manual offset such as `UTC+2`. */
  timezone: string | null;
  /** ISO 4217. */
  currency: string | null;
  currency_symbol: string | null;
}

/** Stored settings of the site. */
export interface StoredSite extends ChosenSettings {
  logo_id: number | null;
  /** Colours that differ from the defaults. */
  colors: Readonly<Partial<Record<ColorName, string>>>;
  contact: Readonly<Partial<SiteContact>>;
  cancellation: CancellationRule;
  payment_ways: readonly StoredPaymentMethod[];
  address_words: readonly PathAlias[];
  /** Roles that require a second factor. */
  second_factor_roles: readonly string[];
  /** Whether public lists show each series only once. */
  collapse_series: boolean;
  /** Whether holders get a reminder the day before an event. */
  sends_reminders: boolean;
  seller: Readonly<Partial<Seller>>;
  /** Whether customers may donate in addition to their tickets. */
  accepts_donations: boolean;
  /** Suggested donations in minor units. */
  donation_amounts: readonly number[];
  /** By language. */
  texts: Readonly<Record<string, SiteTexts>>;
}

/** Serialises changes of the site's settings. */
export const lockSiteSettings = (db: Database): Promise<void> => db.dialect.lock(db, 'marquee-site');

/** Whether an image is the logo of the site. */
export async function isLogo({ query }: Database, imageId: number): Promise<boolean> {
  const found = await query.selectFrom('site_settings').select('id').where('logo_id', '=', imageId).executeTakeFirst();
  return found !== undefined;
}

export async function removeLogo({ query }: Database): Promise<void> {
  await query
    .updateTable('site_settings')
    .set((eb) => ({ logo_id: null, revision: eb('revision', '+', 1) }))
    .execute();
}

type ChoiceColumns = Pick<SiteSettingsTable, 'revision' | 'languages' | 'timezone' | 'currency' | 'currency_symbol'>;

const choicesOf = ({ revision, languages, timezone, currency, currency_symbol }: ChoiceColumns): ChosenSettings => ({
  revision,
  languages: languages === null ? null : JSON.parse(languages),
  timezone,
  currency,
  currency_symbol,
});

export async function readSiteChoices({ query }: Database): Promise<ChosenSettings> {
  const row = await query
    .selectFrom('site_settings')
    .select(['revision', 'languages', 'timezone', 'currency', 'currency_symbol'])
    .executeTakeFirstOrThrow();
  return choicesOf(row);
}

export async function saveLanguages({ query }: Database, languages: readonly string[]): Promise<void> {
  await query
    .updateTable('site_settings')
    .set((eb) => ({ languages: JSON.stringify(languages), revision: eb('revision', '+', 1) }))
    .execute();
}

/** Reads the settings of the site. All JSON was written by `saveSiteSettings`. */
export async function readSiteSettings({ query }: Database): Promise<StoredSite> {
  const row = await query.selectFrom('site_settings').selectAll().executeTakeFirstOrThrow();
  const texts = await query.selectFrom('site_texts').selectAll().orderBy('language').execute();
  return {
    ...choicesOf(row),
    logo_id: row.logo_id,
    colors: JSON.parse(row.colors),
    contact: JSON.parse(row.contact),
    cancellation: JSON.parse(row.cancellation),
    payment_ways: JSON.parse(row.payment_ways).map(withDefaults),
    address_words: JSON.parse(row.address_words),
    second_factor_roles: JSON.parse(row.second_factor_roles),
    collapse_series: row.collapse_series === 1,
    sends_reminders: row.sends_reminders === 1,
    seller: JSON.parse(row.seller),
    accepts_donations: row.accepts_donations === 1,
    donation_amounts: JSON.parse(row.donation_amounts),
    texts: Object.fromEntries(texts.map((row) => [row.language, JSON.parse(row.texts)])),
  };
}

/** Replaces the settings of the site, and its texts in the languages of `site.texts`. */
export async function saveSiteSettings({ query }: Database, site: StoredSite): Promise<void> {
  const values = {
    revision: site.revision,
    languages: site.languages && JSON.stringify(site.languages),
    timezone: site.timezone,
    currency: site.currency,
    currency_symbol: site.currency_symbol,
    logo_id: site.logo_id,
    colors: JSON.stringify(site.colors),
    contact: JSON.stringify(site.contact),
    cancellation: JSON.stringify(site.cancellation),
    payment_ways: JSON.stringify(site.payment_ways),
    address_words: JSON.stringify(site.address_words),
    second_factor_roles: JSON.stringify(site.second_factor_roles),
    collapse_series: site.collapse_series ? 1 : 0,
    sends_reminders: site.sends_reminders ? 1 : 0,
    seller: JSON.stringify(site.seller),
    accepts_donations: site.accepts_donations ? 1 : 0,
    donation_amounts: JSON.stringify(site.donation_amounts),
  };
  await query.updateTable('site_settings').set(values).execute();
  for (const [language, own] of Object.entries(site.texts)) {
    const row = { language, texts: JSON.stringify(own) };
    await query
      .insertInto('site_texts')
      .values(row)
      .onConflict((conflict) => conflict.column('language').doUpdateSet(row))
      .execute();
  }
}
