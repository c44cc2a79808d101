import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type CsvRow, readCsv, separatorOf } from '../../lib/text/csv-reader.ts';
import { type Encoding, encodingOf } from '../../lib/text/decode-text.ts';
import { SourceError } from '../source.ts';
import { openWorkbook, PROTECTED } from './workbook.ts';

/** Files with tables: CSV and workbooks, told apart by their content. */

export interface OpenTable {
  /** Rows, as they are read. Ending the iteration closes the file. */
  rows: AsyncGenerator<CsvRow>;
  /** How the file was understood, in one sentence. */
  about: string;
}

/** Number of bytes at the beginning of a file that identify its format. */
const BEGINNING = 1_000_000;

/**
 * Opens a table.
 * @param sheet of a workbook; by default the first one that is not hidden
 * @throws {SourceError} for a file that cannot be read, or that is not a table
 */
export async function openTable(path: string, { sheet }: { sheet?: string } = {}): Promise<OpenTable> {
  const beginning = await beginningOf(path);
  const mark = beginning.toString('latin1', 0, 4);
  if (mark.startsWith('PK')) {
    const { sheet: name, others, rows } = await openWorkbook(path, sheet);
    const rest = others.length === 0 ? '' : ` Not read: ${others.slice(0, 20).join(', ')}.`;
    return { rows, about: `Read the sheet "${name}".${rest}` };
  }
  refuseOthers(beginning, mark);
  if (sheet !== undefined) throw new SourceError('Only workbooks (.xlsx) have sheets.');
  const encoding = encodingOf(beginning);
  const separator = separatorOf(new TextDecoder(encoding).decode(beginning));
  return {
    rows: readCsv(textOf(path, encoding), separator),
    about: `Read as ${encoding}, separated by ${separator === '\t' ? 'tabs' : `"${separator}"`}.`,
  };
}

/** @throws {SourceError} */
async function beginningOf(path: string): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      const buffer = Buffer.alloc(BEGINNING);
      const { bytesRead } = await file.read(buffer, 0, BEGINNING, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    throw new SourceError(`The file "${path}" cannot be read.`);
  }
}

/** Refuses files of other formats, whatever their names. @throws {SourceError} */
function refuseOthers(beginning: Buffer, mark: string): void {
  if (mark === '\xd0\xcf\x11\xe0')
    throw new SourceError(
      beginning.includes(Buffer.from('EncryptedPackage', 'utf16le'))
        ? PROTECTED
        : 'The workbook is in an old format (.xls). Save it as .xlsx, or as CSV.',
    );
  if (/^[\s\ufeff]*<(?:!doctype|html|head|meta|table|\?xml)\b/i.test(beginning.toString('utf8', 0, 1000)))
    throw new SourceError(
      'The file is a web page or XML, whatever its name says. Open it, and save it as .xlsx or CSV.',
    );
  if (mark === '%PDF' || mark.startsWith('\x1f\x8b'))
    throw new SourceError('The file is not a table: it must be a CSV file or a workbook (.xlsx).');
}

async function* textOf(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of createReadStream(path))
    yield decoder.decode(chunk as Buffer, { stream: true }).replaceAll('\0', '');
  yield decoder.decode();
}
