import { z } from 'zod';
import { admitPassword } from '../../calendar/events/password.ts';
import { findEvent } from '../../calendar/events/store.ts';
import { type AnyEndpoint, endpoint, type Method, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { custom, filledText, integer } from '../../http/input/schemas.ts';
import { ticketFields } from './fields.ts';
import { freshnessOf } from './freshness.ts';
import { ticketListEndpoint } from './list.ts';
import { areTicketsLocked } from './locked.ts';
import { readPrice } from './price.ts';
import { readProvider } from './providers.ts';
import { changeTicket, createTicket, removeTicket } from './save.ts';
import { shownTicketSchema, ticketSchema } from './schema.ts';
import { findTicket } from './store.ts';
import { type LoadTicketAttendees, renderTickets } from './view.ts';
import { mayReadTicket } from './visibility.ts';
import { authorize, checkWrite, mayWrite, readEventId, type Target } from './write-access.ts';

/** A ticket as shown in responses to writes. */
async function renderWritten(id: number, ctx: RequestContext, loadAttendees: LoadTicketAttendees) {
  const ticket = await findTicket(ctx.context.db, id);
  if (!ticket) throw new ApiError('ticket-not-found');
  const [body] = await renderTickets([ticket], ctx, loadAttendees);
  return body;
}

const answer = async (...written: Parameters<typeof renderWritten>) => ({
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
    description: 'Requires a token for `add_ticket_nonce` from `POST /nonces`, which a successful write uses up.',
    input: {
      post_id: custom('The event.', { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] }),
      add_ticket_nonce: custom('One-time token.', { type: 'string' }),
      provider: custom('`tc` for tickets with a price, `rsvp` for RSVPs.', { type: 'string' }),
      ...ticketFields,
    },
    body: 'TicketInput',
    answers: { 202: ticketSchema },
    errors: ['forbidden', 'bad_request', 'tec-tickets-rest-invalid_price'],
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
      return { ...authorized, provider, price };
    },
    may: mayWrite,
    handle: async (ctx, input, target) => answer(await createTicket({ input, ...target, ctx }), ctx, loadAttendees),
  });

const single = (action: string, methods: readonly Method[]) => ({
  namespace: 'tickets' as const,
  methods,
  path: '/tickets/{id}',
  name: `tickets.${action}`,
});

const id = integer('Id of the ticket.', { min: 1 });
const postId = integer('Event of the ticket.', { min: 1 });

const find = async (ticketId: number | undefined, { context }: RequestContext): Promise<Target> => {
  const ticket = ticketId === undefined ? undefined : await findTicket(context.db, ticketId);
  return { ticket, event: ticket && (await findEvent(context.db, ticket.event_id)) };
};

const read = (loadAttendees: LoadTicketAttendees) =>
  endpoint({
    ...single('read', ['GET']),
    summary: 'Read a ticket',
    input: { id, password: filledText('Password of the event, if it has one.', { max: 200 }) },
    required: ['id'],
    answers: { 200: shownTicketSchema },
    errors: ['ticket-not-found', 'ticket-not-accessible'],
    find: (input, ctx) => find(input.id, ctx),
    async handle(ctx, { password }, { ticket, event }) {
      if (!ticket) throw new ApiError('ticket-not-found');
      if (!mayReadTicket(ctx.viewer, ticket, event)) throw new ApiError('ticket-not-accessible');
      await admitPassword(ctx, password, event ? [event] : []);
      const [body] = await renderTickets([ticket], ctx, loadAttendees, { password, withEditing: true });
      const isShown = event && !areTicketsLocked(event, ctx.viewer, password);
      return { body, revision: isShown ? ticket.revision : undefined, ...(await freshnessOf(ctx, [ticket])) };
    },
  });

const remove = (loadAttendees: LoadTicketAttendees) =>
  endpoint({
    ...single('delete', ['DELETE']),
    summary: 'Delete a ticket',
    description:
      'Its attendees are kept. Requires a token for `remove_ticket_nonce`, which a successful write uses up.',
    input: { id, post_id: postId, remove_ticket_nonce: filledText('One-time token.') },
    required: ['id', 'post_id', 'remove_ticket_nonce'],
    answers: { 202: z.literal(true) },
    errors: ['rest_missing_callback_param', 'ticket-not-found', 'ticket-not-accessible', 'forbidden', 'edit-conflict'],
    async find(input, ctx, addProblem): Promise<Target> {
      const target = await find(input.id, ctx);
      if (input.post_id === undefined || input.remove_ticket_nonce === undefined || input.id === undefined)
        return target;
      if (!target.ticket) throw new ApiError('ticket-not-found');
      if (!mayReadTicket(ctx.viewer, target.ticket, target.event)) throw new ApiError('ticket-not-accessible');
      const claim = {
        action: 'remove_ticket_nonce' as const,
        eventId: input.post_id,
        nonce: input.remove_ticket_nonce,
      };
      const authorized = await authorize(claim, ctx);
      if (target.ticket.event_id !== input.post_id) addProblem('post_id', { key: 'param.ticket_of_event' });
      return { ...target, ...authorized };
    },
    may: mayWrite,
    async handle(ctx, input, { event, nonce }) {
      if (!event || !nonce) throw new ApiError('forbidden');
      await removeTicket(input.id, { event, nonce, ctx });
      return { status: 202, body: true };
    },
    showCurrent: (ctx, input) => renderWritten(input.id, ctx, loadAttendees),
  });

const update = (loadAttendees: LoadTicketAttendees) =>
  endpoint({
    ...single('update', ['POST', 'PUT', 'PATCH']),
    summary: 'Change a ticket',
    description:
      'Omitted fields keep their values. Requires a token for `edit_ticket_nonce`, which a successful write uses up.',
    input: {
      id,
      post_id: postId,
      edit_ticket_nonce: filledText('One-time token.'),
      ...ticketFields,
    },
    required: ['id', 'post_id', 'edit_ticket_nonce'],
    body: 'TicketChange',
    answers: { 202: ticketSchema },
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
      const ticket = await findTicket(ctx.context.db, input.id);
      if (!ticket) throw new ApiError('ticket-not-found');
      if (ticket.event_id !== input.post_id) addProblem('post_id', { key: 'param.ticket_of_event' });
      const price = ticket.provider === 'rsvp' ? undefined : readPrice(input.price, { ctx, isUpdate: true });
      checkWrite(input, { provider: ticket.provider, event: authorized.event, current: ticket, ctx, addProblem });
      return { ...authorized, ticket, price };
    },
    may: mayWrite,
    async handle(ctx, input, { event, nonce, ticket, price }) {
      if (!event || !nonce || !ticket) throw new ApiError('forbidden');
      await changeTicket(ticket.id, { input, provider: ticket.provider, price, event, nonce, ctx });
      return answer(ticket.id, ctx, loadAttendees);
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
