import { isNumeric } from './numeric.ts';

/**
 * The items of a list in any form it may arrive in: a comma-separated text, one scalar, an array, or an object as made
 * from `a[0]=1&a[1]=2`. White space around items and empty items do not count. Texts are never percent-decoded here.
 *
 * @param options.splitItems also split the items of an array at commas (right for ids, wrong for names)
 * @returns undefined for what is no list: null, nested lists and objects, numbers that are not finite
 */
export function parseList(value: unknown, options: { splitItems?: boolean } = {}): string[] | undefined {
  const text = scalarText(value);
  if (text !== undefined) return splitCsv(text);
  const parts = membersOf(value)?.map(scalarText);
  if (!parts?.every((part) => part !== undefined)) return undefined;
  return options.splitItems ? parts.flatMap(splitCsv) : parts.map((part) => part.trim()).filter((part) => part !== '');
}

/**
 * Ids in any form of a list, in the order given, each once. `"1.0"`, `" 3"` and `"5e0"` are integers too.
 * Undefined when there is none, or when one is no positive safe integer.
 */
export function parseIds(value: unknown): number[] | undefined {
  const ids = parseList(value, { splitItems: true })?.map((item) => (isNumeric(item) ? Number(item) : Number.NaN));
  if (!ids?.length || !ids.every((id) => Number.isSafeInteger(id) && id > 0)) return undefined;
  return [...new Set(ids)];
}

/** Whether a value is an object with named members: no list, not null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of an array or of a plain object, undefined for anything else. */
export function membersOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return [...value];
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? Object.values(value) : undefined;
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  return undefined;
}

function splitCsv(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
