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
  let text = parts[0] ?? '';
  for (let index = 0; index < values.length; index += 1) text += textOf(values[index]) + parts[index + 1];
  return new Html(text);
}

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (value === undefined || value === null || value === false) return '';
  if (typeof value === 'number') return String(value);
  let text = '';
  for (const item of value) text += textOf(item);
  return text;
}

/** Renders plain text with `code in back-ticks`, the format of schema descriptions. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
