import { z } from 'zod';
import {
  ANY_TIME,
  assertFound,
  created,
  endpoint,
  type HandlerContext,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { RATE_HEADERS } from '../../http/core/headers.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { clearable, filledText, ids, integer, oneOf, text, withDefault } from '../../http/input/schemas.ts';
import { link } from '../../http/output/output.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { checkRsvpAnswer } from '../attendees/create.ts';
import type { Attendee } from '../attendees/store.ts';
import { TICKET_TOKEN, ticketUrl } from '../attendees/ticket-token.ts';
import { maxPerOrderExceeded, missingTicket, notOnSale } from '../cart/errors.ts';
import { admitPasswordFor, findPurchasable } from '../cart/purchasable.ts';
import { getChangeable, linkNotFound } from '../orders/customer/ticket-access.ts';
import { countRefusal, isExemptFromSeatLimits, networkForFreeSeats } from '../orders/free-seats.ts';
import { fullName, holderEmail, holderOptout } from '../orders/holder-input.ts';
import type { Ticket } from '../tickets/store.ts';
import { getTickets, isOnSaleAt, MAX_PER_ORDER, maxPerOrder } from '../tickets/store.ts';
import { changeRsvp, createRsvp, RSVP_ANSWERS, RSVP_SCOPES, type RsvpAnswer } from './rsvp.ts';

const rsvpSchema = z
  .object({
    id: z.int().describe('Id of its first attendee, whose token controls the whole RSVP.'),
    ticket_id: z.int(),
    event_id: z.int(),
    attendee_status: z.enum(RSVP_ANSWERS),
    full_name: z.string(),
    attendees: z.array(
      z.object({
        id: z.int(),
        security_code: z.string().describe('Admits the holder.'),
        url: link.describe(
          'Page of the ticket, accessible to anyone with the link; its last segment is the token for `X-Ticket-Token`.',
        ),
      }),
    ),
  })
  .meta({ id: 'Reply', description: 'An RSVP to an event, with an attendee for each place.' });

function renderRsvp(ctx: RequestContext, attendees: readonly Attendee[]): z.output<typeof rsvpSchema> {
  const first = assertFound(attendees[0]);
  return {
    id: first.id,
    ticket_id: first.ticket_id,
    event_id: first.event_id,
    // rsvp.ts writes no other values.
    attendee_status: first.attendance_status as RsvpAnswer,
    full_name: first.full_name,
    attendees: attendees.map((attendee) => ({
      id: attendee.id,
      security_code: attendee.security_code,
      url: ticketUrl(ctx, attendee),
    })),
  };
}

const answer = oneOf('RSVP answer. A "no" takes no place.', RSVP_ANSWERS);

const create = endpoint({
  namespace: 'tickets',
  methods: ['POST'],
  path: '/replies',
  name: 'replies.create',
  summary: 'RSVP to an event',
  description:
    'Public, while the ticket is on sale. A "yes" takes places. The security codes admit; the pages of the tickets change the RSVP later. Both are shown only in this response.',
  input: {
    ticket_id: integer('RSVP ticket.', { min: 1 }),
    full_name: fullName,
    email: holderEmail,
    attendee_status: withDefault(answer, 'yes'),
    quantity: withDefault(
      integer('Number of places, at most `max_per_order` of the ticket.', { min: 1, max: MAX_PER_ORDER }),
      1,
    ),
    optout: withDefault(clearable(holderOptout), true),
    password: clearable(text('Password of the event, if it has one.', { max: 200 })),
  },
  required: ['ticket_id', 'full_name', 'email'],
  counted: 'checkouts',
  body: 'ReplyInput',
  responses: { 201: rsvpSchema },
  responseHeaders: [...RATE_HEADERS],
  errors: [
    'rest_missing_callback_param',
    'ticket-does-not-exist',
    'event-cancelled',
    'event-postponed',
    'max-per-order-exceeded',
    'ticket-capacity-not-available',
    'too-many-requests',
    'too-many-free-places',
  ],
  async handle(ctx, { ticket_id, full_name, email, attendee_status = 'yes', quantity = 1, optout, password }) {
    const ticket = await getOpenTicket(ctx, ticket_id, password ?? undefined);
    if (attendee_status === 'no' && ticket.not_going === 0) {
      throw invalidParam('attendee_status', 'param.one_of', { allowed: 'yes' });
    }
    if (attendee_status === 'yes' && quantity > maxPerOrder(ticket) && !isExemptFromSeatLimits(ctx))
      throw await maxPerOrderExceeded(ctx, ticket);
    const holder = { full_name, email, optout: optout === false ? (0 as const) : (1 as const), information: undefined };
    const rsvp = { ticket, holder, answer: attendee_status, quantity, network: networkForFreeSeats(ctx) };
    const attendees = await countRefusal(ctx, () => createRsvp(ctx, rsvp));
    return created(renderRsvp(ctx, attendees), PRIVATE_NO_STORE);
  },
});

/** @throws {ApiError} ticket-does-not-exist, event-cancelled, event-postponed, ticket-capacity-not-available, too_many_attempts */
async function getOpenTicket(ctx: HandlerContext, id: number, password: string | undefined): Promise<Ticket> {
  await admitPasswordFor([id], password, ctx);
  const { context, viewer, now } = ctx;
  const found = await findPurchasable(context.db, [id], { viewer, now, password, provider: 'rsvp' });
  const ticket = found.get(id);
  if (!ticket) throw missingTicket(id);
  if (ticket.refusal) throw ticket.refusal;
  if (!isOnSaleAt(ticket, toUtc(ctx.now))) throw await notOnSale(ctx, ticket);
  return ticket;
}

const update = endpoint({
  namespace: 'tickets',
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/replies/{id}',
  name: 'replies.update',
  summary: 'Change the answer of an RSVP',
  description:
    'Requires the token of a ticket of the RSVP. The token of its first attendee changes the answer for all places, except transferred ones, unless `scope` is `place`; any other token for its place only. A "no" returns the places, a "yes" takes them again.',
  input: {
    id: integer('Id of an attendee of the RSVP.', { min: 1 }),
    security_code: filledText('Security code of that attendee, which alone is refused: 403 `ticket-link-required`.', {
      max: 200,
    }),
    attendee_status: answer,
    scope: withDefault(
      oneOf(
        'Whether the first attendee answers for all places of the `reply`, or for its own `place` only.',
        RSVP_SCOPES,
      ),
      'reply',
    ),
  },
  required: ['id', 'attendee_status'],
  requestHeaders: [TICKET_TOKEN],
  body: 'ReplyChange',
  responses: { 200: rsvpSchema },
  errors: [
    'rest_missing_callback_param',
    'attendee-not-found',
    'ticket-link-required',
    'ticket-transferred',
    'invalid-attendee-status',
    'ticket-does-not-exist',
    'event-cancelled',
    'event-postponed',
    'ticket-capacity-not-available',
    'tec-et-attendee-already-checked-in',
    'too-many-free-places',
  ],
  async find({ id, security_code: code }, ctx) {
    if (id === undefined) return undefined;
    const { attendee } = await getChangeable(ctx, id, code);
    if (attendee.status !== 'publish') throw linkNotFound();
    return attendee;
  },
  async handle(ctx, { attendee_status, scope = 'reply' }, attendee) {
    checkRsvpAnswer(assertFound(attendee), attendee_status);
    const change = { answer: attendee_status, scope, network: networkForFreeSeats(ctx) };
    const attendees = await countRefusal(ctx, () => changeRsvp(ctx, assertFound(attendee), change));
    return ok(renderRsvp(ctx, attendees), PRIVATE_NO_STORE);
  },
});

/** Public RSVPs: `/replies`. */
export const rsvpEndpoints = [create, update];

/** RSVP answers that tickets offer, for the forms of the pages of this process; not a route. */
export const rsvpChoicesEndpoint = endpoint({
  namespace: 'tickets',
  methods: ['GET'],
  path: '/replies/choices',
  name: 'replies.choices',
  summary: 'RSVP answers offered by tickets',
  input: { include: ids('RSVP tickets.') },
  responses: { 200: z.object({ declinable: z.array(z.int()) }) },
  errors: [],
  async handle(ctx, { include = [] }) {
    const tickets = await getTickets(ctx.context.db, include);
    const declinable = [...tickets.values()].filter(({ not_going }) => not_going === 1).map(({ id }) => id);
    return { body: { declinable }, freshUntil: ANY_TIME };
  },
});
