import type { AuditedKind, Snapshot } from '../../platform/audit/kind.ts';
import type { CreatedRecord } from '../../platform/audit/log.ts';
import { hasRightById } from '../tickets/event-scope.ts';
import { type Attendee, findAttendee } from './store.ts';

/** Audit of attendees. Check-ins have a log of their own. */
export const auditedAttendee: AuditedKind = {
  name: 'attendee',
  async snapshot(db, id) {
    const attendee = await findAttendee(db, id);
    return attendee && snapshotOf(attendee);
  },
  async mayChange(ctx, id) {
    const attendee = await findAttendee(ctx.context.db, id);
    return attendee !== undefined && hasRightById(ctx, 'manage_attendees', attendee.event_id);
  },
};

/** A new attendee for the audit log. */
export const createdAttendee = (attendee: Attendee): CreatedRecord => ({
  kind: auditedAttendee,
  id: attendee.id,
  snapshot: snapshotOf(attendee),
});

const snapshotOf = ({ full_name, email, information, security_code, door_note, ...attendee }: Attendee): Snapshot => ({
  title: '',
  revision: attendee.revision,
  fields: {
    event: attendee.event_id,
    ticket: attendee.ticket_id,
    order: attendee.order_id,
    status: attendee.status,
    attendee_status: attendee.attendance_status,
    optout: attendee.optout === 1,
  },
  personal: {
    full_name,
    email,
    door_note,
    information: information === '{}' || information === '[]' ? '' : information,
  },
  secret: { security_code },
});
