import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import {
  beginsRight,
  dejaVu,
  drawable,
  type HasLetter,
  inVisualOrder,
  isPlain,
  isRightToLeft,
  legible,
} from './letters.ts';

/** Sets texts on A4 pages: fonts, line breaks, and the structure that screen readers use. */

/** Points. */
export const A4 = { width: 595.28, height: 841.89 } as const;

export interface Style {
  size: number;
  isBold?: boolean;
  color?: string;
  align?: 'left' | 'right';
}

interface Box {
  x: number;
  y: number;
  width: number;
}

interface DocumentOptions {
  language: string;
  title: string;
  siteName: string;
  /** All texts of the document, for the choice of fonts. */
  texts: readonly string[];
  /** Font of the operator, for scripts that DejaVu Sans lacks. */
  fontFile: string | undefined;
  /** Creation date of the document. */
  now: Date;
}

/** A regular and a bold font with the same characters. */
interface Face {
  regular: string;
  bold: string;
  has: HasLetter;
}

type Doc = PDFKit.PDFDocument;

/** Maximum characters of one text: more would not fit on any page, and takes long to measure. */
const MAX_TEXT = 2000;
/** Line height as a multiple of the font size. */
const LEADING = 1.25;

export class Typesetter {
  readonly doc: Doc;
  /** Number of characters that no font has. */
  replaced = 0;
  readonly #faces: readonly Face[];
  readonly #chunks: Buffer[] = [];
  readonly #root: PDFKit.PDFStructureElement;

