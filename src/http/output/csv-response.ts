import { setImmediate as turn } from 'node:timers/promises';
import { type MessageKey, translate } from '../../lib/i18n.ts';
import { BOM, type Cell, csvLine } from '../../lib/text/csv.ts';
import { fileHeader } from '../core/content-disposition.ts';
import type { EndpointResponse, RequestContext } from '../core/endpoint.ts';
import { boolean, oneOf, sharedParameters, someOf, withDefault } from '../input/schemas.ts';

/** Streams lists as CSV files. */

/**
 * Columns of a file by their names in `fields`, each with its heading and a function that returns the cell of a row.
 */
export type Columns<Name extends string, Row> = Readonly<Record<Name, { heading: MessageKey; cell(row: Row): Cell }>>;

/** Parameters of an export, besides the filters of its list. */
export const csvFields = <const Name extends string>(names: readonly Name[]) => ({
  ...shared,
  fields: someOf('Columns, in this order; all of them by default.', names),
});

const shared = sharedParameters('csv', {
  format: withDefault(oneOf('Format of the file.', ['csv']), 'csv'),
  bom: withDefault(
    boolean('Starts the file with a byte order mark, by which some spreadsheet programs recognise UTF-8.'),
    false,
  ),
});

const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

interface CsvFile<Name extends string, Row> {
  /** File name without date and extension. */
  name: string;
  columns: Columns<Name, Row>;
  /** Names of columns; all by default. */
  fields: readonly Name[] | undefined;
  bom: boolean | undefined;
  /** Reads the rows in parts. The next part is read when the client has received the previous one. */
  parts: () => AsyncIterable<readonly Row[]>;
}

/** Streams a CSV file, with headings in the language of the request. */
export function csvResponse<Name extends string, Row>(
  ctx: Pick<RequestContext, 'language' | 'now'>,
  { name, columns, fields, bom = false, parts }: CsvFile<Name, Row>,
): EndpointResponse {
  // The keys of the object are the names of its columns.
  const shown = (fields ?? (Object.keys(columns) as Name[])).map((field) => columns[field]);
  async function* chunks(): AsyncGenerator<string> {
    yield (bom ? BOM : '') + csvLine(shown.map(({ heading }) => translate(ctx.language, heading)));
    for await (const rows of parts()) {
      yield rows.map((row) => csvLine(shown.map(({ cell }) => cell(row)))).join('');
      // Lets other requests run: with SQLite and a fast client, nothing else would make this wait.
      await turn();
    }
  }
  const day = ctx.now.toISOString().slice(0, 10);
  return {
    body: undefined,
    stream: { type: CSV_TYPE, chunks },
    headers: fileHeader('attachment', `${name}-${day}.csv`),
  };
}

/** Rows per part: enough for efficient statements, few enough to fit in memory. */
export const ROWS_PER_PART = 200;

/** Reads rows by id, one part per statement. */
export async function* partsById<Row extends { id: number }>(
  read: (slice: { after: number; limit: number }) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after = 0;
  for (;;) {
    const rows = await read({ after, limit: ROWS_PER_PART });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < ROWS_PER_PART) return;
    after = last.id;
  }
}
