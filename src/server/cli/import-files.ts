import { toUtc } from '../../lib/dates/dates.ts';
import { CSV_KINDS } from '../../moving/csv/columns.ts';
import { importTable } from '../../moving/csv/import-table.ts';
import { calendarAddress, fetchCalendar, readCalendarFile } from '../../moving/ical/fetch-calendar.ts';
import { CALENDAR_FILES, importCalendar } from '../../moving/ical/import-calendar.ts';
import { plannedLine, resultLines } from '../../moving/keyed/keyed-report.ts';
import { countLines } from '../../moving/report.ts';
import { IMPORT_STATUSES } from '../../moving/runs/run-input.ts';
import { readSubscription } from '../../moving/subscriptions/read-subscription.ts';
import {
  countsOf,
  findSubscription,
  listSubscriptions,
  MAX_HOURS,
  MIN_HOURS,
  removeSubscription,
  subscribe,
} from '../../moving/subscriptions/store.ts';
import { withdrawAll } from '../../moving/subscriptions/withdraw.ts';
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
  const status = IMPORT_STATUSES.find((one) => one === (text ?? 'publish'));
  if (!status) throw new CommandError(`--status takes one of ${IMPORT_STATUSES.join(', ')}.`);
  return status;
}

const PLAN_OPTIONS = {
  'dry-run': { about: 'Prints the plan, record by record, and writes nothing.' },
  theirs: { about: 'Also replaces what was changed here since the last import.' },
};

const importIcal = command({
  name: 'import ical',
  summary: 'Imports the events of an iCalendar file, or of a calendar at an address.',
  words: ['FILE_OR_URL'],
  options: {
    ...PLAN_OPTIONS,
    status: { value: 'STATUS', about: 'Of new events: publish (default), pending, draft or private.' },
    categories: { value: 'NAMES', about: 'Categories of all events, separated by commas.' },
    subscribe: { about: 'Subscribes to the address: the server reads it regularly.' },
    hours: { value: 'NUMBER', about: 'Hours between two reads of a subscription: 1 to 168, by default 4.' },
  },
  notes:
    'It may run again: events are recognised by their UID, and fields that were changed here stay. Rules become series.\n' +
    'The server may be running. docs/moving.md has the details.',
  async work({ context, words: [place = ''], options, print }) {
    const isDryRun = options['dry-run'] === true;
    const status = statusOf(options.status);
    const ctx = await commandContext(context, print);
    if (options.subscribe === true) {
      if (isDryRun || options.theirs === true)
        throw new CommandError('--subscribe excludes --dry-run and --theirs. Look at the plan first, then subscribe.');
      const address = await readingSource(async () => calendarAddress(place));
      const choices = { status, categories: listOf(options.categories), hours: hoursOf(options.hours) };
      const made = await subscribe(context.db, { address, ...choices, now: toUtc(ctx.now) });
      const problem = await readSubscription(made, ctx);
      const read = await findSubscription(context.db, made.id);
      print(`Subscription ${made.id} is read every ${choices.hours} hours.`);
      if (read) for (const line of countLines(countsOf(read))) print(line);
      if (problem !== '') throw new CommandError(problem);
      return;
    }
    const result = await readingSource(async () => {
      const source = isAddress(place) ? calendarAddress(place) : CALENDAR_FILES;
      const text = isAddress(place)
        ? ((await fetchCalendar(source, { config: context.config }))?.text ?? '')
        : await readCalendarFile(place);
      return importCalendar({
        ...{ ctx, text, source, status, categories: listOf(options.categories), isDryRun },
        isTheirs: options.theirs === true,
        onPlan: (record, action, details) => {
          if (action !== 'same') print(plannedLine(record, action, details));
        },
      });
    });
    for (const line of resultLines(result)) print(line);
    if (isDryRun) print('Nothing was written.');
  },
});

