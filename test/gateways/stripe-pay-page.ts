import type { ServerResponse } from 'node:http';
import type Stripe from 'stripe';
import { Refusal, type StripeAccount } from './stripe-account.ts';

/** Page of the stand-in on which customers pay. Works without scripts. */

interface PageRequest {
  url: URL;
  body: string;
  method: string | undefined;
}

/** Page, or the address to which the customer goes. */
type PageAnswer = { status: number; main: string } | { location: string };

export function payPage(account: StripeAccount, request: PageRequest, response: ServerResponse): void {
  const answer = answerTo(account, request);
  if ('location' in answer) {
    response.writeHead(303, answer);
    response.end();
    return;
  }
  response.writeHead(answer.status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Test payment</title><main>${answer.main}</main></html>`,
  );
}

function answerTo(account: StripeAccount, { url, body, method }: PageRequest): PageAnswer {
  const session = account.sessions.get(url.pathname.slice('/pay/'.length));
  if (!session) return { status: 404, main: '<h1>No such page</h1>' };
  if (method !== 'POST') return formOf(session);
  try {
    const sent = new URLSearchParams(body);
    return act(account, session, sent.get('act') ?? actOf(sent.get('cardNumber')));
  } catch (error) {
    if (error instanceof Refusal) return formOf(session);
    throw error;
  }
}

/** Outcome of a test card: https://docs.stripe.com/testing */
const actOf = (number: string | null): string => (number?.startsWith('4242') ? 'pay' : 'decline');

function act(account: StripeAccount, session: Stripe.Checkout.Session, name: string | null): PageAnswer {
  const location = session.success_url ?? '/';
  switch (name) {
    case 'pay':
      account.pay(session.id);
      return { location };
    case 'debit':
      account.debit(session.id);
      return { location };
    case 'decline':
      account.decline(session.id);
      return formOf(session, 'Your card was declined.');
    default:
      return formOf(session);
  }
}

function formOf(session: Stripe.Checkout.Session, problem = ''): PageAnswer {
  if (session.status !== 'open')
    return { status: 200, main: `<h1>This page is closed</h1><p>It is ${session.status}.</p>` };
  const button = (name: string, label: string) => `<p><button name="act" value="${name}">${label}</button></p>`;
  const field = (name: string, label: string) => `<p><label>${label} <input id="${name}" name="${name}"></label></p>`;
  const card = [
    field('cardNumber', 'Card number'),
    field('cardExpiry', 'Expires'),
    field('cardCvc', 'Security code'),
    field('billingName', 'Name'),
  ].join('');
  const main = `<h1>Pay ${session.amount_total} ${session.currency}</h1>
${problem && `<p role="alert">${problem}</p>`}
<form method="post">${button('pay', 'Pay by card')}${button('decline', 'Pay by a card that is declined')}${button('debit', 'Pay by direct debit')}</form>
<form method="post">${card}<p><button class="SubmitButton">Pay by this card</button></p></form>
<p><a href="${escaped(session.cancel_url ?? '/')}">Back to the shop</a></p>`;
  return { status: 200, main };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
