import type { Database } from '../../db/database.ts';
import { ANNOUNCEMENT_KINDS, type MailKind } from '../../lib/mail-kinds.ts';
import { type Mail, mailboxHash } from '../../platform/mails/outbox.ts';
import { type Attendee, findAttendee } from '../attendees/store.ts';
import { findOrder } from '../orders/store.ts';
import type { ListedMail } from './mail-list.ts';

/** Address of a holder, or of the customer if the ticket has none; empty if neither is known. */
export async function holderAddress(
  db: Database,
  { email, order_id }: Pick<Attendee, 'email' | 'order_id'>,
): Promise<string> {
  if (email !== '' || order_id === null) return email;
  return (await findOrder(db, order_id))?.purchaser_email ?? '';
}

type HolderMail = Pick<Mail, 'record_kind' | 'record_id' | 'created_utc'>;

/** Whether a ticket, or a date of the same series pass, was given to another person since a mail was written. */
export async function isTransferredSince(
  { query }: Database,
  { id, pass_id }: Pick<Attendee, 'id' | 'pass_id'>,
  { record_kind, record_id, created_utc }: HolderMail,
): Promise<boolean> {
  const transfer = await query
    .selectFrom('ticket_transfers')
    .innerJoin('attendees', 'attendees.id', 'ticket_transfers.attendee_id')
    .select('ticket_transfers.id')
    .where((eb) => (pass_id === null ? eb('attendees.id', '=', id) : eb('attendees.pass_id', '=', pass_id)))
    .where((eb) =>
      record_kind === 'transfer'
        ? eb('ticket_transfers.id', '>', record_id)
        : eb('ticket_transfers.date_utc', '>=', created_utc),
    )
    .limit(1)
    .executeTakeFirst();
  return transfer !== undefined;
}

const WITHOUT_TICKET: ReadonlySet<MailKind> = new Set(['ticket_transferred', ...ANNOUNCEMENT_KINDS]);

/** Whether a mail opens the ticket of an attendee, and so is for its holder alone. */
export const opensTicket = ({ attendee_id, kind }: Pick<Mail, 'attendee_id' | 'kind'>): boolean =>
  attendee_id > 0 && !WITHOUT_TICKET.has(kind);

/**
 * Current address of the customer or holder who gets a mail.
 * @returns undefined if the mail opens a ticket that is gone, or another person's by now
 */
export async function presentAddress(db: Database, mail: ListedMail): Promise<string | undefined> {
  const { account_id, attendee_id, kind, mailbox, order_id, to_email } = mail;
  // Mails to accounts keep their address; the address of a former holder is only in the mail.
  if (account_id !== 0 || kind === 'ticket_transferred') return to_email;
  if (attendee_id === 0) return (order_id !== null && (await findOrder(db, order_id))?.purchaser_email) || to_email;
  const attendee = await findAttendee(db, attendee_id);
  const address = attendee && (await holderAddress(db, attendee));
  if (!opensTicket(mail)) return address || to_email;
  if (!attendee || !address) return undefined;
  const isOther = mailboxHash(address) !== mailbox && (await isTransferredSince(db, attendee, mail));
  return isOther ? undefined : address;
}
