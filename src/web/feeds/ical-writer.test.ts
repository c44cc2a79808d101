import { describe, expect, it } from 'vitest';
import { icalWriter, parameterValue, textValue } from './ical-writer.ts';

const octets = (line: string): number => Buffer.byteLength(line);
const unfolded = (text: string): string => text.replaceAll('\r\n ', '');

describe('a line of iCalendar', () => {
  it.each([
    ['of 75 octets', 'a'.repeat(67)],
    ['of 76 octets', 'a'.repeat(68)],
    ['as long as two', 'a'.repeat(67 + 74)],
    ['with a character of two octets at the end', `${'a'.repeat(66)}éé`],
    ['of characters of three octets', '€'.repeat(100)],
    ['of characters of four octets', '🎺'.repeat(60)],
    ['with an escape at the end', `${'a'.repeat(66)},${'b'.repeat(100)}`],
    ['of a long text', 'word, and more; '.repeat(2000)],
  ])('%s has at most 75 octets, and is the same when unfolded', async (_what, text) => {
    const writer = await icalWriter();
    const written = writer.property(['summary', {}, 'text', text]);
    const parts = written.split('\r\n');
    expect(parts.map(octets).filter((length) => length > 75)).toEqual([]);
    expect(parts.slice(1).filter((part) => !part.startsWith(' '))).toEqual([]);
    expect(unfolded(written)).toBe(`SUMMARY:${text.replaceAll(/[,;]/g, '\\$&')}`);
    expect(Buffer.from(written).toString()).toBe(written);
    // A line is shortened only as far as a character requires.
    expect(parts.slice(0, -1).filter((part) => octets(part) < 72)).toEqual([]);
  });

  it.each([
    ['text', ['summary', {}, 'text', 'a\\b;c,d\ne'], 'SUMMARY:a\\\\b\\;c\\,d\\ne'],
    ['several texts', ['categories', {}, 'text', 'a,b', 'c'], 'CATEGORIES:a\\,b,c'],
    ['a name', ['x-wr-calname', {}, 'text', 'a;b'], 'X-WR-CALNAME:a\\;b'],
    [
      'a parameter',
      ['organizer', { cn: 'A: "B"; ^C' }, 'cal-address', 'mailto:a@b.c'],
      `ORGANIZER;CN="A: ^'B^'; ^^C":mailto:a@b.c`,
    ],
    ['a date', ['dtstart', {}, 'date', '2027-03-06'], 'DTSTART;VALUE=DATE:20270306'],
    [
      'a local time',
      ['dtstart', { tzid: 'Asia/Tokyo' }, 'date-time', '2027-03-06T18:30:00'],
      'DTSTART;TZID=Asia/Tokyo:20270306T183000',
    ],
    ['a time in UTC', ['dtstamp', {}, 'date-time', '2027-03-06T18:30:00Z'], 'DTSTAMP:20270306T183000Z'],
    ['a position', ['geo', {}, 'float', [46.1, -64]], 'GEO:46.1;-64'],
    ['an offset', ['tzoffsetto', {}, 'utc-offset', '-03:30'], 'TZOFFSETTO:-0330'],
    [
      'an image',
      ['image', { display: 'BADGE' }, 'uri', 'https://a.b/c,d'],
      'IMAGE;DISPLAY=BADGE;VALUE=URI:https://a.b/c,d',
    ],
    ['a duration', ['refresh-interval', {}, 'duration', 'PT1H'], 'REFRESH-INTERVAL;VALUE=DURATION:PT1H'],
  ] as const)('says %s in the form of RFC 5545', async (_what, [name, parameters, type, ...values], expected) => {
    const writer = await icalWriter();
    expect(writer.property([name, parameters, type, ...values])).toBe(expected);
  });
});

describe('a text in iCalendar', () => {
  it.each([
    ['a\r\nATTACH:b', 'a\nATTACH:b'],
    ['a\rb\u2028c\u2029d\u0085e', 'a\nb\nc\nd\ne'],
    ['a\0b\u0007c\u001b[31md\u007f\u009b', 'abc[31md'],
    ['a\tb', 'a b'],
    ['\ud83d a \udfba', '\ufffd a \ufffd'],
  ])('has no line ends and control characters but line breaks that are escaped: %j', (text, expected) => {
    expect(textValue(text)).toBe(expected);
    expect(parameterValue(text)).toBe(expected.replaceAll('\n', ' '));
  });
});
