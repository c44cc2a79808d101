import { z } from 'zod';
import { getEvents } from '../../../calendar/events/store.ts';
import { mayRead } from '../../../calendar/posts/visibility.ts';
import type { Database } from '../../../db/database.ts';
import { type EventScope, eventScope, hasEventRights, isInScope } from '../../../http/core/auth.ts';
import { endpoint, type InputOf, type LookupContext, type RequestContext } from '../../../http/core/endpoint.ts';
import { PRIVATE_NO_STORE } from '../../../http/core/response.ts';
import { revisionSchema } from '../../../http/core/revisions.ts';
import { resolveEndParamIn, resolveParamIn } from '../../../http/input/date-param.ts';
import {
  boolean,
  date,
  ids,
  integer,
  oneOf,
  searchText,
  sharedParameters,
  someOf,
  texts,
  withDefault,
} from '../../../http/input/schemas.ts';
import { localTime, utcTime } from '../../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../../http/output/pagination.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import { siteMoney } from '../../../lib/money/money.ts';
import { type AttendeeFilter, listAttendees } from '../../attendees/filter.ts';
import { type Attendee, getAttendees } from '../../attendees/store.ts';
import { passOfAttendee } from '../../attendees/view.ts';
import { passOfAttendeeSchema } from '../../tickets/attendee-schema.ts';
import { getTickets } from '../../tickets/store.ts';
import { amountSchema, renderAmount } from '../amounts.ts';
import { type HeldEvent, heldEvent, heldEventSchema, loadHeldRelations } from '../held-ticket.ts';
import { ordersInScope } from '../order-scope.ts';
import { getOrders } from '../store.ts';
import { orderSchema, renderOrder } from '../view.ts';

/** List of the attendees of all events, for staff. */

/** Filters of the list and its export. */
export const attendeeFilters = sharedParameters('staff_attendees', {
  search: searchText(
    'Words that must each be part of the name or the e-mail address, the number or the id of the order, or the whole security code.',
  ),
  event: integer('Only attendees of this event.', { min: 1 }),
  ticket: integer('Only attendees of this ticket.', { min: 1 }),
  order: integer('Only attendees of this order.', { min: 1 }),
  include: ids('Only these attendees.'),
  upcoming: boolean('true: only attendees of events that have not ended; false: only of others.'),
  status: withDefault(
    oneOf('`publish`, `trash` for archived attendees, or `any`.', ['publish', 'trash', 'any']),
    'publish',
  ),
  attendee_status: texts('RSVP answers and statuses of orders.', { max: 20 }),
  checked_in: boolean('true: only attendees who are checked in; false: only others.'),
  after: date('Registered at or after this time; in the time zone of the site unless it names one.'),
  before: date(
    'Registered at or before this time; a day without a time is included whole. In the time zone of the site unless it names one.',
  ),
});

export type AttendeeFilterInput = Partial<InputOf<typeof attendeeFilters>>;

const SORT_KEYS = { id: 'id', name: 'title', date: 'date', checked_in: 'checkin', event: 'event' } as const;
type SortKey = keyof typeof SORT_KEYS;

const fields = {
  ...pageFields,
  ...attendeeFilters,
  orderby: withDefault(
    // The values are the keys of the table above.
    oneOf(
      '`checked_in` sorts by the time of the check-in, `event` by the end of the event: events that are on and the next ones come first.',
      Object.keys(SORT_KEYS) as SortKey[],
    ),
    'id',
  ),
  direction: withDefault(oneOf('Sort direction.', ['asc', 'desc']), 'asc'),
  with: someOf('Related records to include. `order` and `code_end` are for users who may see orders.', [
    'event',
    'order',
    'code_end',
  ]),
};

type ListInput = Partial<InputOf<typeof fields>>;

const listedAttendeeSchema = z
  .object({
    id: z.int(),
    event_id: z.int(),
    ticket_id: z.int(),
    ticket: z.string().describe('Name of the ticket.'),
    order_id: z.int().nullable().describe('null for RSVP.'),
    provider: z.enum(['rsvp', 'tc']),
    full_name: z.string(),
    email: z.string(),
    optout: z.boolean(),
    pass: passOfAttendeeSchema.optional().describe('Only for a series pass.'),
    status: z.string().describe('`publish`, or `trash` once archived.'),
    attendee_status: z.string().describe('RSVP answer, or status of the order.'),
    paid: amountSchema.describe('Price paid for the place.'),
    date: localTime,
    date_utc: utcTime,
    checked_in: z.boolean(),
    checkin_utc: utcTime.nullable(),
    ...revisionSchema,
    event: heldEventSchema.nullable().optional().describe('With `with=event`; null once the event is deleted.'),
    order: orderSchema
      .nullable()
      .optional()
      .describe('With `with=order`; null for RSVP, and for orders that the user may not see.'),
    code_end: z
      .string()
      .nullable()
      .optional()
      .describe(
        'With `with=code_end`: last four characters of the security code, for printed lists; null where the user may not see orders.',
      ),
  })
  .meta({ id: 'ListedAttendee', description: 'An attendee, for staff.' });

