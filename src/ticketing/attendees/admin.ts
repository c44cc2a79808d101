import { z } from 'zod';
import { can } from '../../http/core/auth.ts';
import { endpoint, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { revisionSchema } from '../../http/core/revisions.ts';
import { integer } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { findCheckIns } from './check-in.ts';
import { codeContent } from './qr-content.ts';
import { type Attendee, findAttendee } from './store.ts';

export const adminAttendeeSchema = z
  .object({
    id: z.int(),
    event_id: z.int(),
    ticket_id: z.int(),
    order_id: z.int().nullable().describe('null for RSVP.'),
    standing: z.string().describe('RSVP answer, or status of the order.'),
    ...revisionSchema,
    security_code: z.string(),
    content: z.string().describe('Content of the QR code of the ticket.'),
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
  .meta({ id: 'AdminAttendee', description: 'Attendee data for users who manage attendees.' });

/** Security code and check-in log of an attendee. */
export const attendeeAdminEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/attendees/{id}',
  name: 'attendees.inspect',
  summary: 'Read the security code and the check-ins of an attendee',
  input: { id: integer('Id of the attendee.', { min: 1 }) },
  required: ['id'],
  answers: { 200: adminAttendeeSchema },
  errors: ['rest_forbidden', 'attendee-not-found'],
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle(ctx, { id }) {
    const attendee = await findAttendee(ctx.context.db, id);
    if (!attendee) throw new ApiError('attendee-not-found');
    return { body: await renderAdminAttendee(ctx, attendee), revision: attendee.revision };
  },
});

/** Renders an attendee for viewers who manage attendees. */
export async function renderAdminAttendee(
  { context, urls }: RequestContext,
  attendee: Attendee,
): Promise<z.output<typeof adminAttendeeSchema>> {
  const { id, event_id, ticket_id, order_id, attendance_status, security_code, revision } = attendee;
  const log = await findCheckIns(context.db, id);
  return {
    id,
    event_id,
    ticket_id,
    order_id,
    standing: attendance_status,
    revision,
    security_code,
    content: codeContent(attendee, urls),
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
