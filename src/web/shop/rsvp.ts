import { hash } from 'node:crypto';
import type { Refused } from '../../http/pipeline/submit.ts';
import { encodedSlug } from '../../lib/text/slug.ts';
import { eventPage } from '../event/event.ts';
import { passwordOf } from '../event/event-password.ts';
import { rsvpField } from '../event/rsvp-form.ts';
import { browserCookie, browserName } from '../frame/browser-cookie.ts';
import { type Form, isTrapped } from '../frame/form.ts';
import { type PageResponse, type Redirect, seeOther } from '../frame/page-response.ts';
import { type Refusal, refusalOf, refusedParams } from '../frame/refusal.ts';
import { showAgain } from '../frame/sent-form.ts';
import { submitOnce } from '../frame/submit-once.ts';
import type { Visit } from '../frame/visit.ts';
import { rsvpPath } from './rsvp-page.ts';

const NEEDED = ['name', 'email'] as const;

/**
 * Submits an RSVP: redirects to its ticket or tickets, or shows the event with the form again. The same form from the
 * same browser counts once.
 */
export async function postRsvp(visit: Visit, slug: string, form: Form): Promise<PageResponse> {
  const { t, link } = visit;
  const browser = browserName(visit);
  if (browser === undefined && !visit.query.has(NAMED)) return toBeNamed(visit, slug);
  const id = form.reply_to ?? '';
  const sent = (name: Parameters<typeof rsvpField>[1]) => form[rsvpField(id, name)];
  const again = (refusal: Refusal) => {
    const sentForm = { form, refusal };
    return showAgain(visit, { ...sentForm, path: pathOf(slug), page: () => eventPage(visit, slug, sentForm) });
  };
  if (isTrapped(form)) return again({ errors: [{ message: t('form.trapped') }] });
  const missing = NEEDED.filter((name) => !sent(name));
  if (missing.length > 0)
    return again({
      errors: missing.map((name) => ({ message: t(`checkout.missing_${name}`), field: rsvpField(id, name) })),
    });
  const body = {
    ticket_id: id,
    full_name: sent('name'),
    email: sent('email'),
    attendee_status: sent('answer'),
    quantity: sent('places') || undefined,
    password: passwordOf(visit, slug),
  };
  const key = browser && hash('sha256', JSON.stringify([browser, body]), 'base64url');
  const submitted = await submitOnce(visit, key, 'replies.create', { body });
  if (!submitted.isDone) return again(refusalIn(visit, id, submitted));
  const urls = submitted.body.attendees.map(({ url }) => url);
  const [first = ''] = urls;
  return seeOther(link(urls.length === 1 ? first : rsvpPath(visit, urls)));
}

const NAMED = 'named';

const pathOf = (slug: string): string => `/event/${encodedSlug(slug)}/`;

/**
 * Names the browser and lets it post the form again, so that a repeated form is recognised: the page with the form
 * cannot contain a key, since all visitors share it.
 */
const toBeNamed = (visit: Visit, slug: string): Redirect => ({
  // The query stops the redirects for browsers without cookies.
  redirect: `${visit.link(pathOf(slug))}?${String(new URLSearchParams([...visit.query, [NAMED, '1']]))}`,
  status: 307,
  cookies: [browserCookie(visit)],
});

/** Members of an RSVP, with their form fields. */
const FIELDS = { full_name: 'name', email: 'email', attendee_status: 'answer', quantity: 'places' } as const;

/** Refusals of the number of seats. */
const ABOUT_PLACES: ReadonlySet<string> = new Set(['ticket-capacity-not-available', 'max-per-order-exceeded']);

function refusalIn({ t }: Visit, id: string, refused: Refused): Refusal {
  if (ABOUT_PLACES.has(refused.body.code ?? '')) return refusalOf(refused, { field: rsvpField(id, 'places') });
  const params = refusedParams(refused);
  const member = (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).find((name) => params.includes(name));
  if (member === undefined) return refusalOf(refused);
  const field = FIELDS[member];
  return refusalOf(refused, { message: t(`reply.wrong_${field}`), field: rsvpField(id, field) });
}
