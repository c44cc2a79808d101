import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { IMPORT_ACTIONS, IMPORT_KINDS, IMPORT_STATES } from '../../db/tables/import.ts';
import { isOneOf } from '../../db/value-list.ts';
import { utcTime } from '../../http/output/output.ts';
import { CSV_KINDS, fieldsOfKind } from '../csv/columns.ts';
import { findKey } from '../keyed/keys.ts';
import { ADDRESS_CODES, findImport, findLink, findRecordIds, type LinkKind } from '../links.ts';
import { readCounts } from '../plan.ts';
import { sentenceOf } from '../report.ts';
import type { PlanRow } from './plan-rows.ts';
import { columnsOf, DISCARDABLE, optionsOf, type Run, sumOf } from './store.ts';

/** Imports, their plans and their findings as responses. */

const countsSchema = z
  .record(z.string(), z.record(z.string(), z.int()))
  .describe(
    'Numbers of records by outcome and kind. Outcomes are `created`, `changed`, `same`, `conflict` and `cannot`; after an undo also `removed`, `restored` and `kept`.',
  );

export const importSchema = z
  .object({
    id: z.int(),
    kind: z
      .enum(IMPORT_KINDS)
      .describe(
        '`wordpress`: a running site. `wxr`, `sql`: an export file or a dump of one. `ical`: a calendar. `csv`: a table.',
      ),
    state: z
      .enum(IMPORT_STATES)
      .describe(
        '`uploading`: waits for parts of the file. `mapping`: the columns of a table wait for confirmation. `planning`, `importing`, `undoing`: in the background. `planned`: waits to be started.',
      ),
    file_name: z.string().describe('Empty for an import from an address.'),
    address: z.string().describe('Empty for a file.'),
    user: z.int().describe('Account that created it.'),
    size: z.int().describe('Bytes of the file.'),
    received: z.int().describe('Bytes that have arrived.'),
    status: z.string().describe('Status of new events of a calendar or a table.'),
    categories: z.array(z.string()).describe('Categories of all events of a calendar.'),
    theirs: z.boolean().describe('Whether the source replaces what was changed here.'),
    media: z.boolean().describe('Whether the whole media library is imported.'),
    rows: z.enum(CSV_KINDS).describe('Content of the rows of a table.'),
    step: z.string().describe('Step in progress, such as a kind of record.'),
    page: z.int().describe('Page of the step; for calendars and tables, the number of records read.'),
    done: z.int().describe('Records so far.'),
    total: z.int().nullable().describe('Number of records in the plan; null while it is being made.'),
    planned: countsSchema,
    counts: countsSchema,
    gone: z.record(z.string(), z.int()).describe('Records that the source no longer has, by kind. They stay.'),
    problem: z
      .enum(['', 'source', 'crashed', 'internal', 'undo', 'account'])
      .describe(
        'Why it failed. `source`: see `detail`. `crashed`: the server stopped several times while it ran. `internal`: the log of the server has the reason. `undo`: it cannot be undone, see `detail`. `account`: the account that started it was deleted or has lost its rights.',
      ),
    detail: z.string().describe('Sentence about the problem.'),
    is_stopping: z.boolean().describe('Whether it stops after the current page.'),
    is_startable: z.boolean().describe('Whether it can be started, or continued.'),
    is_undoable: z.boolean(),
    is_discardable: z.boolean().describe('Whether its file and its plan can be erased.'),
    needs_password: z
      .boolean()
      .describe('Whether its start needs the password again: the password is erased when the import ends.'),
    created_utc: utcTime,
    begun_utc: utcTime.nullable(),
    finished_utc: utcTime.nullable(),
    erased_utc: utcTime.nullable().describe('Time at which file and plan were erased.'),
  })
  .meta({ id: 'Import', description: 'An import of records from another site, a file or a calendar.' });

export const importDetailsSchema = importSchema
  .extend({
    columns: z
      .array(z.object({ heading: z.string(), field: z.string(), samples: z.array(z.string()) }))
      .describe('Columns of a table, each with its recognised or chosen field; empty for none.'),
    fields: z.array(z.string()).describe('Fields to which columns of a table can be mapped.'),
    findings: z
      .array(z.object({ code: z.string(), message: z.string(), count: z.int() }))
      .describe('Findings by code. The messages are in English.'),
  })
  .meta({ id: 'ImportDetails', description: 'An import with its columns and the numbers of its findings.' });

