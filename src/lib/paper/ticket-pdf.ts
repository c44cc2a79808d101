import { encode } from 'uqr';
import type { PaperFact, PaperTicket, TicketSheet } from './sheets.ts';
import { A4, type Style, Typesetter } from './typesetter.ts';

/**
 * Tickets as PDF: one per A4 page, in black on white. Folded twice, it fits into a pocket: code and event each have a
 * quarter of the page, and keep clear of the folds.
 */

interface PaperOptions {
  fontFile: string | undefined;
  now: Date;
}

const FOLD = { x: A4.width / 2, y: A4.height / 2 } as const;
const MARGIN = 40;
/** Distance of texts from a fold. */
const GUTTER = 22;
const COLUMN = FOLD.x - MARGIN - GUTTER;
const RIGHT = FOLD.x + GUTTER;
/** Width of the code, without its quiet zone: 66 millimetres. */
const CODE = 187;

/** Column of the notes. Short lines are easier to read, and rarely leave a single word on the last one. */
const NOTES = { x: MARGIN, width: 400 } as const;

const SITE: Style = { size: 10, isBold: true };
const LABEL: Style = { size: 9, color: '#555555' };
const TEXT: Style = { size: 12 };
const WARNING: Style = { size: 12, isBold: true };
const NOTE: Style = { size: 10, color: '#333333' };
const DATE: Style = { size: 9.5 };

export async function ticketPdf(sheet: TicketSheet, { fontFile, now }: PaperOptions): Promise<Uint8Array<ArrayBuffer>> {
  const setter = new Typesetter({ ...sheet, texts: textsOf(sheet), fontFile, now });
  for (const ticket of sheet.tickets) drawTicket(setter, ticket, sheet);
  return setter.end();
}

const textsOf = ({ siteName, tickets }: TicketSheet): string[] => [
  siteName,
  ...tickets.flatMap(({ event, warnings, facts, holder, dates, notes }) => [
    ...[event, ...warnings, ...notes],
    ...[...facts, ...holder].flatMap(({ label, lines }) => [label, ...lines]),
    ...(dates ? [dates.heading, ...dates.lines] : []),
  ]),
];

function drawTicket(setter: Typesetter, ticket: PaperTicket, { siteName, replaced }: TicketSheet): void {
  const section = setter.addPage();
  const before = setter.replaced;
  const tagged: Tagged = (tag, draw, alt) =>
    section.add(setter.doc.struct(tag, alt === undefined ? {} : { alt }, draw));
  drawEvent(setter, ticket, { siteName, tagged });
  drawHolder(setter, ticket, tagged);
  const y = drawLowerHalf(setter, ticket, tagged);
  if (setter.replaced > before) tagged('P', () => setter.text(replaced, NOTE, { ...NOTES, y, max: 3 }));
  drawFolds(setter);
}

/** Upper left quarter: the site, warnings, and the event with its facts. */
function drawEvent(
  setter: Typesetter,
  { warnings, event, facts }: PaperTicket,
  { siteName, tagged }: { siteName: string; tagged: Tagged },
): void {
  const left = { x: MARGIN, width: COLUMN };
  let y = MARGIN;
  tagged('P', () => {
    y = setter.text(siteName, SITE, { ...left, y, max: 2 });
  });
  setter.ornament((page) =>
    page
      .moveTo(MARGIN, y + 6)
      .lineTo(MARGIN + COLUMN, y + 6)
      .lineWidth(1.5)
      .stroke('#000000'),
  );
  y += 18;
  for (const warning of warnings)
    tagged('P', () => {
      y = setter.text(warning, WARNING, { ...left, y, max: 4 }) + 4;
    });
  if (warnings.length > 0) y += 8;
  tagged('H1', () => {
    const { lines, style } = setter.fit(
      event,
      { sizes: [26, 22, 18, 15], isBold: true },
      { width: COLUMN, max: 4, most: 5 },
    );
    y = setter.draw(lines, style, { ...left, y }) + 12;
  });
  drawFacts(setter, facts, { ...left, y, bottom: FOLD.y - GUTTER, tagged });
}

/** Upper right quarter: the code and the holder. */
function drawHolder(setter: Typesetter, { content, alt, code, holder }: PaperTicket, tagged: Tagged): void {
  const right = { x: RIGHT, width: COLUMN };
  let y = MARGIN + CODE + 14;
  tagged('Figure', () => drawCode(setter, content), alt);
  tagged('P', () => {
    y = setter.text(code, { size: 13, isBold: true }, { ...right, y, max: 1 }) + 8;
  });
  drawFacts(setter, holder, { ...right, y, bottom: FOLD.y - 14, tagged });
}

