import type { Input, ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';

/** Views of the list. */
export const ATTENDEE_VIEWS = ['all', 'in', 'out', 'archived'] as const;
export type AttendeeView = (typeof ATTENDEE_VIEWS)[number];

/** Query of each view. */
export const VIEW_QUERIES: Readonly<Record<AttendeeView, Input<'GET /admin/v1/attendees'>>> = {
  all: {},
  in: { checked_in: true },
  out: { checked_in: false },
  archived: { status: 'trash' },
};

export const SORTS = ['name', 'date', 'checked_in'] as const;
export const DIRECTIONS = ['asc', 'desc'] as const;

/** Status of an attendee at the door. */
export function stateOf(attendee: Pick<ListedAttendee, 'checked_in' | 'status' | 'attendee_status'>) {
  const { checked_in, status, attendee_status } = attendee;
  if (status === 'trash') return 'archived';
  if (checked_in) return 'in';
  if (attendee_status === 'yes' || attendee_status === 'completed') return 'expected';
  return attendee_status === 'no' ? 'declined' : 'unpaid';
}
