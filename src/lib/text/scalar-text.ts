/**
 * The text of a string, a finite number or a boolean that a request sent; undefined for anything else. Every text of a
 * request is read here: `String` and template literals throw for objects without a prototype, as forms make them, and
 * for those with a `toString` of their own, as JSON may have.
 */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  return undefined;
}
