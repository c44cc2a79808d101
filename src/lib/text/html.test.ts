import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanHtml, paragraphs } from './html.ts';
import { htmlToText } from './text.ts';

const markup = fc
  .array(
    fc.constantFrom(
      ...'p b i a div table tr td ul li br script style iframe svg math textarea noscript pre h1 form select option'
        .split(' ')
        .flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
      '<a href="javascript:x" target="_top" rel="opener me">',
      '<img src="/x.png" onerror="x">',
      '<img>',
      '<b title="a\nb" class=\'x"y\'>',
      '<!--',
      '-->',
      '<',
      '>',
      '"',
      '&amp;',
      '&lt;',
      '&#60;script&#62;',
      '&#13;',
      '&nbsp;',
      '&',
      'text ',
      '\n',
      '\n\n',
      '\0',
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(''));

describe('cleanHtml', () => {
  it.each([
    ['Fish & chips', 'Fish & chips'],
    ['a > b &copy; "q"', 'a > b &copy; "q"'],
    ['5 < 6 & 7', '5 &lt; 6 &amp; 7'],
    ['a < b <1 << c > d & e', 'a &lt; b &lt;1 &lt;&lt; c &gt; d &amp; e'],
    ['<b title="a < b &lt; c &amp;lt; d">&amp;lt; &lt</b>', '<b title="a &lt; b &lt; c &amp;lt; d">&amp;lt; &lt;</b>'],
    ['<a href="/x?a=1&amp;b=2">&lt;b&gt;</a>', '<a href="/x?a=1&amp;b=2">&lt;b&gt;</a>'],
    ['<b>\x80&amp;\x81</b>', '<b>&amp;</b>'],
    ['<b>Fish & chips</b>', '<b>Fish &amp; chips</b>'],
    [
      ' <p>Bring a <strong>lantern</strong> &amp; a friend.</p>\n',
      '<p>Bring a <strong>lantern</strong> &amp; a friend.</p>',
    ],
    ['one\n\ntwo', 'one\n\ntwo'],
    ['a<br>b<hr>', 'a<br />b<hr />'],
    ['x<script>alert(1)</script><style>p{}</style><iframe src="https://x.y">f</iframe>y', 'xy'],
    ['<form><blink>kept</blink></form>', 'kept'],
    [
      '<p style="color:red" onclick="x()" id="login" class="big" lang="fr" dir="ltr">x</p>',
      '<p lang="fr" dir="ltr">x</p>',
    ],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href=" java&#115;cript&colon;alert(1)">x</a>', '<a>x</a>'],
    ['<a href="data:text/html,x">x</a>', '<a>x</a>'],
    ['<a href="https://x.y/?a=1&amp;b=2" title="t">x</a>', '<a href="https://x.y/?a=1&amp;b=2" title="t">x</a>'],
    [
      '<a href="mailto:a@b.c">m</a><a href="tel:+33">t</a><a href="#top">u</a>',
      '<a href="mailto:a@b.c">m</a><a href="tel:+33">t</a><a href="#top">u</a>',
    ],
    ['<a href="/x" target="_blank" rel="nofollow opener">x</a>', '<a href="/x" target="_blank" rel="nofollow">x</a>'],
    ['<a href="/x" target="frame">x</a>', '<a href="/x">x</a>'],
    [
      '<img src="https://x.y/a.png" alt="A" width="3" height="4" srcset="x 2x">',
      '<img src="https://x.y/a.png" alt="A" width="3" height="4" />',
    ],
    ['<img src="data:image/svg+xml,x">', ''],
    ['<img src="mailto:x">', ''],
    ['<img src="/uploads/a.png">', '<img src="/uploads/a.png" />'],
    ['<img src="https://x.y/calendar/a.png?a=%">', '<img src="https://x.y/calendar/a.png?a=%" />'],
    ['<img src="/calendar/admin/v1/session?_method=DELETE">', ''],
    ['<img src="https://x.y/calendar/admin/v1/session?_method=POST&amp;name=a&amp;password=b">', ''],
    ['<img src="//x.y/folder/WP-JSON/tribe/events/v1/tags?_method=POST">', ''],
    ['<img src="../..//calendar\\%61dmin/v1/session">', ''],
    ['<img src="http:/calendar/admin/v1/session">', ''],
    ['<img src="https:/calendar/admin/v1/session">', ''],
    ['<img src="HTTPS:\\calendar/admin/v1/session">', ''],
    ['<img src="https:wp-json/tribe/admin/v1/session">', ''],
    ['<img src="calen&#9;dar/tickets/v1/qr?ticket_id=1">', ''],
    ['<img src="/index.php?%72est_route=/calendar/admin/v1/session">', ''],
    ['<img src="?a=%&amp;rest_route=%2Fcalendar%2Fadmin">', ''],
    ['<time datetime="2030-01-01">then</time>', '<time datetime="2030-01-01">then</time>'],
    ['<p>open', '<p>open</p>'],
    ['<!-- note -->x', 'x'],
    ['<svg><style><img src=x onerror=alert(1)></style></svg>', ''],
    ['a\0\x07b', 'ab'],
    ['', ''],
  ])('%j -> %j', (html, expected) => expect(cleanHtml(html)).toBe(expected));

  it('is idempotent and leaves nothing that runs', () => {
    fc.assert(
      fc.property(markup, (html) => {
        const clean = cleanHtml(html);
        expect(cleanHtml(clean)).toBe(clean);
        expect(clean).not.toMatch(
          /<(?:script|style|iframe|svg|math|textarea|noscript|form)|<[^>]*(?:onerror|javascript:)/i,
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('handles deep nesting', () => {
    expect(cleanHtml(`${'<div>'.repeat(100)}x`)).toBe(`${'<div>'.repeat(60)}x${'</div>'.repeat(60)}`);
    expect(cleanHtml(`${'<b>'.repeat(200_000)}1 &lt; 2`)).toBe('1 &lt; 2');
  });

  it('keeps the tags of up to 5000 elements', () => {
    const row = '<b>1</b> ';
    expect(cleanHtml(row.repeat(5000))).toBe(row.repeat(5000).trim());
    expect(cleanHtml(row.repeat(5001))).toBe('1 '.repeat(5001).trim());
  });
});

describe('paragraphs', () => {
  it.each([
    ['one line', 'one line'],
    ['one\n', 'one\n'],
    ['one\ntwo', '<p>one<br />\ntwo</p>'],
    ['one\r\ntwo', '<p>one<br />\ntwo</p>'],
    ['one\n\ntwo', '<p>one</p>\n<p>two</p>'],
    ['\none\n \n\n\ntwo\n', '<p>one</p>\n<p>two</p>'],
    ['one<br />\ntwo', '<p>one<br />\ntwo</p>'],
    ['<b>one</b>\n\ntwo', '<p><b>one</b></p>\n<p>two</p>'],
    ['<b>one\n\ntwo</b>\n\nthree', '<p><b>one<br />\n<br />\ntwo</b></p>\n<p>three</p>'],
    ['<a title="x\n\ny">one</a>\ntwo', '<p><a title="x y">one</a><br />\ntwo</p>'],
    ['<p>one\n\ntwo</p>', '<p>one\n\ntwo</p>'],
    ['text\n<ul><li>x</li></ul>', 'text\n<ul><li>x</li></ul>'],
    ['<pre>a\nb</pre>', '<pre>a\nb</pre>'],
    ['<progress\n\nx', '<p><progress</p>\n<p>x</p>'],
    ['', ''],
  ])('%j -> %j', (html, expected) => expect(paragraphs(html)).toBe(expected));

  it('gives clean HTML from clean HTML, and is idempotent', () => {
    fc.assert(
      fc.property(markup, (html) => {
        const result = paragraphs(cleanHtml(html));
        expect(paragraphs(result)).toBe(result);
        const cleaned = cleanHtml(result);
        expect(cleaned.match(/<[^>]*>/g)).toEqual(result.match(/<[^>]*>/g));
        expect(htmlToText(cleaned)).toBe(htmlToText(result));
      }),
      { numRuns: 1000 },
    );
  });
});
