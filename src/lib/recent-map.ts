/** A map that forgets. */
export interface RecentMap<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
}

/** Bytes of an entry besides the characters of its key, roughly: its place in the map, headers, a small value. */
export const ENTRY = 200;

/**
 * Keeps what was asked for lately: at least the last `maxBytes` of entries that differ, at most twice as many. What is
 * asked for meanwhile stays, however many other keys come. Longer keys are not kept.
 */
export function createRecentMap<V>(maxBytes: number): RecentMap<V> {
  let recent = new Map<string, V>();
  let before = new Map<string, V>();
  let bytes = 0;
  const set = (key: string, value: V) => {
    const size = key.length + ENTRY;
    if (size > maxBytes) return;
    if (!recent.has(key)) bytes += size;
    recent.set(key, value);
    if (bytes < maxBytes) return;
    before = recent;
    recent = new Map();
    bytes = 0;
  };
  return {
    get(key) {
      const found = recent.get(key);
      if (found !== undefined) return found;
      const known = before.get(key);
      if (known !== undefined) set(key, known);
      return known;
    },
    set,
  };
}
