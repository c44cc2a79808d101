/**
 * Joins texts into a flat string. V8 keeps the result of `+` or of a template as a tree of its pieces, and a single
 * such text makes `JSON.stringify` take three times as long for the whole response.
 */
export const joined = (...pieces: readonly string[]): string => pieces.join('');
