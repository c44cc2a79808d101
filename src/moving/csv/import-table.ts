import type { Database } from '../../db/database.ts';
import type { CsvRow } from '../../lib/text/csv-reader.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { fold } from '../../lib/text/text.ts';
import type { InProcessContext } from '../../platform/users/in-process-context.ts';
import {
  importKeyed,
  type KeyedImportOptions,
  type KeyedImportResult,
  type LineFinding,
} from '../keyed/keyed-import.ts';
import type { KeyedRecord } from '../keyed/keyed-record.ts';
import { SourceError } from '../source.ts';
import { withTicket } from './attendee-tickets.ts';
import { type ColumnMap, type CsvKind, chosenColumns, fieldsOfKind, mapColumns, missingFields } from './columns.ts';
import { openTable } from './open-table.ts';
import { recordOf } from './row-records.ts';

/** Imports tables. Rows are read only as fast as their records are written, so files may have any size. */

/** Records of all tables share one source, so that a corrected file changes the same records. */
const SOURCE = 'csv:files';
const MAX_LINE_FINDINGS = 1000;
/** Maximum number of attendees in a file: each is compared with earlier ones of the same values. */
const MAX_ATTENDEES = 500_000;

export interface TableImportOptions
  extends Pick<KeyedImportOptions, 'isDryRun' | 'isTheirs' | 'onPlan' | 'onBatch' | 'importId' | 'onBegin'> {
  ctx: InProcessContext;
  path: string;
  /** Sheet of a workbook; by default the first one that is not hidden. */
  sheet?: string;
  kind: CsvKind;
  /** Fields by heading. */
  chosen: ReadonlyMap<string, string>;
  status: string;
  /** Field of each column, instead of the recognised ones. */
  columns?: readonly string[];
  onColumns(lines: readonly string[]): void;
}

/**
 * Imports a table.
 * @throws {SourceError} for a file that cannot be read, or that lacks required columns
 */
export async function importTable(options: TableImportOptions): Promise<KeyedImportResult> {
  const { path, sheet, kind, chosen } = options;
  const unknown = [...chosen.values()].find((field) => !fieldsOfKind(kind).includes(field));
  if (unknown !== undefined)
    throw new SourceError(`There is no field "${unknown}". The fields are: ${fieldsOfKind(kind).join(', ')}.`);
  const { rows, about } = await openTable(path, { sheet });
  try {
    return await importRows(rows, about, options);
  } finally {
    // A file with too few columns is not read to its end.
    await rows.return(undefined);
  }
}

/** @throws {SourceError} */
async function importRows(
  rows: AsyncGenerator<CsvRow>,
  about: string,
  options: TableImportOptions,
): Promise<KeyedImportResult> {
  const { ctx, path: _path, kind, chosen, columns: given, status, onColumns, ...rest } = options;
  const headings = await headingsOf(rows);
  const columns = given ? chosenColumns(headings, given) : mapColumns(kind, headings, chosen);
  checkColumns(kind, columns, headings);
  onColumns([
    about,
    ...[...columns.fields].map(([field, column]) => `  ${headings[column]} → ${field}`),
    ...columns.unknown.map((heading) => `  ${heading} is not imported`),
  ]);
  const findings: LineFinding[] = [];
  const { timezone } = ctx.context.config;
  const reading = { siteZone: timezone, now: ctx.now, status, repetition: createCounter() };
  return importKeyed({
    ...{ ...rest, ctx, source: SOURCE, findSame: findSameEvent, prepare: withTicket },
    lineFindings: () => findings,
    records: records(rows, { kind, columns, width: headings.length, findings }, reading),
  });
}

/** @throws {SourceError} */
async function headingsOf(rows: AsyncGenerator<CsvRow>): Promise<string[]> {
  const header = await rows.next();
  if (header.done) throw new SourceError('The file is empty.');
  return header.value.cells.map((cell) => cell.replace(/^\uFEFF/, '').trim());
}

/** Number of sample rows in a description of columns. */
const SAMPLES = 3;
const MAX_SAMPLE = 100;
const MAX_COLUMNS = 200;

