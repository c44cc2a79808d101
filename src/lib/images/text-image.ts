import type { SharpOptions } from 'sharp';
import { escapeHtml } from '../text/text.ts';
import { dotsOf } from './dot-matrix.ts';
import { loadSharp } from './image-renditions.ts';

/** Draws texts as pictures, in any script that the fonts of the machine support. */

/** A line of text; wraps if it is too wide. */
export interface TextLine {
  text: string;
  /** Letter height in pixels. */
  size: number;
  isBold?: boolean;
  /** Letters of equal width, for codes. */
  isMonospaced?: boolean;
}

interface Room {
  /** Pixels. Longer texts are drawn smaller. */
  width: number;
  height: number;
  /** `#rrggbb`. */
  color: string;
}

interface DrawnText {
  png: Buffer;
  width: number;
  height: number;
}

/** Maximum number of characters in a line; the rest is left out. */
const MAX_LENGTH = 200;

/** Draws lines of plain text below each other, centred on a transparent background. Empty lines are left out. */
export async function drawText(lines: readonly TextLine[], room: Room): Promise<DrawnText> {
  const visible = lines.map((line) => ({ ...line, text: oneLine(line.text) })).filter(isVisible);
  // An empty picture cannot be rendered.
  const shown = visible.length > 0 ? visible : [{ text: '–', size: 1 }];
  const sharp = await loadSharp();
  const image = (await hasFonts()) ? sharp(inFonts(shown, room)) : sharp(inDots(shown, room));
  const { data, info } = await image
    .resize({ width: room.width, height: room.height, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

/** Control characters would end the markup, and line separators the line. */
const oneLine = (text: string): string =>
  [...text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu, ' ')].slice(0, MAX_LENGTH).join('').trim();

/** Ignores joiners and other characters that are not drawn by themselves. */
const isVisible = ({ text }: TextLine): boolean => text.replace(/[\p{Default_Ignorable_Code_Point}\s]/gu, '') !== '';

/** Pango counts sizes in 1024ths of a point, which is a pixel at 72 dots per inch. */
const PANGO_UNITS = 1024;

function inFonts(lines: readonly TextLine[], { width, color }: Room): SharpOptions {
  const text = lines
    .map(({ text, size, isBold, isMonospaced }) => {
      const font = `${isMonospaced ? ' face="monospace"' : ''}${isBold ? ' weight="bold"' : ''}`;
      return `<span size="${size * PANGO_UNITS}"${font} foreground="${color}">${escapeHtml(text)}</span>`;
    })
    .join('\n');
  return { text: { text, font: 'sans', width, wrap: 'word-char', align: 'centre', dpi: 72, spacing: 12, rgba: true } };
}

let probe: Promise<boolean> | undefined;

/** Whether the machine has fonts; without them, all letters look alike. */
function hasFonts(): Promise<boolean> {
  probe ??= Promise.all(['A', 'B'].map(drawnLetter)).then(
    ([a, b]) => a !== undefined && b !== undefined && !a.equals(b),
  );
  return probe;
}

async function drawnLetter(text: string): Promise<Buffer> {
  const sharp = await loadSharp();
  return sharp({ text: { text, font: 'sans 40' } })
    .raw()
    .toBuffer();
}

/** Rows of dots per line: seven for a letter, the rest for accents and spacing. */
const DOT_ROWS = 12;
/** Columns of dots per letter, including the gap after it. */
const DOT_COLUMNS = 6;

/** Draws the lines in dot-matrix letters, as SVG. Scripts other than Latin stay blank. */
function inDots(lines: readonly TextLine[], { width, color }: Room): Buffer {
  let top = 0;
  const circles = lines.flatMap(({ text, size }) => {
    const step = size / DOT_ROWS;
    return wrapped(text, Math.floor(width / (step * DOT_COLUMNS))).flatMap((line) => {
      const { dots, width: columns } = dotsOf(line);
      const left = (width - columns * step) / 2;
      const y0 = top + 4 * step;
      top += size;
      return dots.map(
        ({ x, y }) =>
          `<circle cx="${(left + (x + 0.5) * step).toFixed(1)}" cy="${(y0 + (y + 0.5) * step).toFixed(1)}" r="${(step * 0.45).toFixed(1)}"/>`,
      );
    });
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${Math.max(1, Math.ceil(top))}"><g fill="${color}">${circles.join('')}</g></svg>`;
  return Buffer.from(svg);
}

/** Wraps words in lines of at most `letters` characters; longer words are cut. */
function wrapped(text: string, letters: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    for (let rest = [...word]; rest.length > 0; rest = rest.slice(letters)) {
      const part = rest.slice(0, letters).join('');
      const line = lines.at(-1) ?? '';
      if (line === '') lines[lines.length - 1] = part;
      else if (line.length + 1 + part.length <= letters) lines[lines.length - 1] = `${line} ${part}`;
      else lines.push(part);
    }
  }
  return lines;
}
