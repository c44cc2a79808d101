import { describe, expect, it } from 'vitest';
import { Html, html, prose } from './html.ts';

describe('templates of HTML', () => {
  it.each([
    [
      'texts are escaped',
      html`<p title="${'"a" & <b>'}">${"it's"}</p>`,
      '<p title="&quot;a&quot; &amp; &lt;b&gt;">it&#39;s</p>',
    ],
    ['HTML is not', html`<p>${html`<b>${'<'}</b>`}</p>`, '<p><b>&lt;</b></p>'],
    ['lists are joined', html`${[1, [html`<i>`, '<']]}`, '1<i>&lt;'],
    ['what is not there shows nothing', html`[${undefined}${false}${0}${''}]`, '[0]'],
  ])('%s', (_name, made, expected) => {
    expect(made).toBeInstanceOf(Html);
    expect(made.text).toBe(expected);
  });

  it('prose shows words in back-ticks as code', () => {
    expect(prose('`a<b` or c').text).toBe('<code>a&lt;b</code> or c');
  });
});
