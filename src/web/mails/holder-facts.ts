import type { Context } from '../../base/context.ts';
import { mailboxHash } from '../../platform/mails/outbox.ts';
import { codeContent } from '../../ticketing/attendees/qr-content.ts';
import { type Attendee, findAttendee } from '../../ticketing/attendees/store.ts';
import { ticketSigner } from '../../ticketing/attendees/ticket-signature.ts';
import { ticketUrl } from '../../ticketing/attendees/ticket-token.ts';
import { holderAddress, isTransferredSince } from '../../ticketing/mails/mail-address.ts';
import { type HeldEvent, loadHeldRelations, renderHeldTicket } from '../../ticketing/orders/held-ticket.ts';
import { findOrder } from '../../ticketing/orders/store.ts';
import { readTicketFacts } from '../paper/ticket-facts.ts';
import type { SheetFacts } from '../paper/ticket-sheet.ts';
import { type EventFacts, readEventFacts } from './event-facts.ts';
import type { CodedTicket } from './order-facts.ts';
import type { MailRecord } from './rendered-mail.ts';

/** An event with the ticket of the reader. */
export interface HolderFacts extends EventFacts {
  attendee: Attendee;
  /** The event, with its address for attending online if the ticket admits. */
  event: HeldEvent;
  readerName: string;
  /** Page of the ticket, where its holder can change it. */
  ticketPage: string;
}

/**
 * Reads the ticket of an attendee for a mail. Its mailbox must still be the one of the holder, since it opens the ticket.
 * Staff may choose another one, unless the ticket was transferred since.
 * @returns undefined for a deleted ticket, or for one that has another holder by now
 */
export async function readHolderFacts(
  context: Context,
  mail: MailRecord,
  origin: string,
): Promise<HolderFacts | undefined> {
  const { attendee_id, language } = mail;
  const attendee = await findAttendee(context.db, attendee_id);
  if (!attendee || !(await mayOpen(context, attendee, mail))) return undefined;
  const facts = await readEventFacts(context, { id: attendee.event_id, origin, language });
  if (!facts) return undefined;
  const { event } = await heldTicketOf(facts, attendee);
  if (!event) return undefined;
  return {
    ...facts,
    attendee,
    event,
    readerName: attendee.full_name,
    ticketPage: facts.link(ticketUrl(facts.ctx, attendee)),
  };
}

/** Whether a mail may open the ticket of an attendee. */
async function mayOpen({ db }: Context, attendee: Attendee, mail: MailRecord): Promise<boolean> {
  if (mailboxHash(await holderAddress(db, attendee)) === mail.mailbox) return true;
  return mail.user_id !== 0 && !(await isTransferredSince(db, attendee, mail));
}

/** A ticket as its holder sees it. */
async function heldTicketOf({ ctx }: EventFacts, attendee: Attendee) {
  const [relations, order] = await Promise.all([
    loadHeldRelations(ctx, [attendee]),
    attendee.order_id === null ? undefined : findOrder(ctx.context.db, attendee.order_id),
  ]);
  return renderHeldTicket(attendee, { relations, ctx, access: 'holder', order, transfers: [] });
}

/** The tickets of attendees that have a code for their holder. */
export async function codedTicketsOf(facts: EventFacts, attendees: readonly Attendee[]): Promise<CodedTicket[]> {
  const tickets = await Promise.all(attendees.map((attendee) => heldTicketOf(facts, attendee)));
  const sign = await ticketSigner(facts.ctx.context);
  return tickets.flatMap(({ security_code: code, full_name: holder = '', title, event }, index) => {
    const attendee = attendees[index];
    if (!attendee || code === undefined || attendee.status !== 'publish') return [];
    return [{ content: codeContent(attendee, facts.ctx.urls, sign), code, holder, title, event, dates: [] }];
  });
}

/** The tickets of attendees for paper, as on the page of each: with the dates of a pass. */
export async function readHeldTickets({ ctx }: EventFacts, attendees: readonly Attendee[]): Promise<SheetFacts> {
  const [first, ...others] = await Promise.all(
    attendees.map((attendee) => readTicketFacts(ctx, { attendee, access: 'holder' })),
  );
  if (!first) throw new Error('there are no tickets');
  return { ...first, tickets: [first, ...others].map(({ ticket }) => ticket) };
}
