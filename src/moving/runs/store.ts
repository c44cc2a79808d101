import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import type { ImportKind, ImportRunsTable, ImportState } from '../../db/tables/import.ts';
import { isOneOf } from '../../db/value-list.ts';
import { addSeconds, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import type { CsvKind } from '../csv/columns.ts';
import type { TableColumn } from '../csv/import-table.ts';
import type { Counts } from '../plan.ts';

/** Imports that the server runs in the background. Each waits for its file, its plan, and a user who starts it. */

export type Run = Selectable<ImportRunsTable>;

/** Options of an import, chosen by the user who creates it. */
export interface RunOptions {
  /** Status of new events of a calendar or a table. */
  status: string;
  categories: readonly string[];
  /** Whether the source replaces what was changed here. */
  isTheirs: boolean;
  withMedia: boolean;
  /** Content of the rows of a table. */
  table: CsvKind;
  /** Beginning of the names of tables in a dump. */
  prefix: string;
  /** Whether a site is read with an account, whose password may have been erased. */
  hasAccount: boolean;
  /** Whether an undo keeps sold tickets and undoes the rest. */
  exceptSold: boolean;
  /** Field of each column of a table, once a person has confirmed them. */
  columns: readonly string[] | null;
  /** Account that asked for the current work, and how it had signed in; absent for the account that made the import. */
  by?: Pick<Run, 'user_id' | 'means'>;
}

// Written by the endpoints.
export const optionsOf = ({ options }: Run): RunOptions => JSON.parse(options) as RunOptions;
export const columnsOf = ({ columns }: Run): TableColumn[] =>
  columns === '' ? [] : (JSON.parse(columns) as TableColumn[]);

/** Number of records in counts. Images are left out, since they come with other records. */
export const sumOf = (counts: Counts): number =>
  Object.values(counts)
    .flatMap((kinds) => Object.entries(kinds))
    .reduce((sum, [kind, count]) => (kind === 'media' ? sum : sum + count), 0);

export const insertRun = (db: Database, values: Insertable<ImportRunsTable>): Promise<Run> =>
  db.query.insertInto('import_runs').values(values).returningAll().executeTakeFirstOrThrow();

export const findRun = ({ query }: Database, id: number): Promise<Run | undefined> =>
  query.selectFrom('import_runs').selectAll().where('id', '=', id).executeTakeFirst();

export interface RunFilter {
  state?: ImportState | undefined;
  kind?: ImportKind | undefined;
}

const filtered = ({ query }: Database, { state, kind }: RunFilter) =>
  query
    .selectFrom('import_runs')
    .$if(state !== undefined, (runs) => runs.where('state', '=', state ?? 'failed'))
    .$if(kind !== undefined, (runs) => runs.where('kind', '=', kind ?? 'csv'));

/** Lists imports, latest first. */
export async function listRuns(
  db: Database,
  filter: RunFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ runs: Run[]; total: number }> {
  const counted = await filtered(db, filter)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirst();
  const runs = await filtered(db, filter).selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { runs, total: Number(counted?.count ?? 0) };
}

/**
 * Changes an import in one of some states, or moves it to another state; a race has one winner.
 * @returns undefined if the import is in none of the given states
 */
export const changeRun = (
  { query }: Database,
  id: number,
  states: readonly ImportState[],
  changes: Updateable<ImportRunsTable>,
): Promise<Run | undefined> =>
  query
    .updateTable('import_runs')
    .set(changes)
    .where('id', '=', id)
    .where((eb) => isOneOf(eb.ref('state'), states))
    .returningAll()
    .executeTakeFirst();

/** States in which a background job has something to do. */
export const BUSY_STATES = ['planning', 'importing', 'undoing'] as const satisfies readonly ImportState[];

/**
 * Number of imports at work at the same time. Until it ends, an import belongs to the lane that has taken it, even
 * after the process has died. The first lane takes only files and undos, so that slow sites never delay those.
 */
export const LANES = 3;

/** Prefix of the owner of an import in a lane. */
export const laneMark = (lane: number): string => `${lane}-`;

/**
 * The import that a lane was working on, or the one that has waited longest and may run beside the imports of other
 * lanes.
 */
export async function findWaiting({ query }: Database, lane: number): Promise<Run | undefined> {
  const busy = await query
    .selectFrom('import_runs')
    .selectAll()
    .where('state', 'in', [...BUSY_STATES])
    .orderBy('changed_utc')
    .orderBy('id')
    .execute();
  const isMine = ({ owner }: Run) => owner.startsWith(laneMark(lane)) || (lane === 0 && isWithoutLane(owner));
  const atWork = busy.filter(({ owner }) => owner !== '');
  const mayRun = ({ owner, state, address }: Run) =>
    owner === '' &&
    (lane > 0 || address === '' || state === 'undoing') &&
    !atWork.some((other) => isInTheWay(other, { state, address }));
  return busy.find(isMine) ?? busy.find(mayRun);
}

/** Owners that were written when there was one lane have no mark. */
const isWithoutLane = (owner: string): boolean => owner !== '' && !owner.includes('-');

/**
 * Whether an import has to wait for another one: both have the same address, or one is an undo and the other writes.
 */
const isInTheWay = (other: Run, { state, address }: Pick<Run, 'state' | 'address'>): boolean =>
  (address !== '' && other.address === address) ||
  (state === 'undoing' && other.state !== 'planning') ||
  (other.state === 'undoing' && state !== 'planning');

/** States in which an import can be discarded: it writes no records, and may have a file or a plan. */
export const DISCARDABLE: readonly ImportState[] = [
  'uploading',
  'mapping',
  'planning',
  'planned',
  'failed',
  'cancelled',
];

/** Imports that are not finished, and whose files are kept. */
const openRuns = ({ query }: Database) =>
  query.selectFrom('import_runs').where('erased_utc', 'is', null).where('state', 'not in', ['finished', 'undone']);

/** Counts open imports of an account and of all, and the bytes of their files. */
export async function countOpen(db: Database, user: number): Promise<{ mine: number; all: number; bytes: number }> {
  const rows = await openRuns(db).select(['user_id', 'size']).execute();
  return {
    mine: rows.filter(({ user_id }) => user_id === user).length,
    all: rows.length,
    bytes: rows.reduce((sum, { size }) => sum + Number(size), 0),
  };
}

/** Records the progress of an attempt; false if the import was stopped, or another attempt has it. */
export async function noteProgress(
  { query }: Database,
  { id, state, owner }: Pick<Run, 'id' | 'state' | 'owner'>,
  changes: Updateable<ImportRunsTable>,
): Promise<boolean> {
  const noted = await query
    .updateTable('import_runs')
    .set(changes)
    .where('id', '=', id)
    .where('state', '=', state)
    .where('owner', '=', owner)
    .where('is_stopping', '=', 0)
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

const DAY = 86_400;
/** Seconds after the last change of an import for which its file and its plan are kept. */
const KEEP = 7 * DAY;

/** Seconds without a part after which an upload ends. */
const KEEP_UPLOAD = DAY;

/** Imports whose files and plans are due to be erased. */
const findExpired = ({ query }: Database, now: LocalTime, limit: number): Promise<Run[]> =>
  query
    .selectFrom('import_runs')
    .selectAll()
    .where('erased_utc', 'is', null)
    .where((eb) =>
      eb.or([
        eb('changed_utc', '<', addSeconds(now, -KEEP)),
        eb.and([eb('state', '=', 'uploading'), eb('changed_utc', '<', addSeconds(now, -KEEP_UPLOAD))]),
      ]),
    )
    .where('state', 'not in', [...BUSY_STATES])
    .orderBy('changed_utc')
    .orderBy('id')
    .limit(limit)
    .execute();

export const removeFile = ({ query }: Database, id: number) =>
  query.deleteFrom('import_chunks').where('run_id', '=', id).execute();

export const removePlan = ({ query }: Database, id: number) =>
  query.deleteFrom('import_plans').where('run_id', '=', id).execute();

/** Maximum number of imports in a run of the periodic job. */
const PER_RUN = 20;

/**
 * Erases files and plans a week after the last change of their imports, or a day after the last part of an upload.
 * Imports that were not started are cancelled.
 */
export async function eraseImports({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  const utc = toUtc(now());
  for (const { id, state } of await findExpired(db, utc, PER_RUN))
    await db.transaction(async (trx) => {
      const isOpen = state === 'uploading' || state === 'mapping' || state === 'planned';
      const erased = { erased_utc: utc, login: '', secret: '' };
      // It may have been started since.
      if (!(await changeRun(trx, id, [state], isOpen ? { ...erased, state: 'cancelled', finished_utc: utc } : erased)))
        return;
      await removeFile(trx, id);
      await removePlan(trx, id);
    });
}
