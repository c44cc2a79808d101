import { can } from '../../http/core/auth.ts';
import { created, endpoint } from '../../http/core/endpoint.ts';
import { eventListEndpoint } from './lists/list.ts';
import { reload, renderWithRelations } from './render-event.ts';
import { createEvent } from './save.ts';
import { byId, bySlug, singleEndpoints } from './single.ts';
import type { EventTickets } from './ticketing.ts';
import { eventSchema } from './view.ts';
import { eventFields, findReferences } from './write-fields.ts';

const createEndpoint = (tickets: EventTickets) =>
  endpoint({
    namespace: 'events',
    methods: ['POST'],
    path: '/events',
    name: 'events.create',
    summary: 'Create an event',
    description:
      'Also creates the venues, organizers, categories and tags that it names and that do not exist, in one transaction. A venue or ' +
      'an organizer with an `id` is linked, and changed if it differs from the stored one.',
    input: eventFields,
    required: ['title', 'start_date', 'end_date'],
    body: 'EventInput',
    answers: { 201: eventSchema },
    errors: ['rest_missing_callback_param', 'rest_forbidden', 'edit-conflict'],
    find: (input, ctx, addProblem) => findReferences(input, { ctx, addProblem, isUpdate: false }),
    may: (viewer) => can(viewer, 'edit'),
    async handle(ctx, input, references) {
      const id = await createEvent({ input, references, ctx });
      return created(await renderWithRelations(await reload(id, ctx), ctx, tickets));
    },
  });

/** Events: `/events`, `/events/{id}` and `/events/by-slug/{slug}`. */
export const eventEndpoints = (tickets: EventTickets) => [
  eventListEndpoint(tickets),
  createEndpoint(tickets),
  ...singleEndpoints(byId, tickets),
  ...singleEndpoints(bySlug, tickets),
];
