import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeString } from '../../../test/unicode.ts';
import { slugify, uniqueSlug } from './slug.ts';

const slugText = fc.oneof(
  unicodeString({ maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc
    .array(
      fc.constantFrom(
        '%d0%bf',
        '%41',
        '%',
        'ab',
        '-',
        '.',
        'É',
        'и',
        '!',
        '\u0306',
        '\u0301',
        '<b>',
        '&amp;',
        'ß',
        '日',
        '🎉',
        '´',
        'ʼ',
        'ı',
      ),
    )
    .map((parts) => parts.join('')),
);

describe('slugify', () => {
  it.each([
    ['Café Müller & Söhne', 'cafe-muller-sohne'],
    ['My Own Slug!', 'my-own-slug'],
    ['Straße Łódź Ærø', 'strasse-lodz-aero'],
    ['  a.b/c – d_e  ', 'a-b-c-d_e'],
    ['<b>Bold</b> &amp; &#8220;quoted&#8221;', 'bold-quoted'],
    ['Rock ’n’ Roll: don´t stop… now', 'rock-n-roll-dont-stop-now'],
    ['10×20 ½ ① ™', '10x20-12-1'],
    ['Привет, чайка', '%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82-%d1%87%d0%b0%d0%b9%d0%ba%d0%b0'],
    ['日本', '%e6%97%a5%e6%9c%ac'],
    ['%D0%BF', '%d0%bf'],
    ['100% sure', '100-sure'],
    ['%d0', ''],
    ['%253Cscript%253E', '3cscript3e'],
    ['Hawaiʻi', 'hawaii'],
    ['../../etc/passwd', 'etc-passwd'],
    ['foo__trashed', 'foo__trashed'],
    ['?!', ''],
    ['', ''],
  ])('%j -> %j', (text, expected) => expect(slugify(text)).toBe(expected));

  it('cuts between characters', () => {
    expect(slugify('a'.repeat(300))).toHaveLength(200);
    expect(slugify(`${'a'.repeat(199)} b`)).toBe('a'.repeat(199));
    expect(slugify(`ab${'п'.repeat(100)}`)).toBe(`ab${'%d0%bf'.repeat(33)}`);
    expect(slugify('日'.repeat(100))).toBe('%e6%97%a5'.repeat(22));
  });

  it('is idempotent, in its alphabet, decodable and within the limit', () => {
    fc.assert(
      fc.property(slugText, (text) => {
        const slug = slugify(text);
        expect(slug).toMatch(/^[a-z0-9%_-]*$/);
        expect(slug.length).toBeLessThanOrEqual(200);
        expect(() => decodeURIComponent(slug)).not.toThrow();
        expect(slugify(slug)).toBe(slug);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('uniqueSlug', () => {
  const takenBy = (slugs: Iterable<string>) => {
    const taken = new Set(slugs);
    const asked: string[] = [];
    return { asked, isTaken: async (slug: string) => asked.push(slug) > 0 && taken.has(slug) };
  };
  const numbered = (count: number) => ['x', ...Array.from({ length: count - 1 }, (_, index) => `x-${index + 2}`)];

  it.each([
    ['nothing taken', [], 'x'],
    ['one taken', ['x'], 'x-2'],
    ['a gap', ['x', 'x-3'], 'x-2'],
    ['nine', numbered(9), 'x-10'],
    ['ten', numbered(10), 'x-11'],
    ['eleven', numbered(11), 'x-12'],
    ['a thousand', numbered(1000), 'x-1001'],
  ])('%s', async (_name, taken, expected) => {
    const { isTaken, asked } = takenBy(taken);
    expect(await uniqueSlug('x', isTaken)).toBe(expected);
    expect(asked.length).toBeLessThan(30);
  });

  it('stays within 200 bytes and cuts between characters', async () => {
    const base = slugify('п'.repeat(50));
    expect(await uniqueSlug(base, takenBy([base]).isTaken)).toBe(`${'%d0%bf'.repeat(33)}-2`);
    const long = 'a'.repeat(200);
    expect(await uniqueSlug(long, takenBy([long]).isTaken)).toBe(`${'a'.repeat(198)}-2`);
  });

  it('leaves an empty slug empty', async () => {
    expect(await uniqueSlug('', async () => true)).toBe('');
  });

  it('gives up when everything is taken', async () => {
    await expect(uniqueSlug('x', async () => true)).rejects.toThrow('No free slug');
  });
});
