import { expect, it } from 'vitest';
import { createWhen, localIn, localOf, nowIn, regionalForm, todayIn, utcOf } from './when.ts';

const when = createWhen('en-US');
/** Shows no-break spaces as underscores, and other spaces as they are. */
const seen = (text: string) =>
  text
    .replace(/\u2060/g, '')
    .replace(/[\u00a0\u202f]/g, '_')
    .replace(/\u2009/g, ' ');

const evening = { start_date: '2026-11-23 18:00:00', end_date: '2026-11-23 20:30:00' };
const night = { start_date: '2026-11-28 21:30:00', end_date: '2026-11-29 00:00:00' };

it('keeps a time in one line, and lets a line end after its date', () => {
  expect(seen(when.span(evening))).toBe('Mon, Nov 23, 2026, 6:00_–_8:30_PM');
  expect(seen(when.moment(evening.start_date))).toBe('Mon, Nov 23, 2026, 6:00_PM');
});

it('names both days of an event that ends on another day', () => {
  expect(when.span(night)).toMatch(/^Sat, Nov 28, 2026, 9:30\sPM\s–\sSun, Nov 29, 2026, 12:00\sAM$/);
  expect(when.times(night.start_date, night.end_date)).toMatch(/^9:30\sPM – 12:00\sAM$/);
});

it('leaves out the year with `hasYear: false`', () => {
  const near = createWhen('en-US', { hasYear: false });
  expect(seen(near.span(evening))).toBe('Mon, Nov 23, 6:00_–_8:30_PM');
  expect(near.day(evening.start_date)).toBe('Mon, Nov 23');
});

it.each([
  ['fr', 'lun. 23 nov. 2026, 18:00_–_20:30'],
  ['de', 'Mo., 23. Nov. 2026, 18:00–20:30_Uhr'],
])('formats times in %s', (language, text) => {
  expect(seen(createWhen(language).span(evening))).toBe(text);
});

it.each([
  ['Pacific/Kiritimati', '2026-11-24 01:30:05'],
  ['UTC', '2026-11-23 11:30:05'],
  ['Pacific/Pago_Pago', '2026-11-23 00:30:05'],
])('knows the time and the day in %s', (zone, now) => {
  const instant = new Date('2026-11-23T11:30:05Z');
  expect([nowIn(zone, instant), todayIn(zone, instant)]).toEqual([now, now.slice(0, 10)]);
  expect(localIn(zone, '2026-11-23 11:30:05')).toBe(now);
});

it.each(['2027-03-01 12:30:00', '2027-07-01 00:00:00', '2027-10-31 00:30:00'])('shows and reads %s', (utc) =>
  expect(utcOf(localOf(utc))).toBe(utc),
);

it('shows and reads no time', () => expect([localOf(null), utcOf('')]).toEqual(['', null]));

it.each([
  ['en', ['en-GB', 'en-US'], 'en-GB', 'Sat, 6 Mar 2027'],
  ['en', ['fr-CA', 'en-AU'], 'en-AU', 'Sat, 6 Mar 2027'],
  ['en', ['en'], 'en', 'Sat, Mar 6, 2027'],
  ['de', ['en-GB', 'de-at'], 'de-AT', 'Sa., 6. März 2027'],
  ['fr', ['en-GB'], 'fr', 'sam. 6 mars 2027'],
  ['en', ['en-GB-u-ca-buddhist'], 'en-GB', 'Sat, 6 Mar 2027'],
  ['de', ['den-CA'], 'de', 'Sa., 6. März 2027'],
  ['en', ['en-!'], 'en', 'Sat, Mar 6, 2027'],
])('writes dates in %s of a browser that prefers %j as in %s', (language, preferred, locale, day) => {
  expect(regionalForm(language, preferred)).toBe(locale);
  expect(createWhen(locale).day('2027-03-06 10:00:00')).toBe(day);
});
