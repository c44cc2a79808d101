import { ApiError } from '../../http/core/errors.ts';
import type { SentParams } from '../../http/pipeline/call.ts';
import { codeKey, MAX_ENTERED, PROMOTION_REFUSALS } from '../../ticketing/prices/promotion-rules.ts';
import { openTickets } from '../cards/sale.ts';
import type { Form } from '../frame/form.ts';
import { type Html, html } from '../frame/html.ts';
import { NO_REFUSAL, type Refusal } from '../frame/refusal.ts';
import type { Ticket } from '../frame/responses.ts';
import type { SentForm } from '../frame/sent-form.ts';
import type { Visit } from '../frame/visit.ts';

/** Promotion codes that open hidden tickets: of a form, or of an address with `?code=`, as in a mail. */

/** Code that the visitor has entered; undefined for one without a visible character. */
export const codeOf = ({ query }: Visit, form: Form = {}): string | undefined => {
  const code = (query.get('code') ?? form.code ?? '').trim().slice(0, MAX_ENTERED);
  return codeKey(code) === '' ? undefined : code;
};

/** Address of a page that shows the tickets of a code. */
export const withCode = (path: string, code: string | undefined): string =>
  code === undefined ? path : `${path}?${String(new URLSearchParams({ code }))}`;

/** Tickets of a list, with those that a code opens. */
export interface Opened {
  tickets: Ticket[];
  /** Code, unless it is refused. */
  accepted: string | undefined;
  refusal: Refusal;
}

/** Code of a form, unless it was refused: looking it up again would be another wrong guess, with a second message. */
export const untriedCode = (visit: Visit, { form, refusal }: SentForm): string | undefined =>
  refusal.errors.some(({ field }) => field === 'code') ? undefined : codeOf(visit, form);

/** Tickets of a list, with the hidden ones that a code opens. A refused code opens none. */
export async function ticketsWithCode(visit: Visit, params: SentParams, code: string | undefined): Promise<Opened> {
  const list = async (promotion?: string) =>
    openTickets(await visit.ask('tickets.list', promotion === undefined ? params : { ...params, promotion }));
  const unopened = async (refusal: Refusal) => ({ tickets: await list(), accepted: undefined, refusal });
  if (code === undefined) return unopened(NO_REFUSAL);
  try {
    return { tickets: await list(code), accepted: code, refusal: NO_REFUSAL };
  } catch (error) {
    const message = error instanceof ApiError ? messageOf(error, visit) : undefined;
    if (!(error instanceof ApiError) || message === undefined) throw error;
    const { status, headers } = error;
    return unopened({ errors: [{ message, field: 'code' }], status, headers });
  }
}

/** Reason for which the interface refuses a code; undefined for any other refusal. */
function messageOf({ code, data: { reason } }: ApiError, { t }: Visit): string | undefined {
  if (code === 'promotion-unknown') return t('error.promotion-unknown');
  if (code === 'too_many_attempts') return t('password.too_many');
  const known = PROMOTION_REFUSALS.find((one) => one === reason);
  return code === 'promotion-not-valid' && known ? t(`promotion.${known}`) : undefined;
}

/** Form for a code; the page at the path shows the tickets that it opens. */
export const codeForm = (path: string, code: string | undefined, visit: Visit): Html =>
  html`<details${code !== undefined && html` open`}><summary>${visit.t('tickets.have_code')}</summary>
<form method="get" action="${visit.link(path)}">${codeField(code, visit)}</form></details>`;

/** Field for a code, with its button. */
export const codeField = (code: string | undefined, { t }: Pick<Visit, 't'>): Html =>
  html`<div class="field"><label for="code">${t('cart.code')}</label>
<input id="code" name="code" value="${code}" maxlength="${MAX_ENTERED}" autocomplete="off" autocapitalize="characters" required></div>
<button class="quiet">${t('cart.code_apply')}</button>`;
