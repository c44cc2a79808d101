import { z } from 'zod';
import { ANY_TIME, endpoint } from '../../http/core/endpoint.ts';
import { ids } from '../../http/input/schemas.ts';
import { getTickets } from '../tickets/store.ts';

/** Which tickets may be replied to with "no", for the forms of the pages of this process; it is no route. */
export const replyChoicesEndpoint = endpoint({
  namespace: 'tickets',
  methods: ['GET'],
  path: '/replies/choices',
  name: 'replies.choices',
  summary: 'Answers that tickets collect',
  input: { include: ids('RSVP tickets.') },
  answers: { 200: z.object({ declinable: z.array(z.int()) }) },
  errors: [],
  async handle(ctx, { include = [] }) {
    const tickets = await getTickets(ctx.context.db, include);
    const declinable = [...tickets.values()].filter(({ not_going }) => not_going === 1).map(({ id }) => id);
    return { body: { declinable }, freshUntil: ANY_TIME };
  },
});
