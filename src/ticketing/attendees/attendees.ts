import { findEvent } from '../../calendar/events/store.ts';
import { can, eventScope, hasEventRights, type Viewer } from '../../http/core/auth.ts';
import { type AddProblem, type AnyEndpoint, created, endpoint, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { boolean, clearable, email, filledText, integer, plainLine, text } from '../../http/input/schemas.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { plainText } from '../../lib/text/text.ts';
import { attendeeSchema } from '../tickets/attendee-schema.ts';
import { hasRightById } from '../tickets/event-scope.ts';
import { statusRefusal } from '../tickets/sale-window.ts';
import { type CountedTicket, findCountedTicket, getTickets } from '../tickets/store.ts';
import { attendeeAdminEndpoint, findNamedAttendee, type NamedAttendee } from './admin.ts';
import { createAttendee, type SellAtCounter } from './create.ts';
import { isPublicAttendee } from './filter.ts';
import { attendeeListEndpoint } from './list.ts';
import { findAttendee, getAttendee } from './store.ts';
import { changeAttendee } from './update.ts';
import { renderAttendees, renderHolder } from './view.ts';

const attendeeId = integer('Id of the attendee.', { min: 1 });

const holderFields = {
  full_name: filledText('Name of the attendee.', { max: 200 }),
  email: email('E-mail address of the attendee.'),
  attendee_status: text('RSVP answer: `yes` or `no`. Paid attendees have the status of their order.', { max: 50 }),
  check_in: clearable(boolean('true checks in, false checks out.')),
  optout: clearable(boolean('Whether the attendee is hidden from public lists.')),
};

async function renderOne(ctx: RequestContext, id: number) {
  const attendee = await getAttendee(ctx.context.db, id);
  return (await renderAttendees([attendee], ctx))[0];
}

/** Whether the viewer may learn which attendees exist: viewers limited to some events may not. */
const readsEvery = (viewer: Viewer): boolean => eventScope(viewer, 'read_attendees') === 'all';

const find = endpoint({
  namespace: 'tickets',
  methods: ['GET'],
  path: '/attendees/{id}',
  name: 'attendees.read',
  summary: 'Read an attendee',
  description: 'Visitors see the names of people who attend a published event and did not opt out.',
  input: { id: attendeeId },
  required: ['id'],
  responses: { 200: attendeeSchema },
  errors: ['attendee-not-accessible', 'attendee-not-found'],
  async handle(ctx, { id }) {
    const { context, viewer } = ctx;
    const attendee = await findAttendee(context.db, id);
    if (!attendee) throw new ApiError(readsEvery(viewer) ? 'attendee-not-found' : 'attendee-not-accessible');
    const isShown =
      (await hasRightById(ctx, 'read_attendees', attendee.event_id)) ||
      isPublicAttendee(
        attendee,
        await findEvent(context.db, attendee.event_id),
        (await getTickets(context.db, [attendee.ticket_id])).get(attendee.ticket_id),
      );
    if (!isShown) throw new ApiError('attendee-not-accessible');
    return { body: await renderOne(ctx, id), revision: attendee.revision };
  },
});

const create = (sell: SellAtCounter) =>
  endpoint({
    namespace: 'tickets',
    methods: ['POST'],
    path: '/attendees',
    name: 'attendees.create',
    summary: 'Create an attendee',
    description:
      'Takes a place of the ticket, whether or not it is on sale. For a paid ticket, it also creates a completed order that was paid manually.',
    input: { ticket_id: integer('Ticket the attendee is registered for.', { min: 1 }), ...holderFields },
    body: 'AttendeeInput',
    responseHeaders: ['Location'],
    required: ['ticket_id', 'full_name', 'email'],
    responses: { 201: attendeeSchema },
    errors: [
      'rest_missing_callback_param',
      'rest_forbidden',
      'invalid-attendee-status',
      'tec-et-attendee-invalid-check-in',
      'attendee-creation-failed',
      'event-cancelled',
      'event-postponed',
    ],
    async find({ ticket_id, full_name }, { context, viewer, now }, addProblem) {
      checkName(full_name, addProblem);
      const ticket = ticket_id === undefined ? undefined : await findCountedTicket(context.db, ticket_id, toUtc(now));
      // Other viewers must not learn which tickets exist.
      const isMissing = ticket_id !== undefined && !ticket;
      if (isMissing && can(viewer, 'manage_attendees')) addProblem('ticket_id', { key: 'param.ticket_unknown' });
      // Without a ticket the request is refused before this is used.
      return ticket as CountedTicket;
    },
    may: (viewer) => can(viewer, 'manage_attendees'),
    async handle(ctx, { ticket_id: _ticket, ...input }, ticket) {
      const event = await findEvent(ctx.context.db, ticket.event_id);
      const refusal = event && input.attendee_status !== 'no' && statusRefusal(ticket, event);
      if (refusal) throw refusal;
      const attendee = await createAttendee(ctx, ticket, input, sell);
      const privileged = await hasRightById(ctx, 'read_attendees', ticket.event_id);
      const body = await renderHolder({ attendee, ticket }, ctx, privileged);
      return created(body, { Location: ctx.urls.rest('tickets', `/attendees/${attendee.id}`) });
    },
  });

/** Rejects a name that consists of markup only. */
function checkName(name: string | undefined, addProblem: AddProblem): void {
  if (name !== undefined && plainText(name) === '') addProblem('full_name', { key: 'param.filled_text' });
}

const update = endpoint({
  namespace: 'tickets',
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/attendees/{id}',
  name: 'attendees.update',
  summary: 'Change an attendee, check in or out',
  description:
    'Omitted fields keep their values. Door staff and check-in keys may send `check_in` only. Other fields of a series pass require the right for the events of all its attendees.',
  input: {
    id: attendeeId,
    ...holderFields,
    door_note: clearable(plainLine('Note that devices at the door show, such as `wheelchair`.', { max: 200 })),
  },
  body: 'AttendeeChange',
  required: ['id'],
  responses: { 201: attendeeSchema },
  errors: [
    'rest_forbidden',
    'attendee-not-found',
    'invalid-attendee-status',
    'tec-et-attendee-already-checked-in',
    'tec-et-attendee-invalid-check-in',
    'ticket-capacity-not-available',
    'edit-conflict',
  ],
  async find({ id, full_name }, ctx, addProblem): Promise<NamedAttendee> {
    checkName(full_name, addProblem);
    return findNamedAttendee(ctx, id);
  },
  may(viewer, target, { id: _id, check_in: _checkIn, ...rest }) {
    if (hasEventRights(viewer, 'manage_attendees', target)) return true;
    const own = target && { events: target.own };
    return hasEventRights(viewer, 'check_in', own) && Object.values(rest).every((value) => value === undefined);
  },
  async handle(ctx, { id, ...change }, { attendee }) {
    if (!attendee) throw new ApiError('attendee-not-found');
    await changeAttendee(ctx, attendee, change);
    return created(await renderOne(ctx, id));
  },
  showCurrent: (ctx, { id }) => renderOne(ctx, id),
});

/** Attendees: `/attendees` and `/attendees/{id}`. */
export const attendeeEndpoints = (sell: SellAtCounter): AnyEndpoint[] => [
  attendeeListEndpoint,
  create(sell),
  find,
  update,
];

export const attendeeAdminEndpoints: AnyEndpoint[] = [attendeeAdminEndpoint];
