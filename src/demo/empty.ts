import type { Database } from '../db/database.ts';

/** Whether a calendar has no events, venues, organizers or terms; the demonstration fills only such ones. */
export async function isCalendarEmpty({ query }: Database): Promise<boolean> {
  for (const table of ['events', 'linked_posts', 'terms'] as const)
    if (await query.selectFrom(table).select('id').limit(1).executeTakeFirst()) return false;
  return true;
}
