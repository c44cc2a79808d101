import { expect, it } from 'vitest';
import { translatorFor } from '../i18n.ts';
import { isProblem, parseRule } from './recurrence-rule.ts';
import { recurrenceText } from './recurrence-text.ts';

function words(language: string, text: string | undefined, rdates: readonly string[] = []): string {
  const rule = text === undefined ? undefined : parseRule(text);
  if (rule && isProblem(rule)) throw new Error(text);
  return recurrenceText(
    { rule, rdates, exdates: [] },
    { language, t: translatorFor(language), start: '2027-01-04', zone: 'Europe/Paris', today: '2027-01-01' },
  );
}

it.each([
  [
    'FREQ=WEEKLY;UNTIL=20270630',
    'every Monday until 30 June',
    'chaque lundi jusqu’au 30 juin',
    'jeden Montag bis 30. Juni',
  ],
  [
    'FREQ=WEEKLY;UNTIL=20280630T220000Z',
    'every Monday until 1 July 2028',
    'chaque lundi jusqu’au 1er juillet 2028',
    'jeden Montag bis 1. Juli 2028',
  ],
  ['FREQ=WEEKLY;BYDAY=TH,MO', 'every Monday and Thursday', 'chaque lundi et jeudi', 'jeden Montag und Donnerstag'],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH',
    'every 2 weeks on Monday and Thursday',
    'toutes les 2 semaines, le lundi et jeudi',
    'alle 2 Wochen am Montag und Donnerstag',
  ],
  ['FREQ=WEEKLY;COUNT=20', 'every Monday, 20 times', 'chaque lundi, 20 fois', 'jeden Montag, 20-mal'],
  ['FREQ=DAILY', 'every day', 'chaque jour', 'jeden Tag'],
  ['FREQ=DAILY;INTERVAL=3', 'every 3 days', 'tous les 3 jours', 'alle 3 Tage'],
  ['FREQ=DAILY;BYDAY=SA,SU', 'every Saturday and Sunday', 'chaque samedi et dimanche', 'jeden Samstag und Sonntag'],
  [
    'FREQ=MONTHLY;BYDAY=-1FR',
    'the last Friday of every month',
    'le dernier vendredi de chaque mois',
    'am letzten Freitag jedes Monats',
  ],
  [
    'FREQ=MONTHLY;INTERVAL=3;BYDAY=1MO,3WE',
    'every 3 months on the first Monday and third Wednesday',
    'tous les 3 mois, le premier lundi et troisième mercredi',
    'alle 3 Monate am ersten Montag und dritten Mittwoch',
  ],
  ['FREQ=MONTHLY', 'day 4 of every month', 'le 4 de chaque mois', 'am 4. jedes Monats'],
  [
    'FREQ=MONTHLY;BYMONTHDAY=15,1',
    'day 1 and 15 of every month',
    'le 1er et 15 de chaque mois',
    'am 1. und 15. jedes Monats',
  ],
  [
    'FREQ=MONTHLY;BYMONTHDAY=-1',
    'the last day of every month',
    'le dernier jour de chaque mois',
    'am letzten Tag jedes Monats',
  ],
  [
    'FREQ=WEEKLY;BYMONTH=7,6',
    'every Monday in June and July',
    'chaque lundi en juin et juillet',
    'jeden Montag im Juni und Juli',
  ],
  ['FREQ=YEARLY', 'every year on 4 January', 'chaque année, le 4 janvier', 'jedes Jahr am 4. Januar'],
  ['FREQ=YEARLY;BYYEARDAY=100', 'on certain days', 'certains jours', 'an bestimmten Tagen'],
  [
    'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;COUNT=3',
    'on certain days, 3 times',
    'certains jours, 3 fois',
    'an bestimmten Tagen, 3-mal',
  ],
])('%s is "%s"', (rule, en, fr, de) => {
  expect([words('en', rule), words('fr', rule), words('de', rule)]).toEqual([en, fr, de]);
});

it('counts single days', () => {
  expect(words('en', undefined, ['2027-01-05', '2027-01-06'])).toBe('on 2 days');
  expect(words('de', undefined, ['2027-01-05'])).toBe('an einem Tag');
  expect(words('en', 'FREQ=WEEKLY;COUNT=2', ['2027-01-05'])).toBe('every Monday, 2 times, and on one more day');
});
