import { setCookie } from '../../http/core/cookies.ts';
import { ApiError } from '../../http/core/errors.ts';
import { encodedSlug } from '../../lib/text/slug.ts';
import { type Answer, seeOther } from '../frame/answer.ts';
import { textField } from '../frame/field.ts';
import type { Form } from '../frame/form.ts';
import { html } from '../frame/html.ts';
import { errorSummary } from '../frame/notice.ts';
import { personal } from '../frame/personal-page.ts';
import type { Event } from '../frame/responses.ts';
import { orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

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

/**
 * Reads an event with the visitor's password; undefined if it needs another one.
 * @throws {NotFound}
 */
export function readEvent({ ask }: Visit, slug: string, password: string | undefined): Promise<Event | undefined> {
  return orNotFound(
    ask('events.read_by_slug', { slug, password }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'event-password-protected') return undefined;
      throw error;
    }),
  );
}

/** Form for the password of an event. Password managers tell events apart by the user name. */
export function passwordPage(
  visit: Visit,
  slug: string,
  { isWrong, refused }: { isWrong: boolean; refused?: ApiError },
): Answer {
  const { t, link } = visit;
  const message = t(refused ? 'password.too_many' : 'password.wrong');
  const errors = isWrong ? [{ message, field: 'password' }] : [];
  const refusal = { errors, status: refused?.status, headers: refused?.headers };
  const main = html`<h1>${t('password.heading')}</h1>
${errorSummary(errors, visit)}
<form method="post" action="${link(`/event/${encodedSlug(slug)}/`)}">
<input type="text" name="username" value="${slug}" autocomplete="username" hidden>
${textField({ name: 'password', label: t('password.label'), type: 'password', autocomplete: 'current-password', isRequired: true, maxLength: 200 })}
<button>${t('password.act')}</button></form>`;
  return personal(visit, { title: t('password.heading'), main, kind: 'password', refusal });
}

/** Checks a password and stores a correct one in an encrypted cookie for this page only. */
export async function postPassword(visit: Visit, slug: string, { password = '' }: Form): Promise<Answer> {
  const { link, seal, origin } = visit;
  try {
    const event = password === '' ? undefined : await readEvent(visit, slug, password);
    if (!event) return passwordPage(visit, slug, { isWrong: true });
    const path = link(`/event/${encodedSlug(slug)}/`);
    const value = seal('event-password', JSON.stringify([slug, password]));
    return { ...seeOther(path), cookies: [setCookie({ name: COOKIE, value, origin, path })] };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error;
    return passwordPage(visit, slug, { isWrong: true, refused: error });
  }
}