/** Whether an import can be started or continued: it is planned, does not run, and its file is still there. */
export const isStartable = ({ state, planned_utc, erased_utc }: Run): boolean =>
  planned_utc !== null && erased_utc === null && (state === 'planned' || state === 'failed' || state === 'cancelled');

export const isUndoable = ({ state, import_id }: Run): boolean =>
  import_id !== null && (state === 'finished' || state === 'failed' || state === 'cancelled');

/** Whether a site was read with an account whose password has been erased. */
export const needsPassword = (run: Run): boolean =>
  run.kind === 'wordpress' && run.secret === '' && optionsOf(run).hasAccount && isStartable(run);

export function renderImport(run: Run): z.output<typeof importSchema> {
  const { id, kind, state, file_name, address, created_utc, begun_utc, finished_utc, erased_utc } = run;
  const { status, categories, isTheirs, withMedia, table } = optionsOf(run);
  const planned = readCounts(run.plan_counts);
  return {
    ...{ id, kind, state, file_name, address, user: run.user_id },
    ...{ size: Number(run.size), received: Number(run.received) },
    ...{ status, categories: [...categories], theirs: isTheirs, media: withMedia, rows: table },
    ...{ step: run.step, page: run.page, done: run.done, total: run.planned_utc === null ? null : sumOf(planned) },
    ...{ planned, counts: readCounts(run.counts), gone: JSON.parse(run.gone) as Record<string, number> },
    // Written by the job.
    ...{ problem: run.problem as z.output<typeof importSchema>['problem'], detail: run.detail },
    ...{ is_stopping: run.is_stopping === 1, is_startable: isStartable(run), is_undoable: isUndoable(run) },
    is_discardable: run.erased_utc === null && DISCARDABLE.includes(run.state),
    ...{ needs_password: needsPassword(run), created_utc, begun_utc, finished_utc, erased_utc },
  };
}

export async function renderDetails(db: Database, run: Run): Promise<z.output<typeof importDetailsSchema>> {
  const { table, columns: chosen } = optionsOf(run);
  const columns = columnsOf(run).map((column, index) => ({ ...column, field: chosen?.[index] ?? column.field }));
  return {
    ...renderImport(run),
    columns,
    fields: run.kind === 'csv' ? fieldsOfKind(table) : [],
    findings: await countFindings(db, run.import_id),
  };
}

async function countFindings({ query }: Database, importId: number | null) {
  if (importId === null) return [];
  const rows = await query
    .selectFrom('import_findings')
    .select(['code', ({ fn }) => fn.countAll().as('count')])
    .where('import_id', '=', importId)
    .where('code', 'not in', ADDRESS_CODES)
    .groupBy('code')
    .orderBy('code')
    .execute();
  return rows.map(({ code, count }) => ({ code, message: sentenceOf(code), count: Number(count) }));
}

const recordSchema = z
  .object({ kind: z.string(), id: z.int() })
  .nullable()
  .describe('The record on this site, once it is imported.');

export const planRowSchema = z
  .object({
    number: z.int().describe('From 1, in the order of the source.'),
    action: z.enum(IMPORT_ACTIONS),
    kind: z.string(),
    foreign_id: z.int().describe('Id at the source; for a file, the line.'),
    title: z.string(),
    fields: z
      .array(z.string())
      .describe('Fields that change; for a `conflict`, fields that were changed here and stay.'),
    notes: z
      .array(z.object({ code: z.string(), message: z.string(), detail: z.string() }))
      .describe('Notes on the record; for `cannot`, the first note is the reason. The messages are in English.'),
    record: recordSchema,
  })
  .meta({ id: 'ImportPlanRow', description: 'What an import would do with a record.' });

