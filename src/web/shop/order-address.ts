import { setCookie } from '../../http/core/cookies.ts';
import type { CustomerOrder } from '../frame/responses.ts';
import { orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

/** Order, by its id and the token in its address. */
export interface OrderAddress {
  id: string;
  token: string;
}

export const pathOf = ({ id, token }: OrderAddress): string => `/order/${id}/${encodeURIComponent(token)}/`;

/** Order at the path of a page. */
export function orderAddressAt(path: string): OrderAddress | undefined {
  const [, first, id = '', token = ''] = path.split('/');
  return first === 'order' ? { id, token: decodeURIComponent(token) } : undefined;
}

export const readOrder = ({ ask }: Visit, { id, token }: OrderAddress): Promise<CustomerOrder> =>
  orNotFound(ask('buyers_orders.read', { id }, { 'x-order-token': token }));

/* Last order of this browser: found again by repeated presses of its button, and from the empty cart. */

const COOKIE = 'marquee-ordered';
/** In seconds. */
const DAY = 86_400;

/** Cookie with the path of an order and the key of its form. */
export function orderedCookie({ seal, origin }: Visit, key: string | undefined, url: string): string {
  const value = seal('ordered', JSON.stringify([key ?? null, new URL(url, origin).pathname]));
  return setCookie({ name: COOKIE, value, origin, path: '/', maxAge: DAY });
}

/** Path of the last order; undefined without one. */
export const lastOrder = (visit: Visit): string | undefined => readOrdered(visit)?.[1];

/** Path of the order of a form; undefined if the last order was another one. */
export function orderOf(visit: Visit, key: string | undefined): string | undefined {
  const [forKey, path] = readOrdered(visit) ?? [];
  return key !== undefined && forKey === key ? path : undefined;
}

function readOrdered({ cookie, unseal }: Visit): [key: string | null, path: string] | undefined {
  const sealed = cookie(COOKIE);
  const opened = sealed === undefined ? undefined : unseal('ordered', sealed);
  // Sealed by `orderedCookie`.
  return opened === undefined ? undefined : (JSON.parse(opened) as [string | null, string]);
}
