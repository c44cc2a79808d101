import { can } from '../../../http/core/auth.ts';
import {
  type AnyEndpoint,
  assertFound,
  created,
  endpoint,
  ok,
  type RequestContext,
} from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { filledText, ids, integer, oneOf } from '../../../http/input/schemas.ts';
import { adminAttendeeSchema, renderAdminAttendee } from '../../attendees/admin.ts';
import { findAttendee } from '../../attendees/store.ts';
import type { Ticket } from '../../tickets/seats/stock.ts';
import { findTicketOfEvent, getTranslatedTickets } from '../../tickets/store.ts';
import { staffAttendeeListEndpoint } from '../attendee-list.ts';
import { PRIVATE } from '../held-ticket.ts';
import { purchaserChange } from '../holder-input.ts';
import { dryRun, fullOrderSchema, orderId, renderFullOrder } from '../view.ts';
import { actOnOrder, getOrderRows } from './act-on-order.ts';
import { moveAttendee, renewCode } from './attendee-acts.ts';
import { cancelPlaces } from './cancel-places.ts';
import { changedOrderSchema, renderChangedOrder } from './changes.ts';
import { COUNTER_PAYMENTS, saleLines, sellAtCounter } from './counter-sale.ts';

/** Actions of staff at the counter: sell, cancel seats, move attendees, renew codes. */

const MAX_REASON = 500;

async function showOrder(ctx: RequestContext, id: number) {
  const rows = await getOrderRows(ctx.context.db, id);
  const tickets = await getTranslatedTickets(
    ctx,
    rows.items.map(({ ticket_id }) => ticket_id),
  );
  return renderFullOrder(rows.order, { ...rows, tickets }, ctx);
}

const sell = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/orders',
  name: 'orders.create',
  summary: 'Sell tickets at the counter',
  description:
    'The order is completed at once. Takes places like every sale, whether or not the tickets are on sale for the public. A free order has the gateway `free`, any other the gateway of `payment`. Attendees are hidden from public lists.',
  input: {
    items: saleLines,
    payment: oneOf('Payment method; `free` for free orders.', COUNTER_PAYMENTS),
    purchaser: purchaserChange,
    reason: filledText("Reason for prices that differ from today's.", { max: MAX_REASON }),
  },
  required: ['items', 'payment'],
  body: 'CounterSaleInput',
  answers: { 201: fullOrderSchema },
  answerHeaders: ['Location'],
  errors: ['rest_missing_callback_param', 'rest_forbidden', 'event-cancelled', 'tec-tc-insufficient-stock'],
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle(ctx, sale) {
    const id = await sellAtCounter(ctx, sale);
    return created(await showOrder(ctx, id), { ...PRIVATE, Location: ctx.urls.rest('admin', `/orders/${id}`) });
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
    reason: filledText('Reason, for the log.', { max: MAX_REASON }),
    dry_run: dryRun,
  },
  required: ['id', 'attendees'],
  body: 'PlacesCancellation',
  answers: { 200: changedOrderSchema },
  errors: [
    'rest_missing_callback_param',
    'rest_forbidden',
    'order-not-found',
    'order-not-cancellable',
    'edit-conflict',
  ],
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle(ctx, { id, attendees, reason, dry_run = false }) {
    const acted = await actOnOrder(ctx, { id, isDryRun: dry_run }, (trx, order) =>
      cancelPlaces(trx, order, { attendees, reason }, ctx),
    );
    return ok(await renderChangedOrder(ctx, acted, dry_run), PRIVATE);
  },
  showCurrent: (ctx, { id }) => showOrder(ctx, id),
});

const attendeeId = integer('Id of the attendee.', { min: 1 });

async function showAttendee(ctx: RequestContext, id: number) {
  const attendee = await findAttendee(ctx.context.db, id);
  if (!attendee) throw new ApiError('attendee-not-found');
  return renderAdminAttendee(ctx, attendee);
}

const move = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/attendees/{id}/move',
  name: 'attendees.move',
  summary: 'Move an attendee to another ticket of the event',
  description:
    'The place moves with the attendee: a place of the former ticket becomes free, one of the other ticket is taken. The paid price and the code stay unchanged.',
  input: { id: attendeeId, ticket_id: integer('A ticket of the same event and kind.', { min: 1 }) },
  required: ['id', 'ticket_id'],
  body: 'AttendeeMove',
  answers: { 200: adminAttendeeSchema },
  errors: [
    'rest_missing_callback_param',
    'rest_forbidden',
    'attendee-not-found',
    'attendee-archived',
    'tec-tc-insufficient-stock',
    'edit-conflict',
  ],
  async find({ ticket_id }, { context, viewer }, addProblem): Promise<Ticket | undefined> {
    // Other viewers must not learn which tickets exist.
    if (ticket_id === undefined || !can(viewer, 'manage_attendees')) return undefined;
    const ticket = await findTicketOfEvent(context.db, ticket_id);
    if (!ticket) addProblem('ticket_id', { key: 'param.ticket_unknown' });
    return ticket;
  },
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle(ctx, { id }, ticket) {
    await moveAttendee(ctx, id, assertFound(ticket));
    return ok(await showAttendee(ctx, id), PRIVATE);
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
  answers: { 200: adminAttendeeSchema },
  errors: ['rest_forbidden', 'attendee-not-found', 'edit-conflict'],
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle(ctx, { id }) {
    await renewCode(ctx, id);
    return ok(await showAttendee(ctx, id), PRIVATE);
  },
  showCurrent: (ctx, { id }) => showAttendee(ctx, id),
});

/** Orders and attendees at the counter. */
export const deskEndpoints: readonly AnyEndpoint[] = [staffAttendeeListEndpoint, sell, cancel, move, renew];
