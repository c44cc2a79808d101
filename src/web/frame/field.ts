import { type Html, html } from './html.ts';
import type { Visit } from './visit.ts';

interface FieldOptions {
  name: string;
  /** The name by default. */
  id?: string;
  label: string;
  value?: string;
  type?: 'text' | 'email' | 'password';
  /** Autofill token of HTML. */
  autocomplete?: string;
  isRequired?: boolean;
  maxLength: number;
  hint?: string;
}

/** A labelled text field. */
export function textField(options: FieldOptions): Html {
  const { name, id = name, label, value = '', type = 'text', autocomplete, isRequired, maxLength, hint } = options;
  return html`<div class="field"><label for="${id}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
<input id="${id}" name="${name}" type="${type}" value="${value}" maxlength="${maxLength}"${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}${isRequired && html` required`}${hint !== undefined && html` aria-describedby="${id}-hint"`}>
</div>`;
}

/** Field for several lines of text. */
export const textArea = ({ name, label, value = '', autocomplete, maxLength }: FieldOptions): Html =>
  html`<div class="field"><label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="3" maxlength="${maxLength}"${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}>
${value}</textarea>
</div>`;

/** Hidden field that only programs fill in. */
export const TRAP = 'website_address';

/** Honeypot: forms with a value in it are refused. */
export const trap: Html = html`<div class="visually-hidden" aria-hidden="true"><label>Leave this empty <input name="${TRAP}" tabindex="-1" autocomplete="off"></label></div>`;

/** Magnifying glass. */
const FIND_ICON = html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><circle cx="8.5" cy="8.5" r="5.5"/><path d="m13 13 5 5"/></svg>`;

/** Search for events with its button. */
export const searchField = ({ t }: Pick<Visit, 't'>, words = ''): Html =>
  html`<p class="filter-words"><label class="visually-hidden" for="search">${t('filter.search')}</label><input type="search" id="search" name="search" maxlength="200" placeholder="${t('filter.find')}" value="${words}"><button>${FIND_ICON}<span class="visually-hidden">${t('filter.find')}</span></button></p>`;
