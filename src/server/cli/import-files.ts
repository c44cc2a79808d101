import { calendarAddress, fetchCalendar, readCalendarFile } from '../../moving/ical/fetch-calendar.ts';
import { CALENDAR_FILES, CALENDAR_STATUSES, importCalendar } from '../../moving/ical/import-calendar.ts';
import { plannedLine, resultLines } from '../../moving/keyed/keyed-report.ts';
import { type Command, CommandError, command } from './command.ts';
import { commandContext, readingSource } from './import.ts';

/** Imports of calendars and tables. */

const isAddress = (text: string): boolean => /^(?:https?|webcals?):/i.test(text);

const listOf = (text: string | boolean | undefined): string[] =>
  typeof text === 'string'
    ? text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
    : [];

/** @throws {CommandError} */
function statusOf(text: string | boolean | undefined): string {
  const status = CALENDAR_STATUSES.find((one) => one === (text ?? 'publish'));
  if (!status) throw new CommandError(`--status takes one of ${CALENDAR_STATUSES.join(', ')}.`);
  return status;
}

const PLAN_OPTIONS = {
  'dry-run': { about: 'Prints the plan, record by record, and writes nothing.' },
  theirs: { about: 'Replaces also what was changed here since the last import.' },
};

const importIcal = command({
  name: 'import ical',
  summary: 'Imports the events of a calendar in the format iCalendar, from a file or an address.',
  words: ['FILE_OR_URL'],
  options: {
    ...PLAN_OPTIONS,
    status: { value: 'STATUS', about: 'Of new events: publish (default), pending, draft or private.' },
    categories: { value: 'NAMES', about: 'Categories of all events, separated by commas.' },
  },
  notes:
    'It may run again: events are recognised by their UID, and fields that were changed here stay. Rules become series.\n' +
    'The server may be running. docs/moving.md has the details.',
  async work({ context, words: [place = ''], options, print }) {
    const isDryRun = options['dry-run'] === true;
    const status = statusOf(options.status);
    const ctx = await commandContext(context, print);
    const result = await readingSource(async () => {
      const source = isAddress(place) ? calendarAddress(place) : CALENDAR_FILES;
      const text = isAddress(place)
        ? ((await fetchCalendar(source, { config: context.config }))?.text ?? '')
        : await readCalendarFile(place);
      return importCalendar({
        ...{ ctx, text, source, status, categories: listOf(options.categories), isDryRun },
        isTheirs: options.theirs === true,
        onPlan: (record, action, details) => print(plannedLine(record, action, details)),
      });
    });
    for (const line of resultLines(result)) print(line);
    if (isDryRun) print('Nothing was written.');
  },
});

export const fileImportCommands: readonly Command[] = [importIcal];
