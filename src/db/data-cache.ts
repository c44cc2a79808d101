import { createRecencyCache, type RecencyCache } from '../lib/recency-cache.ts';
import { RenderedJson } from '../lib/rendered-json.ts';

/** Cached values computed from one version of the calendar. */
export interface CachedData {
  /** Rows of counting queries, by SQL and parameters. */
  readonly counts: RecencyCache<readonly object[]>;
  /** Sizes of lists that are the same for all viewers, by filter. */
  readonly totals: RecencyCache<number>;
  /** Pages of lists that are the same for all viewers, by filter and range. */
  readonly pages: RecencyCache<IdPage>;
  /** Rendered records. */
  readonly fragments: FragmentStore;
}

/** Ids of one page of a list, and the size of the whole list. */
export interface IdPage {
  ids: readonly number[];
  total: number;
}

/** JSON by key, limited in bytes. */
interface FragmentStore {
  get(key: string): RenderedJson | undefined;
  set(key: string, text: RenderedJson): void;
}

/** Maximum bytes of cached statements and filters, which have some hundred bytes each. */
const MAX_STATEMENTS = 2_000_000;
const MAX_FILTERS = 500_000;
/** Approximate bytes of a key and the objects around a fragment. */
const OVERHEAD = 300;

/**
 * Caches values computed from the current version of the calendar, and drops them all when the calendar changes. The
 * version is read before the values, so a cached value may be newer than its version, but never older; versions never
 * repeat.
 */
export interface DataCache {
  /** Whether rendered records are cached. */
  isOn: boolean;
  /** Begins the version that a look-up has just found, and drops everything cached for another one. */
  begin(version: string): CachedData;
  /** The cache for the version at which a read began; a separate, empty one if another version has begun since. */
  at(version: string): CachedData;
}

export function createDataCache(maxBytes: number): DataCache {
  let current = { version: '', state: createCachedData(maxBytes) };
  return {
    isOn: maxBytes > 0,
    begin(version) {
      if (current.version !== version) current = { version, state: createCachedData(maxBytes) };
      return current.state;
    },
    at: (version) => (version === current.version ? current.state : createCachedData(0)),
  };
}

export function createCachedData(maxBytes: number): CachedData {
  return {
    counts: createRecencyCache(MAX_STATEMENTS),
    totals: createRecencyCache(MAX_FILTERS),
    pages: createRecencyCache(maxBytes > 0 ? MAX_FILTERS : 0),
    fragments: createFragmentStore(maxBytes),
  };
}

/**
 * Two halves: when the newer one is full, the older one is dropped. A used entry moves to the newer half, so that only
 * entries unused for a while are lost.
 */
function createFragmentStore(maxBytes: number): FragmentStore {
  const half = maxBytes / 2;
  let older = new Map<string, RenderedJson>();
  let newer = new Map<string, RenderedJson>();
  let bytes = 0;
  const keep = (key: string, text: RenderedJson): void => {
    const size = text.bytes.length + OVERHEAD;
    if (size > half) return;
    if (bytes + size > half) {
      older = newer;
      newer = new Map();
      bytes = 0;
    }
    newer.set(key, text);
    bytes += size;
  };
  return {
    get(key) {
      const found = newer.get(key);
      if (found) return found;
      const before = older.get(key);
      if (before) keep(key, before);
      return before;
    },
    set(key, rendered) {
      // Serialize only if the result can be cached.
      if (half > 0) keep(key, rendered.written());
    },
  };
}

interface Rendering<T> {
  /** Identifies the kind of the records, and everything else that their rendering depends on besides the data. */
  prefix: string;
  /** Renders records in order; undefined for a record that has just been removed. */
  render(records: readonly T[]): Promise<readonly unknown[]>;
}

/**
 * Renders the records of a list. With a cache, each record is rendered once, as JSON that must be the same for all
 * viewers who share the cache. Without one, records are plain values, which the list serializes as a whole.
 */
export async function renderCached<T extends { id: number }>(
  state: CachedData | undefined,
  records: readonly T[],
  { prefix, render }: Rendering<T>,
): Promise<readonly unknown[]> {
  if (!state) return (await render(records)).filter((shown) => shown !== undefined);
  const cached = records.map(({ id }) => state.fragments.get(`${prefix} ${id}`));
  const missing = records.filter((_, index) => !cached[index]);
  const rendered = missing.length > 0 ? await render(missing) : [];
  let next = 0;
  return records.flatMap(({ id }, index) => {
    const found = cached[index];
    if (found) return found;
    const shown = rendered[next++];
    if (shown === undefined) return [];
    const made = RenderedJson.of(shown);
    state.fragments.set(`${prefix} ${id}`, made);
    return made;
  });
}
