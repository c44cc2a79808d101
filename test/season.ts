import type { TestServer } from './server.ts';
import { makeTicket } from './tickets.ts';

/** A series of weekly events with a pass for all of them. */

export const NIGHTS = 20;
export const HALL = { ticket: { mode: 'global', event_capacity: 10 } };
export const SHARED = { ticket: { mode: 'global' } };
export const BOTH_ROOMS = { name: 'Twenty nights', scope: 'series' };

export interface Season {
  series: number;
  /** By start. */
  events: number[];
  /** Tickets of the pass, by the start of their events. */
  dates: number[];
}

/** The tickets of a pass by the start of their events. */
export const datesOf = async (server: TestServer, pass: number): Promise<number[]> => {
  const rows = await server.context.db.query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'event_id')
    .select('tickets.id')
    .where('pass_id', '=', pass)
    .orderBy('utc_start_date')
    .execute();
  return rows.map(({ id }) => id);
};

/** The events of a series by their start. */
export const eventsOf = async (server: TestServer, series: number): Promise<number[]> => {
  const query = { per_page: 100 };
  const { body } = await server.ask(`GET /series/${series}/occurrences`, { as: 'editor', query });
  return body.occurrences.map(({ id }: { id: number }) => id);
};

/**
 * A series with a single ticket and a pass, which share the places of each night.
 * @param trashed position of a night that is in the trash when the pass is made
 */
export async function makeSeason(
  server: TestServer,
  fields: object = {},
  count = NIGHTS,
  trashed?: number,
): Promise<Season> {
  const times = { start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' };
  const event = await server.make('POST /events', { title: 'Pottery', ...times }, 'administrator');
  await makeTicket(server, event.id, { name: 'Single', price: '10', ...HALL });
  const recurrence = { rrule: `FREQ=WEEKLY;COUNT=${count}` };
  const { id: series } = await server.make('POST /series', { event_id: event.id, recurrence }, 'administrator');
  const events = await eventsOf(server, series);
  if (trashed !== undefined) await server.ask(`DELETE /events/${events[trashed]}`, { as: 'administrator' });
  const { pass } = await makeTicket(server, event.id, { ...BOTH_ROOMS, price: '100', ...SHARED, ...fields });
  return { series, events, dates: await datesOf(server, pass.id) };
}
