import type { BuyersOrder } from '../frame/responses.ts';
import { orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

/** Order, by its id and the token in its address. */
export interface OrderAddress {
  id: string;
  token: string;
}

export const pathOf = ({ id, token }: OrderAddress): string => `/order/${id}/${encodeURIComponent(token)}/`;

/** Order at the path of a page. */
export function addressOf(path: string): OrderAddress | undefined {
  const [, first, id = '', token = ''] = path.split('/');
  return first === 'order' ? { id, token: decodeURIComponent(token) } : undefined;
}

export const readOrder = ({ ask }: Visit, { id, token }: OrderAddress): Promise<BuyersOrder> =>
  orNotFound(ask('buyers_orders.read', { id }, { 'x-order-token': token }));
