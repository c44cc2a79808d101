import { expect, it } from 'vitest';
import { dateFormats } from './date-format.ts';

it.each([
  ['en', 'Friday 1 January 2027', 'Fri 1 Jan 2027', '1 January 2027', 'January 2027', '1 – 7 January 2027'],
  ['en-US', 'Friday, January 1, 2027', 'Fri, Jan 1, 2027', 'January 1, 2027', 'January 2027', 'January 1 – 7, 2027'],
  ['fr', 'vendredi 1er janvier 2027', 'ven. 1er janv. 2027', '1er janvier 2027', 'Janvier 2027', '1er–7 janvier 2027'],
  [
    'fr-CA',
    'vendredi 1er janvier 2027',
    'ven. 1er janv. 2027',
    '1er janvier 2027',
    'Janvier 2027',
    '1er–7 janvier 2027',
  ],
  ['de', 'Freitag, 1. Januar 2027', 'Fr., 1. Jan. 2027', '1. Januar 2027', 'Januar 2027', '1.–7. Januar 2027'],
])('writes dates of another year in %s', (language, day, shortDay, date, month, days) => {
  const formats = dateFormats(language, '2026-11-26');
  const first = '2027-01-01';
  expect([formats.day(first), formats.shortDay(first), formats.date(first)]).toEqual([day, shortDay, date]);
  expect([formats.month(first), formats.days(first, '2027-01-07').replaceAll('\u2009', ' ')]).toEqual([month, days]);
});

it.each([
  ['en', 'Sunday 1 November', 'Wed 11 Nov', '1 November'],
  ['fr', 'dimanche 1er novembre', 'mer. 11 nov.', '1er novembre'],
  ['de', 'Sonntag, 1. November', 'Mi., 11. Nov.', '1. November'],
])('writes dates of this year in %s', (language, day, shortDay, date) => {
  const formats = dateFormats(language, '2026-11-26');
  const [first, eleventh] = ['2026-11-01', '2026-11-11'];
  expect([formats.day(first), formats.shortDay(eleventh), formats.date(first)]).toEqual([day, shortDay, date]);
});
