import type { RequestContext } from '../../http/endpoint.ts';
import { loadTranslations } from '../translations/store.ts';
import type { Ticket } from './stock.ts';
import { getTickets } from './store.ts';

/** Tickets by id, deleted ones too, with their texts in the language of the request. */
export async function getTicketsShown(ctx: RequestContext, ids: readonly number[]): Promise<Map<number, Ticket>> {
  const [tickets, texts] = await Promise.all([
    getTickets(ctx.context.db, ids),
    loadTranslations(
      ctx,
      ids.map((id) => ({ kind: 'ticket', id })),
    ),
  ]);
  return new Map([...tickets].map(([id, ticket]) => [id, texts.show('ticket', ticket)]));
}
