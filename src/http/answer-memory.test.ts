import { describe, expect, it } from 'vitest';
import { createAnswerMemory, type RememberedAnswer } from './answer-memory.ts';
import { headOf } from './head.ts';

const KIB = 1024;

const answerOf = (kibibytes: number): RememberedAnswer => ({
  ...{
    route: '/events',
    head: headOf([]),
    unchangedHead: headOf([]),
    tag: '"tag"',
    body: Buffer.alloc(kibibytes * KIB),
  },
  ...{ version: '7', freshFrom: 1000, freshUntil: 2000 },
});

describe('the memory of answers', () => {
  it.each([
    ['the same version in its time', '7', 1000, true],
    ['another version', '8', 1500, false],
    ['its end', '7', 2000, false],
    ['a clock that was put back', '7', 999, false],
  ])('finds an answer, or not: %s', (_when, version, now, isFound) => {
    const memory = createAnswerMemory(64 * KIB);
    memory.keep('list', answerOf(1));
    expect(memory.find('list', { version, now }) !== undefined).toBe(isFound);
    expect(memory.has('list')).toBe(isFound);
  });

  it('drops what was not used for the longest time when it is full', () => {
    const memory = createAnswerMemory(72 * KIB);
    for (const key of ['first', 'second', 'third']) memory.keep(key, answerOf(16));
    memory.find('first', { version: '7', now: 1500 });
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
