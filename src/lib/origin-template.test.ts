import { expect, it } from 'vitest';
import { ANY_ORIGIN, originTemplate } from './origin-template.ts';

it.each([
  ['', ''],
  ['no address, été', 'no address, été'],
  [ANY_ORIGIN, 'https://é.test'],
  [`${ANY_ORIGIN}/a ${ANY_ORIGIN}${ANY_ORIGIN}/b`, 'https://é.test/a https://é.testhttps://é.test/b'],
])('gives a text the origin it is sent for: %s', (text, sent) => {
  const template = originTemplate(text);
  expect(template.bytes('https://é.test').toString()).toBe(sent);
  // Neither `$&` of replacements nor the placeholder itself is special.
  for (const origin of ['http://$&.test', ANY_ORIGIN])
    expect(template.bytes(origin).toString()).toBe(text.split(ANY_ORIGIN).join(origin));
});

it('has a digest for each text and origin', () => {
  const digests = ['a', 'b'].flatMap((text) => ['http://a', 'http://b'].map(originTemplate(text).digest));
  expect(new Set(digests).size).toBe(4);
  expect(originTemplate('a').digest('http://a')).toBe(digests[0]);
});
