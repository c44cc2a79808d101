import { isNumeric } from '../../lib/numeric.ts';

/** A record of the same structure that says nothing: numbers become 0, flags null, everything else `No Access`. */
export function withhold(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withhold);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withhold(inner)]));
  }
  if (typeof value === 'boolean') return null;
  const isNumber = typeof value === 'number' || (typeof value === 'string' && isNumeric(value));
  return isNumber ? 0 : 'No Access';
}
