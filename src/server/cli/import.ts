import { readFile, stat } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import type { Context } from '../../base/context.ts';
import { withPresentChoices } from '../../base/site-config.ts';
import { Urls } from '../../http/core/urls.ts';
import type { Following, OpenedSource } from '../../moving/follow-site.ts';
import { openSource, type Source, SourceError, SourceRefusal } from '../../moving/source.ts';
import type { InProcessContext } from '../../platform/users/in-process-context.ts';
import { ensureAdministrator } from '../../platform/users/sign-in/first-administrator.ts';
import { type Command, CommandError, command } from './command.ts';

const SOURCE_OPTIONS = {
  user: { value: 'NAME', about: 'Account at the source; without one, only what visitors see is read.' },
  'password-file': { value: 'FILE', about: 'File with its password, or an application password.' },
};

/** @throws {CommandError} */
async function sourceOf(
  address: string | undefined,
  { user, 'password-file': file, as }: Readonly<Record<string, string | boolean | undefined>>,
): Promise<Source> {
  if ((user === undefined) !== (file === undefined))
    throw new CommandError('--user and --password-file belong together.');
  const password = typeof file === 'string' ? await passwordIn(file) : '';
  const credentials = typeof user === 'string' ? { user, password } : undefined;
  return openSource({ address: address ?? '', formerAddress: textOf(as), credentials });
}

async function passwordIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(`The file "${file}" cannot be read.`);
  });
  return text.split(/\r?\n/, 1)[0] ?? '';
}

type Options = Readonly<Record<string, string | boolean | undefined>>;

/** Opens a running site, or a file or database with its content. @throws {CommandError} */
async function openedFrom(url: string | undefined, options: Options, { config }: Context): Promise<OpenedSource> {
  const { uploads, prefix, 'password-file': passwordFile } = options;
  const files = (['sql', 'wxr', 'mysql'] as const).flatMap((kind) => {
    const file = textOf(options[kind]);
    return file === undefined ? [] : [{ kind, file }];
  });
  const [first] = files;
  if (first === undefined) {
    if (uploads !== undefined || prefix !== undefined)
      throw new CommandError('--uploads and --prefix belong to --sql, --wxr or --mysql.');
    if (url === undefined)
      throw new CommandError('Name the address of the site, a file with --sql or --wxr, or a database with --mysql.');
    return { source: await sourceOf(url, options), close: () => undefined };
  }
  if (files.length > 1 || url !== undefined || options.user !== undefined)
    throw new CommandError(
      'A site is imported from its address, from --sql, from --wxr or from --mysql: name one of them.',
    );
  if (typeof passwordFile === 'string' && first.kind !== 'mysql')
    throw new CommandError('--password-file belongs to an address or to --mysql.');
  const password = typeof passwordFile === 'string' ? await passwordIn(passwordFile) : undefined;
  const { openFile } = await import('../../moving/wordpress/open-file.ts');
  return openFile({ ...first, uploads: textOf(uploads), prefix: textOf(prefix), password }, config);
}

const textOf = (option: string | boolean | undefined): string | undefined =>
  typeof option === 'string' ? option : undefined;

/** Context of the first administrator, who becomes the author of records whose author is unknown. */
export async function commandContext(context: Context, print: (line: string) => void): Promise<InProcessContext> {
  const [{ endpointOf }, { administratorContext }] = await Promise.all([
    import('../../app.ts'),
    import('../../platform/users/in-process-context.ts'),
  ]);
  await ensureAdministrator(context, print);
  const present = await withPresentChoices(context);
  const ctx = await administratorContext(present, endpointOf);
  const { url, languages } = present.config;
  return { ...ctx, urls: new Urls(url ?? 'http://localhost'), language: languages[0] ?? ctx.language };
}

/** Runs work that reads a source; faults of the source become a `CommandError`. */
export async function readingSource<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError || error instanceof SourceRefusal) throw new CommandError(error.message);
    throw error;
  }
}

