import { z } from 'zod';
import { hasEventRights } from '../../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, type RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../../http/core/response.ts';
import { integer } from '../../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../../http/output/pagination.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import { getAttendees } from '../../attendees/store.ts';
import { eventsOfTicket } from '../../passes/pass-dates.ts';
import { findCoveredSeries } from '../../passes/pass-tickets.ts';
import { findOwners } from '../../tickets/event-scope.ts';
import { findTicket } from '../../tickets/store.ts';
import { heldEvent, heldEventSchema, loadHeldRelations } from '../held-ticket.ts';
import { countMissingDates, findMissingDates, type MissingDate } from './missing-dates.ts';

/** Holders of a series pass who have no place in an occurrence that was added later. */

const missingDateSchema = z
  .object({
    attendee_id: z.int().describe('First attendee of the pass.'),
    order_id: z.int().nullable(),
    full_name: z.string(),
    ticket_id: z
      .int()
      .nullable()
      .describe('Ticket of the pass in the event; null if the pass has too many dates for one.'),
    event_id: z.int(),
    event: heldEventSchema.nullable(),
  })
  .meta({ id: 'MissingDate', description: 'A date of a series pass without a place.' });

async function findNamed(id: number | undefined, ctx: RequestContext) {
  const ticket = id === undefined ? undefined : await findTicket(ctx.context.db, id);
  return { ticket, events: ticket ? await findOwners(ctx, await eventsOfTicket(ctx.context.db, ticket)) : [] };
}

export const missingDatesEndpoint: AnyEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/tickets/{id}/missing-dates',
  name: 'tickets.missing_dates',
  summary: 'List holders of a series pass without a place in an occurrence',
  description:
    'When an occurrence is added, the holders of a pass get a place in it, in the order of their purchases, while places are left. The list has the other holders, who get a place as soon as one is free.',
  input: { ...pageFields, id: integer('Id of a ticket of the pass.', { min: 1 }) },
  required: ['id'],
  responses: { 200: listSchema('dates', missingDateSchema, 'MissingDateList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden', 'ticket-not-found'],
  find: ({ id }: { id?: number }, ctx) => findNamed(id, ctx),
  may: (viewer, target) => hasEventRights(viewer, 'read_orders', target),
  async handle(ctx, input, { ticket }) {
    if (!ticket) throw new ApiError('ticket-not-found');
    const { db, config } = ctx.context;
    const page = pageOf(input, config.perPage);
    const now = toUtc(ctx.now);
    const { pass_id } = ticket;
    const wanted = { now, series: pass_id === null ? [] : await findCoveredSeries(db, pass_id) };
    const total = pass_id === null ? 0 : await countMissingDates(db, pass_id, wanted);
    const shown =
      pass_id === null || page.offset >= total
        ? []
        : await findMissingDates(db, pass_id, { ...wanted, limit: page.perPage, offset: page.offset });
    const response = listResponse({
      key: 'dates',
      items: await renderDates(shown, ctx),
      total,
      page,
      url: ctx.urls.rest('admin', `/tickets/${ticket.id}/missing-dates`),
      params: { per_page: page.perPage },
    });
    return { ...response, headers: { ...response.headers, ...PRIVATE_NO_STORE } };
  },
});

async function renderDates(dates: readonly MissingDate[], ctx: RequestContext) {
  const { db } = ctx.context;
  const holders = await getAttendees(db, [...new Set(dates.map(({ holder }) => holder))]);
  const byId = new Map(holders.map((holder) => [holder.id, holder]));
  const { events } = await loadHeldRelations(
    ctx,
    dates.map(({ ticket_id, event_id }) => ({ ticket_id: ticket_id ?? 0, event_id })),
  );
  return dates.map(({ holder, ticket_id, event_id }) => {
    const event = events.get(event_id);
    return {
      attendee_id: holder,
      order_id: byId.get(holder)?.order_id ?? null,
      full_name: byId.get(holder)?.full_name ?? '',
      ticket_id,
      event_id,
      event: event ? heldEvent(event, ctx.urls) : null,
    };
  });
}
