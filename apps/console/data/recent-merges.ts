import { useSyncExternalStore } from 'react';

/** A merge that can still be undone. */
export interface RecentMerge {
  /** Id of the merge. */
  id: number;
  kind: string;
  text: string;
  /** When it was made, in milliseconds since 1970. */
  at: number;
}

/** Milliseconds for which the server can undo a merge. */
const UNDO_TIME = 10 * 60 * 1000;

const STORED = 'marquee-console-recent-merges';
const NONE: readonly RecentMerge[] = [];
const listeners = new Set<() => void>();

let merges: readonly RecentMerge[] = read();

/** Those of this tab; the page may have been loaded again. */
function read(): readonly RecentMerge[] {
  try {
    // Written by `set`.
    return JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as RecentMerge[];
  } catch {
    return NONE;
  }
}

function set(next: readonly RecentMerge[]): void {
  merges = next;
  sessionStorage.setItem(STORED, JSON.stringify(next));
  for (const listener of listeners) listener();
}

/** Remembers a merge as long as it can be undone. */
export function addRecentMerge(merge: Omit<RecentMerge, 'at'>): void {
  set([...merges, { ...merge, at: Date.now() }]);
}

export const forgetRecentMerge = (id: number): void => set(merges.filter((one) => one.id !== id));

/** Forgets all, for another account. */
export const forgetRecentMerges = (): void => set(NONE);

/** Milliseconds until a merge can no longer be undone. */
export const timeLeft = ({ at }: RecentMerge): number => at + UNDO_TIME - Date.now();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useRecentMerges = (): readonly RecentMerge[] => useSyncExternalStore(subscribe, () => merges);
