import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { toUtc } from '../../lib/dates/local-time.ts';
import type { MailKind } from '../../lib/mail-kinds.ts';
import { isSampleAddress } from '../../lib/text/email.ts';
import { addressOf, mailboxHash, queueMail, queueMails } from '../../platform/mails/outbox.ts';
import type { Attendee } from './store.ts';
import { findTransfers } from './transfers.ts';

/** Mails to the holders of tickets and RSVPs, written in the transaction of their reason, before statements on seats. */

/** Seconds in which an answer may be changed again before the mail about it is sent. */
const CHANGE_SECONDS = 60;

interface RsvpMail {
  kind: Extract<MailKind, 'rsvp' | 'rsvp_changed'>;
  language: string;
  now: Date;
}

/**
 * Writes the mail about a new or changed RSVP to its first attendee. A mail that waits already suffices: it is rendered
 * when it is sent.
 */
export async function mailRsvp(
  db: Database,
  { id, event_id, email, modified_utc }: Pick<Attendee, 'id' | 'event_id' | 'email' | 'modified_utc'>,
  { kind, language, now }: RsvpMail,
): Promise<void> {
  if (isSampleAddress(email) || (kind === 'rsvp_changed' && (await hasWaitingMail(db, id)))) return;
  await queueMail(db, {
    ...{ kind, language, now, to: email, record_kind: 'attendee', record_id: id, attendeeId: id, eventId: event_id },
    key: kind === 'rsvp' ? `rsvp-${id}` : `rsvp_changed-${id}-${modified_utc.replace(/\D/g, '')}`,
    delay: kind === 'rsvp' ? 0 : CHANGE_SECONDS,
  });
}

const hasWaitingMail = async ({ query }: Database, attendee: number): Promise<boolean> =>
  (await query
    .selectFrom('mails')
    .select('id')
    .where('attendee_id', '=', attendee)
    // For the partial index.
    .where(sql<boolean>`attendee_id > 0`)
    .where('kind', 'in', ['rsvp', 'rsvp_changed'])
    .where('status', '=', 'queued')
    // A mail that is being sent may already be outdated.
    .where('attempts', '=', 0)
    .executeTakeFirst()) !== undefined;

interface TransferMails {
  /** Id of the transfer. */
  transfer: number;
  /** The ticket before the transfer. */
  former: Pick<Attendee, 'id' | 'event_id' | 'email' | 'language'>;
  recipient: string;
  /** Language of the request. */
  language: string;
  now: Date;
}

/** Writes to the new holder of a ticket, with its code, and to the former one, without. */
export async function mailTransfer(
  db: Database,
  { transfer, former, recipient, language, now }: TransferMails,
): Promise<void> {
  const mail = { record_kind: 'transfer' as const, record_id: transfer, eventId: former.event_id, now };
  if (!isSampleAddress(recipient))
    await queueMail(db, {
      ...{ ...mail, kind: 'ticket_received', key: `ticket_received-${transfer}`, language },
      ...{ to: recipient, attendeeId: former.id },
    });
  // A corrected address needs no warning.
  const isOther = addressOf(former.email).mailbox !== addressOf(recipient).mailbox;
  if (isOther && !isSampleAddress(former.email))
    await queueMail(db, {
      ...{ ...mail, kind: 'ticket_transferred', key: `ticket_transferred-${transfer}` },
      ...{ to: former.email, attendeeId: former.id, language: former.language || language },
    });
}

/**
 * Writes to the holders of cancelled places that were transferred to them, once for each ticket: the mail to the customer
 * does not reach them.
 * @param attendees of one order
 */
export async function mailCancelledHolders(
  db: Database,
  attendees: readonly Attendee[],
  { customer, delay, now }: { customer: string; delay?: number; now: Date },
): Promise<void> {
  const transfers = await findTransfers(
    db,
    attendees.map(({ id }) => id),
  );
  const isOther = ({ id, email }: Attendee) =>
    transfers.has(id) && !isSampleAddress(email) && mailboxHash(email) !== mailboxHash(customer);
  const tickets = new Map(attendees.filter(isOther).map((one) => [one.pass_id ?? one.id, one]));
  const time = toUtc(now).replace(/\D/g, '');
  await queueMails(
    db,
    [...tickets.values()].map(({ id, event_id, email, language }) => ({
      ...{
        kind: 'place_cancelled' as const,
        key: `place_cancelled-holder-${id}-${time}`,
        language,
        to: email,
        delay,
        now,
      },
      ...{ record_kind: 'attendee' as const, record_id: id, attendeeId: id, eventId: event_id },
    })),
  );
}
