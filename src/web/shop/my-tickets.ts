import { textField, trap } from '../frame/field.ts';
import { type Form, isTrapped } from '../frame/form.ts';
import { type Html, html } from '../frame/html.ts';
import { errorSummary, notice } from '../frame/notice.ts';
import { type Page, type PageResponse, seeOther } from '../frame/page-response.ts';
import { personal } from '../frame/personal-page.ts';
import { type Refusal, refusalOf, refusedParams } from '../frame/refusal.ts';
import { type SentForm, sentForm, showAgain } from '../frame/sent-form.ts';
import type { Visit } from '../frame/visit.ts';

const PATH = '/my-tickets/';
/** Query of the page after its form was sent. */
const SENT = 'sent';

/**
 * Orders made on this device, which are stored in the browser: the server does not know them. Below, a form that has the
 * links to all current orders mailed to their address.
 */
export function myTicketsPage(visit: Visit, sent: SentForm = sentForm(visit)): Page {
  const { t, config, link } = visit;
  const { refusal } = sent;
  const main = html`<h1>${t('mine.heading')}</h1>
${errorSummary(refusal.errors, visit)}
<noscript><p class="notice info">${t('mine.no_scripts')}</p></noscript>
<div data-orders data-pay-now="${t('pay.now')}"><div data-none hidden><p>${t('mine.none')}</p><p class="hint">${t('mine.none_how')}</p><p><a href="${link('/events/')}">${t('not_found.events')}</a></p></div><ul class="orders"></ul><button class="quiet" data-confirm="${t('mine.forget_confirm')}" hidden>${t('mine.forget')}</button></div>
${visit.canMail && findForm(visit, sent)}`;
  const title = t('mine.heading');
  if (refusal.errors.length > 0) return personal(visit, { title, main, kind: 'my-tickets', refusal });
  const description = t('list.about', { site: config.siteName });
  return { title, description, main, kind: 'my-tickets', robots: 'noindex' };
}

function findForm(visit: Visit, { form }: SentForm): Html {
  const { t, link, query } = visit;
  return html`<section><h2>${t('find.heading')}</h2>
${query.has(SENT) && notice('info', t('find.sent'))}
<form method="post" action="${link(PATH)}">
${trap}
${textField({ name: 'email', label: t('checkout.email'), hint: t('find.hint'), value: form.email ?? '', type: 'email', autocomplete: 'email', maxLength: 254, isRequired: true })}
<button>${t('find.act')}</button></form></section>`;
}

/** Has the links mailed. The page says the same for every address. */
export async function postMyTickets(visit: Visit, form: Form): Promise<PageResponse> {
  const { t, link } = visit;
  const again = (refusal: Refusal) => {
    const sent = { form, refusal };
    return showAgain(visit, { ...sent, path: PATH, page: async () => myTicketsPage(visit, sent) });
  };
  if (isTrapped(form)) return again({ errors: [{ message: t('form.trapped') }] });
  const submitted = await visit.submit('buyers_orders.send_links', { body: { email: (form.email ?? '').trim() } });
  if (submitted.isDone) return seeOther(`${link(PATH)}?${SENT}`);
  const isWrong = refusedParams(submitted).includes('email');
  return again(refusalOf(submitted, isWrong ? { message: t('reply.wrong_email'), field: 'email' } : {}));
}
