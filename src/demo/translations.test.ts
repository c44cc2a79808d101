import { describe, expect, it } from 'vitest';
import { CATEGORIES, ORGANIZERS, SERIES, TAGS, VENUES } from './city.ts';
import { type PlannedEvent, programme } from './programme.ts';
import type { EventTexts } from './schemas.ts';
import { type Translations, translationsOf, versionsFor } from './translations.ts';

const events = programme({ now: new Date('2030-03-05T15:00:00Z'), seed: 1 });
const textsOf = (event: PlannedEvent) => translationsOf<EventTexts>(event, event);
const french = events.filter((event) => textsOf(event).fr);

describe('the texts of the demo', () => {
  it('are also French for more than half of the events of every kind, but not all', () => {
    expect(french.length / events.length).toBeGreaterThan(0.55);
    expect(french.length / events.length).toBeLessThan(0.75);
    const some = (test: (event: PlannedEvent) => unknown) => french.filter(test).length;
    expect(some(({ allDay }) => allDay)).toBeGreaterThan(8);
    expect(some(({ excerpt }) => excerpt)).toBeGreaterThan(2);
    expect(some(({ password }) => password)).toBe(1);
    for (const status of ['draft', 'future', 'pending', 'private'] as const)
      expect(
        some((event) => event.status === status),
        status,
      ).toBeGreaterThan(0);
    for (const flag of ['featured', 'sticky', 'show_map', 'hide_from_listings'] as const)
      expect(
        some(({ flags }) => flags?.includes(flag)),
        flag,
      ).toBeGreaterThan(0);
  });

  it('are also German, except for a few events in other scripts', () => {
    const german = events.filter((event) => textsOf(event).de);
    expect(german.length / events.length).toBeGreaterThan(0.97);
    for (const table of [CATEGORIES, TAGS]) expect(Object.values(table).filter(({ de }) => !de)).toEqual([]);
  });

  it('are only French for a few events', () => {
    const alone = french.filter((event) => !textsOf(event).en);
    expect(alone.length).toBeGreaterThan(4);
    expect(alone.length).toBeLessThan(11);
  });

  it('have the same structure in both languages', () => {
    const shapeOf = ({ text, excerpt }: EventTexts) => ({
      paragraphs: text.length,
      tags: text.join().match(/<[a-z/]+>/g),
      hasExcerpt: excerpt !== undefined,
    });
    for (const event of events) {
      const [first, ...others] = Object.values(textsOf(event)).filter((texts) => texts !== undefined);
      for (const other of others) if (first) expect(shapeOf(other), event.title).toEqual(shapeOf(first));
    }
    for (const { themes, en, fr, de } of SERIES)
      for (const other of [en, fr, de]) expect(other?.themes.length ?? themes.length).toBe(themes.length);
  });

  it('are in both languages for all categories, and for the tags that are described', () => {
    const described = Object.values(TAGS).filter(({ about }) => about);
    for (const { about, en, fr } of [...Object.values(CATEGORIES), ...described])
      expect((en ?? fr)?.about ?? '').toMatch(about ? /./ : /^$/);
    for (const { en, fr } of Object.values(CATEGORIES)) expect((en ?? fr)?.name).toBeTruthy();
  });

  it('are translated into the other language only', () => {
    const tables = [VENUES, ORGANIZERS, CATEGORIES, TAGS].flatMap((table) =>
      Object.values<Translations<unknown> & { language?: 'fr' }>(table),
    );
    const records = [...events, ...SERIES, ...tables];
    expect(records.filter(({ language, en, fr }) => (language === 'fr' ? fr : en))).toEqual([]);
  });

  it.each([
    { site: ['en', 'fr'], told: ['en Hall', 'fr Salle'] },
    { site: ['fr', 'en'], told: ['fr Salle', 'en Hall'] },
    { site: ['fr'], told: ['fr Salle'] },
    { site: ['de'], told: ['de Hall'] },
  ])('are stored in $told on a site in $site', ({ site, told }) => {
    const versions = versionsFor({ en: { name: 'Hall' }, fr: { name: 'Salle' } }, site);
    expect(versions.map(({ language, texts }) => `${language} ${texts.name}`)).toEqual(told);
  });

  it('stay in their own language where the site has no other', () => {
    expect(versionsFor({ fr: { name: 'Salle' } }, ['en'])).toEqual([{ language: 'en', texts: { name: 'Salle' } }]);
  });

  it('get French no-break spaces', () => {
    const [{ texts }] = versionsFor({ fr: { title: 'Danse : « Marée haute »', excerpt: undefined } }, ['fr']);
    expect(texts.title).toBe('Danse\u00a0: «\u00a0Marée haute\u00a0»');
  });

  it('follow French typography', () => {
    const lines = french.flatMap((event) => {
      const { title = '', text = [], excerpt = '' } = textsOf(event).fr ?? {};
      return [title, excerpt, ...text];
    });
    const wrong = lines.filter((line) => /['"“”]|\.\.\.|«\S|[^\s]»|\S[:;?!]/.test(line));
    expect(wrong).toEqual([]);
  });
});
