import { describe, expect, it } from 'vitest';
import { displayedAccountName, isAccountName } from './account-name.ts';

describe('isAccountName', () => {
  it.each(['anna', 'Anna Ørsted', '李', "o'neil", 'R&D', 'AT&T', 'a', '😀'.repeat(60)])('takes %j', (name) => {
    expect(isAccountName(name)).toBe(true);
    expect(displayedAccountName(name)).toBe(name);
  });

  it.each([
    '',
    'x'.repeat(61),
    'a:b',
    '<b>anna</b>',
    'anna>',
    '<script>alert(1)</script>',
    '&lt;script&gt;',
    '&#60;b',
    '&ltb',
    'an\u0000na',
    'an\r\nna',
    'an\u001b[31mna',
    'an\u202ena',
    '\ud800',
  ])('refuses %j', (name) => expect(isAccountName(name)).toBe(false));
});

describe('displayedAccountName', () => {
  it.each([
    ['<b>anna</b>', '‹b›anna‹/b›'],
    ['&lt;b&gt;anna', '＆lt;b＆gt;anna'],
  ])('shows %j as %j', (name, shown) => expect(displayedAccountName(name)).toBe(shown));
});
