import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import { ANY_TIME, endpoint } from '../../../http/core/endpoint.ts';
import { filledText, integer } from '../../../http/input/schemas.ts';
import { type BriefEvent, renderBriefEvents } from '../render-event.ts';
import { getBriefEvents } from '../store.ts';

interface Place {
  id: number;
  /** UTC. */
  start: string;
}

/** Previous and next event by start. */
export interface Neighbours {
  before?: BriefEvent;
  after?: BriefEvent;
}

/** The listed events before and after an event, for pages of this process; not a route. */
export const eventNeighboursEndpoint = endpoint({
  namespace: 'events',
  methods: ['GET'],
  path: '/events.neighbours',
  name: 'events.neighbours',
  summary: 'The previous and the next event',
  input: { id: integer('The event.', { min: 1 }), start: filledText('Its start in UTC, as in the event.') },
  required: ['id', 'start'],
  responses: { 200: z.custom<Neighbours>() },
  errors: [],
  async handle(ctx, place) {
    const { db } = ctx.context;
    const [before, after] = await Promise.all([neighbour(db, place, '<'), neighbour(db, place, '>')]);
    const ids = [before, after].flatMap((id) => id ?? []);
    const events = await renderBriefEvents(ctx, await getBriefEvents(db, ids));
    const withId = (id: number | undefined) => events.find((event) => event.id === id);
    return { body: { before: withId(before), after: withId(after) }, freshUntil: ANY_TIME };
  },
});

/** Id of the next listed event in one direction, by start and id. */
async function neighbour({ query }: Database, { start, id }: Place, side: '<' | '>'): Promise<number | undefined> {
  const direction = side === '<' ? 'desc' : 'asc';
  const found = await query
    .selectFrom('events')
    .select('id')
    .where('status', '=', sql.lit('publish'))
    .where('hide_from_listings', '=', 0)
    .where(sql<boolean>`(utc_start_date, id) ${sql.raw(side)} (${start}, ${id})`)
    .orderBy('utc_start_date', direction)
    .orderBy('id', direction)
    .limit(1)
    .executeTakeFirst();
  return found?.id;
}
