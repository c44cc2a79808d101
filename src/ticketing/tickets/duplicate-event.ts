import { type CopyOptions, copyEvent } from '../../calendar/events/copy.ts';
import { renderWithRelations } from '../../calendar/events/render-event.ts';
import { type Event, findEvent } from '../../calendar/events/store.ts';
import { eventSchema } from '../../calendar/events/view.ts';
import { STATUSES } from '../../calendar/posts/post.ts';
import type { Database } from '../../db/database.ts';
import { can, mayManageTickets } from '../../http/core/auth.ts';
import { type AnyEndpoint, created, endpoint } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { boolean, date, integer, oneOf } from '../../http/input/schemas.ts';
import { copyTickets } from './copy.ts';
import { eventTickets } from './event-tickets.ts';

/** Possible statuses of a copy. */
const GIVEN_STATUSES = STATUSES.filter((status) => status !== 'trash' && status !== 'future');

export const duplicateEndpoint: AnyEndpoint = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/events/{id}/duplicate',
  name: 'events.duplicate',
  summary: 'Copy an event',
  description:
    'The copy has the texts of all languages, the venues, organizers, categories and tags, the image, the cost and the other fields of the event, a slug of its own, and the current user as author. It takes place as announced, and has no attendees; the password is only copied on request.',
  input: {
    id: integer('Id of the event.', { min: 1 }),
    start_date: date(
      'Start of the copy, in the time zone of the event; by default the start of the event. The duration stays the same.',
    ),
    status: oneOf('Status of the copy; `draft` by default.', GIVEN_STATUSES),
    with_tickets: boolean(
      'true: the copy has the same tickets with the same capacities, none sold. Their sale periods move with the start.',
    ),
    with_password: boolean('true: the copy has the password of the event.'),
  },
  required: ['id'],
  body: 'EventDuplicate',
  responses: { 201: eventSchema },
  errors: ['rest_missing_callback_param', 'rest_forbidden', 'rest-event-not-found', 'event-no-longer-available'],
  find: ({ id }, { context }) => (id === undefined ? Promise.resolve(undefined) : findEvent(context.db, id)),
  // Viewers who see all fields of the event may copy it.
  may: (viewer, event) =>
    can(viewer, 'edit') && (!event || event.author_id === viewer.account?.id || can(viewer, 'edit_others')),
  async handle(ctx, { id, start_date, status = 'draft', with_tickets = false, with_password = false }) {
    const options: CopyOptions = { status, start: start_date, withPassword: with_password };
    const copy = await ctx.context.db.transaction(async (db) => {
      const event = await getEvent(db, id);
      if (event.status === 'trash') throw new ApiError('event-no-longer-available');
      const copied = await getEvent(db, await copyEvent(db, event, { ctx, options }));
      if (!with_tickets) return copied;
      if (!mayManageTickets(ctx.viewer, copied)) throw new ApiError('rest_forbidden');
      await copyTickets(db, { from: event, to: copied, maker: ctx });
      return copied;
    });
    return created(await renderWithRelations(copy, ctx, eventTickets));
  },
});

async function getEvent(db: Database, id: number): Promise<Event> {
  const event = await findEvent(db, id);
  if (!event) throw new ApiError('rest-event-not-found');
  return event;
}
