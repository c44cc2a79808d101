import { z } from 'zod';
import { getEvents } from '../../calendar/events/store.ts';
import { can, eventOfKey, type Viewer } from '../../http/core/auth.ts';
import { endpoint, type InputOf, type LookupContext, type RequestContext } from '../../http/core/endpoint.ts';
import { revisionSchema } from '../../http/core/revisions.ts';
import { resolveEndParamIn, resolveParamIn } from '../../http/input/date-param.ts';
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
} from '../../http/input/schemas.ts';
import { localTime, utcTime } from '../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { type AttendeeFilter, listAttendees } from '../attendees/filter.ts';
import { type Attendee, getAttendees } from '../attendees/store.ts';
import { getTickets } from '../tickets/store.ts';
import { type HeldEvent, heldEvent, heldEventSchema, loadHeldRelations, PRIVATE } from './held-ticket.ts';
import { getOrders } from './store.ts';
import { amountSchema, formatOf, orderSchema, renderAmount, renderOrder } from './view.ts';

/** List of the attendees of all events, for staff. */

/** Filters of the list and its export. */
export const attendeeFilters = sharedParameters('staff_attendees', {
  search: searchText(
    'Words that must each be part of the name or the e-mail address, the number of the order, or the whole security code.',
  ),
  event: integer('Only attendees of this event.', { min: 1 }),
  ticket: integer('Only attendees of this ticket.', { min: 1 }),
  order: integer('Only attendees of this order.', { min: 1 }),
  include: ids('Only these attendees.'),
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

const SORT_KEYS = { id: 'id', name: 'title', date: 'date', checked_in: 'checkin' } as const;
type SortKey = keyof typeof SORT_KEYS;

const fields = {
  ...pageFields,
  ...attendeeFilters,
  orderby: withDefault(
    // The values are the keys of the table above.
    oneOf('`checked_in` sorts by the time of the check-in.', Object.keys(SORT_KEYS) as SortKey[]),
    'id',
  ),
  direction: withDefault(oneOf('Sort direction.', ['asc', 'desc']), 'asc'),
  with: someOf('Related records to include. `order` is for users who manage attendees.', ['event', 'order']),
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
    status: z.string().describe('`publish`, or `trash` once archived.'),
    attendee_status: z.string().describe('RSVP answer, or status of the order.'),
    paid: amountSchema.describe('Price paid for the place.'),
    date: localTime,
    date_utc: utcTime,
    checked_in: z.boolean(),
    checkin_utc: utcTime.nullable(),
    ...revisionSchema,
    event: heldEventSchema.nullable().optional().describe('With `with=event`; null once the event is deleted.'),
    order: orderSchema.nullable().optional().describe('With `with=order`; null for RSVP.'),
  })
  .meta({ id: 'ListedAttendee', description: 'An attendee, for staff.' });

/** Whether a viewer may list the attendees of all events, or of the event of a key. */
export const mayListAttendees = (viewer: Viewer): boolean => can(viewer, 'read_attendees');

export const staffAttendeeListEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/attendees',
  name: 'attendees.search',
  summary: 'List and search attendees, for staff',
  description:
    'For users who may read attendees; a check-in key for one event finds the attendees of that event. By default without archived ones, in the order of their ids.',
  input: fields,
  answers: { 200: listSchema('attendees', listedAttendeeSchema, 'StaffAttendeeList') },
  answerHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  find: (input: ListInput, ctx, addProblem) => checkFilters(input, { ctx, addProblem }),
  may: (viewer, _target, input: ListInput) =>
    mayListAttendees(viewer) && (!input.with?.includes('order') || can(viewer, 'manage_attendees')),
  async handle(ctx, input: ListInput) {
    const { db, config } = ctx.context;
    const page = pageOf(input, config.perPage);
    const slice = {
      orderby: SORT_KEYS[input.orderby ?? 'id'],
      order: input.direction ?? 'asc',
      limit: page.perPage,
      offset: page.offset,
    };
    const { total, ids: found } = await listAttendees(db, attendeeFilterOf(input, ctx), slice);
    const attendees = await getAttendees(db, found);
    const reply = listResponse({
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
    return { ...reply, headers: { ...reply.headers, ...PRIVATE } };
  },
});

/** Rejects an event or a ticket that does not exist, except deleted ones with attendees. */
export async function checkFilters(
  { event, ticket }: AttendeeFilterInput,
  { ctx, addProblem }: LookupContext,
): Promise<void> {
  if (!mayListAttendees(ctx.viewer)) return;
  const { db } = ctx.context;
  if (event !== undefined && (await getEvents(db, [event])).length === 0)
    addProblem('event', { key: 'param.event_unknown' });
  if (ticket !== undefined && !(await getTickets(db, [ticket])).has(ticket))
    addProblem('ticket', { key: 'param.ticket_unknown' });
}

/** The filter of a request; a key for one event finds no attendees of others. */
export function attendeeFilterOf(
  input: AttendeeFilterInput,
  { context, viewer, now }: Pick<RequestContext, 'context' | 'viewer' | 'now'>,
): AttendeeFilter {
  const clock = { zone: context.config.timezone, now };
  const bound = eventOfKey(viewer, 'read_attendees');
  const requested = input.event === undefined ? undefined : [input.event];
  return {
    readable: 'all',
    events: bound === undefined ? requested : [bound].filter((id) => requested?.includes(id) ?? true),
    staffSearch: input.search,
    tickets: input.ticket === undefined ? undefined : [input.ticket],
    order: input.order,
    include: input.include,
    statuses: [input.status ?? 'publish'],
    attendanceStatuses: input.attendee_status,
    checkedIn: input.checked_in,
    after: input.after && resolveParamIn('after', input.after, clock),
    before: input.before && resolveEndParamIn('before', input.before, clock),
  };
}

async function renderListed(
  attendees: readonly Attendee[],
  shown: readonly ('event' | 'order')[],
  ctx: RequestContext,
): Promise<z.output<typeof listedAttendeeSchema>[]> {
  const { config, db } = ctx.context;
  const relations = await loadHeldRelations(ctx, attendees);
  const orders = shown.includes('order')
    ? await getOrders(
        db,
        attendees.flatMap(({ order_id }) => order_id ?? []),
      )
    : undefined;
  const format = formatOf(config.currency, config);
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
      status: attendee.status,
      attendee_status: attendee.attendance_status,
      paid: renderAmount(attendee.price, format),
      date: attendee.date,
      date_utc: attendee.date_utc,
      checked_in: attendee.checked_in === 1,
      checkin_utc: attendee.checked_in === 1 ? attendee.checkin_utc : null,
      revision: attendee.revision,
      ...(shown.includes('event') && { event: eventOf(attendee.event_id) }),
      ...(orders && { order: order ? renderOrder(order, config) : null }),
    };
  });
}
