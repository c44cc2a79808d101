import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, toUtc } from '../lib/dates/dates.ts';
import { person } from './attendees.ts';
import { type Offer, planOffers } from './offers.ts';
import { programme } from './programme.ts';
import { chance } from './random.ts';
import type { EventTexts } from './schemas.ts';
import { type Translations, translationsOf } from './translations.ts';

const NOW = new Date('2030-03-05T15:00:00Z');

function plan(now: Date, seed: number, most?: number) {
  const today = `${toUtc(now).slice(0, 10)} 00:00:00`;
  const events = programme({ now, seed, most });
  return { today, events, offers: planOffers(events, { today, random: chance(seed) }) };
}

const goingTo = (offers: readonly Offer[]) => offers.reduce((sum, { going }) => sum + going, 0);

describe('the tickets of the demo', () => {
  const { today, events, offers } = plan(NOW, 4);
  const all = [...offers.values()].flat();
  const some = (test: (offer: Offer) => unknown) => all.filter(test).length;

  it('exist for about half of the future events', () => {
    const coming = events.filter(({ end }) => end >= today);
    const share = coming.filter((event) => offers.has(event)).length / coming.length;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.6);
    expect([...offers.keys()].filter(({ end }) => end < today).length).toBeGreaterThan(5);
  });

  it('are of every kind', () => {
    for (const mode of ['own', 'global', 'capped', ''] as const)
      expect(
        some(({ fields }) => fields.provider === 'tc' && fields.ticket.mode === mode),
        mode,
      ).toBeGreaterThan(3);
    for (const mode of ['own', ''] as const)
      expect(
        some(({ fields }) => fields.provider === 'rsvp' && fields.ticket.mode === mode),
        mode,
      ).toBeGreaterThan(3);
    expect(some(({ declined }) => declined > 0)).toBeGreaterThan(10);
    expect(some(({ isFull }) => isFull)).toBeGreaterThan(5);
    expect(some(({ fields }) => fields.ticket.sale_price)).toBeGreaterThan(3);
    expect(some(({ fields }) => (fields.start_date ?? '') > today.slice(0, 10))).toBeGreaterThan(3);
  });

  it('have texts in the languages of their event', () => {
    const languagesOf = ({ en, fr, de }: Translations<unknown>) => ({
      isEnglish: en !== undefined,
      isFrench: fr !== undefined,
      isGerman: de !== undefined,
    });
    for (const [event, own] of offers)
      for (const { texts } of own)
        expect(languagesOf(texts)).toEqual(languagesOf(translationsOf<EventTexts>(event, event)));
    expect(some(({ texts }) => texts.en && texts.fr)).toBeGreaterThan(50);
    expect(some(({ texts }) => !texts.en)).toBeGreaterThan(0);
  });

  it('never exceed the seats, on any day', () => {
    const anyDay = fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(anyDay, fc.nat(), (now, seed) => {
        for (const [event, own] of plan(now, seed, 80).offers) {
          const pool = own.find(({ fields }) => fields.ticket.event_capacity)?.fields.ticket.event_capacity;
          const drawing = own.filter(({ fields }) => ['global', 'capped'].includes(fields.ticket.mode));
          expect(goingTo(drawing)).toBeLessThanOrEqual(pool ?? 0);
          for (const { fields, going } of own) {
            expect(going).toBeLessThanOrEqual(fields.ticket.capacity ?? Number.POSITIVE_INFINITY);
            if (fields.start_date) expect(`${fields.start_date} 00:00:00` < addDays(event.start, -1)).toBe(true);
            if (fields.provider === 'tc') expect(fields.price).toMatch(/^[1-9]\d*$/);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('belong to people with addresses on a reserved domain', () => {
    const random = chance(1);
    const people = Array.from({ length: 500 }, () => person(random));
    expect(people.filter(({ email }) => !/^[a-z]+\.[a-z]+@[a-z]+\.example$/.test(email))).toEqual([]);
    for (const script of [/\p{Script=Han}/u, /\p{Script=Arabic}/u, /\p{Script=Cyrillic}/u, /[éë]/])
      expect(people.some(({ name }) => script.test(name))).toBe(true);
    expect(people.filter(({ name }) => name.includes('|'))).toEqual([]);
  });
});
