import { expect, it } from 'vitest';
import { canonicalAddress } from './email.ts';

it.each([
  ['ada@example.test', 'ada@example.test'],
  [' Ada@Example.TEST ', 'ada@example.test'],
  ['ada+1@example.test', 'ada@example.test'],
  ['ada+a+b@example.test', 'ada@example.test'],
  ['+x@example.test', '+x@example.test'],
  ['ａｄａ＠example.test', 'ada@example.test'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['a.d.a+1@Gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['a.da@example.test', 'a.da@example.test'],
  ['nothing', 'nothing'],
  ['@example.test', '@example.test'],
])('the address "%s" means the mailbox %s', (address, mailbox) => {
  expect(canonicalAddress(address)).toBe(mailbox);
});