/** A column of a table, with its recognised field; empty for none. */
export interface TableColumn {
  heading: string;
  field: string;
  samples: string[];
}

/** Sample of a cell, as a text that both databases can store. */
const sampleOf = (cell: string): string => cell.replaceAll('\0', '').slice(0, MAX_SAMPLE).toWellFormed();

/** Describes the columns of a table. @throws {SourceError} */
export async function describeColumns(path: string, kind: CsvKind): Promise<TableColumn[]> {
  const { rows } = await openTable(path);
  try {
    return await describeRows(rows, kind);
  } finally {
    await rows.return(undefined);
  }
}

/** @throws {SourceError} */
async function describeRows(rows: AsyncGenerator<CsvRow>, kind: CsvKind): Promise<TableColumn[]> {
  const headings = await headingsOf(rows);
  if (headings.length > MAX_COLUMNS) throw new SourceError(`The file has more than ${MAX_COLUMNS} columns.`);
  const { fields } = mapColumns(kind, headings, new Map());
  const names = new Map([...fields].map(([field, column]) => [column, field]));
  const columns = headings.map((heading, column) => ({
    ...{ heading: sampleOf(heading), field: names.get(column) ?? '', samples: [] as string[] },
  }));
  let left = SAMPLES;
  for await (const { cells, problem } of rows) {
    if (problem) continue;
    for (const [column, { samples }] of columns.entries()) samples.push(sampleOf(cells[column] ?? ''));
    left -= 1;
    if (left === 0) break;
  }
  return columns;
}

/** @throws {SourceError} */
function checkColumns(kind: CsvKind, { fields, missing }: ColumnMap, headings: readonly string[]): void {
  const [heading] = missing;
  if (heading !== undefined) throw new SourceError(`The file has no column "${heading}".`);
  const lacking = missingFields(kind, fields);
  if (!lacking) return;
  const shown = headings.join(', ').slice(0, 300);
  throw new SourceError(
    `No column is known as ${lacking.join(' or ')}. The file has: ${shown}. Name it: --map "Column=${lacking[0]}".`,
  );
}

interface Table {
  kind: CsvKind;
  columns: ColumnMap;
  width: number;
  findings: LineFinding[];
}

async function* records(
  rows: AsyncIterable<CsvRow>,
  { kind, columns, width, findings }: Table,
  reading: Parameters<typeof recordOf>[3],
): AsyncGenerator<KeyedRecord> {
  const note = (finding: LineFinding): void => {
    if (findings.length < MAX_LINE_FINDINGS) findings.push(finding);
  };
  let count = 0;
  for await (const { cells, line, problem, failed = 0 } of rows) {
    if (problem) {
      note({ code: problem, detail: '', line });
      continue;
    }
    count += 1;
    if (kind === 'attendees' && count > MAX_ATTENDEES) {
      note({ code: 'too-many-rows', detail: String(MAX_ATTENDEES), line });
      return;
    }
    if (failed > 0) note({ code: 'formula-failed', detail: String(failed), line });
    if (cells.slice(width).some((cell) => cell.trim() !== ''))
      note({ code: 'row-long', detail: String(cells.length), line });
    yield recordOf(kind, line, (field) => cells[columns.fields.get(field) ?? -1] ?? '', reading);
  }
}

/** Counts rows with the same values. */
function createCounter(): (row: string) => number {
  const seen = new Map<string, number>();
  return (row) => {
    const count = (seen.get(row) ?? 0) + 1;
    seen.set(row, count);
    return count;
  };
}

/** An event of this site with the same title and start. */
async function findSameEvent(db: Database, { kind, fields, title }: KeyedRecord): Promise<number | undefined> {
  if (kind !== 'event') return undefined;
  const start = scalarText(fields.start_date) ?? '';
  const row = await db.query
    .selectFrom('events')
    .select('id')
    .where('title_key', '=', fold(title))
    .where('start_date', 'like', `${start}%`)
    .where('status', '<>', 'trash')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}
