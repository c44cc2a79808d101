import { escapeHtml } from '../lib/text.ts';

/** HTML that is ready to be sent; anything else that goes into `html` is escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: nothing is shown for undefined and false, members of a list one after the other. */
type Value = string | number | Html | undefined | false | readonly Value[];

/** A template of HTML. Values are escaped, in text and in quoted attributes, unless they are `Html` themselves. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + textOf(values[index])).join(''));
}

function textOf(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(textOf).join('');
}

/** Plain text in which `words in back-ticks` are code, as the descriptions of schemas are written. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
