import { z } from 'zod';
import { admitPassword } from '../../calendar/events/access.ts';
import type { Scope } from '../../calendar/events/series/scope.ts';
import { findEvent } from '../../calendar/events/store.ts';
import { isAnonymous } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, type Method, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { custom, filledText, integer } from '../../http/input/schemas.ts';
import { admitPromotion, promotionField } from '../prices/promotion-entry.ts';
import { checkOptions } from '../prices/ticket-options.ts';
import { scope, type TicketScope, ticketFields } from './fields.ts';
import { followerOf } from './follow-series.ts';
import { cacheLifetimeOf } from './freshness.ts';
import { ticketListEndpoint } from './list.ts';
import { readPrice } from './price.ts';
import { readProvider } from './providers.ts';
import { changeTicket, createTicket, removeTicket } from './save.ts';
import { shownTicketSchema, ticketSchema } from './schema.ts';
import { findTicket } from './store.ts';
import { type LoadTicketAttendees, renderTickets } from './view.ts';
import { areTicketsLocked, isHidden, mayReadTicket } from './visibility.ts';
import { authorize, checkScope, checkWrite, mayWrite, readEventId, type Target } from './write-access.ts';

/** Scope in which a write is repeated for other tickets; a series pass is written as a whole. */
const followed = (
  { scope: sent }: { scope?: TicketScope },
  { pass_id }: { pass_id: number | null } = { pass_id: null },
): { scope?: Scope } => (sent === 'series' || sent === undefined || pass_id !== null ? {} : { scope: sent });

/** A ticket as shown in responses to writes. */
async function renderWritten(id: number, ctx: RequestContext, loadAttendees: LoadTicketAttendees) {
  const ticket = await findTicket(ctx.context.db, id);
  if (!ticket) throw new ApiError('ticket-not-found');
  const [body] = await renderTickets([ticket], ctx, loadAttendees);
  return body;
}

const respondWith = async (...written: Parameters<typeof renderWritten>) => ({
  status: 202 as const,
  body: await renderWritten(...written),
});

const create = (loadAttendees: LoadTicketAttendees) =>
  endpoint({
    namespace: 'tickets',
    methods: ['POST'],
    path: '/tickets',
    name: 'tickets.create',
    summary: 'Create a ticket for an event',
    description:
      'Requires a token for `add_ticket_nonce` from `POST /nonces`, which a successful write uses up. A series pass (`scope`) becomes a ticket of every coming occurrence; the response is the one of the event.',
    input: {
      post_id: custom('The event.', { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] }),
      add_ticket_nonce: custom('One-time token.', { type: 'string' }),
      provider: custom('`tc` for tickets with a price, `rsvp` for RSVPs.', { type: 'string' }),
      ...ticketFields,
      scope,
    },
    body: 'TicketInput',
    responses: { 202: ticketSchema },
    errors: ['forbidden', 'bad_request', 'tec-tickets-rest-invalid_price', 'pass-too-many-dates'],
    async find(input, ctx, addProblem) {
      const claim = {
        action: 'add_ticket_nonce' as const,
        eventId: readEventId(input.post_id),
        nonce: input.add_ticket_nonce,
      };
      const authorized = await authorize(claim, ctx);
      const provider = typeof input.provider === 'string' ? readProvider(input.provider) : undefined;
      if (!provider) throw new ApiError('bad_request');
      const price = provider === 'rsvp' ? 0 : readPrice(input.price, { ctx, isUpdate: false });
      checkWrite(input, { provider, event: authorized.event, ctx, addProblem });
      await checkOptions(input, ctx, { price: price ?? 0, addProblem });
      return { ...authorized, provider, price };
    },
    may: mayWrite,
    async handle(ctx, input, target) {
      const follower = followerOf(followed(input), target.event, ctx);
      return respondWith(await createTicket({ input, ...target, ctx, follower }), ctx, loadAttendees);
    },
  });

const single = (action: string, methods: readonly Method[]) => ({
  namespace: 'tickets' as const,
  methods,
  path: '/tickets/{id}',
  name: `tickets.${action}`,
});

const id = integer('Id of the ticket.', { min: 1 });
const postId = integer('Event of the ticket.', { min: 1 });

/** A ticket that is hidden from visitors is found with as many queries as a missing one. */
const find = async (ticketId: number | undefined, { context, viewer }: RequestContext): Promise<Target> => {
  const ticket = ticketId === undefined ? undefined : await findTicket(context.db, ticketId);
  if (!ticket || (ticket.requires_code === 1 && isAnonymous(viewer))) return { ticket };
  return { ticket, event: await findEvent(context.db, ticket.event_id) };
};

const read = (loadAttendees: LoadTicketAttendees) =>
  endpoint({
    ...single('read', ['GET']),
    summary: 'Read a ticket',
    input: {
      id,
      password: filledText('Password of the event, if it has one.', { max: 200 }),
      promotion: promotionField,
    },
    required: ['id'],
    responses: { 200: shownTicketSchema },
    errors: ['ticket-not-found', 'ticket-not-accessible', 'promotion-unknown', 'promotion-not-valid'],
    find: (input, ctx) => find(input.id, ctx),
    async handle(ctx, { password, promotion: code }, { ticket, event: found }) {
      const promotion = code === undefined ? undefined : await admitPromotion(ctx, code);
      if (!ticket || isHidden(ticket, found, { viewer: ctx.viewer, promotion })) throw new ApiError('ticket-not-found');
      const event = found ?? (await findEvent(ctx.context.db, ticket.event_id));
      if (!mayReadTicket(ctx.viewer, ticket, event)) throw new ApiError('ticket-not-accessible');
      await admitPassword(ctx, password, event ? [event] : []);
      const [body] = await renderTickets([ticket], ctx, loadAttendees, { password, withEditing: true });
      const isShown = event && !areTicketsLocked(event, ctx.viewer, password);
      return { body, revision: isShown ? ticket.revision : undefined, ...(await cacheLifetimeOf(ctx, [ticket])) };
    },
  });

