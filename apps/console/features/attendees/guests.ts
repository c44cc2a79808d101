import type { ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import { isUnpaid } from '../../shared/orders/unpaid.ts';
import { stateOf } from './views.ts';

/** Guest lists and badges on paper. */

export const SHEETS = ['list', 'badges'] as const;
export const GROUPINGS = ['name', 'ticket'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Labels of a sheet of A4, in three columns. */
export const LABELS = 24;

export interface GuestGroup {
  /** Id of the ticket that all of them have; 0 for guests with any ticket. */
  id: number;
  /** Name of the ticket; empty for guests with any ticket. */
  title: string;
  guests: ListedAttendee[];
}

/** Attendees with a ticket that is paid, or that is still to be paid. */
const isGuest = (attendee: ListedAttendee): boolean => {
  const state = stateOf(attendee);
  return state === 'in' || state === 'expected' || (state === 'unpaid' && isUnpaid(attendee.attendee_status));
};

/** Guests in the order of their names, all together or by ticket. */
export function guestGroups(
  attendees: readonly ListedAttendee[],
  by: Grouping,
  { compare }: Pick<Intl.Collator, 'compare'>,
): GuestGroup[] {
  const groups = new Map<number, GuestGroup>();
  for (const guest of attendees.filter(isGuest)) {
    const [id, title] = by === 'ticket' ? [guest.ticket_id, guest.ticket] : [0, ''];
    const group = groups.get(id) ?? { id, title, guests: [] };
    group.guests.push(guest);
    groups.set(id, group);
  }
  for (const { guests } of groups.values())
    guests.sort((one, other) => compare(one.full_name, other.full_name) || one.id - other.id);
  return [...groups.values()].sort((one, other) => compare(one.title, other.title) || one.id - other.id);
}

/** Sheets of labels; the first ones of the first sheet may be used already. */
export function labelSheets<T>(labels: readonly T[], used: number): (T | undefined)[][] {
  const all = [...Array.from({ length: Math.min(used, LABELS - 1) }, () => undefined), ...labels];
  const sheets: (T | undefined)[][] = [];
  for (let start = 0; start < all.length; start += LABELS) sheets.push(all.slice(start, start + LABELS));
  return sheets;
}
