/** Consequence of a change for ticket holders. */
export type Consequence = 'cancelled' | 'postponed' | 'moved';

const WHERE_AND_WHEN: ReadonlySet<string> = new Set(['start_date', 'end_date', 'all_day', 'timezone', 'venue']);

/**
 * Consequence of changes to a published event for ticket holders; undefined if there is none.
 * @param changed names of fields
 */
export function consequenceOf(
  changed: readonly string[],
  { event_status: status }: { event_status: string },
): Consequence | undefined {
  // Holders already know that the event does not take place.
  if (status === 'cancelled') return changed.includes('event_status') ? 'cancelled' : undefined;
  if (status === 'postponed' && changed.includes('event_status')) return 'postponed';
  return changed.some((name) => WHERE_AND_WHEN.has(name)) ? 'moved' : undefined;
}
