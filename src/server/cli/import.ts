import { readFile } from 'node:fs/promises';
import type { Context } from '../../base/context.ts';
import { withPresentChoices } from '../../base/site-config.ts';
import type { DemoContext } from '../../demo/context.ts';
import { Urls } from '../../http/core/urls.ts';
import { openSource, type Source, SourceError, SourceRefusal } from '../../moving/source.ts';
import type { Step } from '../../moving/steps.ts';
import { ensureAdministrator } from '../../platform/users/first-administrator.ts';
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

interface Opened {
  source: Source;
  /** Steps of a file. */
  steps?: readonly Step[];
  close(): void;
}

type Options = Readonly<Record<string, string | boolean | undefined>>;

/** Opens a running site, or a file that it was written to. @throws {CommandError} */
async function openedFrom(url: string | undefined, options: Options, { config }: Context): Promise<Opened> {
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

/** The context in which the first administrator writes, as the author of everything whose author is unknown. */
export async function commandContext(context: Context, print: (line: string) => void): Promise<DemoContext> {
  const [{ endpointOf }, { administratorContext }] = await Promise.all([
    import('../../app.ts'),
    import('../../demo/context.ts'),
  ]);
  await ensureAdministrator(context, print);
  const present = await withPresentChoices(context);
  const ctx = await administratorContext(present, endpointOf);
  const { url, languages } = present.config;
  return { ...ctx, urls: new Urls(url ?? 'http://localhost'), language: languages[0] ?? ctx.language };
}

/** Runs work that reads a source; its faults are for the operator. */
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
    theirs: { about: 'Replaces also what was changed here since the last import.' },
  },
  notes:
    'Ids and addresses stay, unless a record here has them. It may run again: what changed at the source changes here,\n' +
    'nothing is deleted. The server may be running. docs/moving.md describes a move.',
  async work({ context, words: [url], options, print }) {
    const [{ importSite }, { countLines, findingLine, goneLines, planLine }, { listFindings }] = await Promise.all([
      import('../../moving/import-site.ts'),
      import('../../moving/report.ts'),
      import('../../moving/links.ts'),
    ]);
    const isDryRun = options['dry-run'] === true;
    if (isDryRun && options.resume === true) throw new CommandError('--dry-run and --resume exclude each other.');
    const opened = await readingSource(() => openedFrom(url, options, context));
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
    if (findings.length > 0) print('To look at:');
    for (const finding of findings) print(findingLine(finding));
    for (const line of [...countLines(result.counts), ...goneLines(result)]) print(line);
    if (isDryRun) print('Nothing was written.');
  },
});

const importDiff = command({
  name: 'import diff',
  summary: 'Compares an imported site with this one, field by field.',
  words: ['URL'],
  options: {
    ...SOURCE_OPTIONS,
    as: { value: 'ADDRESS', about: 'Address under which it was imported, if it answers at another one now.' },
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

export const importCommands: readonly Command[] = [importWordpress, importDiff];
