import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { readSiteSettings } from '../../db/site-settings.ts';
import { addSeconds, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { insertAnnouncement } from '../announcements/store.ts';
import { enqueueAnnouncement } from '../announcements/write-mails.ts';

/** Reminders of events: announcements that the server makes the day before. */

/** Seconds before the start of an event at which its holders are reminded. */
export const REMINDER_SECONDS = 86_400;
/** Seconds before the start after which a reminder is of no use. */
const TOO_LATE = 2 * 3600;

const BATCH = 100;

/** The end of the key of a reminder of an event with a start, UTC. */
export const reminderStart = (start: LocalTime): string => start.replace(' ', 'T');

/**
 * Makes the reminders of events that begin within a day. Each is named after the event and its start, so that it is made
 * once, and again for an event that is moved to another day. Safe to run in several processes at once.
 * @returns the number of reminders
 */
export async function writeReminders({ db, now }: Context): Promise<number> {
  const { sends_reminders } = await readSiteSettings(db);
  const moment = now();
  const utc = toUtc(moment);
  const due = await db.query
    .selectFrom('events')
    .leftJoin('event_reminders', 'event_reminders.event_id', 'events.id')
    .select(['events.id', 'events.utc_start_date as start'])
    .where('events.status', '=', sql.lit('publish'))
    .where('events.event_status', 'in', ['scheduled', 'rescheduled'])
    .where('events.utc_start_date', '>', addSeconds(utc, TOO_LATE))
    .where('events.utc_start_date', '<=', addSeconds(utc, REMINDER_SECONDS))
    .where(sql<boolean>`coalesce(event_reminders.is_on, ${sql.lit(sends_reminders ? 1 : 0)}) = 1`)
    .where(sql<boolean>`NOT EXISTS (SELECT 1 FROM announcements AS made WHERE made.event_id = events.id
      AND made.kind = 'reminder' AND made.key LIKE '%-' || replace(events.utc_start_date, ' ', 'T'))`)
    .where(sql<boolean>`EXISTS (SELECT 1 FROM attendees WHERE attendees.event_id = events.id)`)
    .orderBy('events.utc_start_date')
    .orderBy('events.id')
    .limit(BATCH)
    .execute();
  for (const { id, start } of due)
    await db.transaction(async (trx) => {
      const made = await insertAnnouncement(trx, {
        ...{ key: `reminder-${id}-${reminderStart(start)}`, event_id: id, kind: 'reminder', user_id: 0, now: utc },
        ...{ subject: '', body: '', audience: 'not_checked_in', ticketIds: [] },
      });
      if (made) await enqueueAnnouncement(trx, made, moment);
    });
  return due.length;
}
