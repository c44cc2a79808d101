import type { Database } from '../../db/database.ts';
import { unseal } from '../../lib/seal.ts';
import type { InProcessContext } from '../../platform/users/in-process-context.ts';
import { describeColumns, importTable, type TableColumn } from '../csv/import-table.ts';
import { calendarAddress, fetchCalendar, readCalendarFile } from '../ical/fetch-calendar.ts';
import { CALENDAR_FILES, importCalendar } from '../ical/import-calendar.ts';
import { importSite } from '../import-site.ts';
import type { KeyedImportOptions } from '../keyed/keyed-import.ts';
import type { Counts } from '../plan.ts';
import { openSource, SourceError } from '../source.ts';
import { insertPiece, PIECE, withFile } from './file.ts';
import { keyedRow, type NewPlanRow, siteRow } from './plan-rows.ts';
import { optionsOf, type Run, removeFile } from './store.ts';

/** Reads and writes imports of any kind. */

export interface Performing {
  run: Run;
  ctx: InProcessContext;
  isDryRun: boolean;
  /** Takes a row of the plan. */
  onRow(row: NewPlanRow): void;
  /** Called after each page; throws if the import has to stop. */
  onPage(step: string, page: number, counts: Counts): Promise<void>;
  /** Waits some milliseconds, unless the import has to stop. */
  pause(milliseconds: number): Promise<void>;
  /** Called in the transaction that begins the import. */
  onBegin(db: Database, id: number): Promise<void>;
}

export interface Performed {
  counts: Counts;
  gone: ReadonlyMap<string, number>;
}

/** Maximum size of an unpacked file, in multiples of the limit of uploads. */
const UNPACKED = 32;

/**
 * Plans or imports.
 * @throws {SourceError} with a sentence for people
 */
export function perform(performing: Performing): Promise<Performed> {
  const { run } = performing;
  if (run.kind === 'wordpress') return performSite(performing);
  if (run.kind === 'ical') return performCalendar(performing);
  if (run.kind === 'csv') return withNamedFile(performing, (path) => performTable(performing, path));
  const { kind } = run;
  return withNamedFile(performing, (path) => performFile(performing, { kind, path }));
}

/** The columns of an uploaded table. @throws {SourceError} */
export const readColumns = (db: Database, run: Run): Promise<TableColumn[]> =>
  withNamed(db, run, (path) => describeColumns(path, optionsOf(run).table));

const withNamedFile = <T>({ ctx, run }: Performing, work: (path: string) => Promise<T>): Promise<T> =>
  withNamed(ctx.context.db, run, work);

/** Replaces the temporary path in messages with the name of the uploaded file. */
const withNamed = <T>(db: Database, run: Run, work: (path: string) => Promise<T>): Promise<T> =>
  withFile(db, run, async (path) => {
    try {
      return await work(path);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      throw new SourceError(error.message.replaceAll(path, run.file_name));
    }
  });

function siteOptions({ run, ctx, isDryRun, onRow, onPage, onBegin }: Performing) {
  const { isTheirs, withMedia } = optionsOf(run);
  return {
    ...{ ctx, isDryRun, isTheirs, withMedia, onPage, onBegin },
    ...(run.import_id !== null && { importId: run.import_id }),
    onPlan: (...planned: Parameters<typeof siteRow>) => onRow(siteRow(...planned)),
  };
}

async function performSite(performing: Performing): Promise<Performed> {
  const { run, ctx, pause } = performing;
  const { config } = ctx.context;
  const credentials = run.secret === '' ? undefined : { user: run.login, password: passwordOf(run, ctx) };
  // Unlike an operator at the command line, people who use the console must not reach the network of the server.
  const source = openSource({ address: run.address, credentials, pause, allowedHosts: config.imageHosts });
  return importSite({ ...siteOptions(performing), source });
}

/** @throws {SourceError} */
function passwordOf({ secret }: Run, { context }: InProcessContext): string {
  try {
    return unseal(secret, { sealing: context.siteKey('import-password') });
  } catch {
    throw new SourceError('The secret of this server has changed since, so the password is lost. Begin again.');
  }
}

async function performFile(
  performing: Performing,
  { kind, path }: { kind: 'sql' | 'wxr'; path: string },
): Promise<Performed> {
  const { config } = performing.ctx.context;
  const { openFile } = await import('../wordpress/open-file.ts');
  const { prefix } = optionsOf(performing.run);
  const maxBytes = UNPACKED * config.importBytes;
  const opened = await openFile({ kind, file: path, maxBytes, ...(prefix !== '' && { prefix }) }, config);
  try {
    return await importSite({ ...siteOptions(performing), ...opened });
  } finally {
    opened.close();
  }
}

function keyedOptions({ run, ctx, isDryRun, onRow, onPage, onBegin }: Performing) {
  const { isTheirs, status } = optionsOf(run);
  const onBatch: KeyedImportOptions['onBatch'] = (records, counts) => onPage('', records, counts);
  return {
    ...{ ctx, isDryRun, isTheirs, status, onBegin, onBatch },
    ...(run.import_id !== null && { importId: run.import_id }),
    onPlan: (...planned: Parameters<typeof keyedRow>) => onRow(keyedRow(...planned)),
  };
}

/** @throws {SourceError} */
async function performCalendar(performing: Performing): Promise<Performed> {
  const { run, ctx, isDryRun } = performing;
  const { categories } = optionsOf(run);
  const source = run.address === '' ? CALENDAR_FILES : calendarAddress(run.address);
  // Keeps the calendar, so that the import reads the same one as the plan.
  if (run.address !== '' && isDryRun) await keepCalendar(ctx, run, source);
  const text = await withNamedFile(performing, readCalendarFile);
  return importCalendar({ ...keyedOptions(performing), text, source, categories });
}

async function keepCalendar({ context }: InProcessContext, run: Run, source: string): Promise<void> {
  const { db, config } = context;
  const fetched = await fetchCalendar(source, { config });
  const bytes = Buffer.from(fetched?.text ?? '');
  await db.transaction(async (trx) => {
    await removeFile(trx, run.id);
    for (let from = 0, number = 0; from < bytes.length; from += PIECE, number++)
      await insertPiece(trx, run.id, { number, bytes: bytes.subarray(from, from + PIECE) });
  });
}

const performTable = (performing: Performing, path: string): Promise<Performed> => {
  const { table, columns } = optionsOf(performing.run);
  return importTable({
    ...{ ...keyedOptions(performing), path, kind: table, chosen: new Map() },
    ...(columns && { columns }),
    onColumns: () => undefined,
  });
};
