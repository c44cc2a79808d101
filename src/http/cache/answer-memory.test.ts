import { describe, expect, it } from 'vitest';
import { createAnswerMemory, type RememberedAnswer } from './answer-memory.ts';
import { headOf } from './head.ts';

const KIB = 1024;

const VERSION = { calendar: '7', seats: '3' };

const answerOf = (kibibytes: number, showsSeats = false): RememberedAnswer => ({
  ...{
    route: '/events',
    head: headOf([]),
    unchangedHead: headOf([]),
    tag: '"tag"',
    body: Buffer.alloc(kibibytes * KIB),
  },
  ...{ version: VERSION, showsSeats, freshFrom: 1000, freshUntil: 2000 },
});

describe('the memory of answers', () => {
  it.each([
    ['the same version in its time', VERSION, 1000, { calendar: true, seats: true }],
    ['another version of the calendar', { ...VERSION, calendar: '8' }, 1500, { calendar: false, seats: false }],
    ['other seats', { ...VERSION, seats: '4' }, 1500, { calendar: true, seats: false }],
    ['its end', VERSION, 2000, { calendar: false, seats: false }],
    ['a clock that was put back', VERSION, 999, { calendar: false, seats: false }],
  ])('finds answers without and with seats, or not: %s', (_when, version, now, isFound) => {
    const memory = createAnswerMemory(64 * KIB);
    memory.keep('calendar', answerOf(1));
    memory.keep('seats', answerOf(1, true));
    for (const key of ['calendar', 'seats'] as const) {
      expect(memory.find(key, { version, now }) !== undefined).toBe(isFound[key]);
      expect(memory.has(key)).toBe(isFound[key]);
    }
  });

  it('keeps bodies in memory of their own', () => {
    const memory = createAnswerMemory(64 * KIB);
    memory.keep('short', { ...answerOf(1), body: Buffer.from('cut from a shared piece of memory') });
    const { body } = memory.find('short', { version: VERSION, now: 1500 }) ?? answerOf(0);
    expect([String(body), body.buffer.byteLength]).toEqual(['cut from a shared piece of memory', body.length]);
  });

  it('drops what was not used for the longest time when it is full', () => {
    const memory = createAnswerMemory(72 * KIB);
    for (const key of ['first', 'second', 'third']) memory.keep(key, answerOf(16));
    memory.find('first', { version: VERSION, now: 1500 });
    memory.keep('fourth', answerOf(16));
    expect(['first', 'second', 'third', 'fourth'].filter(memory.has)).toEqual(['first', 'third', 'fourth']);
  });

  it('does not grow when one answer is stored repeatedly', () => {
    const memory = createAnswerMemory(64 * KIB);
    memory.keep('other', answerOf(16));
    for (let time = 0; time < 20; time += 1) memory.keep('list', answerOf(16));
    expect(memory.has('other')).toBe(true);
  });

  it('stores nothing larger than itself, and nothing at all when it is off', () => {
    const memory = createAnswerMemory(64 * KIB);
    memory.keep('long', answerOf(65));
    expect(memory.has('long')).toBe(false);
    const none = createAnswerMemory(0);
    none.note('list');
    none.keep('list', answerOf(0));
    expect(none.isAskedAgain('list')).toBe(false);
  });

  it('forgets first requests once there are too many', () => {
    const memory = createAnswerMemory(64 * KIB);
    for (let number = 0; number <= 5000; number += 1) memory.note(`address ${number}`);
    expect([0, 4999, 5000].map((number) => memory.isAskedAgain(`address ${number}`))).toEqual([false, false, true]);
  });
});
