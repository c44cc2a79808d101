import { html } from '../frame/html.ts';
import { errorSummary, notice } from '../frame/notice.ts';
import type { PageResponse } from '../frame/page-response.ts';
import { personal } from '../frame/personal-page.ts';
import { NO_REFUSAL, type Refusal, refusalOf } from '../frame/refusal.ts';
import type { Visit } from '../frame/visit.ts';

/** Page that ends reminders, whose address is in them. Programs that check links only read it, so that changes nothing. */
export function unsubscribePage(visit: Visit, token: string, refusal: Refusal = NO_REFUSAL): PageResponse {
  const { t, link } = visit;
  const main = html`<h1>${t('unsubscribe.heading')}</h1>
${errorSummary(refusal.errors, visit)}
<p class="lead">${t('unsubscribe.ask')}</p>
<form method="post" action="${link(`/unsubscribe/${encodeURIComponent(token)}/`)}"><button>${t('unsubscribe.act')}</button></form>`;
  return personal(visit, { title: t('unsubscribe.heading'), main, kind: 'order', refusal });
}

/** Ends reminders by one POST, of the form or of a mail program (RFC 8058). */
export async function postUnsubscribe(visit: Visit, token: string): Promise<PageResponse> {
  const submitted = await visit.submit('reminders.unsubscribe', { body: { token } });
  if (!submitted.isDone) return unsubscribePage(visit, token, refusalOf(submitted));
  const { t } = visit;
  const main = html`<h1>${t('unsubscribe.heading')}</h1>\n${notice('good', t('unsubscribe.done'))}`;
  return personal(visit, { title: t('unsubscribe.heading'), main, kind: 'order' });
}
