import { describe, expect, it } from 'vitest';
import { dotsOf } from './dot-matrix.ts';

/** Draws a line as text. */
function draw(line: string): string[] {
  const { dots, width } = dotsOf(line);
  const isLit = (x: number, y: number) => dots.some((lamp) => lamp.x === x && lamp.y === y);
  return Array.from({ length: 10 }, (_, row) =>
    Array.from({ length: width }, (_, x) => (isLit(x, row - 3) ? 'o' : '.')).join(''),
  );
}

describe('dot-matrix lettering', () => {
  it('puts letters side by side and accents above them', () => {
    expect(draw('fé')).toEqual([
      '.........o.',
      '........o..',
      '...........',
      'ooooo.ooooo',
      'o.....o....',
      'o.....o....',
      'oooo..oooo.',
      'o.....o....',
      'o.....o....',
      'o.....ooooo',
    ]);
  });

  it.each([
    ['A', 5],
    ['AB', 11],
    ['À TABLE', 41],
  ])('is six columns a letter, less the last gap: %s', (line, width) => {
    expect(dotsOf(line).width).toBe(width);
  });

  it('leaves characters without a glyph blank', () => {
    expect(dotsOf('月 *').dots).toEqual([]);
  });

  it('has a glyph of its own for each letter and digit, and for the marks of dates', () => {
    const drawn = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:-/ '].map((letter) => draw(letter).join('\n'));
    expect(new Set(drawn).size).toBe(drawn.length);
  });
});