const importWordpress = command({
  name: 'import wordpress',
  summary:
    'Imports events, tickets and attendees from a site of the WordPress original or of Marquee, or from its files.',
  words: ['[URL]'],
  options: {
    ...SOURCE_OPTIONS,
    sql: { value: 'FILE', about: 'SQL dump of the site instead of its address; may be compressed (.gz).' },
    wxr: { value: 'FILE', about: 'Export file of the site instead of its address.' },
    mysql: { value: 'ADDRESS', about: 'Database of the site instead: mysql://USER@HOST/DATABASE, only read.' },
    uploads: { value: 'FOLDER', about: 'Copy of wp-content/uploads, for images of --sql, --wxr and --mysql.' },
    prefix: { value: 'PREFIX', about: 'Beginning of the names of tables, if there are several sites.' },
    'dry-run': { about: 'Prints the plan, record by record, and writes nothing.' },
    resume: { about: 'Continues after an interruption.' },
    media: { about: 'Imports the whole media library, not only the images that records use.' },
    theirs: { about: 'Also replaces what was changed here since the last import.' },
    repeat: { about: 'Follows the source: imports it repeatedly, until the command is stopped.' },
    every: { value: 'TIME', about: 'Time between two passes of --repeat, such as 15m or 4h; by default 15m.' },
  },
  notes:
    'Ids and addresses stay, unless a record here has them. It may run again: what changed at the source changes here,\n' +
    'nothing is deleted. The server may be running. docs/moving.md describes a move.',
  async work({ context, words, options, print }) {
    const [url] = words;
    const [{ importSite }, { countLines, findingLine, goneLines, planLine }, { listFindings }] = await Promise.all([
      import('../../moving/import-site.ts'),
      import('../../moving/report.ts'),
      import('../../moving/links.ts'),
    ]);
    if (options.repeat === true) return repeat({ context, words, options, print });
    if (options.every !== undefined) throw new CommandError('--every belongs to --repeat.');
    const isDryRun = options['dry-run'] === true;
    if (isDryRun && options.resume === true) throw new CommandError('--dry-run and --resume exclude each other.');
    const opened = await readingSource(() => openedFrom(url, options, context));
    limitHeap();
    const ctx = await commandContext(context, print);
    const result = await readingSource(() =>
      importSite({
        ...{ source: opened.source, steps: opened.steps, ctx, isDryRun, isResumed: options.resume === true },
        ...{ isTheirs: options.theirs === true, withMedia: options.media === true },
        onPlan: (draft, plan) => {
          if (plan.action !== 'same') print(planLine(draft, plan));
          for (const { code, detail } of draft.findings)
            print(findingLine({ id: 0, import_id: 0, kind: draft.kind, foreign_id: draft.id, code, detail }));
        },
        onPage: (step, page) => {
          if (!isDryRun) print(`${step}, page ${page}`);
        },
      }),
    ).finally(opened.close);
    const findings = isDryRun ? [] : await listFindings(context.db, result.id);
    if (findings.length > 0) print('To check:');
    for (const finding of findings) print(findingLine(finding));
    for (const line of [...countLines(result.counts), ...goneLines(result)]) print(line);
    if (isDryRun) print('Nothing was written.');
  },
});

/**
 * Collects garbage once the heap has grown by half, as the flags of the server do: V8 would let it grow to a multiple under
 * a load that lasts for minutes.
 */
const limitHeap = (): void => setFlagsFromString('--heap-growing-percent=50');

/** Imports until SIGTERM or SIGINT, which ends it after the page in progress. */
async function repeat({ context, words: [url], options, print }: Repeating): Promise<void> {
  if (options['dry-run'] === true) throw new CommandError('--dry-run and --repeat exclude each other.');
  const every = millisecondsOf(options.every);
  const { followSite } = await import('../../moving/follow-site.ts');
  const reports = await reportsOf(context, print);
  const file = textOf(options.sql) ?? textOf(options.wxr);
  limitHeap();
  const stop = new AbortController();
  const abort = () => stop.abort();
  process.once('SIGTERM', abort).once('SIGINT', abort);
  try {
    await readingSource(() =>
      followSite({
        ...{ every, signal: stop.signal, isTheirs: options.theirs === true, withMedia: options.media === true },
        open: () => openedFrom(url, options, context),
        contextOf: () => commandContext(context, print),
        ...(file !== undefined && { versionOf: () => versionOf(file) }),
        ...reports,
      }),
    );
  } finally {
    process.removeListener('SIGTERM', abort).removeListener('SIGINT', abort);
  }
}

type Repeating = Pick<Parameters<Parameters<typeof command>[0]['work']>[0], 'context' | 'words' | 'options' | 'print'>;

/** Prints the result of each pass; after the first pass, only changes. */
async function reportsOf(
  context: Context,
  print: Repeating['print'],
): Promise<Pick<Following, 'onWritten' | 'onPass' | 'onProblem'>> {
  const [{ countLines, findingLine, goneLines, planLine }, { listFindings }] = await Promise.all([
    import('../../moving/report.ts'),
    import('../../moving/links.ts'),
  ]);
  const written = new Set<string>();
  let passes = 0;
  return {
    onWritten(draft, plan) {
      written.add(`${draft.kind} ${draft.id}`);
      if (passes > 0) print(planLine(draft, plan));
    },
    async onPass(pass) {
      const time = context.now().toISOString().slice(0, 19).replace('T', ' ');
      if (!pass) return print(`${time} UTC: the file is the same as before.`);
      const findings = await listFindings(context.db, pass.id);
      // Later passes find the same faults in records that have not changed.
      const found = findings.filter((one) => passes === 0 || written.has(`${one.kind} ${one.foreign_id}`));
      for (const finding of found) print(findingLine(finding));
      print(`${time} UTC: ${pass.isStopped ? 'stopped; the same command goes on' : nameOf(pass.isFull)}.`);
      for (const line of [...countLines(pass.counts), ...goneLines(pass)]) print(`  ${line}`);
      written.clear();
      passes += 1;
    },
    onProblem: (sentence) => print(`${sentence} The next attempt is at its usual time.`),
  };
}

