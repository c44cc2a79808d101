import type { Answer, TestServer } from './server.ts';
import { ADA, shopperOf } from './shopper.ts';

/** What a buyer has after a checkout. */
export interface Bought {
  /** Of the order. */
  id: number;
  token: string;
  /** With which the buyer reads and changes the order. */
  headers: Record<string, string>;
  attendees: { id: number; ticket_id: number; security_code: string }[];
  body: Answer['body'];
}

/** Buys a place of each ticket, without an account. */
export async function buy(
  server: TestServer,
  ticketIds: readonly number[],
  checkout: Record<string, unknown> = {},
): Promise<Bought> {
  const shopper = shopperOf(server);
  const quantities = Map.groupBy(ticketIds, (id) => id);
  await shopper.put([...quantities].map(([ticket_id, all]) => ({ ticket_id, quantity: all.length })));
  const { status, body, text } = await shopper.checkout({ purchaser: ADA, ...checkout });
  if (status !== 201) throw new Error(`the checkout answered ${status} ${text}`);
  const { id, token } = body.order;
  return { id, token, headers: { 'x-order-token': token }, attendees: body.attendees, body };
}
