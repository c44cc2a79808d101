import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainAnswers } from './registration-answers.ts';

const nested = (levels: number): unknown => (levels === 0 ? 'x' : { a: nested(levels - 1) });

describe('plainAnswers', () => {
  it.each([
    [{ meal: 'vegan', seats: 2, late: true, note: null }],
    [{ remarks: 'first line\nsecond line\n\nthird', 'Fish & chips?': '5 < 6' }],
    [['a', ['b', { c: 1 }]]],
    [{}],
    [[]],
  ])('leaves plain answers as they are: %j', (answers) => {
    expect(plainAnswers(answers)).toEqual({ answers, isComplete: true });
  });

  it.each([
    [{ meal: '<b>vegan</b><script>alert(1)</script>' }, { meal: 'vegan' }],
    [{ '<i>meal</i>': 'vegan' }, { meal: 'vegan' }],
    [
      { guest: { '<img src=x onerror=1>diet': ['<svg onload=1>none', { '<a b>c': '<' }] } },
      { guest: { diet: ['none', { c: '<' }] } },
    ],
    [{ a: 'x\u0000\u001b[31m\u202ey\r\n<br>z' }, { a: 'x[31my\nz' }],
  ])('removes tags from keys and texts at every level: %j', (sent, answers) => {
    expect(plainAnswers(sent).answers).toEqual(answers);
  });

  it.each([
    ['a key that is all markup', { '<img onerror=1>': 1 }, { answer: 1 }],
    ['two of them', { '<img>': 1, '': 2, answer: 3 }, { answer: 1, 'answer 2': 2, 'answer 3': 3 }],
    ['keys that are the same without tags', { meal: 1, '<b>meal': 2 }, { meal: 1, 'meal 2': 2 }],
    ['the name of the prototype behind tags', { '__pro<b>to__': { polluted: 1 } }, { answer: { polluted: 1 } }],
    ['a long key', { ['k'.repeat(300)]: 1 }, { ['k'.repeat(200)]: 1 }],
    ['a sixth level', nested(6), { a: { a: { a: { a: {} } } } }],
  ])('keeps and reports %s', (_what, sent, answers) => {
    expect(plainAnswers(sent)).toEqual({ answers, isComplete: false });
  });

  it('accepts 5 levels, 200 members and 20,000 characters, and reports one more of each', () => {
    const members = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    expect(plainAnswers(nested(5)).isComplete).toBe(true);
    expect(plainAnswers(members(200)).isComplete).toBe(true);
    expect(Object.keys(plainAnswers(members(201)).answers)).toHaveLength(200);
    expect(plainAnswers(members(201)).isComplete).toBe(false);
    expect(plainAnswers({ a: 'x'.repeat(19_999) }).isComplete).toBe(true);
    const long = plainAnswers({ a: 'x'.repeat(30_000), b: 'y' });
    expect(long).toEqual({ answers: { a: 'x'.repeat(19_999) }, isComplete: false });
  });

  it.each(['text', 5, true, null, undefined])('finds no answers in %j', (value) => {
    expect(plainAnswers(value)).toEqual({ answers: {}, isComplete: true });
  });

  it('leaves no tag, gives no key twice, and changes nothing the second time', () => {
    const text = fc
      .array(fc.constantFrom('<', '>', '<b>', '</b>', '<script>', 'a', ' ', '\n', '=', '"', '__proto__', '&lt;'), {
        maxLength: 8,
      })
      .map((parts) => parts.join(''));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 6 }, text, fc.integer(), fc.dictionary(text, tie('tree')), fc.array(tie('tree'))),
    }));
    fc.assert(
      fc.property(fc.dictionary(text, tree), (sent) => {
        const { answers } = plainAnswers(sent);
        expect(JSON.stringify(answers)).not.toMatch(/<\/?[a-z]|<[!?]/i);
        expect(plainAnswers(answers)).toEqual({ answers, isComplete: true });
      }),
      { numRuns: 500 },
    );
  });
});