/** Lower half: the dates of a pass, and notes. Returns the y below them. */
function drawLowerHalf(setter: Typesetter, { dates, notes }: PaperTicket, tagged: Tagged): number {
  const whole = { x: MARGIN, width: A4.width - 2 * MARGIN };
  let y = FOLD.y + GUTTER + 6;
  if (dates) {
    tagged('H2', () => {
      y = setter.text(dates.heading, { size: 13, isBold: true }, { ...whole, y, max: 1 }) + 6;
    });
    y = drawDates(setter, dates.lines, { y, tagged }) + 14;
  }
  for (const note of notes)
    tagged('P', () => {
      y = setter.text(note, NOTE, { ...NOTES, y, max: 3 }) + 5;
    });
  return y;
}

/** Draws content as a structure element; `alt` is the text alternative of a figure. */
type Tagged = (tag: string, draw: () => void, alt?: string) => unknown;

interface Column {
  x: number;
  y: number;
  width: number;
  /** Lower edge. */
  bottom: number;
  tagged: Tagged;
}

/** Draws labels with their values as far as there is room; of a long value, only the first lines. */
function drawFacts(
  setter: Typesetter,
  facts: readonly PaperFact[],
  { y: top, bottom, tagged, ...column }: Column,
): void {
  let y = top;
  for (const { label, lines, isMain } of facts) {
    const room = Math.floor((bottom - y - LABEL.size * 1.25) / (TEXT.size * 1.25));
    if (room < 1) return;
    tagged('P', () => {
      const below = { ...column, y: setter.text(label, LABEL, { ...column, y, max: 1 }), room };
      y = isMain ? drawMainFact(setter, lines.join(' '), below) : drawLines(setter, lines, below);
    });
    y += 8;
  }
}

/** Position of a value; `room` is the number of lines of the normal size that fit there. */
interface Below {
  x: number;
  y: number;
  width: number;
  room: number;
}

/** Draws a value in large letters; returns the y below it, as `drawLines` does. */
function drawMainFact(setter: Typesetter, text: string, { room, ...at }: Below): number {
  const { lines, style } = setter.fit(
    text,
    { sizes: [20, 16, 13], isBold: true },
    { width: at.width, max: Math.min(2, room), most: Math.min(3, room) },
  );
  return setter.draw(lines, style, at);
}

function drawLines(setter: Typesetter, lines: readonly string[], { room, y: top, ...column }: Below): number {
  let [y, left] = [top, room];
  for (const line of lines) {
    const set = setter.lines(line, TEXT, { width: column.width, max: Math.max(1, Math.min(3, left)) });
    if (left < set.length) break;
    y = setter.draw(set, TEXT, { ...column, y });
    left -= set.length;
  }
  return y;
}

const DATE_COLUMNS = 2;
const MAX_DATE_LINES = 24;

/** Dates of a pass in columns. */
function drawDates(setter: Typesetter, lines: readonly string[], { y, tagged }: { y: number; tagged: Tagged }): number {
  const rows = Math.min(MAX_DATE_LINES, Math.ceil(lines.length / DATE_COLUMNS));
  const width = (A4.width - 2 * MARGIN) / DATE_COLUMNS;
  const height = DATE.size * 1.25 + 2;
  for (const [index, line] of lines.slice(0, rows * DATE_COLUMNS).entries()) {
    const x = MARGIN + Math.floor(index / rows) * width;
    tagged('P', () => setter.text(line, DATE, { x, y: y + (index % rows) * height, width: width - 10, max: 1 }));
  }
  return y + rows * height;
}

/** Draws the code with vectors, so that it is sharp at every size. */
function drawCode({ doc }: Typesetter, content: string): void {
  const { data, size } = encode(content, { ecc: 'M', border: 0 });
  const module = CODE / size;
  // Rows overlap a little, because some programs leave hairlines between them.
  const overlap = module * 0.04;
  const x = RIGHT;
  for (const [row, cells] of data.entries()) {
    for (let from = 0; from < size; from += 1) {
      if (!cells[from]) continue;
      let to = from;
      while (to < size && cells[to]) to += 1;
      doc.rect(x + from * module, MARGIN + row * module, (to - from) * module, module + overlap);
      from = to;
    }
  }
  doc.fill('#000000');
}

/** Draws marks at the edges that show where to fold. */
function drawFolds(setter: Typesetter): void {
  const length = 14;
  setter.ornament((doc) => {
    for (const x of [0, A4.width - length]) doc.moveTo(x, FOLD.y).lineTo(x + length, FOLD.y);
    for (const y of [0, A4.height - length]) doc.moveTo(FOLD.x, y).lineTo(FOLD.x, y + length);
    doc.lineWidth(0.6).stroke('#888888');
  });
}
