import { expect, it } from 'vitest';
import { formatValue, targetOf, type ValueWords } from '../../../apps/console/features/log/values.ts';

const WORDS: Record<string, string> = {
  'yes_no:yes': 'yes',
  'status:pending': 'For review',
  'attendee-status:trash': 'Archived',
  'attendee_status:yes': 'Comes',
};

/** Says what each value is taken for. */
const words: ValueWords = {
  when: { day: (value) => `day ${value}`, time: (value) => `time ${value}`, moment: (value) => `moment ${value}` },
  orderStatus: (status) => `order ${status}`,
  word: (field, value) => WORDS[`${field}:${value}`],
  role: (name) => `role ${name}`,
  payment: (id) => `paid by ${id}`,
  money: (minor) => `$${minor / 100}`,
  fieldName: (_kind, field) => field.toUpperCase(),
  pair: (name, value) => `${name}: ${value}`,
};

it.each<[string, string, unknown, string]>([
  ['event', 'title', '<b>2027-01-01</b>', '<b>2027-01-01</b>'],
  ['event', 'start_date', '2027-03-06 18:30:00', 'moment 2027-03-06 18:30:00'],
  ['ticket', 'start_date', '2027-03-06', 'day 2027-03-06'],
  ['ticket', 'end_time', '18:30:00', 'time 2000-01-01 18:30:00'],
  ['order', 'expires_utc', '2027-03-06 18:30:00', 'moment 2027-03-06 18:30:00 UTC'],
  ['event', 'featured', true, 'yes'],
  ['event', 'sticky', false, 'false'],
  ['event', 'status', 'pending', 'For review'],
  ['event', 'status', 'another', 'another'],
  ['order', 'status', 'pending', 'order pending'],
  ['attendee', 'status', 'trash', 'Archived'],
  ['attendee', 'attendee_status', 'yes', 'Comes'],
  ['attendee', 'attendee_status', 'completed', 'order completed'],
  ['ticket', 'price', 1250, '$12.5'],
  ['order', 'total', 0, '$0'],
  ['event', 'price', 1250, '1250'],
  ['event', 'cost', ['5', '10'], '5\n10'],
  ['site', 'second_factor_roles', ['door', 'editor'], 'role door\nrole editor'],
  ['site', 'contact', { email: 'a@b.example', phone: '' }, 'EMAIL: a@b.example'],
  ['site', 'address_words', [{ from: 'soiree', to: 'event' }], 'FROM: soiree\nTO: event'],
  ['media', 'focus', { x: 0, y: 40 }, 'X: 0\nY: 40'],
])('says of a record of kind %s the value of %s, %j, as %j', (kind, field, value, expected) => {
  expect(formatValue(words, kind, field, value)).toBe(expected);
});

it.each([
  ['venue', [4], 'venue'],
  ['venue', 'Lantern Hall', undefined],
  ['author', 3, 'user'],
  ['tags', [1, 2], 'tag'],
  ['capacity', 12, undefined],
  ['constructor', 12, undefined],
])('takes %s with %j for the id of %s', (field, value, target) => {
  expect(targetOf(field, value)).toBe(target);
});
