import { describe, expect, it } from 'vitest';
import { canonicalText, idempotencyKeyOf } from './idempotency.ts';

describe('the canonical text of a value', () => {
  it.each([
    [
      { a: 1, b: { c: [1, 2], d: null } },
      { b: { d: null, c: [1, 2] }, a: 1 },
    ],
    [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]],
  ])('does not depend on the order of members: %j', (one, other) => {
    expect(canonicalText(one)).toBe(canonicalText(other));
  });

  it.each([
    [
      [1, 2],
      [2, 1],
    ],
    [['a', 'b'], ['a,b']],
    [
      ['a"', 'b'],
      ['a', '"b'],
    ],
    [[[], 1], [[1]]],
    [{ a: 1 }, ['a', 1]],
    [{ a: '1' }, { a: 1 }],
    [{ a: {} }, { a: [] }],
    [{ a: null }, {}],
    [{ a: { b: 1 }, c: 2 }, { a: { b: 1, c: 2 } }],
    ['undefined', undefined],
  ])('differs for %j and %j', (one, other) => {
    expect(canonicalText(one)).not.toBe(canonicalText(other));
  });

  it('canonicalText handles values nested more deeply than the stack', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 50_000; depth += 1) deep = depth % 2 === 0 ? [deep] : { deep };
    expect(canonicalText(deep).length).toBeGreaterThan(50_000);
  });
});

describe('the key of a request', () => {
  const keyOf = (method: string, key?: string) =>
    idempotencyKeyOf(method, new Headers(key === undefined ? {} : { 'Idempotency-Key': key }));

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a key has 1 to 200 characters at %s', (method) => {
    expect(keyOf(method)).toBeUndefined();
    for (const key of ['x', 'x'.repeat(200)]) expect(keyOf(method, key)).toBe(key);
    for (const key of ['', 'x'.repeat(201)]) expect(() => keyOf(method, key)).toThrow('rest_invalid_param');
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('a key is ignored at %s', (method) => {
    expect(keyOf(method, '')).toBeUndefined();
    expect(keyOf(method, 'x')).toBeUndefined();
  });
});
