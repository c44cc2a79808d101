import type { InvoiceSheet, PaperTable } from './sheets.ts';
import { A4, type Style, Typesetter } from './typesetter.ts';

/** Invoices and credit notes as PDF, with the customer's address placed for a window envelope. */

interface PaperOptions {
  fontFile: string | undefined;
  now: Date;
}

const MARGIN = 57;
const WIDTH = A4.width - 2 * MARGIN;
const BOTTOM = A4.height - 60;
/** Upper edge of the address, for window envelopes: 55 millimetres. */
const ADDRESS = 156;
const GAP = 14;

const TEXT: Style = { size: 10.5 };
const SMALL: Style = { size: 9, color: '#444444' };
const HEAD: Style = { size: 9.5, isBold: true };
const TOTAL: Style = { size: 11, isBold: true };

export async function invoicePdf(
  sheet: InvoiceSheet,
  { fontFile, now }: PaperOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const setter = new Typesetter({ ...sheet, texts: textsOf(sheet), fontFile, now });
  new InvoicePages(setter, sheet).draw();
  return setter.end();
}

const textsOf = ({ title, siteName, seller, customer, facts, items, taxes, notes }: InvoiceSheet): string[] => [
  ...[title, siteName, ...seller, ...customer, ...notes],
  ...facts.flatMap(({ label, lines }) => [label, ...lines]),
  ...[items, ...(taxes ? [taxes] : [])].flatMap(({ head, rows }) => [...head, ...rows.flatMap(({ cells }) => cells)]),
  taxes?.caption ?? '',
];

interface Row {
  cells: readonly string[];
  widths: readonly number[];
  style: Style;
  isHead?: boolean;
  isTotal?: boolean | undefined;
}

class InvoicePages {
  readonly #setter: Typesetter;
  readonly #sheet: InvoiceSheet;
  readonly #section: PDFKit.PDFStructureElement;
  #page = 0;
  #y = 0;

  constructor(setter: Typesetter, sheet: InvoiceSheet) {
    this.#setter = setter;
    this.#sheet = sheet;
    this.#addPage();
    this.#section = setter.addSection();
  }

