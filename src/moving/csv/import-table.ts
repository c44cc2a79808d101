import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Database } from '../../db/database.ts';
import type { DemoContext } from '../../demo/context.ts';
import { type CsvRow, readCsv, separatorOf } from '../../lib/text/csv-reader.ts';
import { type Encoding, encodingOf } from '../../lib/text/decode-text.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { fold } from '../../lib/text/text.ts';
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
import { recordOf } from './row-records.ts';

/** Imports of tables: rows are read as they are written, so that the size of the file does not matter. */

/** Records of all tables share one source, so that a corrected file changes the same ones. */
const SOURCE = 'csv:files';
/** Bytes by which encoding and separator are recognised. */
const BEGINNING = 1_000_000;
const MAX_LINE_FINDINGS = 1000;
/** Attendees of a file: they are told apart from earlier ones with the same values. */
const MAX_ATTENDEES = 500_000;

export interface TableImportOptions
  extends Pick<KeyedImportOptions, 'isDryRun' | 'isTheirs' | 'onPlan' | 'onBatch' | 'importId' | 'onBegin'> {
  ctx: DemoContext;
  path: string;
  kind: CsvKind;
  /** Fields by heading. */
  chosen: ReadonlyMap<string, string>;
  status: string;
  /** Field of each column, in place of the recognised ones. */
  columns?: readonly string[];
  onColumns(lines: readonly string[]): void;
}

/**
 * Imports a table.
 * @throws {SourceError} for a file that cannot be read, or whose columns are not enough
 */
export async function importTable(options: TableImportOptions): Promise<KeyedImportResult> {
  const { ctx, path, kind, chosen, columns: given, status, onColumns, ...rest } = options;
  const unknown = [...chosen.values()].find((field) => !fieldsOfKind(kind).includes(field));
  if (unknown !== undefined)
    throw new SourceError(`There is no field "${unknown}". The fields are: ${fieldsOfKind(kind).join(', ')}.`);
  const { encoding, separator, rows, headings } = await openTable(path);
  const columns = given ? chosenColumns(headings, given) : mapColumns(kind, headings, chosen);
  checkColumns(kind, columns, headings);
  onColumns([
    `Read as ${encoding}, separated by ${separator === '\t' ? 'tabs' : `"${separator}"`}.`,
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

/** A table whose headings have been read. @throws {SourceError} */
async function openTable(path: string) {
  const { encoding, separator } = await recognise(path);
  const rows = readCsv(textOf(path, encoding), separator);
  const header = await rows.next();
  if (header.done) throw new SourceError('The file is empty.');
  const headings = header.value.cells.map((cell) => cell.replace(/^\uFEFF/, '').trim());
  return { encoding, separator, rows, headings };
}

/** Rows that a description of columns shows. */
const SAMPLES = 3;
const MAX_SAMPLE = 100;
const MAX_COLUMNS = 200;

/** A column of a table, with the field that it seems to be; empty for none. */
export interface TableColumn {
  heading: string;
  field: string;
  samples: string[];
}

/** Describes the columns of a table. @throws {SourceError} */
export async function describeColumns(path: string, kind: CsvKind): Promise<TableColumn[]> {
  const { rows, headings } = await openTable(path);
  if (headings.length > MAX_COLUMNS) throw new SourceError(`The file has more than ${MAX_COLUMNS} columns.`);
  const { fields } = mapColumns(kind, headings, new Map());
  const names = new Map([...fields].map(([field, column]) => [column, field]));
  const columns = headings.map((heading, column) => ({
    ...{ heading: heading.slice(0, MAX_SAMPLE), field: names.get(column) ?? '', samples: [] as string[] },
  }));
  let left = SAMPLES;
  for await (const { cells, problem } of rows) {
    if (problem) continue;
    for (const [column, { samples }] of columns.entries()) samples.push((cells[column] ?? '').slice(0, MAX_SAMPLE));
    left -= 1;
    if (left === 0) break;
  }
  return columns;
}

/** @throws {SourceError} */
async function recognise(path: string): Promise<{ encoding: Encoding; separator: string }> {
  try {
    const file = await open(path);
    try {
      const buffer = Buffer.alloc(BEGINNING);
      const { bytesRead } = await file.read(buffer, 0, BEGINNING, 0);
      const beginning = buffer.subarray(0, bytesRead);
      const encoding = encodingOf(beginning);
      return { encoding, separator: separatorOf(new TextDecoder(encoding).decode(beginning)) };
    } finally {
      await file.close();
    }
  } catch {
    throw new SourceError(`The file "${path}" cannot be read.`);
  }
}

async function* textOf(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of createReadStream(path))
    yield decoder.decode(chunk as Buffer, { stream: true }).replaceAll('\0', '');
  yield decoder.decode();
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
  for await (const { cells, line, problem } of rows) {
    if (problem) {
      note({ code: problem, detail: '', line });
      continue;
    }
    count += 1;
    if (kind === 'attendees' && count > MAX_ATTENDEES) {
      note({ code: 'too-many-rows', detail: String(MAX_ATTENDEES), line });
      return;
    }
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
