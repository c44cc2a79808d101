/** Cache of recently used values, limited in size. */
export interface RecencyCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
}

/** Approximate bytes of an entry besides the characters of its key: map slot, headers, a small value. */
export const ENTRY_OVERHEAD = 200;

/**
 * Caches recently used entries: at least the last `maxBytes` of distinct entries, at most twice as many. An entry in
 * use stays, however many other keys arrive. Keys longer than the limit are not cached.
 */
export function createRecencyCache<V>(maxBytes: number): RecencyCache<V> {
  let recent = new Map<string, V>();
  let before = new Map<string, V>();
  let bytes = 0;
  const set = (key: string, value: V) => {
    const size = key.length + ENTRY_OVERHEAD;
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
      const previous = before.get(key);
      if (previous !== undefined) set(key, previous);
      return previous;
    },
    set,
    delete(key) {
      if (recent.delete(key)) bytes -= key.length + ENTRY_OVERHEAD;
      before.delete(key);
    },
  };
}
