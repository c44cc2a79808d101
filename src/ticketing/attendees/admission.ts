import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AttendeesTable } from '../../db/tables/ticketing.ts';

/** RSVP answer and order status that admit attendees. Only these attendees are ever shown to the public. */
export const ADMITTED_STATUSES: readonly string[] = ['yes', 'completed'];

/** Whether an attendee may be checked in, or is already checked in. */
export const isAdmitted = ({
  status,
  attendance_status,
}: Pick<AttendeesTable, 'status' | 'attendance_status'>): boolean =>
  status === 'publish' && ADMITTED_STATUSES.includes(attendance_status);

/** `isAdmitted` for rows of `attendees`. */
export const isAdmittedSql: RawBuilder<SqlBool> = sql<SqlBool>`(attendees.status = 'publish'
  AND attendees.attendance_status IN (${sql.join(ADMITTED_STATUSES.map((status) => sql.lit(status)))}))`;