  draw(): void {
    const { seller, customer, title, facts, items, taxes, notes, replaced } = this.#sheet;
    this.#y = MARGIN;
    this.#block(seller, { x: A4.width / 2, width: A4.width / 2 - MARGIN, max: 9 });
    const below = this.#y;
    this.#y = ADDRESS;
    this.#block(customer, { x: MARGIN, width: A4.width / 2 - MARGIN - GAP, max: 8 });
    this.#y = Math.max(this.#y, below) + 34;
    this.#text('H1', title, { size: 20, isBold: true }, 3);
    this.#y += 8;
    for (const { label, lines } of facts) this.#fact(label, lines.join(', '));
    this.#y += 14;
    this.#table(items);
    if (taxes) {
      this.#y += 18;
      this.#room(60);
      this.#text('P', taxes.caption, HEAD, 1);
      this.#y += 4;
      this.#table(taxes);
    }
    this.#y += 18;
    for (const note of notes) {
      this.#room(30);
      this.#text('P', note, TEXT, 12);
      this.#y += 6;
    }
    if (this.#setter.replaced > 0) this.#text('P', replaced, SMALL, 3);
  }

  #addPage(): void {
    this.#setter.doc.addPage();
    this.#page += 1;
    this.#y = MARGIN;
    if (this.#page === 1) return;
    const { title } = this.#sheet;
    this.#setter.ornament(() => {
      this.#setter.text(`${title} · ${this.#page}`, SMALL, { x: MARGIN, y: 36, width: WIDTH, max: 1 });
    });
  }

  /** Begins a new page unless there is room. */
  #room(height: number): void {
    if (this.#y + height > BOTTOM) this.#addPage();
  }

  #tagged(tag: string, draw: () => void): void {
    this.#section.add(this.#setter.doc.struct(tag, {}, draw));
  }

  #text(tag: string, text: string, style: Style, max: number): void {
    this.#tagged(tag, () => {
      this.#y = this.#setter.text(text, style, { x: MARGIN, y: this.#y, width: WIDTH, max });
    });
  }

  /** Draws an address, with its first line in bold. */
  #block(lines: readonly string[], { max, ...box }: { x: number; width: number; max: number }): void {
    this.#tagged('P', () => {
      for (const [index, line] of lines.slice(0, max).entries())
        this.#y = this.#setter.text(line, { ...TEXT, isBold: index === 0 }, { ...box, y: this.#y, max: 2 });
    });
  }

  #fact(label: string, value: string): void {
    const column = 150;
    this.#tagged('P', () => {
      const y = this.#y;
      const first = this.#setter.text(
        label,
        { ...TEXT, color: '#444444' },
        { x: MARGIN, y, width: column - GAP, max: 2 },
      );
      const second = this.#setter.text(value, TEXT, { x: MARGIN + column, y, width: WIDTH - column, max: 2 });
      this.#y = Math.max(first, second);
    });
  }

  /** Draws a table; the head is repeated on each page that it continues on. */
  #table({ head, rows }: PaperTable): void {
    const { doc } = this.#setter;
    const table = doc.struct('Table');
    this.#section.add(table);
    const widths = this.#widthsOf({ head, rows });
    const drawHead = () => this.#row(table, { cells: head, widths, style: HEAD, isHead: true });
    this.#room(50);
    drawHead();
    for (const { cells, isTotal } of rows) {
      const style = isTotal ? TOTAL : TEXT;
      if (this.#y + this.#heightOf(cells, widths, style) > BOTTOM) {
        this.#addPage();
        drawHead();
      }
      this.#row(table, { cells, widths, style, isTotal });
    }
    table.end();
  }

  /** Columns of amounts are as wide as their widest cell, within a limit; the first column has the remaining width. */
  #widthsOf({ head, rows }: PaperTable): number[] {
    const all = [
      { cells: head, style: HEAD },
      ...rows.map(({ cells, isTotal }) => ({ cells, style: isTotal ? TOTAL : TEXT })),
    ];
    const amounts = head
      .slice(1)
      .map((_, index) =>
        Math.min(130, Math.max(...all.map(({ cells, style }) => this.#setter.widthOf(cells[index + 1] ?? '', style)))),
      );
    const taken = amounts.reduce((sum, width) => sum + width + GAP, 0);
    return [WIDTH - taken, ...amounts];
  }

  #cell(text: string, style: Style, width: number, isFirst: boolean) {
    const [first = '', ...more] = text.split('\n');
    const lines = this.#setter.lines(first, style, { width, max: 3 });
    const small = isFirst ? more.flatMap((line) => this.#setter.lines(line, SMALL, { width, max: 2 })) : [];
    return { lines, small, height: this.#setter.heightOf(lines, style) + this.#setter.heightOf(small, SMALL) };
  }

  #heightOf(cells: readonly string[], widths: readonly number[], style: Style): number {
    return Math.max(...cells.map((cell, at) => this.#cell(cell, style, widths[at] ?? 0, at === 0).height)) + 8;
  }

  #row(table: PDFKit.PDFStructureElement, { cells, widths, style, isHead, isTotal }: Row): void {
    const setter = this.#setter;
    const row = setter.doc.struct('TR');
    table.add(row);
    const top = this.#y + 3;
    let bottom = top;
    let x = MARGIN;
    for (const [at, cell] of cells.entries()) {
      const width = widths[at] ?? 0;
      const isFirst = at === 0;
      row.add(
        setter.doc.struct(isHead || (isTotal && isFirst) ? 'TH' : 'TD', {}, () => {
          const { lines, small } = this.#cell(cell, style, width, isFirst);
          const align = isFirst ? undefined : ('right' as const);
          const y = setter.draw(lines, { ...style, ...(align && { align }) }, { x, y: top, width });
          bottom = Math.max(bottom, setter.draw(small, SMALL, { x, y, width }));
        }),
      );
      x += width + GAP;
    }
    row.end();
    this.#y = bottom + 5;
    this.#drawLine(isHead || isTotal ? { width: 1, color: '#000000' } : { width: 0.4, color: '#999999' });
  }

  /** Draws a line across the page, just above the current position. */
  #drawLine({ width, color }: { width: number; color: string }): void {
    const y = this.#y - 1;
    this.#setter.ornament((doc) =>
      doc
        .moveTo(MARGIN, y)
        .lineTo(MARGIN + WIDTH, y)
        .lineWidth(width)
        .stroke(color),
    );
  }
}
