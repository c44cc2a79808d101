import { setCookie } from '../../http/core/cookies.ts';
import { openedPassword } from '../event/event-password.ts';
import type { Form } from '../frame/form.ts';
import type { Cart } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Cookies of a cart, besides its token. */

const COUNT = 'marquee-cart-count';
const WANTED = 'marquee-cart-places';
const PASSWORD = 'marquee-cart-pass';
/** In seconds. */
const DAY = 86_400;

/** Parts of a cart stored in cookies. */
type Remembered = Pick<Cart, 'tickets' | 'totals'>;

/** State after the checkout. */
export const EMPTY_CART: Remembered = { tickets: [] };

/**
 * Cookies with the number of places, which scripts show in the header, and with the tickets, to offer them again after
 * the hold expires.
 */
export function cartCookies({ tickets, totals }: Remembered, { origin }: Pick<Visit, 'origin'>): string[] {
  const common = { origin, path: '/', maxAge: tickets.length === 0 ? 0 : DAY };
  const count = String(totals?.quantity ?? 0);
  return [
    setCookie({ name: COUNT, value: count, isReadable: true, ...common }),
    setCookie({ name: WANTED, value: placesText(tickets), ...common }),
  ];
}

/** Places that the cart had. */
export const wantedPlaces = ({ cookie }: Visit): Places[] => readPlaces(cookie(WANTED));

/** Password of the event whose tickets are added to the cart, or of the last such event. */
export const cartPassword = (visit: Visit, { pass }: Form): string | undefined =>
  openedPassword(visit, pass ?? visit.cookie(PASSWORD))?.password;

/** Stores the password of a form for later changes of the cart. */
export function passwordCookies(visit: Visit, { pass }: Form): string[] {
  const given = openedPassword(visit, pass);
  if (!given) return [];
  const value = visit.seal('event-password', JSON.stringify([given.slug, given.password]));
  return [setCookie({ name: PASSWORD, value, origin: visit.origin, path: '/' })];
}

/** Places of one ticket. */
export interface Places {
  ticket_id: number;
  quantity: number;
}

const PLACES = /^(\d{1,15}):(\d{1,3})$/;
/** Maximum number of different tickets in a cart, as in the interface. */
const MAX_TICKETS = 50;

/** Format of places in forms and cookies: `12:2,13:1`. */
export const placesText = (places: readonly Places[]): string =>
  places.map(({ ticket_id, quantity }) => `${ticket_id}:${quantity}`).join();

/** Reads the format of `placesText`; ignores anything else. */
export const readPlaces = (text = ''): Places[] =>
  text.split(',', MAX_TICKETS).flatMap((part) => {
    const [, id, quantity] = PLACES.exec(part) ?? [];
    return Number(quantity) > 0 ? [{ ticket_id: Number(id), quantity: Number(quantity) }] : [];
  });
