import { CATALOGUES } from '../i18n.ts';
import { membersOf } from '../text/list.ts';
import { slugify } from '../text/slug.ts';
import { escapeHtml, plainText } from '../text/text.ts';
import { isCurrency, type MoneyFormat } from './money.ts';

export type CostPosition = '' | 'prefix' | 'postfix';

/** The stored cost of an event: the texts as sent, and the recorded currency symbol, if any. */
export type Cost = { values: string[]; symbol: string; position: CostPosition };

type Amount = { shown: string; plain: string; number: number };
type Currency = Pick<Cost, 'symbol' | 'position'>;
/** A displayed symbol, with the white space between it and the amount. */
type PlacedSymbol = { symbol: string; position: 'prefix' | 'postfix'; gap: string };

export const MAX_COST_ENTRIES = 100;
/** Maximum length of an entry. */
export const MAX_COST_LENGTH = 100;
/** As in `formatMoney`. */
const NBSP = '\u00a0';
const NO_SYMBOL: Currency = { symbol: '', position: '' };

/**
 * Thousands: `1,000.50`, `1.000,50`, `1 000`, `1'000`. A comma before exactly three digits groups; a single dot before
 * three digits does not (`1.250` is a price in dinars), since the dot is the decimal separator of the API.
 */
const GROUPED = new RegExp(
  "(?<!\\d[., '’]?)[1-9]\\d{0,2}(?:" +
    "(?:,\\d{3})+(?:\\.\\d+)?|(?:\\.\\d{3})+,\\d+|(?:\\.\\d{3}){2,}|([ '’])\\d{3}(?:\\1\\d{3})*(?:[.,]\\d+)?" +
    ")(?![., '’]?\\d)",
  'g',
);
/**
 * A number without grouping. A leading dot is not part of it after a letter (`Rs.500`), a leading comma only at the
 * very start. A comma inside is the decimal separator, unless several numbers are in a row: `10,20,30` are three.
 */
const NUMBER = /(?:(?<![\p{L}\d])\.|^,)\d+|\d+(?:\.\d+|(?<!\d,\d+),\d+(?!\d|,\d))?/gu;

/**
 * Reads a cost as a client sends it: text, number, boolean, or a list or map of these. On create everything empty
 * (`""`, `0`, `"0"`, false, null, `[]`) is "no cost"; on update zero means free.
 * @returns undefined when it cannot be a cost: nested, not finite, over 100 entries, or an entry over 100 characters
 */
export function readCostInput(value: unknown, mode: 'create' | 'update'): Cost | undefined {
  const isZero = value === 0 || (typeof value === 'string' && value.trim() === '0');
  if (value === undefined || (mode === 'create' && isZero)) return { values: [], ...NO_SYMBOL };
  const sent = membersOf(value) ?? [value];
  if (sent.length > MAX_COST_ENTRIES) return undefined;
  const entries = sent.map(entryText);
  if (!entries.every((entry) => entry !== undefined)) return undefined;
  const values = [...new Set(entries.map((entry) => plainText(narrow(entry))).filter((entry) => entry !== ''))];
  return { values, ...findSymbol(values) };
}

/** Where a site puts the symbol of its currency. */
type SitePlace = Pick<MoneyFormat, 'symbol' | 'position'>;

const DOLLARS: SitePlace = { symbol: '$', position: 'prefix' };

/**
 * The displayed cost (HTML-escaped) and its `cost_details.values`: texts first, as slugs, then the distinct numbers in
 * ascending order with a decimal point. The text keeps the decimal separator as typed and drops grouping, so that `5,50
 * 7,50` reads `$5,50 – $7,50` and `1,000.50` reads `$1000.50`. A symbol common to all amounts keeps its position;
 * otherwise the symbol of the site is used.
 */
export function renderCost(
  cost: Cost,
  { format = () => DOLLARS, free = 'Free' }: { format?: () => SitePlace; free?: string } = {},
): { cost: string; values: string[] } {
  const { values } = cost;
  const texts = [...new Set(values.filter((value) => !/\d/.test(value)))];
  const read = values.map(readNumbers);
  const amounts = sortedAmounts(read);
  const details = [...new Set(texts.map(slugOrText)), ...amounts.map((amount) => amount.plain)];
  const [min, max] = [amounts[0], amounts.at(-1)];
  if (min === undefined || max === undefined) return { cost: escapeHtml(texts.join(', ')), values: details };
  const ends = min === max ? [min] : [min, max];
  const placed = max.number === 0 ? undefined : (carriedSymbol(cost, read) ?? onSite(format()));
  const shown = ends.map((amount) => (placed && amount.number !== 0 ? withSymbol(amount.shown, placed) : free));
  return { cost: escapeHtml(shown.join(' – ')), values: details };
}

const onSite = ({ symbol, position }: SitePlace): PlacedSymbol => ({
  symbol,
  position,
  gap: position === 'prefix' ? '' : NBSP,
});

function entryText(value: unknown): string | undefined {
  if (value === null || value === false) return '';
  if (value === true) return '1';
  if (typeof value === 'number' && Number.isFinite(value)) return boundedText(decimalText(value));
  return typeof value === 'string' ? boundedText(value.trim()) : undefined;
}

/** Full-width digits and signs, as typed in Japanese, in their ASCII form. */
const narrow = (text: string): string =>
  text.replace(/[\uff01-\uff5e\uffe0-\uffe6]/g, (char) => char.normalize('NFKC'));

