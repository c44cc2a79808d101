import type { Database } from './database.ts';

/** What was read and made from one state of the calendar. */
export interface DataState {
  /** Totals of lists, by SQL and parameters. */
  readonly totals: Map<string, number>;
  /** Rendered records. */
  readonly fragments: FragmentStore;
}

/** Texts by key, within a number of bytes. */
export interface FragmentStore {
  get(key: string): Buffer | undefined;
  set(key: string, text: Buffer): void;
}

/** Totals that are kept; each is a number and a statement. */
const MAX_TOTALS = 2000;
/** Bytes of a key and the objects around a fragment, roughly. */
const OVERHEAD = 300;

/**
 * Keeps what was made from the present state of the calendar, and drops all of it when the calendar changes. The version
 * is read before anything is made, so that what is kept may be newer than its version, but never older; and a version
 * never returns.
 */
export interface DataMemory {
  /** What is kept for a version. */
  at(version: string): DataState;
}

export function createDataMemory(maxBytes: number): DataMemory {
  let current = { version: '', state: createState(maxBytes) };
  return {
    at(version) {
      if (current.version !== version) current = { version, state: createState(maxBytes) };
      return current.state;
    },
  };
}

/** What is kept of the present state. A transaction sees its own writes, so that nothing of it may be shared. */
export async function stateOf(db: Database): Promise<DataState> {
  if (db.query.isTransaction) return createState(0);
  return db.memory.at(await db.dialect.calendarVersion(db));
}

function createState(maxBytes: number): DataState {
  return { totals: new BoundedMap<number>(), fragments: createFragmentStore(maxBytes) };
}

class BoundedMap<T> extends Map<string, T> {
  override set(key: string, value: T): this {
    return this.size < MAX_TOTALS ? super.set(key, value) : this;
  }
}

/**
 * Two halves: when the newer one is full, the older one is dropped. What is used moves to the newer half, so that only
 * what was not used for a while is lost.
 */
function createFragmentStore(maxBytes: number): FragmentStore {
  const half = maxBytes / 2;
  let older = new Map<string, Buffer>();
  let newer = new Map<string, Buffer>();
  let bytes = 0;
  const set = (key: string, text: Buffer): void => {
    const size = text.length + OVERHEAD;
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
      if (before) set(key, before);
      return before;
    },
    set,
  };
}

interface Rendering {
  /** Names the kind of the records, and what else their rendering depends on besides the data. */
  prefix: string;
  /** Renders records; those that do not exist are left out. */
  render(ids: readonly number[]): Promise<readonly { id: number; shown: unknown }[]>;
}

/**
 * The JSON of some records in the order of their ids. With a state, what it has of them is not rendered again; all of it
 * has to be the same for everybody who uses that state.
 */
export async function renderedOnce(
  state: DataState | undefined,
  ids: readonly number[],
  { prefix, render }: Rendering,
): Promise<Buffer[]> {
  const found = new Map<number, Buffer>();
  const missing: number[] = [];
  for (const id of ids) {
    const known = state?.fragments.get(`${prefix} ${id}`);
    if (known) found.set(id, known);
    else missing.push(id);
  }
  for (const { id, shown } of missing.length > 0 ? await render(missing) : []) {
    const text = Buffer.from(JSON.stringify(shown));
    found.set(id, text);
    state?.fragments.set(`${prefix} ${id}`, text);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}
