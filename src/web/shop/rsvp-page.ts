import { type Html, html } from '../frame/html.ts';
import { notice } from '../frame/notice.ts';
import type { Page } from '../frame/page-response.ts';
import { personal } from '../frame/personal-page.ts';
import type { HeldTicket } from '../frame/responses.ts';
import { NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { heldTicket, placesOf } from './order.ts';
import { whenOf } from './ticket.ts';
import { isTransferred, pathOf, readTicket, type TicketAddress } from './ticket-address.ts';
import { isEventOff, statusBanners } from './ticket-state.ts';

/** Page of an RSVP for several people. Its address contains the sealed addresses of their tickets. */

/** Path of the page, from the addresses of the tickets. */
export function rsvpPath({ seal }: Visit, urls: readonly string[]): string {
  const tickets = urls.map((url) => new URL(url).pathname);
  const id = tickets[0]?.split('/')[2] ?? '';
  const sealed = Buffer.from(seal('reply', JSON.stringify(tickets)), 'base64').toString('base64url');
  return `/reply/${id}/${sealed}/`;
}

/** @throws {NotFound} for an address that this site has not sealed */
export async function rsvpPage(visit: Visit, sealed: string): Promise<Page> {
  const { t } = visit;
  const addresses = addressesIn(visit, sealed);
  const found = await Promise.all(addresses.map((address) => ticketAt(visit, address)));
  const first = found.find((ticket) => ticket !== undefined);
  if (!first) throw new NotFound();
  const places = await placesOf(visit, [first]);
  const place = first.event && places.get(first.event.id);
  const title = first.event?.title ?? first.title;
  const main = html`<h1 data-order="${[title, whenOf(first, visit)].filter(Boolean).join(', ')}" data-holds="${addresses.map(pathOf).join(' ')}">${title}</h1>
${statusBanners([first], visit)}
${!isEventOff(first) && notice('good', t('reply.done'))}
<section><h2>${t('order.tickets')}</h2>
<ol class="tickets-held">${found.map((ticket, index) => ticket && html`<li>${heldTicket(ticket, visit, { place })}${changeLink(ticket, addresses[index], visit)}</li>`)}</ol></section>
${transferred(found.filter((ticket) => ticket === undefined).length, visit)}
<section><h2>${t('order.keep')}</h2><p>${t('order.keep_text')}</p><p class="hint">${t('reply.change_hint')}</p>
<p class="acts"><button class="quiet" data-print hidden>${t('order.print')}</button></p></section>`;
  return personal(visit, { title, main, kind: 'order' });
}

/** Link to the page of a ticket without a code, where a "no" can be changed. */
function changeLink({ url, status }: HeldTicket, address: TicketAddress | undefined, { t, link }: Visit) {
  if (url !== undefined || status !== 'publish' || !address) return undefined;
  return html`<p><a href="${link(pathOf(address))}">${t('order.open')}</a></p>`;
}

/** Note about tickets whose holders changed. */
const transferred = (count: number, { t }: Visit): Html | undefined =>
  count > 0 ? notice('info', t('reply.transferred', { count })) : undefined;

const TICKET = /^\/ticket\/(\d{1,15})\/([^/]+)\/$/;

function addressesIn({ unseal }: Visit, sealed: string): TicketAddress[] {
  const opened = unseal('reply', sealed);
  if (opened === undefined) throw new NotFound();
  // Sealed by `rsvpPath`.
  return (JSON.parse(opened) as string[]).flatMap((path) => {
    const [, id, token = ''] = TICKET.exec(path) ?? [];
    return id === undefined ? [] : [{ id, token }];
  });
}

/** Ticket at an address; undefined if it was deleted or transferred. */
const ticketAt = (visit: Visit, address: TicketAddress): Promise<HeldTicket | undefined> =>
  readTicket(visit, address).catch((error: unknown) => {
    if (error instanceof NotFound || isTransferred(error)) return undefined;
    throw error;
  });
