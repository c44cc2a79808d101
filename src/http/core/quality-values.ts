export interface WeightedValue {
  /** In lower case, without parameters. */
  value: string;
  /** From 0, which excludes the value, to 1. */
  weight: number;
}

/** Maximum number of items read from a header; clients send a handful. */
const MAX_ITEMS = 20;

/**
 * Items of a header such as `Accept` or `Accept-Language` by descending weight (RFC 9110, 12.4.2), otherwise in the
 * order sent. Items whose weight is not from 0 to 1 are ignored.
 */
export function parseWeighted(header: string | null): WeightedValue[] {
  if (header === null) return [];
  const items = header.toLowerCase().split(',').slice(0, MAX_ITEMS).flatMap(parseItem);
  return items.sort((a, b) => b.weight - a.weight);
}

function parseItem(item: string): WeightedValue[] {
  const [value = '', ...parameters] = item.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const weight = quality === undefined ? 1 : Number.parseFloat(quality);
  return value !== '' && weight >= 0 && weight <= 1 ? [{ value, weight }] : [];
}
