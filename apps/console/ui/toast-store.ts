import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'bad';
  /** What takes the act back. */
  undo?: () => Promise<unknown>;
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Milliseconds that a message stays, which is also how long an act can be undone there. */
export const TOAST_TIME = 10_000;

/** As many messages as fit above the rail; older ones go. */
const MOST = 3;

/** Says what has been done, with a button that undoes it where that is possible. */
export function toast(
  text: string,
  { tone = 'good', undo }: { tone?: Toast['tone']; undo?: Toast['undo'] } = {},
): void {
  lastId += 1;
  set([...toasts, { id: lastId, text, tone, ...(undo && { undo }) }].slice(-MOST));
}

export const dismiss = (id: number): void => set(toasts.filter((one) => one.id !== id));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useToasts = (): readonly Toast[] => useSyncExternalStore(subscribe, () => toasts);
