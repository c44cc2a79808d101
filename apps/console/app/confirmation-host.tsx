import { Suspense } from 'react';
import { setOnConfirmationRequired } from '../../client/call.ts';
import { ConfirmationDialog } from '../shared/confirmation/confirmation.ts';
import { createStore } from '../ui/store.ts';

/** Calls that wait for the same confirmation. */
const waiting = createStore<readonly ((isConfirmed: boolean) => void)[]>([]);

setOnConfirmationRequired(() => new Promise((resolve) => waiting.set([...waiting.get(), resolve])));

function end(isConfirmed: boolean): void {
  const calls = waiting.get();
  waiting.set([]);
  for (const resolve of calls) resolve(isConfirmed);
}

/** Shows the dialog that confirms the session; its code is loaded when a call needs it. */
export function ConfirmationHost() {
  return waiting.use().length > 0 ? (
    <Suspense fallback={null}>
      <ConfirmationDialog onEnd={end} />
    </Suspense>
  ) : null;
}