const remove = (loadAttendees: LoadTicketAttendees) =>
  endpoint({
    ...single('delete', ['DELETE']),
    summary: 'Delete a ticket',
    description:
      'Its attendees are kept. A series pass is deleted in all coming occurrences. Requires a token for `remove_ticket_nonce`, which a successful write uses up.',
    input: { id, post_id: postId, remove_ticket_nonce: filledText('One-time token.'), scope },
    required: ['id', 'post_id', 'remove_ticket_nonce'],
    responses: { 202: z.literal(true) },
    errors: ['rest_missing_callback_param', 'ticket-not-found', 'ticket-not-accessible', 'forbidden', 'edit-conflict'],
    async find(input, ctx, addProblem): Promise<Target> {
      const target = await find(input.id, ctx);
      if (input.post_id === undefined || input.remove_ticket_nonce === undefined || input.id === undefined)
        return target;
      if (!target.ticket || isHidden(target.ticket, target.event, ctx)) throw new ApiError('ticket-not-found');
      if (!mayReadTicket(ctx.viewer, target.ticket, target.event)) throw new ApiError('ticket-not-accessible');
      const claim = {
        action: 'remove_ticket_nonce' as const,
        eventId: input.post_id,
        nonce: input.remove_ticket_nonce,
      };
      const authorized = await authorize(claim, ctx);
      if (target.ticket.event_id !== input.post_id) addProblem('post_id', { key: 'param.ticket_of_event' });
      const { ticket } = target;
      checkScope(input, { provider: ticket.provider, event: authorized.event, current: ticket, addProblem });
      return { ...target, ...authorized };
    },
    may: mayWrite,
    async handle(ctx, input, { event, nonce, ticket }) {
      if (!event || !nonce || !ticket) throw new ApiError('forbidden');
      await removeTicket(ticket, { event, nonce, ctx, follower: followerOf(followed(input, ticket), event, ctx) });
      return { status: 202, body: true };
    },
    showCurrent: (ctx, input) => renderWritten(input.id, ctx, loadAttendees),
  });

const update = (loadAttendees: LoadTicketAttendees) =>
  endpoint({
    ...single('update', ['POST', 'PUT', 'PATCH']),
    summary: 'Change a ticket',
    description:
      'Omitted fields keep their values. A series pass changes in all coming occurrences. Requires a token for `edit_ticket_nonce`, which a successful write uses up.',
    input: {
      id,
      post_id: postId,
      edit_ticket_nonce: filledText('One-time token.'),
      ...ticketFields,
      scope,
    },
    required: ['id', 'post_id', 'edit_ticket_nonce'],
    body: 'TicketChange',
    responses: { 202: ticketSchema },
    errors: [
      'rest_missing_callback_param',
      'forbidden',
      'ticket-not-found',
      'tec-tickets-rest-invalid_price',
      'edit-conflict',
    ],
    async find(input, ctx, addProblem): Promise<Target> {
      if (input.post_id === undefined || input.edit_ticket_nonce === undefined || input.id === undefined) return {};
      const claim = { action: 'edit_ticket_nonce' as const, eventId: input.post_id, nonce: input.edit_ticket_nonce };
      const authorized = await authorize(claim, ctx);
      const { ticket, event } = await find(input.id, ctx);
      if (!ticket || isHidden(ticket, event, ctx) || !mayReadTicket(ctx.viewer, ticket, event))
        throw new ApiError('ticket-not-found');
      if (ticket.event_id !== input.post_id) {
        // Other problems would tell about a ticket that the viewer may not change.
        addProblem('post_id', { key: 'param.ticket_of_event' });
        return { ...authorized, ticket };
      }
      const price = ticket.provider === 'rsvp' ? undefined : readPrice(input.price, { ctx, isUpdate: true });
      checkWrite(input, { provider: ticket.provider, event: authorized.event, current: ticket, ctx, addProblem });
      await checkOptions(input, ctx, { price: price ?? ticket.price, addProblem });
      return { ...authorized, ticket, price };
    },
    may: mayWrite,
    async handle(ctx, input, { event, nonce, ticket, price }) {
      if (!event || !nonce || !ticket) throw new ApiError('forbidden');
      const follower = followerOf(followed(input, ticket), event, ctx);
      await changeTicket(ticket, { input, provider: ticket.provider, price, event, nonce, ctx, follower });
      return respondWith(ticket.id, ctx, loadAttendees);
    },
    showCurrent: (ctx, input) => renderWritten(input.id, ctx, loadAttendees),
  });

/** Tickets: `/tickets` and `/tickets/{id}`. */
export const ticketEndpoints = (loadAttendees: LoadTicketAttendees): AnyEndpoint[] => [
  ticketListEndpoint(loadAttendees),
  create(loadAttendees),
  read(loadAttendees),
  remove(loadAttendees),
  update(loadAttendees),
];
