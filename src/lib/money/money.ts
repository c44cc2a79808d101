/** Converts money from and to text. Money is an integer in minor units (cents) everywhere else. */

import { MAX_NUMBER_LENGTH, scalarText } from '../text/scalar-text.ts';

/** An amount in minor units of a currency. */
export interface Money {
  amount: number;
  currency: string;
}

export const isSameMoney = (one: Money, other: Money): boolean =>
  one.amount === other.amount && one.currency === other.currency;

const FORMATS = new Map<string, MoneyFormat>();

/** Money format of a currency in a language. */
export interface MoneyFormat {
  currency: string;
  symbol: string;
  position: 'prefix' | 'postfix';
  decimalSeparator: string;
  thousandsSeparator: string;
  /** Digits after the decimal separator. */
  decimals: number;
}

const SYMBOLS = new Map<string, string>();

/** The local symbol of a currency: `$`, `€`, `CHF`. The first number format loads 6 MiB. */
export function symbolOf(currency: string): string {
  const symbol = SYMBOLS.get(currency) ?? partOf(currency, 'en', 'currency') ?? currency;
  SYMBOLS.set(currency, symbol);
  return symbol;
}

/** Whether a text is the ISO 4217 code of a currency in use. */
export const isCurrencyCode = (text: string): boolean => Intl.supportedValuesOf('currency').includes(text);

/** Digits after the decimal separator of a currency. */
export const decimalsOf = (currency: string): number => moneyFormat(currency, 'en', currency).decimals;

let currencies: ReadonlySet<string> | undefined;

/** Whether a text is a currency: a sign such as `€` or `US$`, a code such as `EUR`, a symbol such as `kr`. */
export function isCurrency(text: string): boolean {
  if (/\p{Sc}/u.test(text)) return true;
  // Created on demand, because querying all symbols is slow.
  currencies ??= new Set(Intl.supportedValuesOf('currency').flatMap((code) => [code, symbolOf(code)]));
  return currencies.has(text);
}

/** The format of amounts in major units that the language has, with the local symbol of the currency. */
export const localFormat = (currency: string, language: string): Intl.NumberFormat =>
  new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });

function partOf(currency: string, language: string, type: Intl.NumberFormatPartTypes): string | undefined {
  const parts = localFormat(currency, language).formatToParts(1_234_567.5);
  return parts.find((part) => part.type === type)?.value;
}

/** The format of a currency in a language according to `Intl`; `symbol` replaces its symbol. */
export function moneyFormat(currency: string, language: string, symbol: string): MoneyFormat {
  const key = `${currency} ${language} ${symbol}`;
  const cached = FORMATS.get(key);
  if (cached) return cached;
  const format = new Intl.NumberFormat(language, { style: 'currency', currency });
  const parts = format.formatToParts(1_234_567.5);
  const types = parts.map(({ type }) => type);
  const made: MoneyFormat = {
    currency,
    symbol,
    position: types.indexOf('currency') < types.indexOf('integer') ? 'prefix' : 'postfix',
    decimalSeparator: parts.find(({ type }) => type === 'decimal')?.value ?? '.',
    thousandsSeparator: parts.find(({ type }) => type === 'group')?.value ?? ',',
    decimals: format.resolvedOptions().maximumFractionDigits ?? 2,
  };
  FORMATS.set(key, made);
  return made;
}

/** Maximum amount that a customer may choose as a price or a donation, in minor units. */
export const MAX_CHOSEN = 1_000_000_00;

const MAX_PRICE = 1_000_000_000_00;

/**
 * Parses a price sent by clients into minor units: `12`, `"12.50"`, `"000"`, blank for zero. Undefined if it is not a
 * number, is negative, has more decimals than the currency, or exceeds the maximum.
 */
export function parsePrice(value: unknown, decimals: number): number | undefined {
  const text = scalarText(value)?.trim();
  if (text === undefined) return undefined;
  if (text === '') return 0;
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === undefined || /[1-9]/.test(fraction.slice(decimals))) return undefined;
  const minor = Number(whole) * 10 ** decimals + Number(fraction.slice(0, decimals).padEnd(decimals, '0') || '0');
  return minor <= MAX_PRICE ? minor : undefined;
}

/** The amount as a plain number: `25`, `12.5`, `1234.5`. */
export const numberOf = (minor: number, decimals: number): string => String(minor / 10 ** decimals);

/** The amount in major units, for spreadsheets: they can add up numbers, but not formatted texts. */
export const unitsOf = ({ amount, currency }: Money): number => amount / 10 ** decimalsOf(currency);

/** The amount as a number with all its decimals: `1234.50`. */
export const amountText = (minor: number, decimals: number): string => (minor / 10 ** decimals).toFixed(decimals);

/** The amount with all its decimals and separators, without a symbol: `1,234.50`. */
export function formatAmount(minor: number, { decimals, decimalSeparator, thousandsSeparator }: MoneyFormat): string {
  const [whole = '0', fraction = ''] = amountText(minor, decimals).split('.');
  const first = whole.length % 3;
  const grouped = [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])]
    .filter((digits) => digits !== '')
    .join(thousandsSeparator);
  return fraction === '' ? grouped : `${grouped}${decimalSeparator}${fraction}`;
}

/** The amount with its symbol: `$1,234.50`, `1 234,50 €`. */
export function formatMoney(minor: number, format: MoneyFormat): string {
  const amount = formatAmount(minor, format);
  return format.position === 'prefix' ? `${format.symbol}${amount}` : `${amount}\u00a0${format.symbol}`;
}

/** The amount as the language writes it, whatever symbol a site has chosen: `€12.50`, `12,50 €`. */
export const localMoney = (money: Money, language: string): string =>
  localFormat(money.currency, language).format(unitsOf(money));

/** The currency of a site. */
interface SiteCurrency {
  /** ISO 4217. */
  currency: string;
  /** Symbol chosen by the site; the local one without it. */
  currencySymbol?: string | undefined;
}

/** Symbol of a currency on a site, by default of the site's own currency. */
export const siteSymbol = (site: SiteCurrency, currency = site.currency): string =>
  (currency === site.currency ? site.currencySymbol : undefined) ?? symbolOf(currency);

/** Format of a currency on a site, by default of the site's own currency. */
export const siteFormat = (site: SiteCurrency, language: string, currency = site.currency): MoneyFormat =>
  moneyFormat(currency, language, siteSymbol(site, currency));

/** Format of a currency in the first language of a site, by default of the site's own currency. */
export const siteMoney = (site: SiteCurrency & { languages: readonly string[] }, currency?: string): MoneyFormat =>
  siteFormat(site, site.languages[0] ?? 'en', currency);
