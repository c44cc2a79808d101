import { z } from 'zod';
import { hasEventRights, type OwnedEvent } from '../../http/core/auth.ts';
import { endpoint, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { revisionSchema } from '../../http/core/revisions.ts';
import { integer } from '../../http/input/schemas.ts';
import { link, utcTime } from '../../http/output/output.ts';
import { passOfAttendeeSchema } from '../tickets/attendee-schema.ts';
import { eventRightTester, findOwners } from '../tickets/event-scope.ts';
import { findCheckIns } from './check-in.ts';
import { eventsOfHolder } from './pass-attendees.ts';
import { codeContent } from './qr-content.ts';
import { type Attendee, findAttendee } from './store.ts';
import { ticketSigner } from './ticket-signature.ts';
import { ticketUrl } from './ticket-token.ts';

export const adminAttendeeSchema = z
  .object({
    id: z.int(),
    event_id: z.int(),
    ticket_id: z.int(),
    order_id: z.int().nullable().describe('null for RSVP.'),
    pass: passOfAttendeeSchema.optional().describe('Only for a series pass.'),
    standing: z.string().describe('RSVP answer, or status of the order.'),
    ...revisionSchema,
    security_code: z.string(),
    content: z.string().describe('Content of the QR code of the ticket.'),
    door_note: z.string().describe('Note that devices at the door show.'),
    url: link
      .optional()
      .describe(
        'Page of the ticket; anyone with the link may act for its holder. For users who manage the attendees of its event, or of all events of a series pass.',
      ),
    check_ins: z
      .array(
        z.object({
          action: z.enum(['in', 'out']),
          date_utc: utcTime,
          source: z.string().describe('`site`, or `app` for a scanned code.'),
          user_id: z.int().describe('Account; 0 for none.'),
          key_id: z
            .int()
            .nullable()
            .describe('Id of the check-in key used; null without one, and for the key in the settings.'),
          device: z.string(),
        }),
      )
      .describe('Check-ins and check-outs, oldest first.'),
  })
  .meta({ id: 'AdminAttendee', description: 'Attendee data for users who may see orders.' });

/** Attendee that a request names, with events; neither if it does not exist. */
export interface NamedAttendee {
  attendee: Attendee | undefined;
  /** Event of the attendee; for a series pass, the events of all its attendees, who share holder and code. */
  events: OwnedEvent[];
  /** The event of the attendee alone. */
  own: OwnedEvent[];
}

export async function findNamedAttendee(ctx: RequestContext, id: number | undefined): Promise<NamedAttendee> {
  const attendee = id === undefined ? undefined : await findAttendee(ctx.context.db, id);
  if (!attendee) return { attendee, events: [], own: [] };
  const events = await findOwners(ctx, await eventsOfHolder(ctx.context.db, attendee));
  return { attendee, events, own: events.filter((event) => event.id === attendee.event_id) };
}

/** Security code and check-in log of an attendee. */
export const attendeeAdminEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/attendees/{id}',
  name: 'attendees.inspect',
  summary: 'Read the security code and the check-ins of an attendee',
  input: { id: integer('Id of the attendee.', { min: 1 }) },
  required: ['id'],
  responses: { 200: adminAttendeeSchema },
  errors: ['rest_forbidden', 'attendee-not-found'],
  find: ({ id }, ctx) => findNamedAttendee(ctx, id),
  may: (viewer, target) => hasEventRights(viewer, 'read_orders', target && { events: target.own }),
  async handle(ctx, _input, { attendee }) {
    if (!attendee) throw new ApiError('attendee-not-found');
    return { body: await renderAdminAttendee(ctx, attendee), revision: attendee.revision };
  },
});

/** Whether the viewer manages all attendees that the link of a ticket gives access to. */
async function mayActForHolder(ctx: RequestContext, attendee: Attendee): Promise<boolean> {
  const eventIds = await eventsOfHolder(ctx.context.db, attendee);
  return eventIds.every(await eventRightTester(ctx, 'manage_attendees', eventIds));
}

/** Renders an attendee for viewers who may see orders. */
export async function renderAdminAttendee(
  ctx: RequestContext,
  attendee: Attendee,
): Promise<z.output<typeof adminAttendeeSchema>> {
  const { context, urls } = ctx;
  const { id, event_id, ticket_id, order_id, attendance_status, security_code, revision } = attendee;
  const log = await findCheckIns(context.db, id);
  return {
    id,
    event_id,
    ticket_id,
    order_id,
    ...(attendee.pass_id !== null && { pass: { id: attendee.pass_id } }),
    standing: attendance_status,
    revision,
    security_code,
    content: codeContent(attendee, urls, await ticketSigner(context)),
    door_note: attendee.door_note,
    ...((await mayActForHolder(ctx, attendee)) && { url: ticketUrl(ctx, attendee) }),
    check_ins: log.map(({ action, date_utc, source, user_id, key_id, device }) => ({
      // check-in.ts writes no other values.
      action: action as 'in' | 'out',
      date_utc,
      source,
      user_id,
      key_id,
      device,
    })),
  };
}
