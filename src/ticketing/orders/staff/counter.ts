import { hasEventRights } from '../../../http/core/auth.ts';
import {
  type AnyEndpoint,
  assertFound,
  created,
  endpoint,
  ok,
  type RequestContext,
} from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../../http/core/response.ts';
import { filledText, ids, integer, oneOf } from '../../../http/input/schemas.ts';
import {
  adminAttendeeSchema,
  findNamedAttendee,
  type NamedAttendee,
  renderAdminAttendee,
} from '../../attendees/admin.ts';
import { findAttendee } from '../../attendees/store.ts';
import { hasRightById } from '../../tickets/event-scope.ts';
import type { Ticket } from '../../tickets/store.ts';
import { findTicketOfEvent } from '../../tickets/store.ts';
import { completeIfPaid } from '../follow-money.ts';
import { customerChange } from '../holder-input.ts';
import { findNamedOrder } from '../order-scope.ts';
import { actionReason, dryRun, fullOrderSchema, MAX_REASON, orderId } from '../view.ts';
import { moveAttendee, renewCode } from './attendee-actions.ts';
import { staffAttendeeListEndpoint } from './attendee-list.ts';
import { cancelSeats } from './cancel-seats.ts';
import { changedOrderSchema, renderChangedOrder } from './changed-order.ts';
import { COUNTER_PAYMENTS, SALE_ERRORS, saleLines, sellAtCounter } from './counter-sale.ts';
import { runOrderAction, showOrder } from './order-action.ts';

/** Actions of staff at the counter: sell, cancel seats, move attendees, renew codes. */

const sell = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/orders',
  name: 'orders.create',
  summary: 'Sell tickets at the counter',
  description:
    'The order is completed at once. Takes places like every sale, whether or not the tickets are on sale for the public. A free order has the gateway `free`, any other the gateway of `payment`. Attendees are hidden from public lists. Other prices than today’s are for users who manage attendees. A customer with an e-mail address gets a mail; those of accounts that do not manage the attendees of all events are limited (`too-many-mails`).',
  input: {
    items: saleLines,
    payment: oneOf('Payment method; `free` for free orders.', COUNTER_PAYMENTS),
    purchaser: customerChange,
    reason: filledText("Reason for prices that differ from today's.", { max: MAX_REASON }),
  },
  required: ['items', 'payment'],
  body: 'CounterSaleInput',
  responses: { 201: fullOrderSchema },
  responseHeaders: ['Location'],
  errors: SALE_ERRORS,
  may: (viewer) => hasEventRights(viewer, 'sell'),
  async handle(ctx, sale) {
    const id = await sellAtCounter(ctx, sale);
    return created(await showOrder(ctx, id), {
      ...PRIVATE_NO_STORE,
      Location: ctx.urls.rest('admin', `/orders/${id}`),
    });
  },
});

const cancel = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/orders/{id}/cancel-places',
  name: 'orders.cancel_places',
  summary: 'Cancel some places of an order',
  description:
    'Returns the places for good and archives their attendees; the total of the order is reduced to its other places. Without any other, the order becomes `voided`. Moves no money: `changes.notices` says what remains to be done. Cancelled places stay cancelled; places of checked-in attendees are refused.',
  input: {
    id: orderId,
    attendees: ids('Ids of attendees of the order.'),
    reason: actionReason,
    dry_run: dryRun,
  },
  required: ['id', 'attendees'],
  body: 'PlacesCancellation',
  responses: { 200: changedOrderSchema },
  errors: [
    'rest_missing_callback_param',
    'rest_forbidden',
    'order-not-found',
    'order-not-cancellable',
    'payment-open',
    'edit-conflict',
  ],
  find: ({ id }, ctx) => findNamedOrder(ctx, id),
  may: (viewer, target) => hasEventRights(viewer, 'manage_attendees', target),
  async handle(ctx, { id, attendees, reason, dry_run = false }) {
    const acted = await runOrderAction(ctx, { id, isDryRun: dry_run }, async (trx, order) => {
      await cancelSeats(trx, order, { attendees, reason }, ctx);
      const { invoices } = ctx.context.config;
      await completeIfPaid(trx, id, { userId: ctx.viewer.account?.id ?? 0, invoices, now: ctx.now });
    });
    return ok(await renderChangedOrder(ctx, acted, dry_run), PRIVATE_NO_STORE);
  },
  showCurrent: (ctx, { id }) => showOrder(ctx, id),
});

const attendeeId = integer('Id of the attendee.', { min: 1 });

async function showAttendee(ctx: RequestContext, id: number) {
  const attendee = await findAttendee(ctx.context.db, id);
  if (!attendee) throw new ApiError('attendee-not-found');
  return renderAdminAttendee(ctx, attendee);
}

interface MoveTarget extends Pick<NamedAttendee, 'events'> {
  ticket?: Ticket;
}

const move = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/attendees/{id}/move',
  name: 'attendees.move',
  summary: 'Move an attendee to another ticket',
  description:
    'The place moves with the attendee: a place of the former ticket becomes free, one of the other ticket is taken. The paid price and the security code stay unchanged. An attendee who moves to another event is checked out, and a code that was printed before names the former event.',
  input: { id: attendeeId, ticket_id: integer('A ticket of the same kind, also of another event.', { min: 1 }) },
  required: ['id', 'ticket_id'],
  body: 'AttendeeMove',
  responses: { 200: adminAttendeeSchema },
  errors: [
    'rest_missing_callback_param',
    'rest_forbidden',
    'attendee-not-found',
    'attendee-archived',
    'event-cancelled',
    'tec-tc-insufficient-stock',
    'edit-conflict',
  ],
  async find({ id, ticket_id }, ctx, addProblem): Promise<MoveTarget> {
    const { events } = await findNamedAttendee(ctx, id);
    // Other viewers must not learn which tickets exist.
    if (ticket_id === undefined || !hasEventRights(ctx.viewer, 'manage_attendees', { events })) return { events };
    const ticket = await findTicketOfEvent(ctx.context.db, ticket_id);
    const isKnown = ticket && (await hasRightById(ctx, 'manage_attendees', ticket.event_id));
    if (!isKnown) addProblem('ticket_id', { key: 'param.ticket_unknown' });
    return { events, ticket };
  },
  may: (viewer, target) => hasEventRights(viewer, 'manage_attendees', target),
  async handle(ctx, { id }, { ticket }) {
    await moveAttendee(ctx, id, assertFound(ticket));
    return ok(await showAttendee(ctx, id), PRIVATE_NO_STORE);
  },
  showCurrent: (ctx, { id }) => showAttendee(ctx, id),
});

const renew = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/attendees/{id}/security-code',
  name: 'attendees.renew_code',
  summary: 'Give an attendee a new security code',
  description: 'The earlier code no longer admits, and links with it stop working, at once.',
  input: { id: attendeeId },
  required: ['id'],
  responses: { 200: adminAttendeeSchema },
  errors: ['rest_forbidden', 'attendee-not-found', 'edit-conflict'],
  find: ({ id }, ctx) => findNamedAttendee(ctx, id),
  may: (viewer, target) => hasEventRights(viewer, 'manage_attendees', target),
  async handle(ctx, { id }) {
    await renewCode(ctx, id);
    return ok(await showAttendee(ctx, id), PRIVATE_NO_STORE);
  },
  showCurrent: (ctx, { id }) => showAttendee(ctx, id),
});

/** Orders and attendees at the counter. */
export const counterEndpoints: readonly AnyEndpoint[] = [staffAttendeeListEndpoint, sell, cancel, move, renew];
