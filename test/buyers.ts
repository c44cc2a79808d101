import type { Answer, TestServer } from './server.ts';
import { ADA, shopperOf } from './shopper.ts';

/** The result of a checkout for a customer. */
export interface Bought {
  /** Id of the order. */
  id: number;
  token: string;
  /** With which the customer reads and changes the order. */
  headers: Record<string, string>;
  attendees: { id: number; ticket_id: number; security_code: string; url: string }[];
  body: Answer['body'];
}

/** Headers with which the holder reads and changes a ticket, from the address of its page. */
export const asHolder = (url = '') => ({ 'x-ticket-token': url.split('/').at(-2) ?? '' });

/** Buys a place of each ticket, without an account. */
export async function buy(
  server: TestServer,
  ticketIds: readonly number[],
  checkout: Record<string, unknown> = {},
  language = 'en',
): Promise<Bought> {
  const shopper = shopperOf(server);
  const quantities = Map.groupBy(ticketIds, (id) => id);
  await shopper.put([...quantities].map(([ticket_id, all]) => ({ ticket_id, quantity: all.length })));
  const { status, body, text } = await shopper.checkout(
    { purchaser: ADA, ...checkout },
    { headers: { 'accept-language': language } },
  );
  if (status !== 201) throw new Error(`the checkout answered ${status} ${text}`);
  const { id, token } = body.order;
  return { id, token, headers: { 'x-order-token': token }, attendees: body.attendees, body };
}

/** Id of the latest mail about an order. */
export async function lastMailOf({ context }: TestServer, order: number): Promise<number> {
  const mail = await context.db.query
    .selectFrom('mails')
    .select('id')
    .where('record_kind', '=', 'order')
    .where('record_id', '=', order)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return mail.id;
}

/** Marks a mail as one that staff asked for and that was sent, and returns its `Message-ID`. */
export async function markSent({ context }: TestServer, id: number): Promise<string> {
  const { message_id } = await context.db.query
    .updateTable('mails')
    .set({ status: 'sent', user_id: 1, message_id: `<mail-${id}-20260101000000@events.test>` })
    .where('id', '=', id)
    .returning('message_id')
    .executeTakeFirstOrThrow();
  return message_id;
}
