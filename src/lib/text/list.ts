import { isNumeric, scalarText } from './scalar-text.ts';

/**
 * The items of a list in any accepted form: comma-separated text, one scalar, an array, or an object as parsed from
 * `a[0]=1&a[1]=2`. White space around items and empty items are ignored. Text is not percent-decoded here.
 *
 * @param options.splitItems also split the items of an array at commas (right for ids, wrong for names)
 * @returns undefined for a value that is not a list: null, nested lists and objects, non-finite numbers
 */
export function parseList(value: unknown, options: { splitItems?: boolean } = {}): string[] | undefined {
  const text = scalarText(value);
  if (text !== undefined) return splitCsv(text);
  const parts = membersOf(value)?.map(scalarText);
  if (!parts?.every((part) => part !== undefined)) return undefined;
  return options.splitItems ? parts.flatMap(splitCsv) : parts.map((part) => part.trim()).filter((part) => part !== '');
}

/**
 * Ids in any form of a list, without duplicates, in order. `"1.0"`, `" 3"` and `"5e0"` are integers too. Undefined if
 * there are none, or one is not a positive safe integer.
 */
export function parseIds(value: unknown): number[] | undefined {
  const ids = parseList(value, { splitItems: true })?.map((item) => (isNumeric(item) ? Number(item) : Number.NaN));
  if (!ids?.length || !ids.every((id) => Number.isSafeInteger(id) && id > 0)) return undefined;
  return [...new Set(ids)];
}

/** Whether a value is a plain object: neither a list nor null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The items of an array or the values of a plain object; undefined for anything else. */
export function membersOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return [...value];
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? Object.values(value) : undefined;
}

/** Compares entries by key, in the order of UTF-16 code units. */
export const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : Number(one > other);

function splitCsv(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
