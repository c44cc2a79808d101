import { z } from 'zod';
import { type Event, getEvents } from '../../calendar/events/store.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { localTime } from '../../http/output/output.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import type { Ticket } from '../tickets/store.ts';
import { getTickets } from '../tickets/store.ts';

/** Subject of a report row. */
export const subjectSchema = {
  event_id: z.int(),
  title: z.string().describe('Title of the event; empty if it is deleted.'),
  start_date: localTime.nullable().describe('Start of the event, in its time zone; null if it is deleted.'),
  ticket_id: z.int().optional().describe('By ticket only.'),
  ticket_title: z.string().optional(),
};

interface Subject {
  event_id: number;
  title: string;
  start_date: string | null;
  ticket_id?: number;
  ticket_title?: string;
}

/** Looks up the names of tickets or events, with a constant number of queries. */
export async function findNames(
  ctx: RequestContext,
  kind: 'ticket' | 'event',
  ids: readonly number[],
): Promise<(id: number) => Subject> {
  const { db } = ctx.context;
  const tickets = kind === 'ticket' ? await getTickets(db, ids) : new Map<number, Ticket>();
  const eventIds = kind === 'event' ? ids : [...new Set([...tickets.values()].map(({ event_id }) => event_id))];
  const events = new Map<number, Event>((await getEvents(db, eventIds)).map((event) => [event.id, event]));
  const texts = await loadTranslations(ctx, [
    ...eventIds.map((id) => ({ kind: 'event' as const, id })),
    ...[...tickets.keys()].map((id) => ({ kind: 'ticket' as const, id })),
  ]);
  const ofEvent = (id: number): Subject => {
    const event = events.get(id);
    const title = event ? texts.show('event', event).title : '';
    return { event_id: id, title, start_date: event?.start_date ?? null };
  };
  if (kind === 'event') return ofEvent;
  return (id) => {
    const ticket = tickets.get(id);
    const ticket_title = ticket ? texts.show('ticket', ticket).title : '';
    return { ...ofEvent(ticket?.event_id ?? 0), ticket_id: id, ticket_title };
  };
}