export const findingSchema = z
  .object({
    id: z.int(),
    kind: z.string().describe('Kind of the record; `line` for a line of a file, empty for the import as a whole.'),
    foreign_id: z.int().describe('Id at the source, or the line; 0 for the import as a whole.'),
    code: z.string(),
    message: z.string().describe('Sentence in English.'),
    detail: z.string(),
    record: recordSchema,
  })
  .meta({ id: 'ImportFinding', description: 'A note or problem to review after an import.' });

/** Kinds of rows that have links. */
const isLinkKind = (kind: string): kind is LinkKind => kind !== '' && kind !== 'line';

/** Ids here of the records that rows are about, by kind and id at the source. */
async function findRecords(
  db: Database,
  source: string,
  rows: readonly { kind: string; foreign_id: number }[],
): Promise<(row: { kind: string; foreign_id: number }) => number | undefined> {
  const found = new Map<string, number>();
  for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.kind)) {
    if (!isLinkKind(kind)) continue;
    const ids = await findRecordIds(
      db,
      source,
      kind,
      ofKind.map(({ foreign_id }) => Number(foreign_id)),
    );
    for (const [foreign, id] of ids) found.set(`${kind} ${foreign}`, id);
  }
  return ({ kind, foreign_id }) => found.get(`${kind} ${foreign_id}`);
}

const recordOf = (kind: string, id: number | null | undefined) => (id == null ? null : { kind, id: Number(id) });

export async function renderPlan(
  db: Database,
  run: Run,
  rows: readonly PlanRow[],
): Promise<z.output<typeof planRowSchema>[]> {
  const source = run.import_id === null ? undefined : (await findImport(db, run.import_id))?.source;
  const recordAt = source === undefined ? undefined : await recordFinder(db, source, rows);
  return Promise.all(
    rows.map(async (row) => {
      const { number, action, kind, title } = row;
      return {
        ...{ number, action, kind, foreign_id: Number(row.foreign_id), title },
        // Written by the plan.
        fields: JSON.parse(row.fields) as string[],
        notes: (JSON.parse(row.notes) as { code: string; detail: string }[]).map((note) => ({
          ...note,
          message: sentenceOf(note.code),
        })),
        record: recordOf(kind, await recordAt?.(row)),
      };
    }),
  );
}

async function recordFinder(
  db: Database,
  source: string,
  rows: readonly PlanRow[],
): Promise<(row: PlanRow) => Promise<number | null | undefined>> {
  const ofSite = await findRecords(
    db,
    source,
    rows.filter(({ name }) => name === ''),
  );
  return async (row) => {
    if (row.name === '') return ofSite(row);
    if (!isLinkKind(row.kind)) return undefined;
    const key = await findKey(db, source, row.kind, row.name);
    return key && (await findLink(db, source, row.kind, key.id))?.record_id;
  };
}

export interface FindingFilter {
  kind?: string | undefined;
  code?: string | undefined;
}

/** Findings of an import, in the order of the records. */
export async function listFindingRows(
  db: Database,
  run: Run,
  { limit, offset, kind, code }: FindingFilter & { limit: number; offset: number },
): Promise<{ findings: z.output<typeof findingSchema>[]; total: number }> {
  const filtered = () =>
    db.query
      .selectFrom('import_findings')
      .where((eb) => isOneOf(eb.ref('import_id'), run.import_id === null ? [] : [run.import_id]))
      .where('code', 'not in', ADDRESS_CODES)
      .$if(kind !== undefined, (rows) => rows.where('kind', '=', kind ?? ''))
      .$if(code !== undefined, (rows) => rows.where('code', '=', code ?? ''));
  const counted = await filtered()
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirst();
  const rows = await filtered()
    .selectAll()
    .orderBy('kind')
    .orderBy('foreign_id')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  const source = run.import_id === null ? undefined : (await findImport(db, run.import_id))?.source;
  const recordAt = await findRecords(db, source ?? '', rows);
  const findings = rows.map((row) => ({
    ...{ id: row.id, kind: row.kind, foreign_id: Number(row.foreign_id), code: row.code, detail: row.detail },
    ...{ message: sentenceOf(row.code), record: recordOf(row.kind, recordAt(row)) },
  }));
  return { findings, total: Number(counted?.count ?? 0) };
}
