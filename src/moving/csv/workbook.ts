import type { Entry, ZipFile } from 'yauzl';
import type { CsvRow } from '../../lib/text/csv-reader.ts';
import { SourceError } from '../source.ts';
import { type CellFormat, cellFormat, cellText } from './cell-values.ts';
import { readWholePart } from './part-reader.ts';
import { type SheetFacts, sheetRows } from './sheet-rows.ts';

/** Workbooks (.xlsx): a ZIP archive of XML. Only the needed parts are unpacked, as a stream. */

const MAX_ENTRIES = 5000;
const MAX_SHEETS = 1000;
/** Spreadsheets allow 31 characters. */
const MAX_NAME = 100;
/** Maximum bytes of a sheet; one row at a time is kept in memory. */
const MAX_SHEET = 1_000_000_000;
/** Maximum bytes of the shared strings, which stay in memory. */
const MAX_TEXTS = 100_000_000;
const MAX_PART = 10_000_000;
const MAX_SHARED = 2_000_000;
const MAX_FORMATS = 70_000;

export interface Workbook {
  /** Name of the sheet that is read. */
  sheet: string;
  /** Names of the other sheets. */
  others: readonly string[];
  rows: AsyncGenerator<CsvRow>;
}

/**
 * Opens a workbook, which is closed when the iteration of its rows ends.
 * @param sheet name of the sheet; by default the first one that is not hidden
 * @throws {SourceError} for a file that is not a workbook, that is damaged, or whose parts are too large
 */
export async function openWorkbook(path: string, sheet?: string): Promise<Workbook> {
  const { openPromise } = await import('yauzl');
  let zip: ZipFile;
  try {
    zip = await openPromise(path, { autoClose: false });
  } catch {
    throw new SourceError(`The file "${path}" is damaged, or incomplete.`);
  }
  try {
    const archive = await readArchive(zip);
    const { main, sheets, is1904 } = await readSheets(archive);
    const chosen = chooseSheet(sheets, sheet);
    const facts: SheetFacts = {
      ...{ part: chosen.part, is1904 },
      texts: await readTexts(archive, main),
      formats: await readFormats(archive, main),
    };
    const bytes = archive.bytes(chosen.part, MAX_SHEET);
    return {
      sheet: chosen.name,
      others: sheets.filter((one) => one !== chosen).map(({ name }) => name),
      rows: closing(sheetRows(bytes, facts), zip),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function* closing(rows: AsyncGenerator<CsvRow>, zip: ZipFile): AsyncGenerator<CsvRow> {
  try {
    yield* rows;
  } finally {
    zip.close();
  }
}

interface Archive {
  has(part: string): boolean;
  /** @throws {SourceError} for a part that is missing, damaged, or larger than it may be */
  bytes(part: string, limit: number): AsyncIterable<Buffer>;
}

const damaged = () => new SourceError('The workbook is damaged. Save it again, or as CSV.');

/** @throws {SourceError} */
async function readArchive(zip: ZipFile): Promise<Archive> {
  if (zip.entryCount > MAX_ENTRIES) throw new SourceError(`The workbook has more than ${MAX_ENTRIES} parts.`);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
  } catch {
    throw damaged();
  }
  const find = (part: string) => entries.get(part.toLowerCase());
  return {
    has: (part) => find(part) !== undefined,
    async *bytes(part, limit) {
      const entry = find(part);
      if (!entry) throw damaged();
      if (entry.isEncrypted()) throw new SourceError(PROTECTED);
      // The unpacking fails if the archive declares a false size.
      if (entry.uncompressedSize > limit)
        throw new SourceError(
          `The workbook is too large when unpacked: ${part} has more than ${limit / 1_000_000} MB.`,
        );
      try {
        const stream = await zip.openReadStreamPromise(entry);
        // Streams of yauzl consist of buffers.
        for await (const chunk of stream) yield chunk as Buffer;
      } catch (error) {
        throw error instanceof SourceError ? error : damaged();
      }
    },
  };
}

export const PROTECTED = 'The workbook is protected by a password. Save it without one, or as CSV.';

/** Parts that another part refers to, by relationship id; `type` is the last segment of the relationship type. */
type Related = ReadonlyMap<string, { type: string; part: string }>;

/** Parts to which a part refers, by their ids. */
async function readRelated(archive: Archive, part: string): Promise<Related> {
  const slash = part.lastIndexOf('/') + 1;
  const [folder, name] = [part.slice(0, slash), part.slice(slash)];
  const relations = `${folder}_rels/${name}.rels`;
  const found = new Map<string, { type: string; part: string }>();
  if (!archive.has(relations)) return found;
  await readWholePart(relations, archive.bytes(relations, MAX_PART), {
    open(element, { Id = '', Type = '', Target = '', TargetMode }) {
      if (element !== 'Relationship' || TargetMode === 'External' || found.size >= MAX_ENTRIES) return;
      const target = URL.parse(Target, `file:///${folder}`)?.pathname.slice(1) ?? '';
      found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), part: target.replaceAll('%20', ' ') });
    },
  });
  return found;
}

