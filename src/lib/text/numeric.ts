/** Numeric strings as defined by PHP, on which clients of the interface rely: no hexadecimal, no `Infinity`. */
const NUMERIC = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** Maximum length of a number sent as text, including surrounding white space. */
export const MAX_NUMBER_LENGTH = 50;

/** Whether a text is a decimal number of at most 50 characters. It may still be too large for a `number`. */
export const isNumeric = (text: string): boolean => text.length <= MAX_NUMBER_LENGTH && NUMERIC.test(text);
