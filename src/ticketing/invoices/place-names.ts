import { getBriefEvents } from '../../calendar/events/store.ts';
import { loadTranslations, type TextReader } from '../../platform/translations/store.ts';
import type { OrderItem } from '../orders/store.ts';
import { getTickets } from '../tickets/store.ts';
import type { PlaceNames } from './invoice-lines.ts';

const DAY = 'YYYY-MM-DD'.length;

/** The names of tickets with their events and dates, in the language of an order. Works in a transaction. */
export async function findPlaceNames(
  reader: TextReader,
  items: readonly OrderItem[],
): Promise<(item: OrderItem) => PlaceNames> {
  const { db } = reader.context;
  const tickets = await getTickets(
    db,
    items.map(({ ticket_id }) => ticket_id),
  );
  const found = await getBriefEvents(
    db,
    items.map(({ event_id }) => event_id),
  );
  const events = new Map(found.map((event) => [event.id, event]));
  const texts = await loadTranslations(reader, [
    ...[...tickets.keys()].map((id) => ({ kind: 'ticket' as const, id })),
    ...[...events.keys()].map((id) => ({ kind: 'event' as const, id })),
  ]);
  return ({ ticket_id, event_id }) => {
    const [ticket, event] = [tickets.get(ticket_id), events.get(event_id)];
    return {
      title: ticket ? texts.show('ticket', ticket).title : '',
      event: event ? texts.show('event', event).title : '',
      from: event?.start_date.slice(0, DAY) ?? '',
      until: event?.end_date.slice(0, DAY) ?? '',
    };
  };
}
