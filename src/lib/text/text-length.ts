/**
 * Whether a text has more than `max` characters, counted as in JSON Schema: a surrogate pair is one. Never reads more
 * than twice as many UTF-16 units.
 */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let pairs = 0;
  for (let index = 0; index < text.length; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) {
      pairs += 1;
      index += 1;
    }
  }
  return text.length - pairs > max;
}
