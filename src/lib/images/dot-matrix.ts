/**
 * Dot-matrix lettering, five by seven dots per letter, like the light bulbs of a cinema sign. Drawn as circles, so that
 * the picture does not depend on installed fonts.
 */

/** Seven rows from the top, each a base-32 digit whose bits are the dots from the left. */
const LETTERS: Readonly<Record<string, string>> = {
  A: 'ehhvhhh',
  B: 'uhhuhhu',
  C: 'ehggghe',
  D: 'sihhhis',
  E: 'vgguggv',
  F: 'vgguggg',
  G: 'ehgnhhf',
  H: 'hhhvhhh',
  I: 'e44444e',
  J: '72222ic',
  K: 'hikokih',
  L: 'ggggggv',
  M: 'hrllhhh',
  N: 'hhpljhh',
  O: 'ehhhhhe',
  P: 'uhhuggg',
  Q: 'ehhhlid',
  R: 'uhhukih',
  S: 'fgge11u',
  T: 'v444444',
  U: 'hhhhhhe',
  V: 'hhhhha4',
  W: 'hhhllla',
  X: 'hha4ahh',
  Y: 'hhha444',
  Z: 'v1248gv',
  0: 'ehjlphe',
  1: '4c4444e',
  2: 'eh1248v',
  3: 'v2421he',
  4: '26aiv22',
  5: 'vgu11he',
  6: '68guhhe',
  7: 'v124888',
  8: 'ehhehhe',
  9: 'ehhf12c',
  '.': '00000cc',
  ',': '0000c48',
  ':': '0cc0cc0',
  '-': '000v000',
  '–': '000v000',
  '/': '11248gg',
  '’': 'c480000',
  "'": 'c480000',
};

/** Two rows above the letter. */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': '84',
  '\u0301': '24',
  '\u0302': '4a',
  '\u0303': 'dm',
  '\u0308': '0a',
};

const COLUMNS = 5;

/** Whether every character has a glyph, including its accent. */
export const hasGlyphs = (text: string): boolean =>
  [...text.normalize('NFC').toUpperCase()].every((letter) => {
    const [base = '', ...accents] = letter.normalize('NFD');
    return base in LETTERS && accents.length < 2 && accents.every((accent) => accent in ACCENTS);
  });

export interface Dot {
  /** Columns and rows from the top left of the line; accents are at rows -3 and -2. */
  x: number;
  y: number;
}

/**
 * The dots of a line of capital letters, digits and date punctuation, and its width in columns. Characters without a
 * glyph are left blank.
 */
export function dotsOf(line: string): { dots: Dot[]; width: number } {
  const letters = line.normalize('NFC').toUpperCase();
  const dots = [...letters].flatMap((letter, index) => {
    const [base = '', accent = ''] = letter.normalize('NFD');
    const rows = [...rowsOf(LETTERS[base], 0), ...rowsOf(ACCENTS[accent], -3)];
    return rows.map(({ x, y }) => ({ x: x + index * (COLUMNS + 1), y }));
  });
  return { dots, width: letters.length * (COLUMNS + 1) - 1 };
}

function rowsOf(glyph = '', top: number): Dot[] {
  return [...glyph].flatMap((digit, row) => {
    const bits = Number.parseInt(digit, 32);
    const columns = Array.from({ length: COLUMNS }, (_, x) => x).filter((x) => (bits >> (COLUMNS - 1 - x)) & 1);
    return columns.map((x) => ({ x, y: top + row }));
  });
}
