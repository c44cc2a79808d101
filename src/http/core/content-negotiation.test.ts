import { describe, expect, it } from 'vitest';
import { acceptLanguage, parseWeighted, prefersGzip } from './content-negotiation.ts';

describe('acceptLanguage', () => {
  it.each([
    [null, 'en'],
    ['', 'en'],
    ['fr', 'fr'],
    ['FR', 'fr'],
    ['fr-CA', 'fr'],
    ['fra', 'en'],
    ['de', 'en'],
    ['de, fr', 'fr'],
    ['en, fr', 'en'],
    ['fr, en', 'fr'],
    ['en;q=0.2, fr;q=0.8', 'fr'],
    ['fr;q=0.2, en;q=0.8', 'en'],
    ['de;q=1, fr ; q=0.5, en;q=0.4', 'fr'],
    ['fr;q=0', 'en'],
    ['fr;q=0, de', 'en'],
    ['*', 'en'],
    ['*, fr;q=0.5', 'en'],
    ['fr, *;q=0.5', 'fr'],
    ['fr;q=nonsense', 'en'],
    ['fr;q=7', 'en'],
    [',;;q=,', 'en'],
    ['*, en;q=0.5', 'fr'],
    ['*;q=0.1, fr;q=0.05, en;q=0.01', 'fr'],
    ['en;q=0', 'fr'],
    ['*, en;q=0', 'fr'],
    ['de, *;q=0', 'en'],
    ['en;q=0, fr;q=0', 'en'],
    ['fr-CA;q=0, fr;q=0.5', 'fr'],
    ['fr;q=0.000, *', 'en'],
    ['fr;q=-1', 'en'],
    ['fr;level=1;q=0.3, en;q=0.2', 'fr'],
  ])('reads %j as %s', (header, language) => {
    expect(acceptLanguage(header, ['en', 'fr'])).toBe(language);
  });

  const VARIETIES = ['en', 'pt-BR', 'fr-CA', 'zh-Hant', 'zh', 'fr-BE'];
  it.each([
    ['fr', 'fr-CA'],
    ['fr-be', 'fr-BE'],
    ['FR, en;q=0.9', 'fr-CA'],
    ['fr-FR', 'en'],
    ['fr-FR, fr;q=0.9, en;q=0.8', 'fr-CA'],
    ['pt-BR-x-north', 'pt-BR'],
    ['pt-PT, pt;q=0.5', 'pt-BR'],
    ['zh', 'zh'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['zh-Hans', 'zh'],
    ['fr, fr-CA;q=0', 'fr-BE'],
    ['fr;q=0, fr-CA;q=0.1', 'fr-CA'],
    ['fr;q=0, *;q=0.5, en;q=0.1', 'pt-BR'],
  ])('reads %j as %s among varieties', (header, language) => {
    expect(acceptLanguage(header, VARIETIES)).toBe(language);
  });

  it('falls back to the first language of the site', () => {
    expect(acceptLanguage('de', ['fr', 'en'])).toBe('fr');
    expect(acceptLanguage(null, ['fr', 'en'])).toBe('fr');
  });
});

describe('parseWeighted', () => {
  it.each([
    [null, []],
    ['', []],
    ['text/html', ['text/html 1']],
    ['a;q=0.1, B ; Q=0.9, c', ['c 1', 'b 0.9', 'a 0.1']],
    ['a;level=1;q=0.5, b;q=0.5', ['a 0.5', 'b 0.5']],
    ['a;q=0, b', ['b 1', 'a 0']],
    ['a;q=2, b;q=-1, c;q=x, ;q=1, d', ['d 1']],
  ])('reads %j', (header, expected) => {
    expect(parseWeighted(header).map(({ value, weight }) => `${value} ${weight}`)).toEqual(expected);
  });

  it('reads the first 20 items only', () => {
    expect(parseWeighted('a,'.repeat(100))).toHaveLength(20);
  });
});

describe('prefersGzip', () => {
  it.each([
    ['gzip', true],
    ['br;q=1.0, GZIP;q=0.8, *;q=0.1', true],
    ['x-gzip', true],
    ['*', true],
    ['identity;q=0.5, gzip', true],
    ['identity, gzip', true],
    ['gzip;q=0', false],
    ['gzip;q=0, *', false],
    ['*;q=0', false],
    ['identity, gzip;q=0.5', false],
    ['br, deflate', false],
    ['gzipped', false],
    ['', false],
    [null, false],
    [undefined, false],
  ])('responds to %j with %s', (header, expected) => {
    expect(prefersGzip(header)).toBe(expected);
  });
});