const nameOf = (isFull: boolean): string => (isFull ? 'all records were read' : 'changed records were read');

/** Identifies the content of a file, to notice when it is replaced. */
async function versionOf(file: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(file).catch(() => {
    throw new SourceError(`The file "${file}" cannot be read.`);
  });
  return [mtimeMs, size, ino].join(' ');
}

const UNITS = { m: 60_000, h: 3_600_000 } as const;
/** Minutes. */
const [MIN_EVERY, MAX_EVERY] = [1, 7 * 24 * 60];

function millisecondsOf(text: string | boolean | undefined): number {
  const [, number = '', unit = ''] = /^(\d{1,5})(m|h)$/.exec(textOf(text) ?? '15m') ?? [];
  const every = Number(number) * (UNITS[unit as keyof typeof UNITS] ?? 0);
  if (every < MIN_EVERY * UNITS.m || every > MAX_EVERY * UNITS.m)
    throw new CommandError('--every takes minutes or hours, from 1m to 168h.');
  return every;
}

const importDiff = command({
  name: 'import diff',
  summary: 'Compares an imported site with this one, field by field.',
  words: ['URL'],
  options: {
    ...SOURCE_OPTIONS,
    as: { value: 'ADDRESS', about: 'Address under which it was imported, if it has another one now.' },
  },
  notes: 'Exits with status 1 if anything differs beyond the known differences, which docs/moving.md lists.',
  async work({ context, words: [url], options, print }) {
    const { diffSite } = await import('../../moving/diff.ts');
    const source = await readingSource(() => sourceOf(url, options));
    const ctx = await commandContext(context, print);
    const { records, differences } = await readingSource(() =>
      diffSite({
        source,
        ctx,
        onDifference({ kind, id, field, there, here, isKnown }) {
          const about = field === '' ? 'the record' : field;
          print(`${isKnown ? 'known: ' : ''}${kind} ${id}, ${about}: there ${there}, here ${here}`);
        },
      }),
    );
    print(`Records compared: ${records}.`);
    if (differences > 0) throw new CommandError(`Differences: ${differences}.`);
    print('The sites agree.');
  },
});

const importUndo = command({
  name: 'import undo',
  summary: 'Undoes an import, as long as nothing of it was sold or checked in here.',
  words: ['[ID]'],
  options: {
    'dry-run': { about: 'Prints what would happen, record by record, and writes nothing.' },
    'except-sold': { about: 'Undoes the rest although some was sold or checked in here.' },
  },
  notes:
    'Without an id, lists the imports that can be undone. What an import created is removed for good, what it changed gets\n' +
    'its former values back; records that were changed here since stay and are named. After an interruption, the same\n' +
    'command goes on.',
  async work({ context, words: [text], options, print }) {
    const [{ listUndoable, undoImport, UndoRefused }, { countLines, undoneLine }] = await Promise.all([
      import('../../moving/undo/undo-import.ts'),
      import('../../moving/report.ts'),
    ]);
    if (text === undefined) {
      const all = await listUndoable(context.db, MAX_LISTED);
      if (all.length === 0) print('There is no import to undo.');
      for (const { id, started_utc, source, records } of all)
        print(`${id}  ${started_utc} UTC  ${source}  records: ${records}`);
      return;
    }
    if (!/^\d{1,9}$/.test(text)) throw new CommandError(`There is no import "${text}".`);
    const isDryRun = options['dry-run'] === true;
    const ctx = await commandContext(context, print);
    try {
      const { counts } = await undoImport(ctx, Number(text), {
        ...{ isDryRun, exceptSold: options['except-sold'] === true },
        onRecord: (record) => print(undoneLine(record)),
      });
      for (const line of countLines(counts)) print(line);
      if (isDryRun) print('Nothing was written.');
    } catch (error) {
      if (!(error instanceof UndoRefused)) throw error;
      for (const record of error.records) print(undoneLine({ ...record, outcome: 'kept' }));
      const isSold = error.code === 'import-sold';
      throw new CommandError(isSold ? `${error.message} With --except-sold, these stay.` : error.message);
    }
  },
});

/** Maximum number of listed imports. */
const MAX_LISTED = 50;

export const importCommands: readonly Command[] = [importWordpress, importDiff, importUndo];
