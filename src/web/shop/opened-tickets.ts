import { openTickets } from '../cards/sale.ts';
import { ticketsWithCode, untriedCode, withCode } from '../event/promotion-code.ts';
import { type Html, html } from '../frame/html.ts';
import { NO_REFUSAL, type Refusal } from '../frame/refusal.ts';
import type { Cart } from '../frame/responses.ts';
import type { SentForm } from '../frame/sent-form.ts';
import type { Visit } from '../frame/visit.ts';
import { eventsOf } from './cart-content.ts';

/** Hidden tickets that a code opens, on the page of the cart. */

const MAX_TICKETS = 50;

/** Links to the events whose hidden tickets the code of the cart or of the visitor opens, unless the cart has them. */
export async function openedTickets(
  visit: Visit,
  { promotion, tickets: taken }: Pick<Cart, 'promotion' | 'tickets'>,
  sent: SentForm,
): Promise<{ list: Html | undefined; refusal: Refusal }> {
  const entered = untriedCode(visit, sent);
  const code = entered ?? promotion?.code;
  const all = { requires_code: true, per_page: MAX_TICKETS };
  const { tickets, refusal } =
    code === undefined ? { tickets: [], refusal: NO_REFUSAL } : await ticketsWithCode(visit, all, code);
  const left = tickets.filter(({ id }) => !taken.some(({ ticket_id }) => ticket_id === id));
  const events = [...(await eventsOf(visit, left)).values()];
  const list =
    events.length > 0 &&
    html`<h2>${visit.t('cart.code_opens')}</h2>
<ul>${events.map(
      ({ id, title, url }) =>
        html`<li><a dir="auto" href="${withCode(visit.link(url), code)}">${title}</a>: ${left
          .filter(({ post_id }) => post_id === id)
          .map(({ title: name }) => name)
          .join(', ')}</li>`,
    )}</ul>`;
  // The page says itself why the code of the cart does not apply.
  return { list: list || undefined, refusal: entered === undefined ? NO_REFUSAL : refusal };
}

/** Notice that names tickets that left the cart because it has no code for them; undefined if there are none. */
export async function closedNotice(visit: Visit, lost: Cart['tickets']): Promise<string | undefined> {
  if (lost.length === 0) return undefined;
  const include = lost.map(({ ticket_id }) => ticket_id);
  const open = openTickets(await visit.ask('tickets.list', { include, per_page: include.length }));
  const closed = lost.filter(({ ticket_id }) => !open.some(({ id }) => id === ticket_id));
  if (closed.length === 0) return undefined;
  const events = await eventsOf(visit, closed);
  const names = closed.map(({ title, post_id }) => {
    const event = events.get(post_id);
    return event ? `${title} (${event.title})` : title;
  });
  return visit.t('cart.code_closed', { tickets: names.join(', ') });
}
