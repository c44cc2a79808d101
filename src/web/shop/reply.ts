import { hash } from 'node:crypto';
import { setCookie } from '../../http/core/cookies.ts';
import type { Refused } from '../../http/pipeline/submit.ts';
import { eventPage } from '../event/event.ts';
import { passwordOf } from '../event/event-password.ts';
import { replyField } from '../event/reply-form.ts';
import { type Answer, type Redirect, seeOther } from '../frame/answer.ts';
import { type Form, isTrapped } from '../frame/form.ts';
import { html } from '../frame/html.ts';
import { notice } from '../frame/notice.ts';
import { personal } from '../frame/personal-page.ts';
import { type Refusal, refusalOf, refusedParams } from '../frame/refusal.ts';
import { submitOnce } from '../frame/submit-once.ts';
import type { Visit } from '../frame/visit.ts';

const NEEDED = ['name', 'email'] as const;

/**
 * Submits an RSVP: redirects to the ticket, or shows the event with the form again. The same form from the same browser
 * counts once.
 */
export async function postReply(visit: Visit, slug: string, form: Form): Promise<Answer> {
  const { t, link } = visit;
  const id = form.reply_to ?? '';
  const sent = (name: Parameters<typeof replyField>[1]) => form[replyField(id, name)];
  const again = (refusal: Refusal) => eventPage(visit, slug, { refusal, chosen: form });
  if (isTrapped(form)) return again({ errors: [{ message: t('form.trapped') }] });
  const missing = NEEDED.filter((name) => !sent(name));
  if (missing.length > 0)
    return again({
      errors: missing.map((name) => ({ message: t(`checkout.missing_${name}`), field: replyField(id, name) })),
    });
  const browser = visit.cookie(BROWSER);
  if (browser === undefined && !visit.query.has(NAMED)) return toBeNamed(visit, slug);
  const body = {
    ticket_id: id,
    full_name: sent('name'),
    email: sent('email'),
    attendee_status: sent('answer'),
    quantity: sent('places') || undefined,
    password: passwordOf(visit, slug),
  };
  const key = browser && hash('sha256', JSON.stringify([browser, body]), 'base64url');
  const answer = await submitOnce(visit, key, 'replies.create', { body });
  if (!answer.isDone) return again(refusalIn(visit, id, answer));
  const { attendees } = answer.body;
  const [first] = attendees;
  return first && attendees.length === 1 ? seeOther(link(first.url)) : ticketsPage(visit, attendees);
}

/** Random name of this browser. The page with the form cannot contain a key, since all visitors share it. */
const BROWSER = 'marquee-browser';
const NAMED = 'named';
/** In seconds. */
const DAY = 86_400;

/** Names the browser and lets it post the form again, so that a repeated form is recognised. */
function toBeNamed({ link, newKey, origin }: Visit, slug: string): Redirect {
  const path = link(`/event/${encodeURIComponent(slug)}/`);
  return {
    // The query stops the redirects for browsers without cookies.
    redirect: `${path}?${NAMED}=1`,
    status: 307,
    cookies: [setCookie({ name: BROWSER, value: newKey(), origin, path: '/', maxAge: DAY })],
  };
}

/** Members of an RSVP, with their form fields. */
const FIELDS = { full_name: 'name', email: 'email', attendee_status: 'answer', quantity: 'places' } as const;

/** Refusals of the number of seats. */
const ABOUT_PLACES: ReadonlySet<string> = new Set(['ticket-capacity-not-available', 'max-per-order-exceeded']);

function refusalIn({ t }: Visit, id: string, answer: Refused): Refusal {
  if (ABOUT_PLACES.has(answer.body.code ?? '')) return refusalOf(answer, { field: replyField(id, 'places') });
  const params = refusedParams(answer);
  const member = (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).find((name) => params.includes(name));
  if (member === undefined) return refusalOf(answer);
  const field = FIELDS[member];
  return refusalOf(answer, { message: t(`reply.wrong_${field}`), field: replyField(id, field) });
}

/** Links to several tickets, which no other page shows. */
function ticketsPage(visit: Visit, attendees: readonly { url: string }[]): Answer {
  const { t, link, origin } = visit;
  const main = html`<h1>${t('reply.done')}</h1>
${notice('good', t('reply.keep'))}
<ol class="address">${attendees.map(({ url }) => html`<li><a href="${link(url)}">${origin}${link(url)}</a></li>`)}</ol>`;
  return personal(visit, { title: t('reply.done'), main, kind: 'ticket' });
}
