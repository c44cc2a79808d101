import type { EventFields } from './event-kind.ts';

/** What a change means to people who hold a ticket. */
export type Consequence = 'cancelled' | 'moved';

const WHERE_AND_WHEN: readonly (keyof EventFields)[] = ['start_date', 'end_date', 'all_day', 'timezone', 'venue'];

/** What changes of a published event mean to those who hold a ticket; undefined if they need not know. */
export function consequenceOf(
  changed: readonly (keyof EventFields)[],
  { event_status: status }: Pick<EventFields, 'event_status'>,
): Consequence | undefined {
  // They know already that it does not take place.
  if (status === 'cancelled') return changed.includes('event_status') ? 'cancelled' : undefined;
  return changed.some((name) => WHERE_AND_WHEN.includes(name)) ? 'moved' : undefined;
}
