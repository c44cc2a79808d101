import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanHtml } from '../../../src/lib/text/html.ts';
import { sharedBrowser } from '../../browser.ts';
import { effort } from '../../thoroughness.ts';
import { addMarkup } from './markup.ts';

let page: Page;
beforeAll(async () => {
  page = await (await sharedBrowser()).newPage();
  await addMarkup(page);
});
afterAll(() => page.close());

/** Runs an expression on each of some texts, as `html`. */
const each = <T>(expression: string, texts: readonly unknown[]): Promise<T[]> =>
  page.evaluate<T[]>(`(${JSON.stringify(texts)}).map((html) => ${expression})`);

const SAME: readonly [string, string, string][] = [
  ['white space between blocks', '<p>a</p>\n\n  <p>b</p>', '<p>a</p><p>b</p>'],
  ['white space that collapses', '<p> a \n b <b> c</b> </p>', '<p>a b <b>c</b></p>'],
  ['the order of attributes', '<a href="/x" rel="me" title="t">a</a>', '<a title="t" rel="me" href="/x">a</a>'],
  [
    'how entities are written',
    '<p>Fish &amp; &#60;chips&#62; caf&eacute;&nbsp;</p>',
    '<p>Fish & &lt;chips> café\u00a0</p>',
  ],
  ['how line breaks are written', '<p>a<br />\nb</p>', '<p>a <br>b</p>'],
  ['the nesting of marks', '<p><strong><em>a</em></strong></p>', '<p><em><strong>a</strong></em></p>'],
  ['a mark that is interrupted', '<p><em>a</em><em>b</em></p>', '<p><em>ab</em></p>'],
  ['old words for marks', '<p><b>a</b> <i>b</i></p>', '<p><strong>a</strong> <em>b</em></p>'],
  ['marks around nothing', '<p>a<strong></strong></p>', '<p>a</p>'],
  ['lines without a paragraph', 'a<ul><li>b</li></ul>', '<p>a</p><ul><li><p>b</p></li></ul>'],
  ['marks around a line break', '<p><strong>a<br>b</strong></p>', '<p><strong>a</strong><br><strong>b</strong></p>'],
];

const DIFFERENT: readonly [string, string, string][] = [
  ['words', '<p>a b</p>', '<p>ab</p>'],
  ['letter case', '<p>a</p>', '<p>A</p>'],
  ['a space that does not break', '<p>a\u00a0b</p>', '<p>a b</p>'],
  ['spaces in preformatted text', '<pre>a  b</pre>', '<pre>a b</pre>'],
  ['a line break', '<p>a<br>b</p>', '<p>a b</p>'],
  ['two line breaks', '<p>a<br><br>b</p>', '<p>a<br>b</p>'],
  ['paragraphs', '<p>a</p><p>b</p>', '<p>a<br>b</p>'],
  ['an empty paragraph', '<p>a</p><p></p><p>b</p>', '<p>a</p><p>b</p>'],
  ['levels of headings', '<h2>a</h2>', '<h3>a</h3>'],
  ['a mark', '<p><em>a</em></p>', '<p>a</p>'],
  ['how far a mark goes', '<p><em>a</em>b</p>', '<p><em>ab</em></p>'],
  ['where a link leads', '<a href="/a">x</a>', '<a href="/b">x</a>'],
  ['a class', '<p class="x">a</p>', '<p>a</p>'],
  ['a language', '<p lang="fr">a</p>', '<p lang="de">a</p>'],
  ['the first number of a list', '<ol start="3"><li>a</li></ol>', '<ol><li>a</li></ol>'],
  ['the kind of a list', '<ul><li>a</li></ul>', '<ol><li>a</li></ol>'],
  ['a picture', '<p>a<img src="/x.png"></p>', '<p>a</p>'],
  ['an icon', '<p><i class="icon"></i>a</p>', '<p>a</p>'],
  ['a rule', '<p>a</p><hr><p>b</p>', '<p>a</p><p>b</p>'],
  ['a box', '<div><p>a</p></div>', '<p>a</p>'],
  ['a comment', '<!-- a --><p>b</p>', '<p>b</p>'],
  ['a text that looks like markup', '<p>&lt;em>a&lt;/em></p>', '<p><em>a</em></p>'],
  ['text and an element of that name', '<p>["br"]</p>', '<p><br></p>'],
];

