import type { CartBody } from './bodies.ts';
import { openedPassword } from './event-password.ts';
import type { Form } from './form.ts';
import { type Places, placesText, readPlaces } from './places.ts';
import type { Visit } from './visit.ts';

/** What the browser of a visitor remembers of a cart, besides its token. */

const COUNT = 'marquee-cart-count';
const WANTED = 'marquee-cart-places';
const PASSWORD = 'marquee-cart-pass';
const DAY = 86_400;

/** What cookies remember of a cart. */
type Remembered = Pick<CartBody, 'tickets' | 'totals'>;

/** A cart that was bought. */
export const EMPTY_CART: Remembered = { tickets: [] };

/** How many places the cart has, which scripts show in the sign, and which, to offer them again when its time is over. */
export function cartCookies({ tickets, totals }: Remembered, visit: Pick<Visit, 'origin'>): string[] {
  const rest = `Path=/; Max-Age=${tickets.length === 0 ? 0 : DAY}; SameSite=Lax${secureIn(visit)}`;
  return [`${COUNT}=${totals?.quantity ?? 0}; ${rest}`, `${WANTED}=${placesText(tickets)}; HttpOnly; ${rest}`];
}

const secureIn = ({ origin }: Pick<Visit, 'origin'>): string => (origin.startsWith('https:') ? '; Secure' : '');

/** The places that the cart had. */
export const wantedPlaces = ({ cookie }: Visit): Places[] => readPlaces(cookie(WANTED));

/** The password of the event whose tickets are put into the cart, or of the last such event. */
export const cartPassword = (visit: Visit, { pass }: Form): string | undefined =>
  openedPassword(visit, pass ?? visit.cookie(PASSWORD))?.password;

/** Remembers the password of a form for later changes of the cart. */
export function passwordCookies(visit: Visit, { pass }: Form): string[] {
  const given = openedPassword(visit, pass);
  if (!given) return [];
  const sealed = visit.seal('event-password', JSON.stringify([given.slug, given.password]));
  return [`${PASSWORD}=${sealed}; Path=/; HttpOnly; SameSite=Lax${secureIn(visit)}`];
}