const importCsv = command({
  name: 'import csv',
  summary: 'Imports a table of events, venues, organizers or attendees, from a CSV file or a workbook (.xlsx).',
  words: ['FILE'],
  options: {
    kind: { value: 'KIND', about: `Content of the rows: ${CSV_KINDS.join(', ')}.`, required: true },
    ...PLAN_OPTIONS,
    sheet: { value: 'NAME', about: 'Sheet of a workbook; by default the first one that is not hidden.' },
    map: { value: 'COLUMNS', about: 'Fields of columns: "Column=field; Column=field".' },
    status: { value: 'STATUS', about: 'Of events that name none: publish (default), pending, draft or private.' },
  },
  notes:
    'Columns are recognised by their headings, in any order: those of the importer of the original, and of our own\n' +
    'exports. It may run again, also after an interruption. docs/moving.md lists the columns.',
  async work({ context, words: [path = ''], options, print }) {
    const kind = CSV_KINDS.find((one) => one === options.kind);
    if (!kind) throw new CommandError(`--kind takes one of ${CSV_KINDS.join(', ')}.`);
    const isDryRun = options['dry-run'] === true;
    const [chosen, status] = [mapOf(options.map), statusOf(options.status)];
    const ctx = await commandContext(context, print);
    const result = await readingSource(() =>
      importTable({
        ...{ ctx, path, kind, chosen, status, isDryRun, isTheirs: options.theirs === true },
        ...(typeof options.sheet === 'string' && { sheet: options.sheet }),
        onColumns: (lines) => lines.forEach(print),
        onPlan: (record, action, details) => {
          if (action !== 'same') print(plannedLine(record, action, details));
        },
      }),
    );
    for (const line of resultLines(result)) print(line);
    if (isDryRun) print('Nothing was written.');
  },
});

/** @throws {CommandError} */
function mapOf(text: string | boolean | undefined): Map<string, string> {
  const pairs = typeof text === 'string' ? text.split(';').filter((pair) => pair.trim() !== '') : [];
  return new Map(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at < 1) throw new CommandError('--map takes "Column=field", several separated by semicolons.');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

function hoursOf(text: string | boolean | undefined): number {
  const hours = Number(text ?? 4);
  if (!Number.isInteger(hours) || hours < MIN_HOURS || hours > MAX_HOURS)
    throw new CommandError(`--hours takes a number from ${MIN_HOURS} to ${MAX_HOURS}.`);
  return hours;
}

const importSubscriptions = command({
  name: 'import subscriptions',
  summary: 'Lists the calendars that the server reads regularly, with their last results.',
  words: [],
  async work({ context, print }) {
    const all = await listSubscriptions(context.db);
    if (all.length === 0) print('There are no subscriptions.');
    for (const one of all) {
      print(`${one.id}  ${one.address}`);
      print(`    every ${one.hours} hours, new events: ${one.status}`);
      print(`    last read: ${one.checked_utc ?? 'never'}, last success: ${one.succeeded_utc ?? 'never'} (UTC)`);
      for (const line of countLines(countsOf(one))) print(`    ${line}`);
      if (one.problem !== '') print(`    ${one.problem}`);
    }
  },
});

const importUnsubscribe = command({
  name: 'import unsubscribe',
  summary: 'Ends a subscription. Its events stay.',
  words: ['ID'],
  options: { trash: { about: 'Moves its coming events to the trash, except events with sold or held tickets.' } },
  async work({ context, words: [text = ''], options, print }) {
    const one = await findSubscription(context.db, /^\d{1,9}$/.test(text) ? Number(text) : 0);
    if (!one) throw new CommandError(`There is no subscription "${text}".`);
    const ended = options.trash === true ? await withdrawAll(one, await commandContext(context, print)) : undefined;
    await removeSubscription(context.db, one.id);
    print(`The subscription of ${one.address} has ended.`);
    if (ended) print(`Moved to the trash: ${ended.withdrawn}. Kept for their tickets: ${ended.sold}.`);
  },
});

export const fileImportCommands: readonly Command[] = [importIcal, importCsv, importSubscriptions, importUnsubscribe];
