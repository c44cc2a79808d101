/**
 * The text of a string, finite number or boolean in a request; undefined for anything else. Read every value of a
 * request with this function: `String` and template literals throw for objects without a prototype, which forms
 * produce, and for objects with their own `toString`, which JSON may contain.
 * @example
 * scalarText(12.5); // '12.5'
 * scalarText({}); // undefined
 */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  return undefined;
}

/** Numeric strings as defined by PHP, on which API clients rely: no hexadecimal, no `Infinity`. */
const NUMERIC = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** Maximum length of a number sent as text, including surrounding white space. */
export const MAX_NUMBER_LENGTH = 50;

/** Whether a text is a decimal number of at most 50 characters. It may still be too large for a `number`. */
export const isNumeric = (text: string): boolean => text.length <= MAX_NUMBER_LENGTH && NUMERIC.test(text);
