import { type Html, html } from './html.ts';
import type { Visit } from './visit.ts';

/** Error in a form, with the id of its field if it concerns only one. */
export interface FormError {
  message: string;
  field?: string;
}

/** Errors of a form, at the top of the page, with links to their fields. */
export function errorSummary(errors: readonly FormError[], { t }: Visit): Html | undefined {
  if (errors.length === 0) return undefined;
  return html`<div class="notice bad" role="alert" tabindex="-1" id="errors" autofocus><h2>${t('form.problem', { count: errors.length })}</h2>
<ul>${errors.map(({ message, field }) => html`<li>${field === undefined ? message : html`<a href="#${field}">${message}</a>`}</li>`)}</ul></div>`;
}

/** Highlighted message. */
export const notice = (kind: 'good' | 'warn' | 'bad' | 'info', text: Html | string): Html =>
  html`<p class="notice ${kind}">${text}</p>`;
