/** Values of a record's fields by their names, as JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether two values of a field are the same. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** A field that was changed to different values here and elsewhere. */
export interface Conflict {
  name: string;
  yours: unknown;
  theirs: unknown;
}

export interface Merge {
  /** Unsaved changes to the current record; fields in conflict have your values. */
  patch: Fields;
  /** Fields that changed only elsewhere. */
  taken: string[];
  conflicts: Conflict[];
}

/**
 * Merges unsaved changes with a newer version of the record. Nothing is lost: a field that changed on one side gets that
 * value, and a field that changed differently on both sides is a conflict for the user to resolve.
 * @param base version on which the changes are based
 * @param patch changed fields
 * @param present newer version
 */
export function mergePatch(base: Fields, patch: Fields, present: Fields): Merge {
  const isTheirs = (name: string) => !isSame(base[name], present[name]);
  const kept = Object.entries(patch).filter(([name, yours]) => !isSame(yours, present[name]));
  const conflicts = kept
    .filter(([name]) => isTheirs(name))
    .map(([name, yours]) => ({ name, yours, theirs: present[name] }));
  const taken = Object.keys(present).filter((name) => !Object.hasOwn(patch, name) && isTheirs(name));
  return { patch: Object.fromEntries(kept), taken, conflicts };
}

/** Sets a field of a patch, or removes it if it has the value of the record again. */
export function withField(base: Fields, patch: Fields, [name, value]: readonly [string, unknown]): Fields {
  const { [name]: _, ...others } = patch;
  return isSame(base[name], value) ? others : { ...others, [name]: value };
}

/** Part of a patch that changed after it was sent. */
export const changedSince = (patch: Fields, sent: Fields): Fields =>
  Object.fromEntries(
    Object.entries(patch).filter(([name, value]) => !Object.hasOwn(sent, name) || !isSame(value, sent[name])),
  );
