/** A map that forgets. */
export interface RecentMap<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
}

/**
 * Keeps what was asked for lately: at least the last `maxCharacters` of keys that differ, at most twice as many. What is
 * asked for meanwhile stays, however many other keys come. Longer keys are not kept.
 */
export function createRecentMap<V>(maxCharacters: number): RecentMap<V> {
  let recent = new Map<string, V>();
  let before = new Map<string, V>();
  let characters = 0;
  const set = (key: string, value: V) => {
    if (key.length > maxCharacters) return;
    if (!recent.has(key)) characters += key.length;
    recent.set(key, value);
    if (characters < maxCharacters) return;
    before = recent;
    recent = new Map();
    characters = 0;
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
