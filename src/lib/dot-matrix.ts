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
};

/** Two rows above the letter. */
const ACCENTS: Readonly<Record<string, string>> = { '\u0300': '84', '\u0301': '24', '\u0302': '4a' };

const COLUMNS = 5;

export interface Dot {
  /** In columns and rows from the top left of the line; accents are at rows -3 and -2. */
  x: number;
  y: number;
}

/** The dots of a line of capital letters, and its width in columns. Characters without a glyph are left blank. */
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
