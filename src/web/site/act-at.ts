import { postPassword } from '../event/event-password.ts';
import { isId, segmentsOf } from '../frame/address.ts';
import type { Form } from '../frame/form.ts';
import type { PageResponse } from '../frame/page-response.ts';
import type { Visit } from '../frame/visit.ts';
import { postCart } from '../shop/cart.ts';
import { postCheckout } from '../shop/checkout-form.ts';
import { postMyTickets } from '../shop/my-tickets.ts';
import { postOrder } from '../shop/order.ts';
import { postCancel } from '../shop/order-cancel.ts';
import { postPay } from '../shop/pay.ts';
import { postRsvp } from '../shop/rsvp.ts';
import { isTicketToken } from '../shop/ticket-address.ts';
import { postRsvpChange, postTicket, postTransfer } from '../shop/ticket-forms.ts';
import { postUnsubscribe } from '../shop/unsubscribe.ts';

/** Handles a posted form; undefined if the address accepts none. */
export async function actAt(visit: Visit, form: Form): Promise<PageResponse | undefined> {
  const [first, id = '', secret = '', part, ...more] = segmentsOf(visit.path) ?? [];
  if (more.length > 0) return undefined;
  if (id === '') return postToVisitor(visit, first, form);
  if (secret === '') return postToAddress(visit, { first, name: id, form });
  if (!isId(id)) return undefined;
  if (first === 'order') return postToOrder(visit, { id, token: secret, part, form });
  return first === 'ticket' && isTicketToken(secret)
    ? postToTicket(visit, { id, token: secret, part, form })
    : undefined;
}

async function postToVisitor(visit: Visit, page: string | undefined, form: Form): Promise<PageResponse | undefined> {
  if (page === 'cart') return postCart(visit, form);
  if (page === 'my-tickets') return postMyTickets(visit, form);
  return page === 'checkout' ? postCheckout(visit, form) : undefined;
}

function postToAddress(visit: Visit, { first, name, form }: { first: string | undefined; name: string; form: Form }) {
  if (first === 'unsubscribe') return postUnsubscribe(visit, name);
  return first === 'event' ? postToEvent(visit, name, form) : undefined;
}

const postToEvent = (visit: Visit, slug: string, form: Form): Promise<PageResponse> =>
  form.reply_to === undefined ? postPassword(visit, slug, form) : postRsvp(visit, slug, form);

interface Posted {
  id: string;
  /** Path after the secret. */
  part: string | undefined;
  form: Form;
}

async function postToOrder(visit: Visit, { part, form, ...address }: Posted & { token: string }) {
  if (part === undefined) return postOrder(visit, address, form);
  if (part === 'pay') return postPay(visit, address, form);
  return part === 'cancel' ? postCancel(visit, address) : undefined;
}

async function postToTicket(visit: Visit, { part, form, ...address }: Posted & { token: string }) {
  if (part === undefined) return postTicket(visit, address, form);
  if (part === 'reply') return postRsvpChange(visit, address, form);
  return part === 'transfer' ? postTransfer(visit, address, form) : undefined;
}
