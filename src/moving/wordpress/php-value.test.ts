import { describe, expect, it } from 'vitest';
import { isSerialized, membersOfPhp, type PhpValue, readPhpValue } from './php-value.ts';

/** Arrays as plain objects. */
function plain(value: PhpValue | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries([...membersOfPhp(value)].map(([name, member]) => [name, plain(member)]));
}

describe('values of PHP', () => {
  it.each<[string, unknown]>([
    ['N;', null],
    ['b:1;', true],
    ['i:-7;', -7],
    ['d:1.5;', 1.5],
    ['s:6:"Küche";', 'Küche'],
    ['a:2:{i:0;s:1:"a";s:1:"k";a:0:{}}', { 0: 'a', k: {} }],
    ['s:5:"a";";";', 'a";";'],
    ['O:3:"Any":2:{s:6:"\0*\0sum";i:3;s:8:"\0Any\0own";b:0;}', { sum: 3, own: false }],
    ['a:1:{i:0;R:1;}', { 0: null }],
  ])('%j is read', (text, value) => {
    expect(isSerialized(text)).toBe(true);
    expect(plain(readPhpValue(text))).toEqual(value);
  });

  it.each([
    ['a text', 'plain'],
    ['a cut array', 'a:1:{i:0;'],
    ['a wrong length', 's:9:"short";'],
    ['more behind', 'i:1;i:2;'],
    ['a huge count', 'a:99999999:{'],
    ['a count of members', `a:9999999:{${'i:0;i:0;'.repeat(10)}}`],
    ['a custom class', 'C:3:"Any":2:{ab}'],
    ['a negative length', 's:-1:"";'],
    ['deep nesting', `${'a:1:{i:0;'.repeat(40)}N;${'}'.repeat(40)}`],
    ['a key that is an array', 'a:1:{a:0:{}i:1;}'],
    ['more than a megabyte', `s:2000000:"${'x'.repeat(2_000_000)}";`],
  ])('%s is corrupt', (_name, text) => {
    expect(readPhpValue(text)).toBeUndefined();
  });
});
