import { escapeHtml } from '../../lib/text/text.ts';

/** Safe HTML; anything else interpolated into `html` is escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Values allowed in a template: undefined, null and false render nothing, lists are concatenated. */
type Value = string | number | Html | undefined | null | false | readonly Value[];

/** An HTML template. Values in text and quoted attributes are escaped unless they are `Html`. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + textOf(values[index])).join(''));
}

function textOf(value: Value): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(textOf).join('');
}

/** Renders plain text with `code in back-ticks`, the format of schema descriptions. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
