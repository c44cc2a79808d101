import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeString } from '../../../test/unicode.ts';
import { escapeHtml, fold, foldAll, htmlToLines, htmlToText, parsedBlocks, plainText, searchWords } from './text.ts';

/** Texts with many tags, quotes, entities and marks. */
const nastyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '</',
        '<!--',
        '-->',
        '<b>',
        'script',
        '<script>',
        '</script>',
        '="',
        '"',
        "'",
        '&amp;',
        '/',
      ),
      unicodeString({ maxLength: 5 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

describe('plainText', () => {
  it.each([
    ['Fish & chips', 'Fish & chips'],
    ['Fish &amp; chips', 'Fish &amp; chips'],
    ['a < b', 'a < b'],
    ['a < b > c', 'a < b > c'],
    ['I <3 you', 'I <3 you'],
    ['  two\n\tlines\u2003here ', 'two lines here'],
    ['Où\u00a0? «\u202fIci\u202f» \u00a0', 'Où\u00a0? «\u202fIci\u202f»'],
    ['<b>Rock</b> ‘n’ "roll"', 'Rock ‘n’ "roll"'],
    ['H<sub>2</sub>O', 'H2O'],
    ['one<br>two<p>three</p>', 'one two three'],
    ['a<script>alert("<b>")</script>b', 'ab'],
    ['a<STYLE media="x">p { color: red }</style >b', 'ab'],
    ['a<script>never closed', 'a'],
    ['a<!-- <b> -->b<!-- open', 'ab'],
    ['<?php echo 1 ?>x<!doctype html>', 'x'],
    ['x <img src=x onerror=alert(1)', 'x'],
    ['<a title="x > y" href=\'z\'>link</a>', 'link'],
    ["<p class=it's>don't</p>", "don't"],
    ['<<b>script>alert(1)', '< script>alert(1)'],
    ['</<b>script>', '</ script>'],
    ['<\0b>bell\x07\x9b', 'bell'],
    ['\ud800', '\ufffd'],
    ['', ''],
  ])('%j -> %j', (text, expected) => expect(plainText(text)).toBe(expected));

  it('never leaves a tag and is idempotent', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const plain = plainText(text);
        expect(plain).not.toMatch(/<\/?[a-z]|<[!?]/i);
        expect(plainText(plain)).toBe(plain);
      }),
      { numRuns: 1000 },
    );
  });

  // Quadratic time would exceed the timeout of the test.
  it.each(['<', '<a ', '<!--', '<script>', '<a b="', '</script', '<a =', "<a ='"])(
    'takes linear time over %j',
    (part) => {
      expect(plainText(part.repeat(200_000))).not.toMatch(/<[a-z]/);
    },
  );
});

describe('fold', () => {
  it.each([
    ['École', 'ecole'],
    ['STRAẞE Straße', 'strasse strasse'],
    ['Øresund Ærø Œuvre', 'oresund aero oeuvre'],
    ['Łódź Đakovo Þór Iðnó', 'lodz dakovo thor idno'],
    ['İstanbul ısı', 'istanbul isi'],
    ['ﬁn Ｆｕｌｌ ①', 'fin full 1'],
    ['Άλφα ΟΔΟΣ', 'αλφα οδοσ'],
    ['Чайка', 'чаика'],
    ['हिन्दी', 'हिन्दी'],
    ['don’t “stop” – now', 'don\'t "stop" - now'],
    [' a \n b ', 'a b'],
  ])('%j -> %j', (text, expected) => expect(fold(text)).toBe(expected.normalize('NFC')));

  it('is idempotent', () => {
    fc.assert(
      fc.property(unicodeString(), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('searchWords', () => {
  it.each([
    ['', []],
    [' Café  MÜLLER café ', ['cafe', 'muller']],
    ['"Big  Band" jazz', ['big band', 'jazz']],
    ['“Big Band”', ['big band']],
    ['"open phrase', ['open', 'phrase']],
    ['"" " " x', ['x']],
  ])('%j -> %j', (text, expected) => expect(searchWords(text)).toEqual(expected));

  it('stops at twenty', () => {
    const words = Array.from({ length: 30 }, (_, index) => `w${index}`);
    expect(searchWords(words.join(' '))).toEqual(words.slice(0, 20));
  });
});

/** The text of a fragment, on one line and in several, is that of what the parser leaves. */
const asParsed = (html: string) => {
  const blocks = parsedBlocks(html);
  expect([htmlToText(html), htmlToLines(html)]).toEqual([htmlToText(html, blocks), htmlToLines(html, blocks)]);
};

describe('htmlToText', () => {
  it.each([
    ['<p>Bring a <strong>lantern</strong> &amp; a&nbsp;friend.</p><p>Now</p>', 'Bring a lantern & a friend. Now'],
    ['one<br/>two', 'one two'],
    ['1 &lt; 2 &amp;amp; 3', '1 < 2 &amp; 3'],
    ['&eacute;t&#233; &quot;x&quot;', 'été "x"'],
    ['<script>x</script><style>y</style>z', 'z'],
    ['Fish & chips < 5', 'Fish & chips < 5'],
    ['', ''],
  ])('%j -> %j', (html, expected) => expect(htmlToText(html)).toBe(expected));

  it('reads plain paragraphs as the parser does', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '<b>',
        '</b>',
        '<em>',
        '</em>',
        '<br>',
        '<br />',
        '<a href="/?a&amp;b" title="x">',
        '<a>',
        '</a>',
      ),
      fc.constantFrom(' ', '\n', '>', '"', '\0', '\x80', '</p><p>', '</p>\n <p>', '&amp;', '&lt;', '&gt;', 'lt;', 'b>'),
      unicodeString({ maxLength: 3 }),
    );
    const paragraphs = fc.array(part).map((parts) => `<p>${parts.join('')}</p>`);
    fc.assert(fc.property(paragraphs, asParsed));
  });

  it('reads text without markup as the parser does', () => {
    const part = fc.oneof(
      fc.constantFrom(' ', '\n', '>', '"', '\0', '\x80', '\u00a0'),
      unicodeString({ maxLength: 3 }),
    );
    const texts = fc.array(part).map((parts) => parts.join(''));
    fc.assert(fc.property(texts, asParsed));
  });
});

describe('htmlToLines', () => {
  it.each([
    ['<p>Bring a <strong>lantern</strong>.</p>\n<p>Now</p>', 'Bring a lantern.\n\nNow'],
    ['<h2>When</h2><div><p>Now</p></div>', 'When\n\nNow'],
    ['one<br/>two<br />\nthree', 'one\ntwo\nthree'],
    [
      '<p>Bring:</p><ul><li>a lamp</li>\n<li> <p>a friend</p> </li></ul><p>Now</p>',
      'Bring:\n\n- a lamp\n-\n\na friend\n\nNow',
    ],
    ['<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>', '1 2\n3'],
    ['1 &lt; 2 &amp;lt;b&amp;gt; &lt;b&gt;', '1 < 2 &lt;b&gt; <b>'],
    ['<script>x</script><style>y</style>z\u0007', 'z'],
    ['', ''],
  ])('%j -> %j', (html, expected) => expect(htmlToLines(html)).toBe(expected));
});

it('foldAll cuts none of the longest texts, even of letters that decompose', () => {
  expect(foldAll(['ᾂ'.repeat(60_000)])).toBe('α'.repeat(60_000));
  expect(foldAll(['각'.repeat(60_000)])).toBe('각'.repeat(60_000));
});

it('escapeHtml escapes what matters in text and in quoted attributes', () => {
  expect(escapeHtml(`<a href="x">'&'</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;');
});
