import { ApiError } from '../../http/errors.ts';
import { type Html, html } from '../html.ts';
import { textField } from '../parts/field.ts';
import { errorSummary, type FormError, notice } from '../parts/notice.ts';
import { type Answer, type File, seeOther } from './answer.ts';
import type { EventBody, HeldTicketBody } from './bodies.ts';
import type { Form } from './form.ts';
import { personal } from './personal-page.ts';
import { NotFound, orNotFound } from './subject.ts';
import type { Visit } from './visit.ts';

/** A ticket, named by the id of its attendee and its security code. */
export interface TicketAddress {
  id: string;
  code: string;
}

export const pathOf = ({ id, code }: TicketAddress): string => `/ticket/${id}/${encodeURIComponent(code)}/`;

export const readTicket = ({ ask }: Visit, { id, code }: TicketAddress): Promise<HeldTicketBody> =>
  orNotFound(ask('held_tickets.read', { id, security_code: code }));

/** The event of a ticket, if strangers may see it. */
export const eventOf = async ({ ask }: Visit, { event }: HeldTicketBody): Promise<EventBody | undefined> =>
  event === null
    ? undefined
    : orNotFound(ask('events.read', { id: event.id })).catch((error: unknown) => {
        if (error instanceof NotFound || error instanceof ApiError) return undefined;
        throw error;
      });

/** A ticket with its code, for whoever has the link. */
export async function ticketPage(
  visit: Visit,
  address: TicketAddress,
  errors: readonly FormError[] = [],
): Promise<Answer> {
  const { t, link, dates, localTime } = visit;
  const ticket = await readTicket(visit, address);
  const { title, full_name, event, checked_in, checkin_utc, security_code } = ticket;
  const shown = security_code === undefined ? undefined : await eventOf(visit, ticket);
  const main = html`<article class="ticket-page">
${errorSummary(errors, visit)}
<h1>${event?.title ?? title}</h1>
${security_code ? html`<p class="code-box"><img class="code" src="${pathOf(address)}code.png" width="600" height="600" alt="${t('ticket.code_of', { name: full_name })}"></p><p class="code-text">${security_code}</p>` : withoutCode(ticket, visit)}
<dl><dt>${t('ticket.name')}</dt><dd>${full_name}</dd>
<dt>${t('cart.ticket')}</dt><dd>${title}</dd>
${
  event &&
  html`<dt>${t('event.when')}</dt><dd>${dates.range(event.start_date, event.end_date, event.all_day)}</dd>
<dt>${t('ticket.event')}</dt><dd><a href="${link(event.url)}">${event.title}</a></dd>`
}
<dt>${t('ticket.state')}</dt><dd>${checked_in ? t('ticket.used_at', { time: checkin_utc ? dates.time(localTime(checkin_utc)) : '' }) : t(security_code ? 'ticket.valid' : 'ticket.not_yet')}</dd></dl>
${
  security_code &&
  html`<p><a class="button" href="${pathOf(address)}ticket.png" download>${t('ticket.save')}</a></p>
${shown && html`<p><a href="${link(`${pathOf(address)}ical/`)}">${t('calendar.add')}</a></p>`}
<details><summary>${t('ticket.rename')}</summary><form method="post" action="${link(pathOf(address))}">
${textField({ name: 'full_name', label: t('ticket.name'), value: full_name, maxLength: 200, isRequired: true })}<button>${t('form.save')}</button></form></details>
<details><summary>${t('ticket.transfer')}</summary><p class="hint">${t('ticket.transfer_text')}</p><form method="post" action="${link(`${pathOf(address)}transfer/`)}">
${textField({ name: 'full_name', label: t('checkout.name'), maxLength: 200, isRequired: true })}
${textField({ name: 'email', label: t('checkout.email'), type: 'email', maxLength: 254, isRequired: true })}<button>${t('ticket.transfer_act')}</button></form></details>`
}
</article>`;
  return personal(visit, { title, main, kind: 'ticket', errors });
}

/** What is said in place of the code of a ticket that does not admit. */
function withoutCode({ provider, attendee_status, status }: HeldTicketBody, { t }: Visit): Html {
  const isDeclined = provider === 'rsvp' && attendee_status === 'no' && status === 'publish';
  return isDeclined ? notice('info', t('reply.declined')) : notice('bad', t('ticket.void'));
}

/** The code as a picture, which a scanner at the door reads. */
export async function codePicture(visit: Visit, { id, code }: TicketAddress): Promise<File> {
  return {
    ...(await orNotFound(visit.askFile('qr.read', { id, security_code: code }, { accept: 'image/png' }))),
    isPersonal: true,
  };
}

/** Changes the name on a ticket. */
export async function postTicket(visit: Visit, address: TicketAddress, { full_name }: Form): Promise<Answer> {
  const { isDone, status, body } = await visit.submit({
    method: 'PATCH',
    target: `tickets:/attendees/${address.id}/ticket`,
    body: { security_code: address.code, full_name },
  });
  if (status === 404) throw new NotFound();
  return isDone ? seeOther(visit.link(pathOf(address))) : ticketPage(visit, address, [{ message: body.message ?? '' }]);
}

/** Gives a ticket to somebody else: its code changes, and the page of the new one is for the new holder. */
export async function postTransfer(visit: Visit, address: TicketAddress, { full_name, email }: Form): Promise<Answer> {
  const { t, origin, link } = visit;
  const { isDone, status, body } = await visit.submit({
    method: 'POST',
    target: `tickets:/attendees/${address.id}/transfer`,
    body: { security_code: address.code, full_name, email },
  });
  if (status === 404) throw new NotFound();
  if (!isDone) return ticketPage(visit, address, [{ message: body.message ?? '' }]);
  const url = String(body.url ?? '');
  const main = html`<h1>${t('transfer.heading')}</h1>
${notice('good', t('transfer.done', { name: String(body.full_name ?? '') }))}
<p>${t('transfer.link')}</p><p><a href="${link(url)}">${origin}${link(url)}</a></p>`;
  return personal(visit, { title: t('transfer.heading'), main, kind: 'ticket' });
}
