import { z } from 'zod';
import { byIds } from '../../db/by-ids.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { localTime, utcTime } from '../../http/output/output.ts';
import { addSeconds } from '../../lib/dates/dates.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import { getTranslatedTickets } from '../tickets/store.ts';

/** Events and tickets of a gate, as devices show them. */

export const doorEventSchema = z
  .object({
    id: z.int(),
    title: z.string(),
    status: z.string().describe('`scheduled`, `cancelled`, `postponed` and so on.'),
    timezone: z.string(),
    start_date: localTime,
    utc_start_date: utcTime,
    utc_end_date: utcTime,
    opens_utc: utcTime.nullable().describe('Start of check-in; null if the site does not limit it.'),
    closes_utc: utcTime.nullable(),
  })
  .meta({ id: 'DoorEvent', description: 'An event of a gate.' });
export type GateEvent = z.output<typeof doorEventSchema>;

export const doorTicketSchema = z
  .object({ id: z.int(), event_id: z.int(), title: z.string() })
  .meta({ id: 'DoorTicket', description: 'A kind of ticket of an event of the gate.' });

const eventsById = byIds((query, ids) =>
  query
    .selectFrom('events')
    .select(['id', 'title', 'event_status', 'timezone', 'start_date', 'utc_start_date', 'utc_end_date'])
    .where('id', 'in', ids)
    .orderBy('id'),
);

/** Events by id, with the titles in the language of the request, in the order of their ids. */
export async function findEvents(ctx: RequestContext, ids: readonly number[]): Promise<GateEvent[]> {
  const { db, config } = ctx.context;
  const rows = await eventsById(db, ids);
  const texts = await loadTranslations(
    ctx,
    rows.map(({ id }) => ({ kind: 'event', id })),
  );
  const { isOn, buffer } = config.checkInWindow;
  return rows.map((row) => ({
    id: row.id,
    title: texts.show('event', row).title,
    status: row.event_status,
    timezone: row.timezone,
    start_date: row.start_date,
    utc_start_date: row.utc_start_date,
    utc_end_date: row.utc_end_date,
    opens_utc: isOn ? addSeconds(row.utc_start_date, -buffer * 60) : null,
    closes_utc: isOn ? addSeconds(row.utc_end_date, buffer * 60) : null,
  }));
}

/** Tickets of events, also deleted ones that attendees still have, by id. */
export async function findDoorTickets(
  ctx: RequestContext,
  eventIds: readonly number[],
): Promise<z.output<typeof doorTicketSchema>[]> {
  const rows = await ctx.context.db.query
    .selectFrom('tickets')
    .select('id')
    .where('event_id', 'in', [0, ...eventIds])
    .orderBy('id')
    .execute();
  const tickets = await getTranslatedTickets(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.flatMap(({ id }) => {
    const ticket = tickets.get(id);
    return ticket ? [{ id, event_id: ticket.event_id, title: ticket.title }] : [];
  });
}
