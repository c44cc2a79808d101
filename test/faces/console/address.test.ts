import { expect, it } from 'vitest';
import { isSafeAddress, readAddress } from '../../../apps/console/ui/rich-text/address.ts';

it.each([
  ['https://a.example/b?c=d#e', 'https://a.example/b?c=d#e'],
  [' http://a.example ', 'http://a.example'],
  ['a.example', 'https://a.example'],
  ['www.a.example/b', 'https://www.a.example/b'],
  ['a.example:8080/b', 'https://a.example:8080/b'],
  ['box@a.example', 'mailto:box@a.example'],
  ['mailto:box@a.example', 'mailto:box@a.example'],
  ['tel:+15065550100', 'tel:+15065550100'],
  ['/event/lantern-night/', '/event/lantern-night/'],
  ['#tickets', '#tickets'],
])('reads %j as the address of a link', (typed, address) => {
  expect(readAddress(typed)).toBe(address);
});

it.each([
  '',
  ' ',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'vbscript:x',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://a.example/b',
  'file:///etc/passwd',
  'https://',
  'two words',
  'word',
])('refuses %j', (typed) => {
  expect(readAddress(typed)).toBeUndefined();
});

it.each(['javascript:alert(1)', 'java\nscript:alert(1)', ' javascript:alert(1)', 'data:text/html,a', 'http://['])(
  'never makes a link of the pasted address %j',
  (address) => {
    expect(isSafeAddress(address)).toBe(false);
  },
);
