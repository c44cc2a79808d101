import { mayReadAttendees } from '../../http/auth.ts';
import type { AuditedKind } from '../audit/kind.ts';
import { findAttendee } from './store.ts';

/** Attendees in the audit log. Check-ins have a log of their own. */
export const auditedAttendee: AuditedKind = {
  name: 'attendee',
  async snapshot(db, id) {
    const attendee = await findAttendee(db, id);
    if (!attendee) return undefined;
    const { full_name, email, information, security_code } = attendee;
    return {
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
      personal: { full_name, email, information: information === '{}' || information === '[]' ? '' : information },
      secret: { security_code },
    };
  },
  async mayChange({ viewer, context }, id) {
    const attendee = await findAttendee(context.db, id);
    const isStaff = viewer.account !== undefined && viewer.capabilities.has('manage_attendees');
    return isStaff && attendee !== undefined && mayReadAttendees(viewer, attendee.event_id);
  },
};
