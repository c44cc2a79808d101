import { setCookie } from '../../http/core/cookies.ts';
import type { Visit } from './visit.ts';

/** Random name of a browser. It identifies repeated forms, and shows that the browser keeps cookies. */
const BROWSER = 'marquee-browser';
/** In seconds. */
const DAY = 86_400;

export const browserName = ({ cookie }: Visit): string | undefined => cookie(BROWSER);

/** Cookie that names a browser. */
export const browserCookie = ({ newKey, origin }: Visit): string =>
  setCookie({ name: BROWSER, value: newKey(), origin, path: '/', maxAge: DAY });
