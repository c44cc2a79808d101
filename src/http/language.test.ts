import { describe, expect, it } from 'vitest';
import { acceptLanguage } from './language.ts';

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
  ])('reads %j as %s', (header, language) => {
    expect(acceptLanguage(header, ['en', 'fr'])).toBe(language);
  });

  it('falls back on the first language of the site', () => {
    expect(acceptLanguage('de', ['fr', 'en'])).toBe('fr');
    expect(acceptLanguage(null, ['fr', 'en'])).toBe('fr');
  });
});