const partOf = (related: Related, type: string): string | undefined =>
  [...related.values()].find((one) => one.type === type)?.part;

interface Sheet {
  name: string;
  isHidden: boolean;
  part: string;
}

/** @throws {SourceError} */
async function readSheets(archive: Archive): Promise<{ main: Related; sheets: Sheet[]; is1904: boolean }> {
  const workbook = partOf(await readRelated(archive, ''), 'officeDocument') ?? 'xl/workbook.xml';
  if (archive.has('content.xml'))
    throw new SourceError('The file is in a format of LibreOffice. Save it as .xlsx, or as CSV.');
  if (!archive.has(workbook) || !workbook.endsWith('.xml'))
    throw new SourceError('The file is an archive, but not a workbook (.xlsx). Save the table as .xlsx, or as CSV.');
  const main = await readRelated(archive, workbook);
  const sheets: Sheet[] = [];
  let is1904 = false;
  await readWholePart(workbook, archive.bytes(workbook, MAX_PART), {
    open(element, attributes) {
      if (element === 'workbookPr') is1904 = /^(?:1|true|on)$/.test(attributes.date1904 ?? '');
      if (element !== 'sheet') return;
      const related = main.get(attributes['r:id'] ?? attributes.id ?? '');
      // Charts have sheets of their own.
      if (related?.type !== 'worksheet') return;
      const isHidden = /hidden/i.test(attributes.state ?? '');
      if (sheets.length < MAX_SHEETS)
        sheets.push({ name: cellText(attributes.name ?? '').slice(0, MAX_NAME), isHidden, part: related.part });
    },
  });
  return { main, sheets, is1904 };
}

/** @throws {SourceError} */
function chooseSheet(sheets: readonly Sheet[], named: string | undefined): Sheet {
  const chosen = sheets.find(({ name, isHidden }) => (named === undefined ? !isHidden : name === named));
  if (chosen) return chosen;
  const names = sheets
    .map(({ name }) => name)
    .join(', ')
    .slice(0, 300);
  throw new SourceError(
    named === undefined ? 'The workbook has no sheet.' : `The workbook has no sheet "${named}". It has: ${names}`,
  );
}

/** Shared strings by index. Phonetic readings of Japanese texts are left out. */
async function readTexts(archive: Archive, main: Related): Promise<string[]> {
  const texts: string[] = [];
  const part = partOf(main, 'sharedStrings');
  if (part === undefined || !archive.has(part)) return texts;
  let text = '';
  let [isText, reading] = [false, 0];
  await readWholePart(part, archive.bytes(part, MAX_TEXTS), {
    open(element) {
      if (element === 'si') text = '';
      if (element === 'rPh') reading += 1;
      isText = element === 't' && reading === 0;
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(element) {
      isText = false;
      if (element === 'rPh') reading -= 1;
      if (element !== 'si') return;
      if (texts.length >= MAX_SHARED) throw new SourceError(`The workbook has more than ${MAX_SHARED} texts.`);
      texts.push(cellText(text));
    },
  });
  return texts;
}

/** Formats of cells, by number. */
async function readFormats(archive: Archive, main: Related): Promise<CellFormat[]> {
  const formats: CellFormat[] = [];
  const codes = new Map<number, string>();
  const part = partOf(main, 'styles');
  if (part === undefined || !archive.has(part)) return formats;
  let isList = false;
  await readWholePart(part, archive.bytes(part, MAX_PART), {
    open(element, { numFmtId, formatCode = '' }) {
      const id = Number(numFmtId ?? 0);
      if (element === 'numFmt' && codes.size < MAX_FORMATS) codes.set(id, formatCode);
      if (element === 'cellXfs') isList = true;
      if (element === 'xf' && isList && formats.length < MAX_FORMATS) formats.push(cellFormat(id, codes.get(id)));
    },
    close(element) {
      if (element === 'cellXfs') isList = false;
    },
  });
  return formats;
}
