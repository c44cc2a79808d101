import { createStore } from '../ui/store.ts';

/** A merge that can still be undone. */
export interface RecentMerge {
  id: number;
  kind: string;
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Milliseconds during which the server can undo a merge. */
const UNDO_TIME = 10 * 60 * 1000;

const STORED = 'marquee-console-recent-merges';
const NONE: readonly RecentMerge[] = [];

/** Merges of this tab; they survive a reload of the page. */
const merges = createStore(readStored());

function readStored(): readonly RecentMerge[] {
  try {
    // Written by `set`.
    return JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as RecentMerge[];
  } catch {
    return NONE;
  }
}

function set(next: readonly RecentMerge[]): void {
  sessionStorage.setItem(STORED, JSON.stringify(next));
  merges.set(next);
}

/** Stores a merge while it can be undone. */
export function addRecentMerge(merge: Omit<RecentMerge, 'at'>): void {
  set([...merges.get(), { ...merge, at: Date.now() }]);
}

export const forgetRecentMerge = (id: number): void => set(merges.get().filter((one) => one.id !== id));

/** Deletes all stored merges, when the account changes. */
export const forgetRecentMerges = (): void => set(NONE);

/** Milliseconds until a merge can no longer be undone. */
export const timeLeft = ({ at }: RecentMerge): number => at + UNDO_TIME - Date.now();

export const useRecentMerges = merges.use;
