import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { runCommand } from '../../../test/commands.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { CsvRow } from '../../lib/text/csv-reader.ts';
import { fileImportCommands } from '../../server/cli/import-files.ts';
import { cellFormat, numberText } from './cell-values.ts';
import { openTable } from './open-table.ts';

const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const STYLES = ['General', 'dd.mm.yyyy', 'hh:mm', 'yyyy-mm-dd hh:mm', '00000', '[Red]0.00" days"'];

interface Parts {
  /** Rows of the first sheet, in XML. */
  rows?: string;
  shared?: string;
  workbook?: string;
  sheets?: string;
  /** Further or other parts; undefined leaves one out. */
  parts?: Readonly<Record<string, string | undefined>>;
}

const relations = (...all: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships>${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="${TYPE}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

/** A workbook, written as Excel does. */
function workbookOf({ rows = '', shared = '', workbook = '', sheets, parts = {} }: Parts): Buffer {
  const all: Record<string, string | undefined> = {
    '_rels/.rels': relations(['a', 'officeDocument', 'xl/workbook.xml']),
    'xl/_rels/workbook.xml.rels': relations(
      ['r1', 'worksheet', 'worksheets/sheet1.xml'],
      ['r2', 'worksheet', '/xl/worksheets/sheet2.xml'],
      ['r3', 'styles', 'styles.xml'],
      ['r4', 'sharedStrings', 'sharedStrings.xml'],
    ),
    'xl/workbook.xml': `<workbook xmlns:r="r">${workbook}<sheets>${sheets ?? '<sheet name="Programme" sheetId="1" r:id="r1"/>'}</sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><x:worksheet xmlns:x="m"><x:sheetData>${rows.replace(/<(\/?)(\w)/g, '<$1x:$2')}</x:sheetData></x:worksheet>`,
    'xl/worksheets/sheet2.xml': '<worksheet><sheetData><row><c t="str"><v>Second</v></c></row></sheetData></worksheet>',
    'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
    'xl/styles.xml': `<styleSheet><numFmts>${STYLES.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${STYLES.map((_code, at) => `<xf numFmtId="${200 + at}"/>`).join('')}<xf numFmtId="14"/></cellXfs></styleSheet>`,
    ...parts,
  };
  const files = Object.entries(all).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, strToU8(text)] as const],
  );
  return Buffer.from(zipSync(Object.fromEntries(files)));
}

async function saved(content: Buffer | string): Promise<string> {
  const file = join(await temporaryFolder('xlsx'), 'table.xlsx');
  await writeFile(file, content);
  return file;
}

async function rowsOf(content: Buffer | string, sheet?: string): Promise<CsvRow[]> {
  const { rows } = await openTable(await saved(content), { sheet });
  return Array.fromAsync(rows);
}

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;

