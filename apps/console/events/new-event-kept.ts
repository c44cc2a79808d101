import type { NewEvent } from './new-event-input.ts';

/** What an account has typed of a new event stays in this browser until the event is made. */
const keyOf = (account: number): string => `marquee-console-new-event-${account}`;

export function keepTyped(account: number, values: NewEvent): void {
  if (values.title !== '' || values.venue !== '') localStorage.setItem(keyOf(account), JSON.stringify(values));
}

export function forgetTyped(account: number): void {
  localStorage.removeItem(keyOf(account));
}

export function typedBefore(account: number): NewEvent | undefined {
  const kept = localStorage.getItem(keyOf(account));
  if (kept === null) return undefined;
  // Nobody else writes there.
  return JSON.parse(kept) as NewEvent;
}
