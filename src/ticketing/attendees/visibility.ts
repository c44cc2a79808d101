import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Event } from '../../calendar/events/store.ts';
import type { Tables } from '../../db/tables.ts';
import { isAdmitted, isAdmittedSql } from './admission.ts';
import type { Attendee } from './store.ts';

/** Whether strangers may see an attendee: admitted, not opted out, and the event is public. */
export const isPublicAttendee = (attendee: Attendee, event: Pick<Event, 'status' | 'password'> | undefined): boolean =>
  event?.status === 'publish' && event.password === '' && attendee.optout === 0 && isAdmitted(attendee);

/** `isPublicAttendee` for rows of `attendees`. */
export const isPublicSql = (eb: ExpressionBuilder<Tables, 'attendees'>): Expression<SqlBool> =>
  eb.and([
    isShownSql(eb),
    eb.exists(
      eb
        .selectFrom('events')
        .select('events.id')
        .whereRef('events.id', '=', 'attendees.event_id')
        .where((event) => isPublicEventSql(event)),
    ),
  ]);

/** The part of `isPublicSql` that is about the attendee. */
export const isShownSql = (eb: ExpressionBuilder<Tables, 'attendees'>): Expression<SqlBool> =>
  eb.and([isAdmittedSql, eb('optout', '=', 0)]);

/** The part of `isPublicSql` that is about the event. */
export const isPublicEventSql = (eb: ExpressionBuilder<Tables, 'events'>): Expression<SqlBool> =>
  eb.and([eb('events.status', '=', 'publish'), eb('events.password', '=', '')]);
