import { describe, expect, it } from 'vitest';
import { moveTexts, overlayTexts, type RecordTexts } from './rules.ts';

const TO_FRENCH = { from: 'en', to: 'fr' };
const TO_ENGLISH = { from: 'fr', to: 'en' };

const english = (texts: Record<string, string>, ...provisional: string[]) => ({ language: 'en', texts, provisional });
const french = (texts: Record<string, string>, ...provisional: string[]) => ({ language: 'fr', texts, provisional });
const german = (texts: Record<string, string>, ...provisional: string[]) => ({ language: 'de', texts, provisional });

/** A record, and the same one after French has replaced English as the first language. */
const MOVES: Readonly<Record<string, readonly [RecordTexts, RecordTexts]>> = {
  'in both languages': [
    { own: { title: 'Walk', excerpt: 'Short' }, translations: [french({ title: 'Marche', excerpt: 'Court' })] },
    { own: { title: 'Marche', excerpt: 'Court' }, translations: [english({ title: 'Walk', excerpt: 'Short' })] },
  ],
  'in English alone': [
    { own: { title: 'Walk', excerpt: '' }, translations: [] },
    { own: { title: 'Walk', excerpt: '' }, translations: [english({ title: 'Walk' }, 'title')] },
  ],
  'in French alone': [
    { own: { title: 'Marche' }, translations: [french({ title: 'Marche' }, 'title')] },
    { own: { title: 'Marche' }, translations: [] },
  ],
  'of which French has a part': [
    { own: { title: 'Walk', excerpt: 'Short' }, translations: [french({ title: 'Marche' })] },
    {
      own: { title: 'Marche', excerpt: 'Short' },
      translations: [english({ title: 'Walk', excerpt: 'Short' }, 'excerpt')],
    },
  ],
  'of which English has a part': [
    {
      own: { title: 'Walk', excerpt: 'Court' },
      translations: [french({ title: 'Marche', excerpt: 'Court' }, 'excerpt')],
    },
    { own: { title: 'Marche', excerpt: 'Court' }, translations: [english({ title: 'Walk' })] },
  ],
  'in three languages': [
    {
      own: { title: 'Walk', excerpt: 'Short' },
      translations: [german({ title: 'Gang' }), french({ title: 'Marche', excerpt: 'Court' })],
    },
    {
      own: { title: 'Marche', excerpt: 'Court' },
      translations: [german({ title: 'Gang' }), english({ title: 'Walk', excerpt: 'Short' })],
    },
  ],
  'in German alone': [
    { own: { title: 'Gang' }, translations: [german({ title: 'Gang' }, 'title')] },
    { own: { title: 'Gang' }, translations: [german({ title: 'Gang' }, 'title')] },
  ],
  'without any text': [
    { own: { title: '' }, translations: [] },
    { own: { title: '' }, translations: [] },
  ],
};

describe('another first language', () => {
  const cases = Object.entries(MOVES).map(([what, [before, after]]) => [what, before, after] as const);

  it.each(cases)('moves a record %s, and back', (_what, before, after) => {
    expect(moveTexts(before, TO_FRENCH)).toEqual(after);
    expect(moveTexts(after, TO_ENGLISH)).toEqual(before);
  });

  it('replaces a third one whose text was provisional', () => {
    const translations = [german({ title: 'Gang' }, 'title'), french({ title: 'Marche' })];
    const moved = moveTexts({ own: { title: 'Gang' }, translations }, TO_FRENCH);
    expect(moved).toEqual({ own: { title: 'Marche' }, translations: [german({ title: 'Gang' })] });
  });

  it('shows texts that it alone has in every language, and makes them provisional when it is moved back', () => {
    const translations = [french({ title: 'Marche', excerpt: 'Court' })];
    const moved = moveTexts({ own: { title: 'Walk', excerpt: '' }, translations }, TO_FRENCH);
    expect(moved).toEqual({
      own: { title: 'Marche', excerpt: 'Court' },
      translations: [english({ title: 'Walk' })],
    });
    expect(moveTexts(moved, TO_ENGLISH)).toEqual({
      own: { title: 'Walk', excerpt: 'Court' },
      translations: [french({ title: 'Marche', excerpt: 'Court' }, 'excerpt')],
    });
  });

  it('drops translations in the language of the record itself', () => {
    const moved = moveTexts({ own: { title: 'Walk' }, translations: [english({ title: 'Stroll' })] }, TO_FRENCH);
    expect(moved).toEqual({ own: { title: 'Walk' }, translations: [english({ title: 'Walk' }, 'title')] });
  });
});

describe('overlayTexts', () => {
  const venue = { id: 1, title: 'Mill', description: 'Old', attributes: { city: 'Moncton', slogan: 'Welcome' } };

  it('replaces columns, and keeps those without a translation', () => {
    expect(overlayTexts(venue, { title: 'Moulin' })).toEqual({ ...venue, title: 'Moulin' });
  });

  it('replaces attributes of a linked post, and drops one whose text is empty', () => {
    const french = overlayTexts(venue, { title: 'Moulin', slogan: 'Bienvenue' });
    expect(french).toEqual({ ...venue, title: 'Moulin', attributes: { city: 'Moncton', slogan: 'Bienvenue' } });
    expect(overlayTexts(venue, { slogan: '' }).attributes).toEqual({ city: 'Moncton' });
  });

  it('writes every text of a record without attributes as a column', () => {
    expect(overlayTexts({ id: 1, title: 'Walk' }, { excerpt: 'Short' })).toEqual({
      id: 1,
      title: 'Walk',
      excerpt: 'Short',
    });
  });
});
