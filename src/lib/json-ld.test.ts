import { describe, expect, it } from 'vitest';
import { jsonLdDescription, safeJsonLd } from './json-ld.ts';

describe('safeJsonLd', () => {
  it('leaves harmless texts and web addresses unchanged', () => {
    const thing = {
      '@context': 'http://schema.org',
      name: 'Lantern & Night – 5 < 6',
      geo: { latitude: 42.36 },
      offers: [{ '@type': 'Offer', price: '15 – 25', url: 'https://example.org/a?b=1&copy=2#top' }],
    };
    expect(safeJsonLd(thing)).toEqual(thing);
  });

  it('leaves out empty texts', () => {
    expect(safeJsonLd({ name: 'Night', url: '', image: undefined, geo: { name: '' } })).toEqual({
      name: 'Night',
      geo: {},
    });
  });

  it.each([
    ['<b>Night</b>', 'Night'],
    ['Fish &amp; chips', 'Fish & chips'],
    ['&lt;script&gt;alert(1)&lt;/script&gt;Night', 'Night'],
    ['&amp;lt;img src=x onerror=alert(1)&amp;gt;Night', 'Night'],
    ['&#60;svg onload=1&#x3E;Night', 'Night'],
    ['&l<b></b>t;script&gt;alert(1)', undefined],
    [`&${'amp;'.repeat(30)}lt;script&gt;x`, `${'amp;'.repeat(25)}lt;script x`],
  ])('makes %j plain', (name, plain) => {
    expect(safeJsonLd({ name, address: { streetAddress: name }, offers: [{ name }] })).toEqual({
      name: plain,
      address: { streetAddress: plain },
      offers: [{ name: plain }],
    });
  });

  it.each([
    ['javascript:alert(1)', undefined],
    ['ftp://example.org/file', undefined],
    ['//example.org', undefined],
    [' https://example.org', undefined],
    [`https://example.org/"><script>'`, 'https://example.org/%22%3E%3Cscript%3E%27'],
    ['https://example.org/?q=&lt;script&gt;&#60;b', 'https://example.org/?q=%26lt;script%26gt;%26#60;b'],
    ['https://example.org/?a&ltscript', 'https://example.org/?a%26ltscript'],
  ])('makes the address %j safe', (url, safe) => {
    expect(safeJsonLd({ url, sameAs: url, image: url })).toEqual({ url: safe, sameAs: safe, image: safe });
  });
});

describe('jsonLdDescription', () => {
  it('is the visible text of the first 20,000 characters', () => {
    expect(jsonLdDescription('<p>Bring a <b>lantern</b> &amp; a friend</p>')).toBe('Bring a lantern & a friend');
    expect(jsonLdDescription('word '.repeat(10_000))).toHaveLength(19_999);
  });
});
