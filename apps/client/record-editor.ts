import { type Conflict, changedSince, type Fields, mergePatch, withField } from './merge.ts';
import { isProblem, type Problem } from './problem.ts';

/** The fields of a record as they were at a revision. */
export interface Version {
  revision: number;
  fields: Fields;
  /** Patch that restores these values; set if a save can be undone. */
  former?: Fields | undefined;
}

/** Unsaved changes, as stored on the device. */
export interface StoredPatch {
  revision: number;
  /** Previous values of the changed fields. */
  base: Fields;
  patch: Fields;
}

export interface EditorOptions {
  /**
   * Sends changed fields, based on a revision.
   * @throws {Problem} `edit-conflict` if the record has another revision
   */
  write(patch: Fields, revision: number): Promise<Version>;
  /** Reads the current record from an `edit-conflict`. */
  readConflict(problem: Problem): Version;
  /** Stores the unsaved changes on the device; undefined if there are none. */
  keep(stored: StoredPatch | undefined): void;
}

export interface EditorState {
  /** The record as it was last read or written. */
  base: Version;
  patch: Fields;
  status: 'idle' | 'saving' | 'offline' | 'refused';
  /** Why the last save was refused. */
  problem: Problem | undefined;
  /** Fields to decide on before anything is saved. */
  conflicts: readonly Conflict[];
  /** Fields that the last save took over from others. */
  taken: readonly string[];
  /** Patch that undoes the last save, and the revision that the save made. */
  undo: { patch: Fields; revision: number } | undefined;
}

/** Maximum number of retries of a save that conflicts with changes by others. */
const MOST_TRIES = 5;

/**
 * Unsaved changes to one record. A form is a patch: only changed fields are sent, with the revision on which they are
 * based.
 */
export interface RecordEditor {
  state(): EditorState;
  subscribe(listener: () => void): () => void;
  set(name: string, value: unknown): void;
  /** Resolves to whether everything is saved. */
  save(): Promise<boolean>;
  discard(): void;
  /** Resolves a conflict. */
  resolve(name: string, choice: 'yours' | 'theirs'): void;
  /** Updates to a newer version, unless that causes a conflict. */
  update(present: Version): void;
}

/** @param stored stored changes, which are applied to the current record */
export function createRecordEditor(first: Version, options: EditorOptions, stored?: StoredPatch): RecordEditor {
  const listeners = new Set<() => void>();
  let state: EditorState = {
    base: first,
    status: 'idle',
    problem: undefined,
    taken: [],
    undo: undefined,
    ...startWith(first, stored),
  };
  const change = (next: Partial<EditorState>) => {
    const before = state.patch;
    state = { ...state, ...next };
    if (state.patch !== before) options.keep(storedOf(state));
    for (const listener of listeners) listener();
  };
  const mergeWith = (present: Version): boolean => {
    const { patch, taken, conflicts } = mergePatch(state.base.fields, state.patch, present.fields);
    change({ base: present, patch, taken: [...new Set([...state.taken, ...taken])], conflicts });
    return conflicts.length === 0;
  };
  const trySave = async (triesLeft: number): Promise<boolean> => {
    const { base, patch: sent } = state;
    if (Object.keys(sent).length === 0) {
      change({ status: 'idle' });
      return true;
    }
    try {
      const written = await options.write(sent, base.revision);
      const undo = base.former && { patch: valuesOf(Object.keys(sent), base.former), revision: written.revision };
      change({ base: written, patch: changedSince(state.patch, sent), status: 'idle', undo });
      return true;
    } catch (error) {
      if (!isProblem(error)) throw error;
      if (error.code !== 'edit-conflict' || triesLeft === 0) return refuse(error);
      if (mergeWith(options.readConflict(error))) return trySave(triesLeft - 1);
      change({ status: 'idle' });
      return false;
    }
  };
  const refuse = (problem: Problem): false => {
    change({ status: problem.code === 'offline' ? 'offline' : 'refused', problem });
    return false;
  };
  let saving: Promise<boolean> | undefined;
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(name, value) {
      const status = state.status === 'saving' ? state.status : 'idle';
      change({ patch: withField(state.base.fields, state.patch, [name, value]), status });
    },
    async save() {
      // Changes during a save are sent by one following save, however many calls wait for it.
      while (saving !== undefined) await saving;
      if (state.conflicts.length > 0) return false;
      change({ status: 'saving', problem: undefined, taken: [], undo: undefined });
      saving = trySave(MOST_TRIES).finally(() => {
        saving = undefined;
      });
      return saving;
    },
    discard() {
      change({ patch: {}, conflicts: [], status: 'idle', problem: undefined });
    },
    resolve(name, choice) {
      const { [name]: _, ...others } = state.patch;
      const conflicts = state.conflicts.filter((conflict) => conflict.name !== name);
      change({ patch: choice === 'theirs' ? others : { ...state.patch }, conflicts });
    },
    update(present) {
      if (present.revision <= state.base.revision || state.status === 'saving') return;
      const { conflicts } = mergePatch(state.base.fields, state.patch, present.fields);
      if (conflicts.length === 0) mergeWith(present);
    },
  };
}

/** Applies stored changes to the current record. */
function startWith({ fields }: Version, stored: StoredPatch | undefined): Pick<EditorState, 'patch' | 'conflicts'> {
  if (!stored) return { patch: {}, conflicts: [] };
  const { patch, conflicts } = mergePatch({ ...fields, ...stored.base }, stored.patch, fields);
  return { patch, conflicts };
}

function storedOf({ base: { revision, fields }, patch }: EditorState): StoredPatch | undefined {
  const names = Object.keys(patch);
  if (names.length === 0) return undefined;
  return { revision, base: valuesOf(names, fields), patch };
}

const valuesOf = (names: readonly string[], fields: Fields): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
