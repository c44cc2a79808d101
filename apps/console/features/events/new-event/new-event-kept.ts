import type { SentSoFar } from './make-event.ts';
import type { NewEvent } from './new-event-input.ts';

/** A new event that is not finished. */
export interface KeptEvent {
  values: NewEvent;
  sent: SentSoFar;
}

/** What an account has typed and sent of a new event stays in this browser until all of it is made. */
const keyOf = (account: number): string => `marquee-console-new-event-${account}`;

export function keepNewEvent(account: number, kept: KeptEvent): void {
  const { values, sent } = kept;
  if (values.title === '' && values.venue === '' && !sent.event) return;
  try {
    localStorage.setItem(keyOf(account), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing can still send it.
  }
}

export function forgetNewEvent(account: number): void {
  localStorage.removeItem(keyOf(account));
}

export function keptNewEvent(account: number): KeptEvent | undefined {
  const kept = localStorage.getItem(keyOf(account));
  if (kept === null) return undefined;
  // Nobody else writes there; a former version kept the values alone.
  const { values, sent = {} } = JSON.parse(kept) as Partial<KeptEvent>;
  return values && { values, sent };
}
