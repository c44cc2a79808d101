import type { Database } from '../../db/database.ts';
import { newRecordId } from '../../db/record-ids.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import {
  addSeconds,
  type DateExpression,
  dayStart,
  type LocalTime,
  localToUtc,
  secondsBetween,
  utcToLocal,
  zoneAbbreviation,
} from '../../lib/dates/dates.ts';
import { logCreation } from '../../platform/audit/log.ts';
import type { Translation } from '../../platform/translations/rules.ts';
import { findTranslations } from '../../platform/translations/store.ts';
import { modifiedTimes, publish, type Status, statusFor } from '../posts/post.ts';
import { slugAfter } from '../posts/slugs.ts';
import { auditedEvent } from './audited.ts';
import { COPIED_AS, NOT_COPIED } from './event-fields.ts';
import { type Event, insertEvent, linksOf, valuesOf } from './store.ts';
import { type EventTimes, requestedInstant } from './times.ts';

/** Differences of a copy from the original event. */
export interface CopyOptions {
  status: Status;
  /** Absent: the start of the original. */
  start?: DateExpression;
  withPassword: boolean;
}

/** Columns that a copy resets: it takes place as announced. */
const AS_ANNOUNCED = {
  ...COPIED_AS,
  event_status: 'scheduled',
  utc_previous_start_date: '',
} as const;

/**
 * Copies an event with its links and its texts in all languages, in the transaction of the caller. The copy belongs to
 * the viewer and has a slug of its own.
 * @returns the id of the copy
 */
export async function copyEvent(
  db: Database,
  original: Event,
  { ctx, options }: { ctx: RequestContext; options: CopyOptions },
): Promise<number> {
  const id = await newRecordId(db, 'event');
  const publication = publish({ status: statusFor(ctx.viewer, options.status) }, undefined, {
    now: ctx.now,
    siteZone: ctx.context.config.timezone,
    zone: original.timezone,
    epoch: 'local',
  });
  const { status } = publication;
  const translations = await findTranslations(db, { kind: 'event', id: original.id });
  await insertEvent(db, id, {
    values: {
      ...valuesOf(original),
      ...AS_ANNOUNCED,
      ...publication,
      ...(options.start && timesFrom(original, options.start, ctx.now)),
      ...(await slugAfter(db, { kind: 'event', id }, { status, title: original.title })),
      ...modifiedTimes(ctx),
      author_id: ctx.viewer.account?.id ?? 0,
      password: options.withPassword ? original.password : '',
    },
    links: await linksOf(db, original.id),
    translations: translations.map(withoutUncopied),
    copiedFrom: original.id,
  });
  await logCreation(db, ctx.actor, { kind: auditedEvent, id });
  return id;
}

function withoutUncopied({ language, texts, provisional }: Translation): Translation {
  const isCopied = (column: string): boolean => !NOT_COPIED.includes(column);
  const copied = Object.entries(texts).filter(([column]) => isCopied(column));
  return { language, texts: Object.fromEntries(copied), provisional: provisional.filter(isCopied) };
}

function timesFrom(original: EventTimes, date: DateExpression, now: Date): EventTimes {
  const { timezone } = original;
  return movedTimes(original, utcToLocal(requestedInstant('start_date', date, { zone: timezone, now }), timezone));
}

/** The times of an event moved to another start, with the same local duration. */
export function movedTimes(original: EventTimes, sent: LocalTime): EventTimes {
  const { all_day, timezone } = original;
  // Where clocks skip midnight, the first day begins later, but is still a whole one.
  const startOf = (local: LocalTime) => (all_day ? dayStart(local) : local);
  const start = localToUtc(startOf(sent), timezone);
  const length = secondsBetween(startOf(original.start_date), original.end_date);
  const end = localToUtc(addSeconds(startOf(start.local), length), timezone);
  // A clock change in between may reduce a short event to nothing.
  const last = end.utc < start.utc ? start : end;
  return {
    all_day,
    timezone,
    start_date: start.local,
    end_date: last.local,
    utc_start_date: start.utc,
    utc_end_date: last.utc,
    timezone_abbr: zoneAbbreviation(start.utc, timezone),
  };
}
