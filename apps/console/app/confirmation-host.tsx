import { Suspense, useSyncExternalStore } from 'react';
import { setOnConfirmationRequired } from '../../client/call.ts';
import { ConfirmationDialog } from '../shared/confirmation/confirmation.ts';

/** The calls that wait for the same confirmation. */
let waiting: readonly ((isConfirmed: boolean) => void)[] = [];
const listeners = new Set<() => void>();

function set(next: typeof waiting): void {
  waiting = next;
  for (const listener of listeners) listener();
}

setOnConfirmationRequired(() => new Promise((resolve) => set([...waiting, resolve])));

function end(isConfirmed: boolean): void {
  const calls = waiting;
  set([]);
  for (const resolve of calls) resolve(isConfirmed);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Shows the dialog that confirms the session, whose code is loaded when a call needs it. */
export function ConfirmationHost() {
  const isShown = useSyncExternalStore(subscribe, () => waiting.length > 0);
  return isShown ? (
    <Suspense fallback={null}>
      <ConfirmationDialog onEnd={end} />
    </Suspense>
  ) : null;
}
