/** PHP's idea of a numeric string, which is what clients of the interface rely on: no hexadecimal, no `Infinity`. */
const NUMERIC = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** Characters of a number that is sent as text, white space around it included. */
export const MAX_NUMBER_LENGTH = 50;

/** Whether a text is a decimal number of at most 50 characters. It may still be too large for a `number`. */
export const isNumeric = (text: string): boolean => text.length <= MAX_NUMBER_LENGTH && NUMERIC.test(text);