export const staffAttendeeListEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/attendees',
  name: 'attendees.search',
  summary: 'List and search attendees, for staff',
  description:
    'For users who may read attendees. Authors find the attendees of their own events; a check-in key for one event finds the attendees of that event. By default without archived attendees, in the order of their ids.',
  input: fields,
  responses: { 200: listSchema('attendees', listedAttendeeSchema, 'StaffAttendeeList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  find: (input: ListInput, ctx, addProblem) => checkFilters(input, { ctx, addProblem }),
  may: (viewer, _target, input: ListInput) =>
    hasEventRights(viewer, 'read_attendees') &&
    (!input.with?.some((one) => one !== 'event') || hasEventRights(viewer, 'read_orders')),
  async handle(ctx, input: ListInput) {
    const { db, config } = ctx.context;
    const page = pageOf(input, config.perPage);
    const slice = {
      orderby: SORT_KEYS[input.orderby ?? 'id'],
      order: input.direction ?? 'asc',
      limit: page.perPage,
      offset: page.offset,
    };
    const { total, ids: found } = await listAttendees(db, attendeeFilterOf(input, 'read_attendees', ctx), slice);
    const attendees = await getAttendees(db, found);
    const response = listResponse({
      key: 'attendees',
      items: await renderListed(attendees, input.with ?? [], ctx),
      total,
      page,
      url: ctx.urls.rest('admin', '/attendees'),
      params: {
        ...input,
        page: undefined,
        per_page: page.perPage,
        after: input.after?.text,
        before: input.before?.text,
        i18n_language: ctx.askedLanguage,
      },
    });
    return { ...response, headers: { ...response.headers, ...PRIVATE_NO_STORE } };
  },
});

/**
 * Rejects an event or a ticket that the viewer may not see or that does not exist, except deleted ones with attendees.
 */
export async function checkFilters(
  { event, ticket }: AttendeeFilterInput,
  { ctx, addProblem }: LookupContext,
): Promise<void> {
  const scope = eventScope(ctx.viewer, 'read_attendees');
  if (scope === 'none') return;
  const { db } = ctx.context;
  const sold = ticket === undefined ? undefined : (await getTickets(db, [ticket])).get(ticket);
  const found = await getEvents(db, [event ?? [], sold?.event_id ?? []].flat());
  const events = new Map(found.map((one) => [one.id, one]));
  const isShown = (id: number): boolean => {
    const one = events.get(id);
    return isInScope(scope, one) || (one !== undefined && mayRead(ctx.viewer, one));
  };
  if (event !== undefined && !(events.has(event) && isShown(event)))
    addProblem('event', { key: 'param.event_unknown' });
  if (ticket !== undefined && !(sold && isShown(sold.event_id))) addProblem('ticket', { key: 'param.ticket_unknown' });
}

/** The filter of a request, for the attendees that the viewer has a right for. */
export function attendeeFilterOf(
  input: AttendeeFilterInput,
  right: 'read_attendees' | 'export_attendees',
  { context, viewer, now }: Pick<RequestContext, 'context' | 'viewer' | 'now'>,
): AttendeeFilter {
  const clock = { zone: context.config.timezone, now };
  return {
    readable: 'all',
    within: eventScope(viewer, right),
    events: input.event === undefined ? undefined : [input.event],
    staffSearch: input.search,
    tickets: input.ticket === undefined ? undefined : [input.ticket],
    order: input.order,
    include: input.include,
    ends: input.upcoming === undefined ? undefined : { isUpcoming: input.upcoming, now: toUtc(now) },
    statuses: [input.status ?? 'publish'],
    attendanceStatuses: input.attendee_status,
    checkedIn: input.checked_in,
    after: input.after && resolveParamIn('after', input.after, clock),
    before: input.before && resolveEndParamIn('before', input.before, clock),
  };
}

/** Orders of attendees that the viewer may read, by id. */
async function readableOrders(db: Database, scope: EventScope, attendees: readonly Attendee[]) {
  const ids = attendees.flatMap(({ order_id }) => order_id ?? []);
  return getOrders(db, [...(await ordersInScope(db, scope, ids))]);
}

async function renderListed(
  attendees: readonly Attendee[],
  shown: readonly ('event' | 'order' | 'code_end')[],
  ctx: RequestContext,
): Promise<z.output<typeof listedAttendeeSchema>[]> {
  const { config, db } = ctx.context;
  const relations = await loadHeldRelations(ctx, attendees);
  const scope = eventScope(ctx.viewer, 'read_orders');
  const orders = shown.includes('order') ? await readableOrders(db, scope, attendees) : undefined;
  const format = siteMoney(config);
  const eventOf = (id: number): HeldEvent | null => {
    const event = relations.events.get(id);
    return event ? heldEvent(event, ctx.urls) : null;
  };
  return attendees.map((attendee) => {
    const order = orders?.get(attendee.order_id ?? 0);
    return {
      id: attendee.id,
      event_id: attendee.event_id,
      ticket_id: attendee.ticket_id,
      ticket: relations.tickets.get(attendee.ticket_id)?.title ?? attendee.ticket_title,
      order_id: attendee.order_id,
      provider: attendee.provider,
      full_name: attendee.full_name,
      email: attendee.email,
      optout: attendee.optout === 1,
      ...passOfAttendee(attendee, ctx.urls),
      status: attendee.status,
      attendee_status: attendee.attendance_status,
      paid: renderAmount(attendee.price, format),
      date: attendee.date,
      date_utc: attendee.date_utc,
      checked_in: attendee.checked_in === 1,
      checkin_utc: attendee.checked_in === 1 ? attendee.checkin_utc : null,
      revision: attendee.revision,
      ...(shown.includes('event') && { event: eventOf(attendee.event_id) }),
      ...(orders && { order: order ? renderOrder(order, ctx) : null }),
      ...(shown.includes('code_end') && {
        code_end: isInScope(scope, relations.events.get(attendee.event_id)) ? attendee.security_code.slice(-4) : null,
      }),
    };
  });
}
