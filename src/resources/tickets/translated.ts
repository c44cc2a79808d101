import type { Call } from '../../http/endpoint.ts';
import { loadTranslations } from '../translations/store.ts';
import type { Ticket } from './stock.ts';
import { getTickets } from './store.ts';

/** Tickets by id, deleted ones too, with their texts in the language of the request. */
export async function getTicketsShown(call: Call, ids: readonly number[]): Promise<Map<number, Ticket>> {
  const [tickets, texts] = await Promise.all([
    getTickets(call.context.db, ids),
    loadTranslations(
      call,
      ids.map((id) => ({ kind: 'ticket', id })),
    ),
  ]);
  return new Map([...tickets].map(([id, ticket]) => [id, texts.show('ticket', ticket)]));
}