describe('rows of a workbook', () => {
  it('have the displayed texts', async () => {
    const shared = `<si><t xml:space="preserve"> Jazz &amp; Soul</t></si>
      <si><r><rPr><b/></rPr><t>Rich</t></r><r><t> text_x000A_here</t></r><rPh sb="0" eb="1"><t>reading</t></rPh></si>`;
    const rows = `<row r="2" spans="1:9"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="D2" t="s"><v>99</v></c>
      <c r="E2" t="b"><v>1</v></c><c r="F2" s="1"><v>46423</v></c><c r="G2" s="2"><v>0.8125</v></c><c r="H2" s="3"><v>46423.8125</v></c>
      <c r="I2" s="4"><v>2345</v></c><c r="J2"><v>0.30000000000000004</v></c><c r="K2" s="5"><v>12</v></c><c r="L2"><v>491701234567</v></c>
      <c r="M2" t="d"><v>2027-02-05T19:00:00</v></c><c r="N2" s="6"><v>46423</v></c></row>
      <row r="3"><c r="A3"/><c r="B3" t="s"><v></v></c></row>
      <row r="7"><c r="B7" t="str"><f>HYPERLINK("http://evil.example")</f><v>cached</v></c><c r="C7" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="D7"><f>NOW()</f></c></row>`;
    expect(await rowsOf(workbookOf({ rows, shared }))).toEqual([
      {
        line: 2,
        cells: [
          ...[' Jazz & Soul', '', 'Rich text\nhere', '', 'true', '2027-02-05', '19:30:00', '2027-02-05 19:30:00'],
          ...['02345', '0.3', '12', '491701234567', '2027-02-05 19:00:00', '2027-02-05'],
        ],
      },
      { line: 7, cells: ['', 'cached'], failed: 2 },
    ]);
  });

  it('have no characters that a database cannot store', async () => {
    const escapes = 'a_x0000_b_xD800_c _xD83C__xDFBB_';
    const rows = `<row>${text(escapes)}<c t="s"><v>0</v></c></row>`;
    const [row] = await rowsOf(workbookOf({ rows, shared: `<si><t>${escapes}</t></si>` }));
    expect(row?.cells).toEqual(['ab\ufffdc 🎻', 'ab\ufffdc 🎻']);
  });

  it.each([
    ['46423', 'dd/mm/yyyy', false, '2027-02-05'],
    ['44961', 'dd/mm/yyyy', true, '2027-02-05'],
    ['61', 'd.m.yy', false, '1900-03-01'],
    ['59', 'd.m.yy', false, '1900-02-28'],
    ['1', 'd.m.yy', false, '1900-01-01'],
    ['0', 'mmmm', true, '1904-01-01'],
    ['0.999999', 'h:mm:ss', false, '00:00:00'],
    ['46423.99999999', 'yyyy-mm-dd hh:mm', false, '2027-02-06 00:00:00'],
    ['0.75', '[h]:mm', false, '18:00:00'],
    ['0.75', 'h:mm AM/PM', false, '18:00:00'],
    ['0.75', '[$-407]hh:mm" Uhr"', false, '18:00:00'],
    ['46423', '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', false, '2027-02-05'],
    ['12', '0 "days"', false, '12'],
    ['12', '#,##0.00\\ _€', false, '12'],
    ['-3', 'dd/mm/yyyy', false, '-3'],
    ['99999999', 'dd/mm/yyyy', false, '99999999'],
    ['1e-7', '@', false, '1e-7'],
    ['x', 'General', false, 'x'],
  ])('show %s in the format %s (from 1904: %s) as %s', (value, code, is1904, shown) => {
    expect(numberText(value, cellFormat(164, code), is1904)).toBe(shown);
  });

  it('come from the first visible sheet, or from the one that is named', async () => {
    const sheets =
      '<sheet name="Lists" state="hidden" sheetId="1" r:id="r1"/><sheet name="Chart" sheetId="3" r:id="r9"/><sheet name="Shown" sheetId="2" r:id="r2"/>';
    const content = workbookOf({ rows: `<row>${text('First')}</row>`, sheets, workbook: '<workbookPr date1904="1"/>' });
    expect((await rowsOf(content))[0]?.cells).toEqual(['Second']);
    expect((await rowsOf(content, 'Lists'))[0]?.cells).toEqual(['First']);
    await expect(rowsOf(content, 'None')).rejects.toThrow('The workbook has no sheet "None". It has: Lists, Shown');
    expect((await openTable(await saved(content))).about).toBe('Read the sheet "Shown". Not read: Lists.');
    await expect(rowsOf('Title,Start\n', 'Lists')).rejects.toThrow('Only workbooks');
  });

  it('are named by short messages, however many sheets there are and however long their names', async () => {
    const named = (name: string) => `<sheet name="${name}" sheetId="1" r:id="r1"/>`;
    const long = workbookOf({ sheets: named('x'.repeat(100_000)).repeat(20) });
    expect((await openTable(await saved(long))).about.length).toBeLessThan(3000);
    const many = workbookOf({ sheets: named('Sheet').repeat(20_000) });
    await expect(rowsOf(many, 'None')).rejects.toThrow(/^The workbook has no sheet "None"\. It has: .{300}$/);
  });

  it('are read from a file of another program', async () => {
    const bytes = await writeXlsxFile([
      [{ value: 'Title' }, { value: 'Date' }],
      [{ value: 'Äöü "x"' }, { value: new Date('2027-02-05T19:30:00Z'), type: Date, format: 'yyyy-mm-dd hh:mm' }],
    ]).toBuffer();
    expect((await rowsOf(bytes)).map(({ cells }) => cells)).toEqual([
      ['Title', 'Date'],
      ['Äöü "x"', '2027-02-05 19:30:00'],
    ]);
  });

  it('are limited, even with hostile addresses of cells', async () => {
    const rows = `<row r="9999999">${text('a')}</row><row r="1">${text('b')}</row><row><c r="XFD3" t="str"><v>far</v></c></row>
      <row><c r="ZZZZ1" t="str"><v>c</v></c></row><row><c t="inlineStr"><is><t>${'x'.repeat(200_001)}</t></is></c></row>`;
    expect(await rowsOf(workbookOf({ rows }))).toEqual([
      { line: 1, cells: ['a'] },
      { line: 2, cells: ['b'] },
      { line: 3, cells: [], problem: 'too-long' },
      { line: 4, cells: ['c'] },
      { line: 5, cells: [], problem: 'too-long' },
    ]);
  });

  const sized = (megabytes: number) =>
    `<worksheet><sheetData><row>${' '.repeat(megabytes * 1_000_000)}</row></sheetData></worksheet>`;
  const lying = () => {
    // The directory of the archive names fewer bytes than the sheet has.
    const bytes = workbookOf({ parts: { 'xl/worksheets/sheet1.xml': sized(1) } });
    const size = Buffer.alloc(4);
    size.writeUInt32LE(Buffer.byteLength(sized(1)));
    const at = bytes.lastIndexOf(size);
    bytes.writeUInt32LE(1000, at);
    return bytes;
  };
  const encrypted = () => {
    const bytes = workbookOf({});
    for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4))
      bytes.writeUInt16LE(bytes.readUInt16LE(at + 8) | 1, at + 8);
    return bytes;
  };
  /** A workbook whose directory names another number, at a place behind a mark. */
  const patched = (mark: string, offset: number, write: (bytes: Buffer, at: number) => void) => () => {
    const bytes = workbookOf({});
    write(bytes, bytes.lastIndexOf(mark) + offset);
    return bytes;
  };
  const manyParts = patched('PK\x05\x06', 10, (bytes, at) => void bytes.writeUInt16LE(60_000, at));
  // The size is 22 bytes before the name.
  const manyTexts = patched('xl/sharedStrings.xml', -22, (bytes, at) => void bytes.writeUInt32LE(200_000_000, at));

  it.each<[string, () => Buffer | string, RegExp]>([
    ['damaged', () => workbookOf({}).subarray(0, 900), /damaged, or incomplete/],
    [
      'noise behind a good beginning',
      () => Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(2000)]),
      /damaged, or incomplete/,
    ],
    ['of other numbers than its directory', lying, /workbook is damaged/],
    ['a bomb of texts', manyTexts, /too large when unpacked: xl\/sharedStrings.xml has more than 100 MB/],
    ['a bomb of parts', manyParts, /more than 5000 parts/],
    ['a text without end', () => workbookOf({ parts: { 'xl/worksheets/sheet1.xml': sized(5) } }), /a text is too long/],
    [
      'an endless attribute',
      () => workbookOf({ parts: { 'xl/worksheets/sheet1.xml': `<worksheet a="${'x'.repeat(3_000_000)}"/>` } }),
      /a text is too long/,
    ],
    [
      'nested without end',
      () => workbookOf({ parts: { 'xl/worksheets/sheet1.xml': '<a>'.repeat(100) } }),
      /nested too deeply/,
    ],
    [
      'broken XML',
      () => workbookOf({ parts: { 'xl/worksheets/sheet1.xml': '<worksheet><row></worksheet>' } }),
      /worksheets\/sheet1.xml, line 1, column/,
    ],
    [
      'expanding entities',
      () =>
        workbookOf({
          parts: { 'xl/sharedStrings.xml': '<!DOCTYPE a [<!ENTITY b "cc">]><sst><si><t>&b;</t></si></sst>' },
        }),
      /declares a document type/,
    ],
    [
      'without the sheet that it names',
      () => workbookOf({ parts: { 'xl/worksheets/sheet1.xml': undefined } }),
      /workbook is damaged/,
    ],
    ['without any sheet', () => workbookOf({ sheets: '' }), /has no sheet/],
    ['another archive', () => Buffer.from(zipSync({ 'a.txt': strToU8('a') })), /not a workbook \(.xlsx\)/],
    ['of LibreOffice', () => Buffer.from(zipSync({ 'content.xml': strToU8('<a/>') })), /of LibreOffice/],
    ['an archive with a password', encrypted, /protected by a password/],
    [
      'protected by a password',
      () =>
        Buffer.concat([
          Buffer.from('d0cf11e0a1b11ae1', 'hex'),
          Buffer.from('xx'),
          Buffer.from('EncryptedPackage', 'utf16le'),
        ]),
      /protected by a password/,
    ],
    ['in an old format', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old format \(.xls\)/],
    ['a web page', () => '\ufeff\n<html><table><tr><td>Title</td></tr></table>', /web page or XML/],
    ['XML', () => '<?xml version="1.0"?><Workbook/>', /web page or XML/],
    ['a document', () => '%PDF-1.7', /not a table/],
  ])('refuse a file that is %s', async (_what, content, message) => {
    await expect(rowsOf(content())).rejects.toThrow(message);
  });

  it('are read one after the other, whatever the size of the sheet', async () => {
    const row = `<row>${text('Title')}${text('x'.repeat(1000))}</row>`;
    const content = workbookOf({
      parts: { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${row.repeat(5000)}</sheetData></worksheet>` },
    });
    const { rows } = await openTable(await saved(content));
    let count = 0;
    for await (const { cells } of rows) count += cells.length;
    expect(count).toBe(10_000);
    const first = await openTable(await saved(content));
    expect((await first.rows.next()).value).toMatchObject({ line: 1 });
    await first.rows.return(undefined);
    expect(await first.rows.next()).toEqual({ done: true, value: undefined });
  });
});

describe.each(DATABASES)('an import of a workbook on %s', (kind) => {
  const server = useTestServer(kind, { timezone: 'Europe/Berlin' });
  const command = fileImportCommands.find(({ name }) => name === 'import csv');

  it('has the columns and the records of the same table as CSV', async () => {
    const rows = `<row>${['Event Name', 'Event Start Date', 'Event Start Time', 'Event Venue Name', 'Event Cost'].map(text).join('')}</row>
      <row>${text('Harvest fair')}<c s="1"><v>46423</v></c><c s="2"><v>0.8125</v></c>${text('Green')}<c><v>12.5</v></c></row>
      <row><c t="e"><f>A9</f><v>#REF!</v></c></row>`;
    const file = await saved(workbookOf({ rows }));
    const run = async (path: string, ...args: string[]) => {
      const { status, errors, out } = await runCommand(command, server().context, [path, '--kind', 'events', ...args]);
      expect({ status, errors }).toEqual({ status: 0, errors: [] });
      return out;
    };
    const out = await run(file, '--sheet', 'Programme');
    expect(out).toContain('Read the sheet "Programme".');
    expect(out).toContain('  line 3 has formulas without a value, which were left empty: 1');
    expect(out).toContain('created: 1 venue, 1 event');
    const { body } = await server().ask('GET /events', { query: { search: 'Harvest', start_date: '2027-01-01' } });
    expect(body.events).toMatchObject([
      { start_date: '2027-02-05 19:30:00', cost: '$12.5', venue: { venue: 'Green' } },
    ]);
    const csv =
      'Event Name,Event Start Date,Event Start Time,Event Venue Name,Event Cost\nHarvest fair,2027-02-05,19:30,Green,12.5\n';
    expect((await run(await saved(csv))).at(-1)).toBe('same: 1 event');
  });

  it('ends with one sentence for a file that is not a workbook', async () => {
    const { status, errors } = await runCommand(command, server().context, [await saved('<html>'), '--kind', 'events']);
    expect({ status, errors }).toEqual({
      status: 1,
      errors: ['The file is a web page or XML, whatever its name says. Open it, and save it as .xlsx or CSV.'],
    });
  });
});