describe('the canonical form of HTML', () => {
  const forms = (rows: readonly [string, string, string][]) =>
    each<boolean>('markup.canonical(html[1]) === markup.canonical(html[2])', rows);

  it('leaves out invisible parts', async () => {
    const same = await forms(SAME);
    expect(SAME.filter((_, index) => !same[index])).toEqual([]);
  });

  it('keeps everything else', async () => {
    const same = await forms(DIFFERENT);
    expect(DIFFERENT.filter((_, index) => same[index])).toEqual([]);
  });
});

describe('the rich editor', () => {
  it.each([
    ['', ''],
    ['Fish & chips', '<p>Fish &amp; chips</p>'],
    ['<p>a<br />\nb</p>', '<p>a<br>b</p>'],
    ['<ul>\n<li>a</li>\n<li>b<ul><li>c</li></ul></li>\n</ul>', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>'],
    ['<h2 class="wp-block-heading">a</h2>', '<h2 class="wp-block-heading">a</h2>'],
    ['<p><a href="https://a.example/" target="_blank" rel="noopener">a</a></p>', undefined],
    ['<blockquote>a</blockquote><hr>', '<blockquote><p>a</p></blockquote><hr>'],
  ])('takes %j', async (html, printed = html) => {
    expect(await each('[markup.isKept(html), markup.print(markup.parse(html))]', [html])).toEqual([[true, printed]]);
  });

  it.each([
    ['<table><tbody><tr><td>a</td></tr></tbody></table>', ['<table>', '<tbody>', '<td>', '<tr>']],
    ['<p>a <img src="https://a.example/a.png" alt="b"></p>', ['<img>', 'alt', 'src']],
    ['<p><span class="big">a</span></p>', ['<span>', 'class']],
    ['<div>a</div>', ['<div>']],
    ['<p><a href="javascript:alert(1)">a</a></p>', ['<a>', 'href']],
    ['<p style="color: red">a</p>', ['style']],
    ['<ul><ul><li>a</li></ul></ul>', []],
  ])('leaves %j alone, and says what it would lose', async (html, lost) => {
    expect(await each('[markup.isKept(html), markup.lostOf(html)]', [html])).toEqual([[false, lost]]);
  });

  it('turns pasted pictures from elsewhere into links', async () => {
    const pasted = [
      '<p><img src="https://a.example/a.png" alt="A poster"></p>',
      '<img src="https://a.example/a.png">',
      '<a href="https://b.example/"><img src="https://a.example/a.png" alt="A poster"></a>',
      '<img src="data:image/png;base64,AA==" alt="A dot">',
      '<img src="javascript:alert(1)">',
    ];
    expect(await each('markup.withoutPictures(html)', pasted)).toEqual([
      '<p><a href="https://a.example/a.png">A poster</a></p>',
      '<a href="https://a.example/a.png">https://a.example/a.png</a>',
      '<a href="https://b.example/">A poster</a>',
      'A dot',
      '',
    ]);
  });
});

const element = (tag: string, content: fc.Arbitrary<string>, attributes: fc.Arbitrary<string> = fc.constant('')) =>
  fc.tuple(attributes, content).map(([with_, inside]) => `<${tag}${with_}>${inside}</${tag}>`);
const glued = (arbitrary: fc.Arbitrary<string>, maxLength = 3) =>
  fc.array(arbitrary, { minLength: 1, maxLength }).map((parts) => parts.join(''));

const kept = fc.constantFrom('', '', '', ' class="x"', ' lang="fr"', ' title="a &quot;b&quot;"');
const href = fc.constantFrom(
  ' href="/a"',
  ' href="https://a.example/?b=1&amp;c=2" rel="nofollow"',
  ' href="mailto:a@b.example"',
);
/** Words, and spaces only between letters. */
const TIDY = ['a', 'é', 'b c', '&amp;', '&lt;b>', '\u00a0', '<br>', '"'];
/** White space wherever a user may have left it. */
const LOOSE = [...TIDY, ' ', ' a', 'a ', '  ', '\n', '<br />\n'];

/** Texts with all that the editor knows. */
function textsOf(words: readonly string[]) {
  const word = fc.constantFrom(...words);
  const { line } = fc.letrec<{ line: string; mark: string }>((tie) => ({
    line: glued(fc.oneof({ maxDepth: 3 }, word, tie('mark'))),
    mark: fc.oneof(
      ...['strong', 'b', 'em', 'i', 'u', 's'].map((tag) => element(tag, tie('line'))),
      element('a', glued(word), href),
    ),
  }));
  // Empty blocks are another matter.
  const filled = line.map((text) => `x${text}`);
  const { block, blocks } = fc.letrec<{ block: string; blocks: string; items: string }>((tie) => ({
    blocks: glued(tie('block')),
    block: fc.oneof(
      { maxDepth: 2 },
      ...['p', 'h1', 'h2', 'h4'].map((tag) => element(tag, filled, kept)),
      fc.constant('<hr>\n'),
      element('blockquote', tie('blocks'), kept),
      element('ul', tie('items'), kept),
      element('ol', tie('items'), fc.constantFrom('', ' start="3"', ' type="a"')),
    ),
    items: glued(
      fc.oneof(
        element('li', filled),
        element(
          'li',
          fc.tuple(element('p', filled), tie('block')).map(([text, rest]) => `${text}${rest}`),
        ),
      ),
    ),
  }));
  return { block, blocks };
}

const loose = textsOf(LOOSE);

/** Markup that the editor does not know, somewhere in a text that it knows. */
const foreign = fc.tuple(
  loose.blocks,
  fc.constantFrom(
    '<table><tr><td>a</td></tr></table>',
    '<div>a</div>',
    '<pre>a</pre>',
    '<p><sub>a</sub></p>',
    '<p dir="rtl" id="x">a</p>',
    '<p><q>a</q></p>',
    '<dl><dt>a</dt></dl>',
    '<ol reversed><li>a</li></ol>',
    '<p><img src="/a.png"></p>',
  ),
  loose.block,
);

const RUNS = effort(5000, 300);

interface Round {
  isKept: boolean;
  printed: string;
  isSame: boolean;
  isStable: boolean;
}

const ROUND = `(() => {
  const text = markup.parse(html);
  const printed = markup.print(text);
  return { isKept: markup.isKept(html), printed, isSame: markup.parse(printed).eq(text), isStable: markup.isKept(printed) };
})()`;

/** Texts that fail in a round through the editor. */
async function wrongOf(texts: readonly string[], isRight: (round: Round) => boolean) {
  const rounds = await each<Round>(ROUND, texts);
  return rounds
    .map((round, index) => ({ html: texts[index], ...round }))
    .filter((round) => !isRight(round))
    .slice(0, 3);
}

describe('the rich editor, with random texts', () => {
  it('takes everything in its schema, and prints the same text', async () => {
    const tidy = fc.sample(textsOf(TIDY).blocks, RUNS);
    expect(await wrongOf(tidy, ({ isKept, isSame }) => isKept && isSame)).toEqual([]);
  });

  it('loses nothing in texts with loose white space, also after the server has cleaned them', async () => {
    const texts = fc.sample(loose.blocks, RUNS);
    expect(await wrongOf(texts, ({ isKept, isStable }) => isKept && isStable)).toEqual([]);
    const printed = await each<string>('markup.print(markup.parse(html))', texts);
    // Stored texts may still have classes, which the server removes when they are written.
    const cleaned = printed.map((html) => [html.replaceAll(' class="x"', ''), cleanHtml(html)]);
    const same = await each<boolean>('markup.canonical(html[0]) === markup.canonical(html[1])', cleaned);
    expect(cleaned.filter((_, index) => !same[index]).slice(0, 3)).toEqual([]);
  });

  it('never takes a text of which it would lose a part', async () => {
    const texts = fc.sample(foreign, RUNS).map((parts) => parts.join(''));
    const taken = await each<boolean>('markup.isKept(html)', texts);
    expect(texts.filter((_, index) => taken[index]).slice(0, 3)).toEqual([]);
  });
});
