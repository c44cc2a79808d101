import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Whether a calendar has no events, organizers or terms. Examples require this, so that they never mix with real data.
 * Venues are allowed, since the set-up asks for one first.
 */
export async function isCalendarEmpty({ query }: Database): Promise<boolean> {
  const { rows } = await sql`SELECT 1 WHERE EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM terms)
    OR EXISTS (SELECT 1 FROM linked_posts WHERE kind <> 'venue')`.execute(query);
  return rows.length === 0;
}
