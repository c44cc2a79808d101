import { describe, expect, it } from 'vitest';
import { readAuthorization } from './sign-in/credentials.ts';

const basic = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('readAuthorization', () => {
  it.each([
    [basic('ann:secret'), 'ann', 'secret'],
    [basic('ann:a:b'), 'ann', 'a:b'],
    [basic('Zoë:gehëim ü'), 'Zoë', 'gehëim ü'],
    [basic(':'), '', ''],
    [`bAsIc   ${Buffer.from('ann:x').toString('base64')}  `, 'ann', 'x'],
    [`Basic ${Buffer.from('a:1').toString('base64').replaceAll('=', '')}`, 'a', '1'],
  ])('reads %s', (header, name, secret) => {
    expect(readAuthorization(header)).toEqual({ scheme: 'basic', name, secret, pair: `${name}:${secret}` });
  });

  it('reads a token', () => {
    expect(readAuthorization('bearer mrq_a-b_c')).toEqual({ scheme: 'bearer', token: 'mrq_a-b_c' });
  });

  it.each([
    '',
    'Basic',
    'Basic ',
    'Bearer',
    'Bearer a b',
    'Basic !!!!',
    basic('no colon'),
    basic(Buffer.from([0x61, 0x3a, 0xff])),
    `${basic('a:b')}, ${basic('c:d')}`,
    'Digest username="ann"',
    'mrq_token',
  ])('refuses "%s"', (header) => {
    expect(readAuthorization(header)).toBeUndefined();
  });
});
