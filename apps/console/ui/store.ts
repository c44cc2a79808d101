import { useSyncExternalStore } from 'react';

/** A value that lives outside components. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  /** The value in a component, which renders again when it changes. */
  use(): T;
}

export function createStore<T>(first: T): Store<T> {
  const listeners = new Set<() => void>();
  let current = first;
  const get = () => current;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get,
    set(next) {
      current = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
