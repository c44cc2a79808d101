import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptJson } from './script-json.ts';

describe('scriptJson', () => {
  it.each([
    ['</script><script>alert(1)</script>', '"\\u003c/script\\u003e\\u003cscript\\u003ealert(1)\\u003c/script\\u003e"'],
    ['<!-- ]]> &lt;', '"\\u003c!-- ]]\\u003e \\u0026lt;"'],
    ['a\u2028b\u2029c', '"a\\u2028b\\u2029c"'],
    ['plain "text" \\u003c', '"plain \\"text\\" \\\\u003c"'],
  ])('writes %j as %s', (text, script) => expect(scriptJson(JSON.stringify(text))).toBe(script));

  it('contains nothing that ends a script, and is equivalent JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const script = scriptJson(JSON.stringify(value));
        expect(script).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(script)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('docs/clients.md', () => {
  it('recommends an equivalent way to escape JSON for scripts', () => {
    const guide = readFileSync(new URL('../../../docs/clients.md', import.meta.url), 'utf8');
    const [, code = ''] = /```js\n(const safe = [\s\S]*?;)\n\/\//.exec(guide) ?? [];
    const escapeAsTold = new Function('data', `${code} return safe;`) as (data: unknown) => string;
    const data = { text: '</script><!-- & \u2028\u2029', list: [1, null] };
    expect(escapeAsTold(data)).toBe(scriptJson(JSON.stringify(data)));
  });
});

/** A file of this server. */
const OWN = /^<script src="(\/assets\/[\w.]+" defer|\$\{assetPath\('[\w.]+'\)\}" type="module")><\/script>/;

describe('the sources', () => {
  const src = new URL('../../', import.meta.url).pathname;
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'lib/text/script-json.ts')
    .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }));
  const filesWith = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

  it('escape JSON for scripts in one way only', () => {
    expect(filesWith(/u003c|u003e|u0026/i)).toEqual([]);
  });

  it('include only scripts from the same site in pages', () => {
    const scripts = files.flatMap(({ text }) => text.match(/<script[\s\S]{0,80}/gi) ?? []);
    const inline = scripts.filter((script) => !OWN.test(script));
    expect(inline.filter((script) => !script.includes('scriptJson('))).toEqual([]);
  });

  it('call back with escaped JSON only', () => {
    expect(filesWith(/\$\{callback\}\((?!\$\{scriptJson\()/)).toEqual([]);
  });
});
