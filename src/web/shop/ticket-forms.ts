import type { Refused } from '../../http/pipeline/submit.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import type { Form } from '../frame/form.ts';
import { html } from '../frame/html.ts';
import { notice } from '../frame/notice.ts';
import { type PageResponse, seeOther } from '../frame/page-response.ts';
import { personal } from '../frame/personal-page.ts';
import { type Refusal, refusalOf, refusedParams } from '../frame/refusal.ts';
import { showAgain } from '../frame/sent-form.ts';
import { NotFound } from '../frame/subject.ts';
import { submitOnce } from '../frame/submit-once.ts';
import type { Visit } from '../frame/visit.ts';
import { companionsOf, type TicketForm, ticketPage, transferredPage } from './ticket.ts';
import { asHolder, isTransferred, pathOf, readTicket, type TicketAddress } from './ticket-address.ts';

interface Sent {
  sent: TicketForm;
  form: Form;
  refused: Refused;
}

/** Page of the ticket with the refused form. */
async function formAgain(visit: Visit, address: TicketAddress, { sent, form, refused }: Sent): Promise<PageResponse> {
  if (refused.status === 404) throw new NotFound();
  if (refused.status === 410) return transferredPage(visit);
  const again = { form: { ...form, sent }, refusal: refusalIn(visit, sent, refused) };
  return showAgain(visit, { ...again, path: pathOf(address), page: () => ticketPage(visit, address, again) });
}

function refusalIn({ t }: Visit, sent: TicketForm, refused: Refused): Refusal {
  const params = refusedParams(refused);
  const isTransfer = sent === 'transfer';
  if (params.includes('full_name'))
    return refusalOf(refused, { message: t('reply.wrong_name'), field: isTransfer ? 'transfer-name' : 'full_name' });
  if (params.includes('email')) return refusalOf(refused, { message: t('reply.wrong_email'), field: 'transfer-email' });
  return refusalOf(refused, { field: sent === 'reply' ? 'answer' : undefined });
}

/** Changes the name on a ticket. */
export async function postTicket(visit: Visit, address: TicketAddress, form: Form): Promise<PageResponse> {
  const submitted = await visit.submit('held_tickets.update', {
    id: address.id,
    body: { full_name: form.full_name },
    headers: asHolder(address),
  });
  if (!submitted.isDone) return formAgain(visit, address, { sent: 'rename', form, refused: submitted });
  return seeOther(visit.link(pathOf(address)));
}

/** Page of the ticket that asks for whom the answer is. */
function askForWhom(visit: Visit, address: TicketAddress, form: Form): Promise<PageResponse> {
  const refusal = { status: 400, errors: [{ message: visit.t('reply.for_whom_missing'), field: 'scope' }] };
  const again = { form: { ...form, sent: 'reply' as const }, refusal };
  return showAgain(visit, { ...again, path: pathOf(address), page: () => ticketPage(visit, address, again) });
}

/** Changes an RSVP, for the holder alone or for all places that the holder of the first ticket answers for. */
export async function postRsvpChange(visit: Visit, address: TicketAddress, form: Form): Promise<PageResponse> {
  const { answer: attendee_status, scope } = form;
  if (scope === undefined) {
    const ticket = await readTicket(visit, address).catch((error: unknown) => {
      if (isTransferred(error)) return undefined;
      throw error;
    });
    if (ticket && companionsOf(ticket, attendee_status ?? '').length > 0) return askForWhom(visit, address, form);
  }
  const submitted = await visit.submit('replies.update', {
    id: address.id,
    body: { attendee_status, scope },
    headers: asHolder(address),
  });
  if (!submitted.isDone) return formAgain(visit, address, { sent: 'reply', form, refused: submitted });
  return seeOther(visit.link(pathOf(address)));
}

/**
 * Transfers a ticket: its code changes, and the new page is for the new holder. The same form again shows the same
 * address, which the sender could not find otherwise.
 */
export async function postTransfer(visit: Visit, address: TicketAddress, form: Form): Promise<PageResponse> {
  const { t, origin, link } = visit;
  const { key, full_name, email } = form;
  const submitted = await submitOnce(visit, key, 'held_tickets.transfer', {
    id: address.id,
    body: { full_name, email },
    headers: asHolder(address),
  });
  if (!submitted.isDone) return formAgain(visit, address, { sent: 'transfer', form, refused: submitted });
  const path = link(scalarText(submitted.body.url) ?? '');
  const main = html`<h1>${t('transfer.heading')}</h1>
${notice('good', t('transfer.done', { name: scalarText(submitted.body.full_name) ?? '' }))}
<p>${t('transfer.link')}</p><p class="address"><a href="${path}">${origin}${path}</a></p>
<p><button class="quiet" data-copy="${origin}${path}" hidden>${t('share.copy')}</button></p>`;
  return personal(visit, { title: t('transfer.heading'), main, kind: 'ticket' });
}
