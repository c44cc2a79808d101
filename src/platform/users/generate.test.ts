import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { appPasswordHash, generateAppPassword, generateToken, isAppPassword, randomCharacters } from './generate.ts';

describe('generated secrets', () => {
  it('have the forms that clients expect', () => {
    expect(generateAppPassword(randomBytes)).toMatch(/^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    expect(generateToken(randomBytes)).toMatch(/^mrq_[\w-]{43}$/);
  });

  it('skip the bytes that would favour some letters', () => {
    const bytes = [255, 0, 248, 61, 62, 250];
    const random = (count: number) => Buffer.from(Array.from({ length: count }, () => bytes.shift() ?? 1));
    expect(randomCharacters(random, 3)).toBe('a9a');
  });

  it.each([
    ['abcd EFGH 1234 ijkl MNOP 5678', true],
    ['abcdEFGH1234ijklMNOP5678', true],
    ['abcd EFGH 1234 ijkl MNOP 567', false],
    ['abcd-EFGH-1234-ijkl-MNOP-567', false],
    ['', false],
  ])('"%s" may be an application password: %s', (text, expected) => {
    expect(isAppPassword(text)).toBe(expected);
  });

  it('hash alike however the spaces are set', () => {
    expect(appPasswordHash(' abcd EFGH')).toBe(appPasswordHash('abcdEFGH'));
  });
});
