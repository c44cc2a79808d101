/** Numbers that users type, in the notation of a language, as integers of their smallest unit. */

interface Notation {
  language: string;
  /** Number of decimals of the smallest unit: 2 for cents. */
  decimals: number;
}

/** Number fields use Latin digits, even in languages with other digits. */
const DIGITS = { numberingSystem: 'latn' };

/** The decimal and thousands separators of a language; a space means any white space. */
export function separatorsOf(language: string): { decimal: string; group: string } {
  const parts = new Intl.NumberFormat(language, DIGITS).formatToParts(1_234_567.5);
  const of = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  return { decimal: of('decimal'), group: of('group').replace(/\s/, ' ') };
}

/** Whether groups of digits form a whole number: a single group, or thousands. */
const isWhole = ([first = '', ...others]: readonly string[]): boolean =>
  others.length === 0
    ? /^\d+$/.test(first)
    : /^[1-9]\d{0,2}$/.test(first) && others.every((digits) => /^\d{3}$/.test(digits));

/**
 * Parses a number that is not negative, such as `1.000,50` in German. Separators of other languages are rejected:
 * `1.000` may be one or a thousand.
 * @returns undefined for an empty text, null for an invalid one
 */
export function readNumber(typed: string, { language, decimals }: Notation): number | null | undefined {
  const text = typed.trim().replace(/\s/g, ' ');
  if (text === '') return undefined;
  const { decimal, group } = separatorsOf(language);
  const [whole = '', fraction = '', ...more] = text.split(decimal);
  const groups = whole.split(group);
  const isNumber = isWhole(groups) && more.length === 0 && (/^\d+$/.test(fraction) || !text.includes(decimal));
  if (!isNumber || fraction.length > decimals) return null;
  const number = Number(groups.join('') + fraction.padEnd(decimals, '0'));
  return Number.isSafeInteger(number) ? number : null;
}

/** Formats a number so that `readNumber` reads it back, with at least `least` decimals. */
export const typedNumber = (number: number, { language, decimals }: Notation, least = 0): string =>
  new Intl.NumberFormat(language, {
    ...DIGITS,
    useGrouping: false,
    minimumFractionDigits: least,
    maximumFractionDigits: decimals,
  }).format(number / 10 ** decimals);
