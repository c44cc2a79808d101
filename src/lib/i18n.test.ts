import { describe, expect, it } from 'vitest';
import { CATALOGUES, catalogueFor, formatMoment, type MessageKey, type MessageValues, translate } from './i18n.ts';

describe('translate', () => {
  const seats: MessageValues = { ticket: 'Adult', count: 1 };
  it.each<[string, MessageKey, MessageValues, string]>([
    ['en', 'label.free', {}, 'Free'],
    ['fr', 'label.free', {}, 'Gratuit'],
    ['en', 'param.linked_unknown', { name: 'venue', kind: 'venue' }, 'venue names a venue that does not exist.'],
    ['de', 'param.linked_unknown', { name: 'venue', kind: 'venue' }, 'venue nennt einen Ort, den es nicht gibt.'],
    ['xx', 'error.linked-archive-page-not-found', { kind: 'organizer' }, 'There is no such page of organizers.'],
    ['en', 'error.linked-is-in-trash', { kind: 'constructor' }, '{kind.this} is already'],
    ['fr-CA', 'label.free', {}, 'Gratuit'],
    ['xx', 'label.free', {}, 'Free'],
    ['en', 'error.too_many_attempts', { when: { seconds: 1 } }, 'again in 1 second.'],
    ['en', 'error.too_many_attempts', { when: { seconds: 119 } }, 'again in 119 seconds.'],
    ['en', 'error.too_many_attempts', { when: { seconds: 841 } }, 'again in 15 minutes.'],
    ['fr', 'error.too-many-requests', { when: { seconds: 7201 } }, 'Réessayez dans 3 heures.'],
    ['de', 'error.too-many-open-orders', { limit: 3, when: { seconds: 439_084 } }, 'oder in 6 Tagen erneut'],
    ['en', 'error.ticket-capacity-not-available', { ...seats, count: 0 }, 'Adult has 0 places'],
    ['fr', 'error.ticket-capacity-not-available', { ...seats, count: 0 }, 'Adult a 0 place '],
    ['fr', 'error.ticket-capacity-not-available', seats, 'Adult a 1 place '],
    ['fr', 'error.ticket-capacity-not-available', { ...seats, count: 2 }, 'Adult a 2 places '],
    ['xx', 'error.ticket-capacity-not-available', { ...seats, count: 0 }, 'Adult has 0 places'],
    ['en', 'error.rest_invalid_param', { count: 1, params: 'page' }, 'This parameter cannot be used: page.'],
    ['en', 'error.rest_invalid_param', { count: 2, params: 'page, id' }, 'These parameters cannot be used: page, id.'],
    ['en', 'error.rest_body_too_large', { limit: 10_240 }, '10,240 KiB'],
    ['fr', 'error.rest_body_too_large', { limit: 10_240 }, '10\u202f240 Kio'],
    ['xx', 'error.rest_body_too_large', { limit: 10_240 }, '10,240 KiB'],
    ['de', 'error.rest_body_too_large', { limit: 10_240 }, '10.240 KiB'],
    ['de-AT', 'error.ticket-capacity-not-available', seats, 'ist gerade 1 Platz zu haben'],
    ['de', 'error.ticket-capacity-not-available', { ...seats, count: 0 }, 'sind gerade 0 Plätze zu haben'],
    ['fr', 'error.ticket-does-not-exist', { ticket: '12345' }, 'Le billet 12345 '],
    ['en', 'error.too_many_attempts', {}, 'again {when}.'],
    ['en', 'qr.checked_in', { name: '$& {count}' }, '$& {count} is checked in.'],
  ])('translates to %s the error %s with %j: … %s', (language, key, values, part) => {
    expect(translate(language, key, values)).toContain(part);
  });
});

it.each([
  ['en', 'December 1, 2026 at 8:05 PM'],
  ['fr-CA', '1 décembre 2026 à 20 h 05'],
  ['de', '1. Dezember 2026 um 20:05'],
  ['xx', 'December 1, 2026 at 8:05 PM'],
])('writes a moment in %s as %s', (language, text) => {
  expect(formatMoment(language, new Date('2026-12-01T20:05:00Z'))).toBe(text);
});

describe('catalogueFor', () => {
  it.each([
    ['fr', 'fr'],
    ['fr-CA', 'fr'],
    ['en-Latn-GB', 'en'],
    ['frr', undefined],
    ['zh-Hant', undefined],
    ['constructor', undefined],
  ])('serves %s with %s', (language, catalogue) => {
    expect(catalogueFor(language)).toBe(catalogue);
  });
});

it('calls only maps and bank cards “Karte” in German, and tickets “Ticket”', () => {
  const keys = Object.entries(CATALOGUES.de ?? {}).flatMap(([key, entry]) =>
    /karte/i.test(JSON.stringify(entry)) ? [key] : [],
  );
  expect(keys).toContain('map.label');
  expect(keys.filter((key) => !/^(map|place)\.|^site\.pay_card$/.test(key))).toEqual([]);
});

type Entry = string | Readonly<Record<string, string>>;

describe.each(Object.entries(CATALOGUES))('the catalogue %s', (language, texts) => {
  const isNoun = (key: string) => key.startsWith('kind.');
  const entries = Object.entries(texts).filter(([key]) => !isNoun(key)) as [MessageKey, Entry][];
  const formsOf = (entry: Entry = '') => (typeof entry === 'string' ? { other: entry } : entry);
  /** A form may omit the number that selected it. */
  const namesIn = (text = '') =>
    [...new Set([...text.matchAll(/\{(\w+)(?:\.\w+)?\}/g)].flatMap(([, name = '']) => name))].sort();
  const valuesIn = (text?: string) => namesIn(text).filter((name) => name !== 'count');

  it('has the same placeholders as English in every text', () => {
    for (const [key, entry] of entries) {
      const wanted = valuesIn(formsOf(CATALOGUES.en?.[key]).other);
      for (const text of Object.values(formsOf(entry))) expect([text, valuesIn(text)]).toEqual([text, wanted]);
    }
  });

  it('has exactly the forms of nouns that its messages use', () => {
    const said = entries.flatMap(([, entry]) => Object.values(formsOf(entry)));
    const asked = said.flatMap((text) => [...text.matchAll(/\{kind\.(\w+)\}/g)].flatMap(([, form = '']) => form));
    for (const [key, noun] of Object.entries(texts).filter(([key]) => isNoun(key)))
      expect([key, Object.keys(noun).sort()]).toEqual([key, [...new Set(asked)].sort()]);
  });

  it('has exactly the plural forms that its numbers need', () => {
    const rules = new Intl.PluralRules(language);
    const known: readonly string[] = rules.resolvedOptions().pluralCategories;
    const needed = new Set(Array.from({ length: 101 }, (_, count) => rules.select(count)));
    for (const [key, entry] of entries) {
      const forms = typeof entry === 'string' ? [] : Object.keys(entry);
      expect([key, forms.filter((form) => !known.includes(form))]).toEqual([key, []]);
      if (forms.length > 0) expect([key, forms]).toEqual([key, expect.arrayContaining([...needed])]);
      else expect(namesIn(formsOf(entry).other)).not.toContain('count');
    }
  });
});