const boundedText = (text: string): string | undefined => (text.length <= MAX_COST_LENGTH ? text : undefined);

/** Formats numbers without an exponent, which would read as a second number (`String(1e21)`). */
function decimalText(value: number): string {
  if (value === 0) return '0';
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
}

/**
 * The recorded symbol, as the reference finds it: a text is first split at commas, and a piece with a second number has
 * no symbol. So none is recorded for `20,50 €` and `$10 - $20`, although `carriedSymbol` finds theirs for display.
 */
function findSymbol(values: readonly string[]): Currency {
  const pieces = values.flatMap((value) => withoutGrouping(value).split(','));
  const [first = NO_SYMBOL, ...others] = pieces.map(symbolOf).filter((found) => found !== undefined);
  return others.every((other) => other.symbol === first.symbol) ? first : NO_SYMBOL;
}

/** Undefined for a piece without a number, which is ignored. */
function symbolOf(piece: string): Currency | undefined {
  const found = [...piece.matchAll(NUMBER)];
  const [number] = found;
  if (number === undefined) return undefined;
  const before = piece.slice(0, number.index).trim();
  const after = piece.slice(number.index + number[0].length).trim();
  if (found.length > 1 || (before === '') === (after === '')) return NO_SYMBOL;
  return before === '' ? { symbol: after, position: 'postfix' } : { symbol: before, position: 'prefix' };
}

/** A value without grouping, and the numbers in it. */
interface ReadValue {
  text: string;
  numbers: readonly RegExpExecArray[];
}

function readNumbers(value: string): ReadValue {
  const text = withoutGrouping(value);
  return { text, numbers: [...text.matchAll(NUMBER)] };
}

function sortedAmounts(values: readonly ReadValue[]): Amount[] {
  const byNumber = new Map<number, Amount>();
  for (const [shown] of values.flatMap(({ numbers }) => numbers)) {
    const decimal = shown.replace(',', '.');
    const number = Number(decimal);
    if (!byNumber.has(number)) byNumber.set(number, { shown, plain: number === 0 ? '0' : decimal, number });
  }
  return [...byNumber.values()].sort((one, other) => one.number - other.number);
}

function withoutGrouping(value: string): string {
  // The first separator of a grouped number is the grouping separator; a different one after it is the decimal
  // separator.
  return value.replace(GROUPED, (number) => number.replaceAll(/\D/.exec(number)?.[0] ?? ',', ''));
}

/** The recorded symbol, or else the currency next to every number, on the same side of each. */
function carriedSymbol({ symbol, position }: Cost, values: readonly ReadValue[]): PlacedSymbol | undefined {
  const sides = values.flatMap(sidesOfNumbers);
  const [first] = sides;
  if (!first) return undefined;
  if (symbol !== '' && position !== '') return { symbol, position, gap: first[position].gap };
  const side = (['prefix', 'postfix'] as const).find((name) => {
    const next = first[name].symbol;
    return next !== '' && sides.every((other) => other[name].symbol === next) && isCurrency(next);
  });
  return side && { ...first[side], position: side };
}

interface AdjacentSymbol {
  /** Empty if nothing precedes a separator or the next number. */
  symbol: string;
  gap: string;
}

/** Characters that end a symbol, in addition to its number: `6 €-8 €`, `(€6/€8)`. */
const SEPARATOR = /[\s\-–—,;:/|()]/;

/** The text adjacent to each number. */
function sidesOfNumbers({ text, numbers }: ReadValue): { prefix: AdjacentSymbol; postfix: AdjacentSymbol }[] {
  return numbers.map((number, index) => {
    const previous = numbers[index - 1];
    const before = text.slice(previous ? previous.index + previous[0].length : 0, number.index);
    const after = text.slice(number.index + number[0].length, numbers[index + 1]?.index);
    return {
      prefix: { symbol: before.trimEnd().split(SEPARATOR).at(-1) ?? '', gap: firstSpace(before.at(-1)) },
      postfix: { symbol: after.trimStart().split(SEPARATOR)[0] ?? '', gap: firstSpace(after[0]) },
    };
  });
}

const firstSpace = (character = ''): string => (/\s/.test(character) ? character : '');

/**
 * `USD20` as in the reference; other symbols as written. Words are separated by a space: `from 20`, `20 per person`.
 */
function withSymbol(amount: string, { symbol, position, gap }: PlacedSymbol): string {
  const isPrefix = position === 'prefix';
  const isApart = /\s|\p{L}{4}/u.test(symbol) && !(isPrefix ? /\p{Sc}$/u : /^\p{Sc}/u).test(symbol);
  const space = /^[A-Z]{3}$/.test(symbol) ? '' : gap || (isApart ? ' ' : '');
  return isPrefix ? `${symbol}${space}${amount}` : `${amount}${space}${symbol}`;
}

/** A slug could turn `②` into `2`, which must not be taken for one of the numbers. */
const slugOrText = (text: string): string => (/\p{N}/u.test(text) ? text : slugify(text) || text);

/** The word for "free" in each language, in lower case: the displayed one, and others that organizers write. */
export const FREE_WORDS: readonly string[] = Object.values(CATALOGUES).map((texts) =>
  texts['label.free'].toLowerCase(),
);

/** Whether the displayed `cost` of an event says that it is free. */
export const isFree = (cost: string): boolean => FREE_WORDS.includes(cost.toLowerCase());
