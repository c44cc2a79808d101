import type { BuyersOrder } from '../frame/responses.ts';
import { orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

/** Order, by its id and the token in its address. */
export interface OrderAddress {
  id: string;
  token: string;
}

export const pathOf = ({ id, token }: OrderAddress): string => `/order/${id}/${encodeURIComponent(token)}/`;

export const readOrder = ({ ask }: Visit, { id, token }: OrderAddress): Promise<BuyersOrder> =>
  orNotFound(ask('buyers_orders.read', { id }, { 'x-order-token': token }));