  constructor({ language, title, siteName, texts, fontFile, now }: DocumentOptions) {
    this.doc = new PDFDocument({
      ...{ size: 'A4', margin: 0, autoFirstPage: false, tagged: true, lang: language, displayTitle: true },
      pdfVersion: '1.7',
      info: { Title: legible(title), Author: legible(siteName), Creator: 'Marquee', CreationDate: now },
    });
    this.doc.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    this.#faces = facesOf(this.doc, texts.map(prepared), fontFile);
    this.#root = this.doc.struct('Document');
    this.doc.addStructure(this.#root);
  }

  /** Adds a page, which is a section of the document. */
  addPage(): PDFKit.PDFStructureElement {
    this.doc.addPage();
    const section = this.doc.struct('Sect');
    this.#root.add(section);
    return section;
  }

  /** Adds a section that may continue on further pages. */
  addSection(): PDFKit.PDFStructureElement {
    const section = this.doc.struct('Sect');
    this.#root.add(section);
    return section;
  }

  /** Breaks a text into lines of a width; a text of more than `max` lines ends in an ellipsis. */
  lines(text: string, style: Style, { width, max = 50 }: { width: number; max?: number }): Line[] {
    const { face, text: shown } = this.#shown(text);
    if (shown === '') return [];
    this.#use(face, style);
    const isRight = beginsRight(shown);
    const widthOf = this.#measure();
    const rows: string[][] = [];
    let used = 0;
    const space = widthOf(' ');
    for (const word of piecesOf(shown, width, widthOf)) {
      const needed = widthOf(word);
      const row = rows.at(-1);
      if (row && used + space + needed <= width) {
        row.push(word);
        used += space + needed;
      } else {
        // The rest of a long text is not measured.
        if (rows.push([word]) > max) break;
        used = needed;
      }
    }
    if (rows.length > max) {
      const last = rows[max - 1] ?? [];
      rows.length = max;
      while (last.length > 1 && widthOf(`${last.join(' ')}…`) > width) last.pop();
      let end = last.pop() ?? '';
      while (end.length > 1 && widthOf(`${[...last, end].join(' ')}…`) > width)
        end = end
          .slice(0, -1)
          .toWellFormed()
          .replace(/\ufffd$/, '');
      last.push(`${end}…`);
    }
    return rows.map((words) => ({ words, face, isRight }));
  }

  heightOf = (lines: readonly Line[], { size }: Style): number => lines.length * size * LEADING;

  /** Width of a text in one line. */
  widthOf(text: string, style: Style): number {
    const { face, text: shown } = this.#shown(text);
    this.#use(face, style);
    return Math.ceil(this.doc.widthOfString(shown)) + 1;
  }

  /** Draws lines; returns the y below them. */
  draw(lines: readonly Line[], style: Style, { x, y, width }: Box): number {
    let top = y;
    for (const line of lines) {
      this.#use(line.face, style);
      this.doc.fillColor(style.color ?? '#000000');
      const isAtEnd = style.align === 'right' || (line.isRight && style.align === undefined);
      this.#drawLine(line, { x, y: top + (LEADING - 1) * style.size * 0.5, width }, isAtEnd);
      top += style.size * LEADING;
    }
    return top;
  }

  /** Sets a text; returns the y below it. */
  text(text: string, style: Style, { max, ...box }: Box & { max?: number }): number {
    return this.draw(this.lines(text, style, { width: box.width, ...(max !== undefined && { max }) }), style, box);
  }

  /**
   * Sets a text in the largest size at which it takes at most `max` lines.
   * @param most maximum number of lines at the smallest size
   */
  fit(
    text: string,
    { sizes, ...style }: Omit<Style, 'size'> & { sizes: readonly number[] },
    { width, max, most }: { width: number; max: number; most: number },
  ) {
    for (const size of sizes) {
      const lines = this.lines(text, { ...style, size }, { width, max: max + 1 });
      if (lines.length <= max) return { lines, style: { ...style, size } };
    }
    const size = sizes.at(-1) ?? 10;
    return { lines: this.lines(text, { ...style, size }, { width, max: most }), style: { ...style, size } };
  }

  /** Draws decoration outside the text, such as lines. */
  ornament(draw: (doc: Doc) => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' });
    draw(this.doc);
    this.doc.endMarkedContent();
  }

  end(): Promise<Uint8Array<ArrayBuffer>> {
    return new Promise((resolve, reject) => {
      this.doc.on('end', () => resolve(new Uint8Array(Buffer.concat(this.#chunks))));
      this.doc.on('error', reject);
      this.#root.end();
      this.doc.end();
    });
  }

  /** The drawable form of a text, in the face that lacks the fewest of its characters. */
  #shown(text: string): { face: Face; text: string } {
    const wanted = prepared(text);
    const tried = this.#faces.map((face) => ({ face, ...drawable(wanted, face.has) }));
    const best = tried.reduce((one, other) => (other.count < one.count ? other : one));
    this.replaced += best.count;
    return best;
  }

  #use(face: Face, { size, isBold }: Style): void {
    this.doc.font(isBold ? face.bold : face.regular).fontSize(size);
  }

  #measure(): (text: string) => number {
    const widths = new Map<string, number>();
    return (text) => {
      let width = widths.get(text);
      if (width === undefined) {
        width = this.doc.widthOfString(text);
        widths.set(text, width);
      }
      return width;
    };
  }

  #drawLine({ words, isRight }: Line, { x, y, width }: Box, isAtEnd: boolean): void {
    const { doc } = this;
    const options = { lineBreak: false } as const;
    if (!isRight && !words.some(isRightToLeft)) {
      const line = words.join(' ');
      doc.text(line, isAtEnd ? x + width - doc.widthOfString(line) : x, y, options);
      return;
    }
    const ordered = inVisualOrder(words, isRight);
    const space = doc.widthOfString(' ');
    const widths = ordered.map((word) => doc.widthOfString(word));
    const total = widths.reduce((sum, one) => sum + one + space, -space);
    let left = isAtEnd ? x + width - total : x;
    for (const [index, word] of ordered.entries()) {
      doc.text(word, left, y, options);
      left += (widths[index] ?? 0) + space;
    }
  }
}

export interface Line {
  words: readonly string[];
  face: Face;
  isRight: boolean;
}

const prepared = (text: string): string => {
  const clean = legible(text.slice(0, 2 * MAX_TEXT));
  return clean.length > MAX_TEXT
    ? `${clean
        .slice(0, MAX_TEXT)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`
    : clean;
};

/** Length above which a word is split without being measured: it fits on no line. */
const LONG = 300;

/** Words of a text; words that do not fit into a width are split. */
function* piecesOf(text: string, width: number, widthOf: (text: string) => number): Generator<string> {
  for (const word of text.trimEnd().split(/[ \u00a0]+/)) {
    if (word.length <= LONG && widthOf(word) <= width) yield word;
    else yield* partsOf(word, width, widthOf);
  }
}

function* partsOf(word: string, width: number, widthOf: (text: string) => number): Generator<string> {
  let part = '';
  let used = 0;
  for (const letter of word) {
    const needed = widthOf(letter);
    if (part !== '' && used + needed > width) {
      yield part;
      part = '';
      used = 0;
    }
    part += letter;
    used += needed;
  }
  yield part;
}

/** Fonts in order of preference. The standard fonts of PDF suffice for most documents, and need not be embedded. */
function facesOf(doc: Doc, texts: readonly string[], fontFile: string | undefined): Face[] {
  if (texts.every(isPlain)) return [{ regular: 'Helvetica', bold: 'Helvetica-Bold', has: () => true }];
  const { regular, bold } = dejaVu();
  doc.registerFont('regular', regular);
  doc.registerFont('bold', bold);
  const faces = [{ regular: 'regular', bold: 'bold', has: lettersOf(doc, 'regular') }];
  if (fontFile === undefined) return faces;
  // Read here, so that a missing file is reported as such.
  doc.registerFont('own', readFileSync(fontFile));
  return [...faces, { regular: 'own', bold: 'own', has: lettersOf(doc, 'own') }];
}

function lettersOf(doc: Doc, name: string): HasLetter {
  doc.font(name);
  // The library has no other way to ask for a glyph.
  const { font } = (doc as Doc & { _font: { font: { hasGlyphForCodePoint: HasLetter } } })._font;
  const known = new Map<number, boolean>();
  return (codePoint) => {
    const present = known.get(codePoint) ?? font.hasGlyphForCodePoint(codePoint);
    known.set(codePoint, present);
    return present;
  };
}
