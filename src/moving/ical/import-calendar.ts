import { getCalendarId } from '../../db/site-settings.ts';
import type { InProcessContext } from '../../platform/users/in-process-context.ts';
import { importKeyed, type KeyedImportOptions, type KeyedImportResult } from '../keyed/keyed-import.ts';
import { readCalendarRecords } from './calendar-records.ts';

/** Imports of calendars. Entries of files share one source, so that a later copy of a file changes the same events. */

export const CALENDAR_FILES = 'ical:files';

export interface CalendarImportOptions
  extends Pick<KeyedImportOptions, 'isDryRun' | 'isTheirs' | 'onPlan' | 'onBatch' | 'importId' | 'onBegin'> {
  ctx: InProcessContext;
  text: string;
  /** Address of the calendar, or `CALENDAR_FILES`. */
  source: string;
  status: string;
  categories: readonly string[];
}

/** Imports a calendar. `isComplete` is false if it was cut off, or had more entries than are read. */
export async function importCalendar({
  text,
  status,
  categories,
  ...options
}: CalendarImportOptions): Promise<KeyedImportResult & { isComplete: boolean }> {
  const { context, now } = options.ctx;
  const { records, findings, isComplete } = await readCalendarRecords(text, {
    ...{ siteZone: context.config.timezone, now, status, categories },
    calendarId: await getCalendarId(context.db),
  });
  const result = await importKeyed({ ...options, records, lineFindings: () => findings });
  return { ...result, isComplete };
}
