import { createRecentMap, type RecentMap } from '../lib/recent-map.ts';
import { RenderedJson } from '../lib/rendered-json.ts';

/** What was read and made from one state of the calendar. */
export interface DataState {
  /** Rows of counting queries, by SQL and parameters. */
  readonly counts: RecentMap<readonly object[]>;
  /** Pages of lists that are the same for everybody, by filter and range. */
  readonly pages: RecentMap<IdPage>;
  /** Rendered records. */
  readonly fragments: FragmentStore;
}

/** Ids of a page of a list, and how many the whole list has. */
export interface IdPage {
  ids: readonly number[];
  total: number;
}

/** JSON by key, within a number of bytes. */
interface FragmentStore {
  get(key: string): RenderedJson | undefined;
  set(key: string, text: RenderedJson): void;
}

/** Bytes of the statements and filters whose counts and pages are kept: some hundred each. */
const MAX_STATEMENTS = 2_000_000;
const MAX_FILTERS = 500_000;
/** Bytes of a key and the objects around a fragment, roughly. */
const OVERHEAD = 300;

/**
 * Keeps what was made from the present state of the calendar, and drops all of it when the calendar changes. The version
 * is read before anything is made, so that what is kept may be newer than its version, but never older; and a version
 * never returns.
 */
export interface DataMemory {
  /** Whether rendered records are kept. */
  isOn: boolean;
  /** What is kept for a version. */
  at(version: string): DataState;
}

export function createDataMemory(maxBytes: number): DataMemory {
  let current = { version: '', state: createState(maxBytes) };
  return {
    isOn: maxBytes > 0,
    at(version) {
      if (current.version !== version) current = { version, state: createState(maxBytes) };
      return current.state;
    },
  };
}

/** An empty state. */
export function createState(maxBytes: number): DataState {
  return {
    counts: createRecentMap(MAX_STATEMENTS),
    pages: createRecentMap(maxBytes > 0 ? MAX_FILTERS : 0),
    fragments: createFragmentStore(maxBytes),
  };
}

/**
 * Two halves: when the newer one is full, the older one is dropped. What is used moves to the newer half, so that only
 * what was not used for a while is lost.
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
      // Nothing is written that is not kept.
      if (half > 0) keep(key, rendered.written());
    },
  };
}

interface Rendering<T> {
  /** Names the kind of the records, and what else their rendering depends on besides the data. */
  prefix: string;
  /** Renders records, in their order; undefined for one that has just been removed. */
  render(records: readonly T[]): Promise<readonly unknown[]>;
}

/**
 * The JSON of some records. With a state, what it has of them is not rendered again; all of it has to be the same for
 * everybody who uses that state.
 */
export async function renderedOnce<T extends { id: number }>(
  state: DataState | undefined,
  records: readonly T[],
  { prefix, render }: Rendering<T>,
): Promise<RenderedJson[]> {
  const known = records.map(({ id }) => state?.fragments.get(`${prefix} ${id}`));
  const missing = records.filter((_, index) => !known[index]);
  const rendered = missing.length > 0 ? await render(missing) : [];
  let next = 0;
  return records.flatMap(({ id }, index) => {
    const found = known[index];
    if (found) return found;
    const shown = rendered[next++];
    if (shown === undefined) return [];
    const made = RenderedJson.of(shown);
    state?.fragments.set(`${prefix} ${id}`, made);
    return made;
  });
}
