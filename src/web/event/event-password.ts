import { setCookie } from '../../http/core/cookies.ts';
import { ApiError } from '../../http/core/errors.ts';
import { takesWholeDays } from '../../lib/dates/month.ts';
import { encodedSlug } from '../../lib/text/slug.ts';
import { browserCookie } from '../frame/browser-cookie.ts';
import { textField } from '../frame/field.ts';
import type { Form } from '../frame/form.ts';
import { html } from '../frame/html.ts';
import { errorSummary } from '../frame/notice.ts';
import { type PageResponse, seeOther } from '../frame/page-response.ts';
import { personal } from '../frame/personal-page.ts';
import type { Refusal } from '../frame/refusal.ts';
import { showAgain } from '../frame/sent-form.ts';
import { orNotFound, readEvent } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { codeOf, withCode } from './promotion-code.ts';

/** Password of an event, stored for its page until the browser is closed. */

const COOKIE = 'marquee-event';

/** Password from the cookie of an event. */
export function openedPassword(
  { unseal }: Visit,
  sealed: string | undefined,
): { slug: string; password: string } | undefined {
  const opened = sealed === undefined ? undefined : unseal('event-password', sealed);
  if (opened === undefined) return undefined;
  const [slug, password] = JSON.parse(opened) as [string, string];
  return { slug, password };
}

/** Password given by the visitor for an event. */
export function passwordOf(visit: Visit, slug: string): string | undefined {
  const given = openedPassword(visit, visit.cookie(COOKIE));
  return given?.slug === slug ? given.password : undefined;
}

/** Sealed password for a form on the page of the event. */
export const sealedPassword = (visit: Visit, slug: string): string | undefined =>
  passwordOf(visit, slug) === undefined ? undefined : visit.cookie(COOKIE);

/** Form for the password of an event. Password managers tell events apart by the user name. */
export async function passwordPage(visit: Visit, slug: string, sent: Refusal): Promise<PageResponse> {
  const { t, link } = visit;
  const event = await orNotFound(visit.ask('events.feed_event', { slug }));
  // Other forms of the event have no place here.
  const refusal = { ...sent, errors: sent.errors.filter(({ field }) => field === 'password') };
  const main = html`<h1>${t('password.heading')}</h1>
<p class="lead"><span dir="auto">${event.title}</span>, ${visit.dates.range(event.start_date, event.end_date, takesWholeDays(event))}</p>
${errorSummary(refusal.errors, visit)}
<form method="post" action="${withCode(link(`/event/${encodedSlug(slug)}/`), codeOf(visit))}">
<input type="text" name="username" value="${slug}" autocomplete="username" hidden>
${textField({ name: 'password', label: t('password.label'), type: 'password', autocomplete: 'current-password', isRequired: true, maxLength: 200 })}
<button>${t('password.act')}</button></form>`;
  // With a cookie, a wrong password leads to a redirect.
  const cookies = visit.hasCookies ? [] : [browserCookie(visit)];
  return personal(visit, { title: t('password.heading'), main, kind: 'password', refusal, cookies });
}

/** Refusal of a wrong password, or of too many of them. */
export const wrongPassword = ({ t }: Visit, refused?: ApiError): Refusal => ({
  errors: [{ message: t(refused ? 'password.too_many' : 'password.wrong'), field: 'password' }],
  status: refused?.status,
  headers: refused?.headers,
});

/** Checks a password and stores a correct one in an encrypted cookie for this page only. */
export async function postPassword(visit: Visit, slug: string, { password = '' }: Form): Promise<PageResponse> {
  const { link, seal, origin } = visit;
  const again = (refusal: Refusal) => {
    const page = async () => passwordPage(visit, slug, refusal);
    return showAgain(visit, { form: {}, refusal, path: `/event/${encodedSlug(slug)}/`, page });
  };
  try {
    const event = password === '' ? undefined : await readEvent(visit, slug, password);
    if (!event) return again(wrongPassword(visit));
    const path = link(`/event/${encodedSlug(slug)}/`);
    const value = seal('event-password', JSON.stringify([slug, password]));
    return { ...seeOther(withCode(path, codeOf(visit))), cookies: [setCookie({ name: COOKIE, value, origin, path })] };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error;
    return again(wrongPassword(visit, error));
  }
}
