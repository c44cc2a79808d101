import type { Insertable } from 'kysely';
import type { Flag } from '../../db/columns.ts';
import type { AttendeesTable } from '../../db/tables/ticketing.ts';
import { toUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { plainAnswers } from '../../lib/registration-answers.ts';
import { slugify } from '../../lib/text/slug.ts';
import { plainText } from '../../lib/text/text.ts';
import type { Ticket } from '../tickets/store.ts';
import { keysOf } from './store.ts';

/** Holder of a seat. `information` has the registration answers. */
export interface HolderData {
  full_name: string;
  email: string;
  optout: Flag;
  information: unknown;
}

export interface NewAttendee {
  ticket: Ticket;
  holder: HolderData;
  /** The RSVP answer, or the status of the order. */
  attendance_status: string;
  /** null for RSVP. */
  order_id: number | null;
  /** Paid amount in minor units. */
  price: number;
}

/** Context in which attendees are created: accounts, time and randomness. */
export interface AttendeeOrigin {
  /** Account that the attendees belong to; 0 without one. */
  userId: number;
  /** Account that creates them; 0 without one. */
  authorId: number;
  now: Date;
  /** Time zone of the site. */
  timezone: string;
  random(bytes: number): Buffer;
}

/** 80 bits, so that a stolen list of proofs cannot be turned into codes. Older codes have 40. */
const SECURITY_CODE_BYTES = 10;

export const newSecurityCode = (random: AttendeeOrigin['random']): string =>
  random(SECURITY_CODE_BYTES).toString('hex');

/** Value of the column `information` without answers. */
export const NO_INFORMATION = '{}';

/** The row of a new attendee, not checked in. */
export function attendeeRow(id: number, attendee: NewAttendee, origin: AttendeeOrigin): Insertable<AttendeesTable> {
  const { ticket, holder, attendance_status, order_id, price } = attendee;
  const date_utc = toUtc(origin.now);
  const date = utcToLocal(date_utc, origin.timezone);
  const named = { full_name: plainText(holder.full_name), email: holder.email.trim() };
  return {
    id,
    event_id: ticket.event_id,
    ticket_id: ticket.id,
    order_id,
    provider: ticket.provider,
    author_id: origin.authorId,
    user_id: origin.userId,
    status: 'publish',
    attendance_status,
    date,
    date_utc,
    modified: date,
    modified_utc: date_utc,
    ...named,
    ...keysOf(named),
    slug: slugify(named.full_name) || String(id),
    optout: holder.optout,
    price,
    ticket_title: ticket.title,
    information: informationOf(holder.information),
    security_code: newSecurityCode(origin.random),
    checked_in: 0,
    checkin_utc: '',
    checkin_source: '',
    checkin_author: 0,
    checkin_device: '',
    pass_id: null,
  };
}

function informationOf(value: unknown): string {
  const { answers } = plainAnswers(value);
  return Object.keys(answers).length === 0 ? NO_INFORMATION : JSON.stringify(answers);
}
