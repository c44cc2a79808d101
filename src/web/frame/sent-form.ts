import { setCookie } from '../../http/core/cookies.ts';
import type { Form } from './form.ts';
import { isPage, type PageResponse, seeOther } from './page-response.ts';
import { NO_REFUSAL, type Refusal } from './refusal.ts';
import type { Visit } from './visit.ts';

/**
 * Forms that are shown again after a redirect, so that neither Back nor a reload of the page asks to send them again.
 * The sealed form is in a cookie; the key in the address belongs to this form, so that a later visit shows none. It is
 * sealed for one page, since others may be cached for all visitors.
 */

/** Submitted values, with the errors to correct, if any. */
export interface SentForm {
  form: Form;
  refusal: Refusal;
  /** Consequence of a form that was accepted. */
  notice?: string;
}

const COOKIE = 'marquee-form';
const KEY = 'again';
/** In seconds. */
const TEN_MINUTES = 600;
/** Browsers ignore cookies above 4096 bytes. */
const MAX_COOKIE = 3500;

/** Form to be shown again on the requested page. */
export function sentForm({ query, cookie, unseal, path }: Visit): SentForm {
  const key = query.get(KEY);
  const sealed = key === null ? undefined : cookie(COOKIE);
  const opened = sealed === undefined ? undefined : unseal('sent-form', sealed);
  // Sealed by `showAgain`.
  const [sealedFor, sealedPath, sent] = opened === undefined ? [] : (JSON.parse(opened) as [string, string, SentForm]);
  return sent && sealedFor === key && sealedPath === path ? sent : { form: {}, refusal: NO_REFUSAL };
}

interface Shown extends SentForm {
  /** Path of the page with the form, as in its visits. */
  path: string;
  /** Page for browsers without cookies, and for forms that no cookie can hold. */
  page: () => Promise<PageResponse>;
  cookies?: readonly string[];
  /** True if the form is of no use without cookies. */
  needsCookies?: boolean;
}

/** Redirects to the page of a form, which shows it again. */
export async function showAgain(visit: Visit, shown: Shown): Promise<PageResponse> {
  const { path, form, refusal, notice, page, cookies = [], needsCookies = false } = shown;
  const key = visit.newKey();
  const value = visit.seal('sent-form', JSON.stringify([key, path, { form, refusal, notice }]));
  if (value.length > MAX_COOKIE || !(needsCookies || visit.hasCookies)) {
    const response = await page();
    return isPage(response) ? { ...response, cookies: [...(response.cookies ?? []), ...cookies] } : response;
  }
  const address = visit.link(path);
  const cookie = setCookie({ name: COOKIE, value, origin: visit.origin, path: address, maxAge: TEN_MINUTES });
  // The page shows the tickets of a promotion code in its address.
  const code = visit.query.get('code');
  const query = new URLSearchParams({ [KEY]: key, ...(code !== null && { code }) });
  return { ...seeOther(`${address}?${String(query)}`), cookies: [...cookies, cookie] };
}
