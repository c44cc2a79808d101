import { createRequire } from 'node:module';

/** Characters in PDF documents: the fonts that have them, and replacements for those that no font has. */

/** Characters of Windows-1252, which the standard fonts of PDF cover. */
const PLAIN = new Set(
  new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)).replace(/\p{Cc}/gu, ''),
);

/** Shown in place of a character that the font lacks; DejaVu Sans has it. */
const REPLACEMENT = '\u25a1';

/** Replacements for characters of formatted dates and amounts that the standard fonts of PDF lack. */
const ALIKE: Readonly<Record<string, string>> = {
  '\u202f': '\u00a0',
  '\u2007': '\u00a0',
  '\u2009': '\u00a0',
  '\u2010': '-',
  '\u2011': '-',
  '\u2212': '\u2013',
};

/**
 * Text for a PDF document: on one line, in normalisation form C, without invisible characters such as bidirectional
 * controls.
 */
export const legible = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\u202f\u2007\u2009\u2010\u2011\u2212]/g, (one) => ALIKE[one] ?? one)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}]|\p{Variation_Selector}/gu, '')
    .trim();

export const isPlain = (text: string): boolean => [...text].every((letter) => PLAIN.has(letter));

/** Whether a font has a character, by its code point. */
export type HasLetter = (codePoint: number) => boolean;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Replaces each grapheme that a font cannot show by one box. */
export function drawable(text: string, has: HasLetter): { text: string; count: number } {
  let count = 0;
  const parts = Array.from(graphemes.segment(text), ({ segment }) => {
    if ([...segment].every((letter) => has(letter.codePointAt(0) ?? 0))) return segment;
    count += 1;
    return REPLACEMENT;
  });
  return { text: parts.join(''), count };
}

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}]/u;
const LETTER = /\p{L}/u;

export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** Whether the first letter of a text belongs to a right-to-left script. */
export const beginsRight = (text: string): boolean => isRightToLeft(LETTER.exec(text)?.[0] ?? '');

/**
 * Orders the words of a line for drawing from left to right; the font orders the letters of each word. Words without
 * letters, such as numbers, follow the direction of the word before.
 */
export function inVisualOrder(words: readonly string[], isRight: boolean): string[] {
  const runs: { isRight: boolean; words: string[] }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    const direction = LETTER.test(word) ? isRightToLeft(word) : (last?.isRight ?? isRight);
    if (last?.isRight === direction) last.words.push(word);
    else runs.push({ isRight: direction, words: [word] });
  }
  const ordered = runs.map((run) => (run.isRight ? run.words.toReversed() : run.words));
  return (isRight ? ordered.toReversed() : ordered).flat();
}

const { resolve } = createRequire(import.meta.url);

/** Files of DejaVu Sans, which has Latin, Greek, Cyrillic, Arabic and Hebrew letters. */
export const dejaVu = (): { regular: string; bold: string } => ({
  regular: resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
});
